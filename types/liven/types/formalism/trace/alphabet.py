"""The letters over which formulas are compared, and the traces that are possible.

Every atom in a formula is a letter; one more letter stands for everything else, so the answer never
depends on the other events of an endpoint. Where a formula says `in.*` or `out.*`, this extra letter is
split by direction. A trace at an endpoint begins with connect and has at most one disconnect, its last
letter.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TypeAlias

from liven.types.formalism.atoms import ANY, OTHER, Atom

Phases: TypeAlias = tuple[int, ...]
"""The phase of each endpoint: not connected yet, connected, disconnected."""

FRESH, CONNECTED, GONE = range(3)


@dataclass(frozen=True, slots=True)
class Scope:
    """The endpoints and the split of letters that all formulas of one comparison share."""

    whole_object: bool = False
    """True if the formulas name several endpoints."""
    split: frozenset[str] = frozenset()
    """The endpoints at which everything else is split by direction."""

    @classmethod
    def of(cls, atoms: Iterable[Atom], directed: bool = False) -> Scope:
        """Return the scope for formulas with these atoms; `directed` splits at all endpoints."""
        named = frozenset(atoms)
        places = {atom.endpoint for atom in named} or {""}
        whole = places != {""}
        split = places if directed else {atom.endpoint for atom in named if atom.event == ANY}
        return cls(whole, frozenset(split))

    def within(self, atoms: Iterable[Atom]) -> Scope:
        """Return the part of this scope that concerns a formula with these atoms."""
        places = {atom.endpoint for atom in atoms} or {""}
        return Scope(self.whole_object, self.split & places)


@dataclass(frozen=True, slots=True)
class Alphabet:
    """The letters of one formula, or of several together."""

    letters: tuple[Atom, ...]
    endpoints: tuple[str, ...]
    scope: Scope

    @classmethod
    def of(cls, atoms: Iterable[Atom], scope: Scope) -> Alphabet:
        named = {atom for atom in atoms if atom.event != ANY}
        places = {atom.endpoint for atom in atoms}
        if not scope.whole_object:
            places = {""}
        for place in places:
            named |= {Atom(place, "connect"), Atom(place, "disconnect")}
            if place in scope.split:
                named |= {Atom(place, "in", ANY), Atom(place, "out", ANY)}
        letters = sorted(named, key=_order)
        if scope.whole_object or not scope.split:
            letters.append(OTHER)
        return cls(tuple(letters), tuple(sorted(places)), scope)

    def letter(self, atom: Atom) -> Atom:
        """Return the letter that stands for `atom` here."""
        if atom in self.letters:
            return atom
        wide = Atom(atom.endpoint, atom.kind, ANY)
        return wide if wide in self.letters else OTHER

    def start(self) -> Phases:
        return (FRESH,) * len(self.endpoints)

    def after(self, phases: Phases, letter: Atom) -> Phases | None:
        """Return the phases after `letter`, or None if it cannot happen."""
        if letter == OTHER:
            return phases if self.scope.whole_object or phases[0] == CONNECTED else None
        place = self.endpoints.index(letter.endpoint)
        before = phases[place]
        if before != (FRESH if letter.kind == "connect" else CONNECTED):
            return None
        now = {"connect": CONNECTED, "disconnect": GONE}.get(letter.kind, before)
        return (*phases[:place], now, *phases[place + 1 :])


def _order(atom: Atom) -> tuple[str, bool, bool, bool, str, str]:
    """Return a sort key that makes counterexamples easy to read: connect first, disconnect last, names before
    `any other`."""
    kind, event = atom.kind, atom.event
    return atom.endpoint, kind != "connect", kind == "disconnect", event == ANY, event, kind


def matches(pattern: Atom, letter: Atom) -> bool:
    """True if `letter` is one of the events that `pattern` in a formula means."""
    if pattern.event == ANY:
        return (pattern.endpoint, pattern.kind) == (letter.endpoint, letter.kind)
    return pattern == letter
