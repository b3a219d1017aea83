"""Language inclusion: finds a shortest trace that one automaton accepts and another rejects."""

from __future__ import annotations

from typing import TypeAlias

from liven.types.formalism.atoms import Atom
from liven.types.formalism.trace.alphabet import Alphabet, Scope
from liven.types.formalism.trace.automaton import IMPOSSIBLE, Automaton
from liven.types.formalism.trace.progression import TooLargeError

Trace: TypeAlias = tuple[Atom, ...]
Pair: TypeAlias = tuple[int, int]


MAX_PAIRS = 65_536
"""The most pairs of states that one comparison may visit."""


def missing_trace(left: Automaton, right: Automaton, scope: Scope) -> Trace | None:
    """Return a shortest trace that `left` accepts and `right` rejects; None if there is none."""
    moves = _moves(left, right, scope)
    start: Pair = (0, 0)
    came: dict[Pair, tuple[Pair, Atom]] = {}
    seen = {start}
    level = [start]
    while level:
        following = []
        for pair in level:
            for letter, at_left, at_right in moves:
                then = left.table[pair[0]][at_left], right.table[pair[1]][at_right]
                if then in seen or IMPOSSIBLE in then:
                    continue
                seen.add(then)
                if not left.hopeful[then[0]] or right.settled[then[1]]:
                    continue
                came[then] = pair, letter
                if left.accepting[then[0]] and not right.accepting[then[1]]:
                    return _path(came, then)
                following.append(then)
        level = following
        if len(seen) > MAX_PAIRS:
            raise TooLargeError(f"more than {MAX_PAIRS} pairs of states would have to be compared")
    return None


def _moves(left: Automaton, right: Automaton, scope: Scope) -> list[tuple[Atom, int, int]]:
    """Return the letters of both, one for each way in which the two automata can tell them apart."""
    joint = Alphabet.of(left.named | right.named, scope)
    columns: dict[tuple[tuple[int, ...], tuple[int, ...]], tuple[Atom, int, int]] = {}
    for letter in joint.letters:
        at_left, at_right = left.place(letter), right.place(letter)
        both = tuple(row[at_left] for row in left.table), tuple(row[at_right] for row in right.table)
        columns.setdefault(both, (letter, at_left, at_right))
    return list(columns.values())


def _path(came: dict[Pair, tuple[Pair, Atom]], end: Pair) -> Trace:
    letters = []
    while end in came:
        end, letter = came[end]
        letters.append(letter)
    return tuple(reversed(letters))
