"""Realizability: whether the owner of a promise can keep it by itself.

A promise cannot be kept if an action of the peer can break it although the peer has kept all that the
owner requires, or if it is unmet at a disconnect and nothing that the owner could have sent would have met
it.
"""

from __future__ import annotations

from functools import lru_cache

from liven.types.explanation import Explanation
from liven.types.formalism.atoms import ANY, Atom
from liven.types.formalism.guarantee import GuaranteeTable
from liven.types.formalism.trace.alphabet import Alphabet, Scope
from liven.types.formalism.trace.assumptions import Facts, possible_facts, under
from liven.types.formalism.trace.automaton import IMPOSSIBLE, Automaton
from liven.types.formalism.trace.conflicts import joint_conjunctions, only_safety
from liven.types.formalism.trace.formula import And, Formula, atoms_of, conjunction
from liven.types.formalism.trace.formula_text import show
from liven.types.formalism.trace.implication import Counterexample, conjuncts
from liven.types.formalism.trace.inclusion import MAX_PAIRS, Pair, Trace
from liven.types.formalism.trace.product import part_automaton, product_automaton
from liven.types.formalism.trace.progression import TooLargeError


def judge_realizability(provided: Formula, required: Formula, table: GuaranteeTable) -> Explanation:
    """Return whether each promise, and all together, can be kept; if not, with the shortest trace that breaks
    one.

    A demand that nobody can meet would make every promise one that can be kept; it is refused itself.
    """
    hopeless = _hopeless(required, table)
    if hopeless is not None:
        return hopeless
    parts = conjuncts(provided)
    try:
        groups = dict.fromkeys((*parts, *joint_conjunctions(parts, table)))
        against = [(part, spoiling_counterexample(part, required, table)) for part in groups]
    except TooLargeError as error:
        claim = f"{show(provided)}: whether it can be kept is not decided, {error}; promise less at once"
        return Explanation(False, claim, left=show(provided), right=show(required))
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
    }.get(last.kind, f"{last} is not an action of its owner")
    if last.kind == "in" and Atom(last.endpoint, "in", ANY) in atoms_of(part):
        why += "; `nothing` and `*` mean what is received too; say `nothing sent after` or `out.*`"
    told = Explanation(False, f"this may happen: {example}; {why}")
    advice = "its owner alone cannot keep it; require that the peer prevents this"
    if last.kind == "connect":
        advice = f"nobody can keep it{_perhaps(part)}"
    return Explanation(False, f"{show(part)}: {advice}", (told,), left=show(part), right=show(required))


def _hopeless(required: Formula, table: GuaranteeTable) -> Explanation | None:
    """Return a refusal of the demand, or of all demands together, that no trace meets; None if there is none,
    or if it cannot be decided."""
    parts = conjuncts(required)
    for demands in (*((part,) for part in parts), parts):
        if not _may_be_met(demands, table):
            words = show(conjunction(*demands))
            said = "is true of no trace" if len(demands) == 1 else "are true together of no trace"
            claim = f"{words}: it is required, and nobody can meet it{_perhaps(demands[0])}"
            return Explanation(False, claim, (Explanation(False, f"{words} {said}"),), right=words)
    return None


def _may_be_met(demands: tuple[Formula, ...], table: GuaranteeTable) -> bool:
    scope = Scope.of(atoms_of(conjunction(*demands)))
    try:
        cases = possible_facts(table, *demands)
        return any(product_automaton(_under(demands, facts), scope).hopeful[0] for facts in cases)
    except TooLargeError:
        return True


def _under(demands: tuple[Formula, ...], facts: Facts) -> tuple[Formula, ...]:
    return tuple(under(demand, facts) for demand in demands)


def _perhaps(formula: Formula) -> str:
    """Return a hint for a formula that is a bare event: the first position of a trace is the connect."""
    if isinstance(formula, Atom) and formula.kind in ("in", "out"):
        return f"; did you mean `at least one {show(formula)}`?"
    return ""


def spoiling_counterexample(
    provided: Formula, required: Formula, table: GuaranteeTable
) -> Counterexample | None:
    """Return a shortest trace that breaks `provided` through no fault of its owner, with `required`
    intact."""
    found = []
    for facts in possible_facts(table, provided, required):
        trace = _spoiling_trace(under(provided, facts), under(required, facts))
        if trace is not None:
            found.append(Counterexample(trace, facts))
    return min(found, key=lambda one: len(one.trace), default=None)


def _spoiling_trace(provided: Formula, required: Formula) -> Trace | None:
    """Return a shortest such trace; it considers as few of the demands as possible, as `implication`
    does."""
    scope = Scope.of(atoms_of(provided) | atoms_of(required), directed=True)
    promise = product_automaton(conjuncts(provided), scope)
    weighed: tuple[Formula, ...] = ()
    others = conjuncts(required)
    while True:
        trace = _spoiling(promise, product_automaton(weighed, scope), scope)
        if trace is None or not others:
            return trace
        lost = [part for part in others if not _still_hopeful(part_automaton(part, scope), trace)]
        if lost:
            chosen: tuple[Formula, ...] = (
                max(lost, key=lambda part: len(atoms_of(part) & atoms_of(provided))),
            )
        elif _hopeful_together((*weighed, *others), trace, scope):
            return trace
        else:
            chosen = others
        weighed = (*weighed, *chosen)
        others = tuple(part for part in others if part not in chosen)


def _hopeful_together(demands: tuple[Formula, ...], trace: Trace, scope: Scope) -> bool:
    """True if demands that can each still be met can all be met together."""
    if all(only_safety(part_automaton(demand, scope)) for demand in demands):
        return True
    return _still_hopeful(product_automaton(demands, scope), trace)


def _still_hopeful(automaton: Automaton, trace: Trace) -> bool:
    state = 0
    for letter in trace:
        state = automaton.step(state, letter)
    return automaton.hopeful[state]


def _spoiling(promise: Automaton, demand: Automaton, scope: Scope) -> Trace | None:
    level: list[tuple[Pair, Trace]] = [((0, 0), ())]
    letters = Alphabet.of({*promise.named, *demand.named}, scope).letters
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
        if len(seen) > MAX_PAIRS:
            raise TooLargeError(f"more than {MAX_PAIRS} pairs of states would have to be visited")
    return None


def _not_owners_doing(promise: Automaton, state: int, letter: Atom) -> bool:
    if letter.kind == "disconnect":
        return state not in dischargeable_states(promise, promise.place(letter))
    return letter.kind != "out"


@lru_cache(maxsize=1024)
def dischargeable_states(automaton: Automaton, disconnect: int) -> frozenset[int]:
    """Return the states in which the owner, by sending alone, can make this disconnect harmless."""
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
