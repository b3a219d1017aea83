"""A checker for registers: it searches any sequence of the operations that keeps real time and in which each
read returns the last value written."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

NEVER = float("inf")


@dataclass(frozen=True)
class Act:
    """One operation on the register: a write of `value`, or a read that returned it."""

    begin: float
    end: float
    write: bool
    value: int


class UndecidedError(Exception):
    """The search was given up, because too many sequences are possible."""


def is_linearisable(acts: Sequence[Act], states_most: int = 1_000_000) -> bool:
    """True if some sequence explains the acts. Unfinished ones may or may not have happened. Raises
    UndecidedError after so many states."""
    read = {act.value for act in acts if not act.write}
    acts = [act for act in acts if act.end < NEVER or act.value in read]  # others change nothing that is seen
    seen: set[tuple[frozenset[int], int]] = set()

    def search(left: frozenset[int], value: int) -> bool:
        if all(acts[index].end == NEVER for index in left):
            return True
        if (left, value) in seen:
            return False
        if len(seen) >= states_most:
            raise UndecidedError
        seen.add((left, value))
        first_end = min(acts[index].end for index in left)
        able = [
            index for index in sorted(left, key=lambda each: acts[each].end) if fits(index, first_end, value)
        ]
        reads = [index for index in able if not acts[index].write]
        if reads:  # a read that fits now changes nothing, so no sequence is better without it here
            return search(left.difference(reads), value)
        return any(search(left - {index}, acts[index].value) for index in able)

    def fits(index: int, first_end: float, value: int) -> bool:
        act = acts[index]
        return act.begin <= first_end and (act.write or act.value == value)

    return search(frozenset(range(len(acts))), 0)
