"""The contract of constraint formalisms: the classes that a plug-in implements.

A formalism is passed in through a `Formalisms` registry that the caller owns; there is no global one.
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
    """The names that a formula may use: events of one endpoint, or `endpoint → events` for an object."""

    inputs: frozenset[str] = frozenset()
    outputs: frozenset[str] = frozenset()
    endpoints: tuple[tuple[str, Vocabulary], ...] = ()


class FormulaError(ValueError):
    """A formula that cannot be read or used; the text says where it fails and what to write instead."""


class Standing(Enum):
    """The state of a constraint as far as its monitor can tell."""

    HOLDS_SO_FAR = "holds so far"
    BROKEN = "broken"
    UNDECIDED = "undecided so far"
    NOT_OBSERVABLE = "not observable here"


@dataclass(frozen=True, slots=True)
class Violation:
    """The account of a broken constraint: its trace, its time and its cause."""

    explanation: Explanation
    trace: tuple[str, ...]
    """The events that break the constraint, without those that do not matter; the last one showed it."""
    time: float
    owed_by: Literal["", "owner", "peer"] = ""
    """Empty if the last event broke the constraint. Otherwise a missing event broke it, and this is the
    side that could have sent it: the endpoint's owner, or only its peer."""


class Monitor(Protocol):
    """A constraint as a machine that reads the events of a connection. It has no clock of its own."""

    def feed(self, atom: str, now: float) -> None:
        """Read the next event, `in.E`, `out.E`, `connect` or `disconnect`, at time `now` in seconds."""

    def advance(self, now: float) -> None:
        """Let time pass up to `now` without an event."""

    @property
    def broken(self) -> Explanation | None:
        """The first violation in words, once there is one."""

    @property
    def violation(self) -> Violation | None:
        """The first violation, once there is one. Events after it change nothing."""

    @property
    def standing(self) -> Standing:
        """The state of the constraint so far."""


@runtime_checkable
class Forgetful(Protocol):
    """A monitor that can begin in the middle of a connection, although its verdict depends on the past."""

    def forget_past(self) -> None:
        """Begin in the middle of a connection, with any past that keeps the constraint. From then on the
        constraint is broken only if no past excuses it."""


class Formalism(Protocol, Generic[P]):
    """One language of constraints. Predicates are hashable values; all methods are pure."""

    @property
    def id(self) -> ClassId: ...

    @property
    def name(self) -> str: ...

    def parse(self, text: str, vocabulary: Vocabulary) -> P:
        """Read `text`; raise FormulaError."""

    def conjoin(self, predicates: Sequence[P]) -> P:
        """Return the conjunction of several constraints."""

    def implies(self, provided: P, required: P) -> Explanation:
        """True if everything that keeps `provided` keeps `required`; with a reason, or a counterexample."""

    def mirror(self, predicate: P) -> P:
        """Return the same demand as seen from the other side of a connection: in ↔ out."""

    def trivial(self, predicate: P) -> bool:
        """True if the predicate is always true; such a constraint is dropped."""

    def translate(self, predicate: P) -> Iterable[tuple[ClassId, Hashable]]:
        """Yield the consequences in formalisms that this one extends; used on the promising side only."""

    def monitor(self, predicate: P) -> Monitor | None:
        """Return a run-time monitor, or None if a single connection shows nothing."""


@runtime_checkable
class JudgesRealizability(Protocol[C]):
    """A formalism that can tell if the owner of a promise can keep it by itself."""

    def realizable(self, provided: C, required: C) -> Explanation:
        """True if only the owner's own actions can break `provided` while `required` is kept."""
