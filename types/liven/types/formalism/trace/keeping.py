"""Whether a promise is one that its owner alone can keep.

A promise is not keepable if something that its peer does can break it although the peer has kept all that
the owner requires, or if at a disconnect it is unmet and nothing the owner could have sent would have met it.
"""

from __future__ import annotations

from functools import lru_cache

from liven.types.explain import Explanation
from liven.types.formalism.atoms import Atom
from liven.types.formalism.guarantee import GuaranteeTable
from liven.types.formalism.trace.alphabet import Alphabet, Scope
from liven.types.formalism.trace.assumptions import possible_facts, under
from liven.types.formalism.trace.automaton import IMPOSSIBLE, Automaton, compiled
from liven.types.formalism.trace.decision import Counterexample, conjuncts
from liven.types.formalism.trace.inclusion import Pair, Trace
from liven.types.formalism.trace.printing import show
from liven.types.formalism.trace.residual import TooLargeError
from liven.types.formalism.trace.syntax import And, Formula, atoms_of


def judged(provided: Formula, required: Formula, table: GuaranteeTable) -> Explanation:
    """Whether each promise, and all together, can be kept; the shortest trace on which it cannot, if not."""
    parts = conjuncts(provided)
    try:
        against = [(part, spoiled(part, required, table)) for part in dict.fromkeys((*parts, provided))]
    except TooLargeError as error:
        return Explanation(False, f"{show(provided)}: whether it can be kept is not decided, {error}")
    broken = [(part, example) for part, example in against if example is not None]
    if not broken:
        return Explanation(True, f"{show(provided)}: its owner can keep it", left=show(provided))
    part, example = min(broken, key=lambda pair: (len(pair[1].trace), isinstance(pair[0], And)))
    return _refusal(part, required, example)


def _refusal(part: Formula, required: Formula, example: Counterexample) -> Explanation:
    last = example.trace[-1]
    why = {
        "connect": "no trace at all keeps it",
        "disconnect": "it may end unmet, and nothing its owner could still send would meet it",
    }.get(last.kind, f"{last} is not its owner's doing")
    told = Explanation(False, f"this may happen: {example}; {why}")
    claim = f"{show(part)}: its owner alone cannot keep it; require of the peer what prevents this"
    return Explanation(False, claim, (told,), left=show(part), right=show(required))


def spoiled(provided: Formula, required: Formula, table: GuaranteeTable) -> Counterexample | None:
    """A shortest trace on which `provided` is broken, not by its owner, with `required` intact."""
    found = []
    for facts in possible_facts(table, provided, required):
        trace = _spoiling_trace(under(provided, facts), under(required, facts))
        if trace is not None:
            found.append(Counterexample(trace, facts))
    return min(found, key=lambda one: len(one.trace), default=None)


def _spoiling_trace(provided: Formula, required: Formula) -> Trace | None:
    atoms = atoms_of(provided) | atoms_of(required)
    scope = Scope.of(atoms, directed=True)
    promise = compiled(provided, scope.within(atoms_of(provided)))
    demand = compiled(required, scope.within(atoms_of(required)))
    level: list[tuple[Pair, Trace]] = [((0, 0), ())]
    letters = Alphabet.of(atoms, scope).letters
    seen = {(0, 0)}
    while level:
        following = []
        for pair, trace in level:
            for letter in letters:
                then = promise.step(pair[0], letter), demand.step(pair[1], letter)
                if IMPOSSIBLE in then or not demand.hopeful[then[1]]:
                    continue
                if not promise.hopeful[then[0]]:
                    if _not_owners_doing(promise, pair[0], letter):
                        return (*trace, letter)
                elif then not in seen:
                    seen.add(then)
                    following.append((then, (*trace, letter)))
        level = following
    return None


def _not_owners_doing(promise: Automaton, state: int, letter: Atom) -> bool:
    if letter.kind == "disconnect":
        return state not in payable(promise, promise.place(letter))
    return letter.kind != "out"


@lru_cache(maxsize=1024)
def payable(automaton: Automaton, disconnect: int) -> frozenset[int]:
    """The states in which the owner, by sending alone, can make this disconnect harmless."""
    rows = automaton.table
    harmless = {
        s for s, row in enumerate(rows) if row[disconnect] >= 0 and automaton.hopeful[row[disconnect]]
    }
    own = [
        place for place, letter in enumerate(automaton.alphabet.letters) if letter.kind in ("out", "other")
    ]
    grown = True
    while grown:
        more = {s for s, row in enumerate(rows) if any(row[place] in harmless for place in own)} - harmless
        harmless |= more
        grown = bool(more)
    return frozenset(harmless)
