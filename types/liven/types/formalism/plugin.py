"""What a constraint formalism is: the plug-in's side of the contract.

A formalism is handed in through a `Formalisms` registry that the caller owns; there is no global one.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Generic, Literal, Protocol, TypeVar, runtime_checkable

from liven.types.explanation import Explanation
from liven.types.ids import ClassId

P = TypeVar("P", bound=Hashable)
C = TypeVar("C", bound=Hashable, contravariant=True)


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """The names a formula may use: events of one endpoint, or `endpoint → events` for an object."""

    inputs: frozenset[str] = frozenset()
    outputs: frozenset[str] = frozenset()
    endpoints: tuple[tuple[str, Vocabulary], ...] = ()


class FormulaError(ValueError):
    """A formula that cannot be read or used; the text says where in it and what to write instead."""


class Standing(Enum):
    """What a monitor can say of its constraint by now."""

    HOLDS_SO_FAR = "holds so far"
    BROKEN = "broken"
    UNDECIDED = "undecided so far"
    NOT_OBSERVABLE = "not observable here"


@dataclass(frozen=True, slots=True)
class Violation:
    """How a constraint came to be broken."""

    explanation: Explanation
    trace: tuple[str, ...]
    """What happened, as it was fed, without all that could be left out; the last is when it was noticed."""
    time: float
    owed_by: Literal["", "owner", "peer"] = ""
    """Empty where the last happening broke it. Else what broke it is that something did not happen, and
    this is who could have made it happen: the endpoint's owner, or only its peer."""


class Monitor(Protocol):
    """A constraint as a machine fed with what happens on a connection. It has no clock of its own."""

    def feed(self, atom: str, now: float) -> None:
        """Takes the next event: `in.E`, `out.E`, `connect` or `disconnect`, at time `now` in seconds."""

    def advance(self, now: float) -> None:
        """Lets time pass up to `now` with nothing happening."""

    @property
    def broken(self) -> Explanation | None:
        """The first violation in words, once there is one."""

    @property
    def violation(self) -> Violation | None:
        """The first violation, once there is one. What is fed after it changes nothing."""

    @property
    def standing(self) -> Standing:
        """What can be said by now."""


@runtime_checkable
class Forgetful(Protocol):
    """A monitor whose verdict depends on what happened before, and that can do without knowing it."""

    def forget_past(self) -> None:
        """Begins in the middle of a connection: anything that keeps the constraint may have happened. From
        then on, broken is what no past excuses."""


class Formalism(Protocol, Generic[P]):
    """One language of constraints. Predicates are hashable values; all methods are pure."""

    @property
    def id(self) -> ClassId: ...

    @property
    def name(self) -> str: ...

    def parse(self, text: str, vocabulary: Vocabulary) -> P:
        """Reads `text`; raises FormulaError."""

    def conjoin(self, predicates: Sequence[P]) -> P:
        """Several constraints of one formalism are their conjunction."""

    def implies(self, provided: P, required: P) -> Explanation:
        """Whether whoever keeps `provided` keeps `required`; a reason, or a counterexample, with it."""

    def mirror(self, predicate: P) -> P:
        """The same demand as the other side of a connection sees it: in ↔ out."""

    def trivial(self, predicate: P) -> bool:
        """Whether it is true of everything; such a constraint is dropped."""

    def translate(self, predicate: P) -> Iterable[tuple[ClassId, Hashable]]:
        """Consequences in the formalisms that this one extends; used on the provided side only."""

    def monitor(self, predicate: P) -> Monitor | None:
        """A run-time monitor, or None where nothing can be seen on a single connection."""


@runtime_checkable
class JudgesRealizability(Protocol[C]):
    """A formalism that can tell whether a promise is one that its owner alone can keep."""

    def keepable(self, provided: C, required: C) -> Explanation:
        """Whether nothing but its owner's own doing breaks `provided` while `required` is kept."""
