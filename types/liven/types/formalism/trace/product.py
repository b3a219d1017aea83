"""The product automaton of several formulas that hold together.

The conjunction of many formulas as one term soon exceeds the bound on a single formula; a product may be
larger, and counts only the states from which the formulas can still be kept.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from functools import lru_cache
from typing import TypeAlias

from liven.types.formalism.trace.alphabet import Alphabet, Scope
from liven.types.formalism.trace.automaton import IMPOSSIBLE, Automaton, compiled
from liven.types.formalism.trace.formula import TRUE, Formula, atoms_of
from liven.types.formalism.trace.progression import TooLargeError

MAX_JOINED = 4096
"""The most states of a product."""
MAX_STEPS = 2_000_000
"""The most steps of single automata to find them."""

States: TypeAlias = tuple[int, ...]
_DEAD: States = ()
"""The state after which some part can no longer be kept."""


def part_automaton(formula: Formula, scope: Scope) -> Automaton:
    """Return the automaton of one of several formulas that share a scope."""
    return compiled(formula, scope.within(atoms_of(formula)))


@lru_cache(maxsize=256)
def product_automaton(parts: tuple[Formula, ...], scope: Scope) -> Automaton:
    """Return the automaton of the traces that keep every part; raise TooLargeError beyond the bounds."""
    if len(parts) < 2:
        return part_automaton(parts[0] if parts else TRUE, scope)
    atoms = frozenset().union(*map(atoms_of, parts))
    alphabet = Alphabet.of(atoms, scope.within(atoms))
    small = [minimized(part_automaton(part, scope)) for part in parts]
    table, found = _product(small, alphabet)
    return Automaton.of(alphabet, table, tuple(_all_accept(small, states) for states in found))


def _product(
    parts: Sequence[Automaton], alphabet: Alphabet
) -> tuple[tuple[tuple[int, ...], ...], list[States]]:
    moves = [[part.place(letter) for part in parts] for letter in alphabet.letters]
    start = (0,) * len(parts)
    numbers = {start: 0}
    waiting = [start]
    table = []
    most = min(MAX_JOINED, MAX_STEPS // (len(parts) * len(moves)))
    for states in waiting:
        row = []
        for places in moves:
            then = _step(parts, states, places)
            if then is not None and then not in numbers:
                numbers[then] = len(numbers)
                waiting.append(then)
            row.append(IMPOSSIBLE if then is None else numbers[then])
        if len(numbers) > most:
            raise TooLargeError(f"these {len(parts)} formulas have more than {most} states together")
        table.append(tuple(row))
    return tuple(table), waiting


def _step(parts: Sequence[Automaton], states: States, places: Sequence[int]) -> States | None:
    """Return the states of the parts after a letter; None if it cannot happen."""
    if states == _DEAD:
        return _DEAD
    then = tuple(part.table[state][place] for part, state, place in zip(parts, states, places, strict=True))
    if IMPOSSIBLE in then:
        return None
    alive = all(part.hopeful[state] for part, state in zip(parts, then, strict=True))
    return then if alive else _DEAD


def _all_accept(parts: Sequence[Automaton], states: States) -> bool:
    return states != _DEAD and all(part.accepting[state] for part, state in zip(parts, states, strict=True))


@lru_cache(maxsize=1024)
def minimized(automaton: Automaton) -> Automaton:
    """Return the minimal automaton of the same language: states that nothing tells apart are merged."""
    blocks = _numbered(automaton.accepting)
    while True:
        finer = _numbered(
            (blocks[state], *(then if then == IMPOSSIBLE else blocks[then] for then in row))
            for state, row in enumerate(automaton.table)
        )
        if max(finer) == max(blocks):
            break
        blocks = finer
    first = [blocks.index(block) for block in range(max(blocks) + 1)]
    table = tuple(
        tuple(then if then == IMPOSSIBLE else blocks[then] for then in automaton.table[state])
        for state in first
    )
    return Automaton.of(automaton.alphabet, table, tuple(automaton.accepting[state] for state in first))


def _numbered(kinds: Iterable[Hashable]) -> list[int]:
    """Return a number for each kind, from 0 in the order of first occurrence; equal kinds share it."""
    numbers: dict[Hashable, int] = {}
    return [numbers.setdefault(kind, len(numbers)) for kind in kinds]
