"""What a constraint formalism is: the plug-in's side of the contract.

A formalism is handed in through a `Formalisms` registry that the caller owns; there is no global one.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass
from typing import Generic, Protocol, TypeVar

from liven.types.explain import Explanation
from liven.types.ids import ClassId

P = TypeVar("P", bound=Hashable)


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """The names a formula may use: events of one endpoint, or `endpoint → events` for an object."""

    inputs: frozenset[str] = frozenset()
    outputs: frozenset[str] = frozenset()
    endpoints: tuple[tuple[str, Vocabulary], ...] = ()


class FormulaError(ValueError):
    """A formula that cannot be read or used; the text says where in it and what to write instead."""


class Monitor(Protocol):
    """A constraint as a machine fed with what happens on a connection. It has no clock of its own."""

    def feed(self, atom: str, now: float) -> None:
        """Takes the next event: `in.E`, `out.E`, `connect` or `disconnect`, at time `now` in seconds."""

    @property
    def broken(self) -> Explanation | None:
        """The first violation, once there is one."""


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
