"""What the relations are made of: goals, and rules that reduce a goal to smaller ones.

Every relation of this room is a conjunction all the way down: a goal holds when its shape is right and
all the goals it rests on hold. So one set of rules serves two readers. `solver` only wants the answer and
stops at the first refusal; `growing` wants to know why and visits everything.

A goal is a plain tuple, since deciding makes thousands: the relation, both sides, and the name of the part
that the goal speaks of (an endpoint, an event, a field; empty for the whole).
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

from liven.types.explanation import Explanation

Goal: TypeAlias = "tuple[Relation, Any, Any, str]"

ITEM = "[]"
"""The name of the part that each item of a list or map is."""


class Relation(ABC):
    """A claim about two sides, with the rule that reduces it."""

    __slots__ = ()

    @abstractmethod
    def parts(self, left: Any, right: Any, /) -> Sequence[Goal] | None:
        """The goals it rests on; None where the sides themselves refuse."""

    @abstractmethod
    def claim(self, left: Any, right: Any, holds: bool, /) -> str:
        """One sentence, true to `holds`."""

    def grounds(self, _left: Any, _right: Any, /) -> tuple[Explanation, ...]:
        """Reasons that come from outside the rules; a formalism's, say."""
        return ()

    def sides(self, _left: Any, _right: Any, /) -> tuple[str, str]:
        """Both sides as text, where they are worth showing."""
        return "", ""


class Missing(Relation):
    """Something that one side needs and the other has not. It never holds."""

    __slots__ = ("_say",)

    def __init__(self, say: Callable[[Any, Any], str]) -> None:
        self._say = say

    def parts(self, _left: Any, _right: Any, /) -> None:
        return None

    def claim(self, left: Any, right: Any, _holds: bool, /) -> str:
        return self._say(left, right)
