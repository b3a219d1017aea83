"""Builds the tree of an explanation: all that a goal rests on, each part marked as holding or failing.

The tree is linear in the number of different goals: a goal that occurs again is one line that points
upward. This keeps it finite for recursive types, and small for types that use one part in a hundred
places. Where a whole fails, parts that were not decided are left out and counted. Where a whole holds,
every part does.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

from liven.types.explanation import Explanation
from liven.types.matching.goals import ITEM, Goal
from liven.types.terms.type_text import spell_name

Key: TypeAlias = tuple[int, int, int]
_DEEPEST = 100
_MOST = 20_000
"""The most goals to visit: the solver stops at the first refusal, a tree does not."""


def build_tree(goal: Goal, holds: bool) -> Explanation:
    """Return the tree of reasons for a goal whose answer is known."""
    graph = _Graph(goal, holds)
    if graph.refused(goal) != holds:
        return graph.tree(goal, 0)
    relation, left, right, subject = goal
    claim = f"{relation.claim(left, right, holds)}; there are too many reasons to show"
    return Explanation(holds, claim, (), subject, *relation.sides(left, right))


class _Graph:
    """All goals below one, with those that fail and those that were shown."""

    def __init__(self, root: Goal, holds: bool) -> None:
        self._parts: dict[Key, Sequence[Goal]] = {}
        self._kept: list[Goal] = []  # keeps terms alive: keys hold their addresses
        self._users: dict[Key, list[Key]] = {}
        self._failed: set[Key] = set()
        self._unknown: set[Key] = set()
        self._shown: set[Key] = set()
        beyond = self._explore(root)
        if not holds:
            self._spread(beyond, self._unknown)
            self._unknown -= self._failed

    def refused(self, goal: Goal) -> bool:
        """True if a reason was found why the goal fails."""
        return _key(goal) in self._failed

    def _explore(self, root: Goal) -> list[Key]:
        """Visit goals until there are too many; return those left over."""
        todo, refused, beyond = [root], list[Key](), list[Key]()
        while todo:
            goal = todo.pop()
            key = _key(goal)
            if key in self._parts:
                continue
            if len(self._parts) >= _MOST:
                self._parts[key] = ()
                self._kept.append(goal)
                beyond.append(key)
                continue
            parts = goal[0].parts(goal[1], goal[2])
            self._kept.append(goal)
            self._parts[key] = parts or ()
            if parts is None:
                refused.append(key)
            for part in self._parts[key]:
                self._users.setdefault(_key(part), []).append(key)
                todo.append(part)
        self._spread(refused, self._failed)
        return beyond

    def _spread(self, keys: list[Key], reached: set[Key]) -> None:
        """Mark every goal that rests on a failing goal as failing, and on an unknown one as unknown."""
        todo = list(keys)
        while todo:
            key = todo.pop()
            if key not in reached:
                reached.add(key)
                todo.extend(self._users.get(key, ()))

    def tree(self, goal: Goal, depth: int) -> Explanation:
        relation, left, right, subject = goal
        key = _key(goal)
        holds = key not in self._failed
        claim = relation.claim(left, right, holds)
        reasons = relation.grounds(left, right)
        if key in self._shown and self._parts[key]:
            claim += ", as shown above"
        elif depth < _DEEPEST:
            self._shown.add(key)
            known = [part for part in self._parts[key] if _key(part) not in self._unknown]
            reasons += tuple(self.tree(part, depth + 1) for part in known)
            if len(known) < len(self._parts[key]):
                claim += f"; {len(self._parts[key]) - len(known)} more parts were not fully checked"
        named = f"{_said(subject)}: {claim}" if subject else claim
        left_text, right_text = relation.sides(left, right)
        return Explanation(holds, named, reasons, subject, left_text, right_text)


def _said(subject: str) -> str:
    return subject if subject == ITEM else spell_name(subject)


def _key(goal: Goal) -> Key:
    return id(goal[0]), id(goal[1]), id(goal[2])
