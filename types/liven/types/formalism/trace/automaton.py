"""A formula as a deterministic automaton that reads the traces of its endpoints."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from liven.types.formalism.atoms import OTHER, Atom
from liven.types.formalism.trace.alphabet import Alphabet, Phases, Scope
from liven.types.formalism.trace.formula import Formula, atoms_of
from liven.types.formalism.trace.progression import Memory, Progression, Residual, TooLargeError

MAX_STATES = 256
"""The most states the automaton of one formula may have, before any are merged."""
MAX_LETTERS = 64
"""The most different events one formula may name."""

IMPOSSIBLE = -1
"""Stands in the table for a letter that cannot happen in a state."""


@dataclass(frozen=True, slots=True, eq=False)
class Automaton:
    """A deterministic automaton whose states are numbers from 0, the start. The empty trace is not a
    trace."""

    alphabet: Alphabet
    table: tuple[tuple[int, ...], ...]
    """The next state for each state and index of a letter in the alphabet."""
    accepting: tuple[bool, ...]
    """True for states in which the trace may end."""
    hopeful: tuple[bool, ...]
    """True for states from which the trace, or some continuation of it, satisfies the formula."""
    settled: tuple[bool, ...]
    """True for states from which every continuation satisfies the formula."""
    index: dict[Atom, int]

    @classmethod
    def of(
        cls, alphabet: Alphabet, table: tuple[tuple[int, ...], ...], accepting: tuple[bool, ...]
    ) -> Automaton:
        """Return the automaton of this table, with the properties of each state worked out."""
        rejecting = tuple(not accepts for accepts in accepting)
        return cls(
            alphabet,
            table,
            accepting,
            hopeful=_may_reach(table, accepting),
            settled=tuple(not may for may in _may_reach(table, rejecting)),
            index={letter: place for place, letter in enumerate(alphabet.letters)},
        )

    @property
    def named(self) -> frozenset[Atom]:
        """The letters without the one for everything else."""
        return frozenset(letter for letter in self.alphabet.letters if letter != OTHER)

    def step(self, state: int, atom: Atom) -> int:
        """Return the state after any atom, named in the formula or not."""
        return self.table[state][self.place(atom)]

    def place(self, atom: Atom) -> int:
        """Return the index in the alphabet of the letter for `atom`."""
        found = self.index.get(atom)
        return self.index[self.alphabet.letter(atom)] if found is None else found


@lru_cache(maxsize=1024)
def compiled(formula: Formula, scope: Scope) -> Automaton:
    """Return the automaton of a formula without assumptions; raise TooLargeError beyond the bounds."""
    atoms = atoms_of(formula)
    if len(atoms) > MAX_LETTERS:
        raise TooLargeError(f"a formula may name {MAX_LETTERS} different events, this names {len(atoms)}")
    alphabet = Alphabet.of(atoms, scope)
    table, residuals = _explore(Progression(formula), alphabet)
    return Automaton.of(alphabet, table, tuple(Progression.ends_well(residual) for residual in residuals))


def _explore(rest: Progression, alphabet: Alphabet) -> tuple[tuple[tuple[int, ...], ...], list[Residual]]:
    start: tuple[Residual, Memory, Phases] = (rest.start, rest.blank, alphabet.start())
    numbers = {start: 0}
    table: list[tuple[int, ...]] = []
    waiting = [start]
    for residual, memory, phases in waiting:
        row = []
        for letter in alphabet.letters:
            then = alphabet.after(phases, letter)
            if then is None:
                row.append(IMPOSSIBLE)
                continue
            state = (*rest.step(residual, memory, letter), then)
            if state not in numbers:
                numbers[state] = len(numbers)
                waiting.append(state)
            row.append(numbers[state])
        if len(numbers) > MAX_STATES:
            raise TooLargeError(
                f"the automaton of this formula has more than {MAX_STATES} states; "
                "split it into simpler parts"
            )
        table.append(tuple(row))
    return tuple(table), [residual for residual, _, _ in waiting]


def _may_reach(table: tuple[tuple[int, ...], ...], goal: tuple[bool, ...]) -> tuple[bool, ...]:
    """Return for each state whether a goal, itself included, can be reached from it."""
    before: list[set[int]] = [set() for _ in table]
    for state, row in enumerate(table):
        for then in row:
            if then != IMPOSSIBLE:
                before[then].add(state)
    reached = {state for state, is_goal in enumerate(goal) if is_goal}
    waiting = list(reached)
    while waiting:
        for state in before[waiting.pop()] - reached:
            reached.add(state)
            waiting.append(state)
    return tuple(state in reached for state in range(len(table)))
