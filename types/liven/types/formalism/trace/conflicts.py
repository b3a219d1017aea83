"""Conflicts between promises: groups of promises that may be unkeepable together though each alone can be
kept.

Two cases are free of conflicts, and most promises belong to them. If nothing is ever owed, all promises
can be kept until one is broken, and that one breaks by itself. And promises about different events, which
other events do not affect, can be kept side by side.
"""

from __future__ import annotations

from liven.types.formalism.atoms import ANY, OTHER
from liven.types.formalism.guarantee import GuaranteeTable
from liven.types.formalism.trace.alphabet import Scope
from liven.types.formalism.trace.assumptions import possible_facts, under
from liven.types.formalism.trace.automaton import IMPOSSIBLE, Automaton, compiled
from liven.types.formalism.trace.formula import Formula, atoms_of, conjunction
from liven.types.formalism.trace.product import minimized


def joint_conjunctions(parts: tuple[Formula, ...], table: GuaranteeTable) -> list[Formula]:
    """Return the conjunctions to judge in addition to each part by itself."""
    cases = {part: _cases(part, table) for part in parts}
    owing = [part for part in parts if not all(map(_owes_nothing, cases[part]))]
    if not owing:
        return []
    if all(_ignores_other_events(part, cases[part]) for part in parts):
        clusters = _clusters(parts)
    else:
        clusters = [list(parts)]
    return [conjunction(*one) for one in clusters if len(one) > 1 and not set(owing).isdisjoint(one)]


def only_safety(automaton: Automaton) -> bool:
    """True if every trace that can still be continued to a good end is good already; the empty trace is
    exempt."""
    begun = 0 if any(0 in row for row in automaton.table) else 1
    return automaton.hopeful[begun:] == automaton.accepting[begun:]


def _cases(part: Formula, table: GuaranteeTable) -> list[Automaton]:
    """Return the automaton of the part under each possible outcome of its assumptions."""
    formulas = [under(part, facts) for facts in possible_facts(table, part)]
    return [minimized(compiled(one, Scope.of(atoms_of(one), directed=True))) for one in formulas]


def _owes_nothing(automaton: Automaton) -> bool:
    if not only_safety(automaton):
        return False
    ends = [place for place, letter in enumerate(automaton.alphabet.letters) if letter.kind == "disconnect"]
    return not any(
        row[place] != IMPOSSIBLE and not automaton.hopeful[row[place]]
        for state, row in enumerate(automaton.table)
        if automaton.hopeful[state]
        for place in ends
    )


def _ignores_other_events(part: Formula, cases: list[Automaton]) -> bool:
    """True if the part names single events only, and no other event changes anything for it."""
    if any(atom.event == ANY or atom.kind not in ("in", "out") for atom in atoms_of(part)):
        return False
    return all(
        row[place] in (state, IMPOSSIBLE)
        for automaton in cases
        for place, letter in enumerate(automaton.alphabet.letters)
        if letter == OTHER or letter.event == ANY
        for state, row in enumerate(automaton.table)
    )


def _clusters(parts: tuple[Formula, ...]) -> list[list[Formula]]:
    """Return the parts in groups that share events, directly or through others."""
    clusters: list[list[Formula]] = []
    for part in parts:
        near = [one for one in clusters if any(atoms_of(part) & atoms_of(other) for other in one)]
        clusters = [one for one in clusters if one not in near]
        clusters.append([*(other for one in near for other in one), part])
    return clusters
