"""Goals, and relations as rules that reduce a goal to smaller ones.

Every relation is a conjunction all the way down: a goal holds when its two sides agree in shape and all
the goals it rests on hold. So one set of rules serves two readers: `solver` wants only the answer and
stops at the first refusal, `explanation_tree` wants the reasons and visits everything.

A goal is a plain tuple, since one decision makes thousands: the relation, both sides, and the name of the
part (an endpoint, an event, a field; empty for the whole).
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

from liven.types.explanation import Explanation

Goal: TypeAlias = "tuple[Relation, Any, Any, str]"

ITEM = "[]"
"""The name of the part for the items of a list or map."""


class Relation(ABC):
    """A claim about two sides, with the rule that reduces it."""

    __slots__ = ()

    @abstractmethod
    def parts(self, left: Any, right: Any, /) -> Sequence[Goal] | None:
        """Return the goals that this one rests on; None if the two sides themselves do not agree."""

    @abstractmethod
    def claim(self, left: Any, right: Any, holds: bool, /) -> str:
        """Return one sentence that says the claim, or its negation if it does not hold."""

    def grounds(self, _left: Any, _right: Any, /) -> tuple[Explanation, ...]:
        """Return reasons from outside the rules, such as a formalism's."""
        return ()

    def sides(self, _left: Any, _right: Any, /) -> tuple[str, str]:
        """Return both sides as text where they are worth showing."""
        return "", ""


class Missing(Relation):
    """Something that one side needs and the other does not have. It never holds."""

    __slots__ = ("_say",)

    def __init__(self, say: Callable[[Any, Any], str]) -> None:
        self._say = say

    def parts(self, _left: Any, _right: Any, /) -> None:
        return None

    def claim(self, left: Any, right: Any, _holds: bool, /) -> str:
        return self._say(left, right)
