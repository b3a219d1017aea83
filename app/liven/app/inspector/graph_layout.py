"""Where the objects of a graph stand: in columns, by how many connections lie between them and the first."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Mapping, Sequence

Spot = tuple[int, int]
"""Column and row."""


def spots(nodes: Sequence[int], edges: Iterable[tuple[int, int]]) -> dict[int, Spot]:
    """A spot for each node. What is joined to the first node, or to what is joined to it, stands beside it;
    what is joined to none of these begins again below."""
    near = _neighbours(nodes, edges)
    found: dict[int, Spot] = {}
    below = 0
    for first in nodes:
        if first not in found:
            found |= _part(first, near, below)
            below = 1 + max(row for _, row in found.values())
    return found


def _part(first: int, near: Mapping[int, Sequence[int]], below: int) -> dict[int, Spot]:
    """All that can be reached from `first`, from the row `below` on."""
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
