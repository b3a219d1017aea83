"""Positions for the nodes of a graph: in columns, by their distance from the first node."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Mapping, Sequence

Spot = tuple[int, int]
"""Column and row."""


def spots(nodes: Sequence[int], edges: Iterable[tuple[int, int]]) -> dict[int, Spot]:
    """Return a position for each node. Nodes that the first one does not reach start again below."""
    near = _neighbours(nodes, edges)
    found: dict[int, Spot] = {}
    below = 0
    for first in nodes:
        if first not in found:
            found |= _part(first, near, below)
            below = 1 + max(row for _, row in found.values())
    return found


def _part(first: int, near: Mapping[int, Sequence[int]], below: int) -> dict[int, Spot]:
    """Place everything that `first` reaches, starting at row `below`."""
    found = {first: (0, below)}
    filled = {0: below + 1}
    waiting = deque([first])
    while waiting:
        node = waiting.popleft()
        column = found[node][0] + 1
        for other in near[node]:
            if other not in found:
                row = filled.get(column, below)
                found[other] = (column, row)
                filled[column] = row + 1
                waiting.append(other)
    return found


def _neighbours(nodes: Sequence[int], edges: Iterable[tuple[int, int]]) -> dict[int, list[int]]:
    near: dict[int, list[int]] = {node: [] for node in nodes}
    for one, other in edges:
        if one in near and other in near:
            near[one].append(other)
            near[other].append(one)
    return near
