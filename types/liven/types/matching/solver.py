"""The solver decides a goal as a greatest fixed point: it visits all goals below until one refuses.

All rules are conjunctions, so a goal holds exactly when no goal below it refuses. A pair of values that is
met again counts as fitting, which is the coinductive reading of recursive types. When the whole holds,
every goal on the way holds too, and is remembered.
"""

from __future__ import annotations

from typing import Any, TypeAlias

from liven.types.matching.goals import Goal
from liven.types.matching.value_relation import ValueRelation
from liven.types.terms.value_types import Float, Integer, Local, Loop, Opaque, Scalar

Pair: TypeAlias = tuple[int, int]
_LEAVES = frozenset({Integer, Float, Scalar, Local, Opaque, Loop})


class TooLargeError(Exception):
    """The decision would visit more goals than allowed; the text says how many."""


class Solver:
    """Decides goals and remembers pairs of values that fit. `most` bounds one decision and the memory."""

    def __init__(self, values: ValueRelation, most: int) -> None:
        self._values = values
        self._most = most
        # Keyed by identity: hashing a deep term costs more than deciding it. The terms are kept with
        # the key, so that their addresses are not used again.
        self._fitting: dict[Pair, tuple[Any, Any]] = {}

    def holds(self, goal: Goal) -> bool:
        """True if the goal holds; raises TooLargeError."""
        met = self._visit(goal)
        if met is None:
            return False
        if len(self._fitting) + len(met) > self._most:
            self._fitting.clear()
        self._fitting.update(met)
        return True

    def _visit(self, goal: Goal) -> dict[Pair, tuple[Any, Any]] | None:
        """Return the pairs of values met on the way; None if a goal refused."""
        values, fitting, steps = self._values, self._fitting, self._most
        met: dict[Pair, tuple[Any, Any]] = {}
        todo = [goal]
        while todo:
            relation, left, right, _ = todo.pop()
            if relation is values and left is right:
                continue
            if relation is values and type(right) not in _LEAVES:
                pair = (id(left), id(right))
                if pair in met or pair in fitting:
                    continue
                met[pair] = (left, right)
            parts = relation.parts(left, right)
            if parts is None:
                return None
            todo.extend(parts)
            steps -= 1
            if steps < 0:
                raise TooLargeError(f"more than {self._most} parts would have to be compared")
        return met
