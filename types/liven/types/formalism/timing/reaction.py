"""A reaction, the content of a timing formula: φ(p, t, q) about an event A and its answer B."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Literal, TypeAlias

from liven.types.formalism.atoms import Atom
from liven.types.formalism.scanner import decimal_text

Where: TypeAlias = Literal["here", "all", "some"]

_PLACES: dict[Where, str] = {"here": "", "all": " at all instances", "some": " at some instance"}


@dataclass(frozen=True, slots=True)
class Reaction:
    """In at least `share` of the cases, `answer` comes within `seconds` after `cause`."""

    cause: Atom
    answer: Atom
    seconds: Fraction
    share: Fraction = Fraction(1)
    where: Where = "here"
    """At this instance, at all instances that are connected, or at one of them."""

    def implies(self, other: Reaction) -> bool:
        """True if this reaction is no less frequent, no later, and at no fewer instances than the other."""
        same = (self.cause, self.answer) == (other.cause, other.answer)
        place = self.where == other.where or (self.where, other.where) == ("all", "some")
        return same and place and self.share >= other.share and self.seconds <= other.seconds

    def mirrored(self) -> Reaction:
        return Reaction(self.cause.mirrored(), self.answer.mirrored(), self.seconds, self.share, self.where)

    def __str__(self) -> str:
        share = f"at least {decimal_text(self.share * 100)}% of the time, "
        soon = f" within {decimal_text(self.seconds)} s after {self.cause.spelled}"
        return f"{share}{self.answer.spelled}{_PLACES[self.where]}{soon}"


Reactions: TypeAlias = frozenset[Reaction]
"""All of them hold."""
