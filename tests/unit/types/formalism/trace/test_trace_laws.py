"""`trace` compared with a second meaning of its formulas, defined without automata."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from functools import cache, partial
from typing import TypeAlias

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from liven.types.formalism.atoms import ANY, OTHER, Atom
from liven.types.formalism.plugin import Standing, Vocabulary
from liven.types.formalism.trace import Formula, TooLargeError, TraceFormalism
from liven.types.formalism.trace.assumptions import under
from liven.types.formalism.trace.formula import (
    FALSE,
    TRUE,
    And,
    Assumed,
    Next,
    Not,
    Or,
    Previously,
    Release,
    Since,
    Truth,
    Until,
    conjunction,
    disjunction,
    negation,
    walk,
)
from liven.types.formalism.trace.implication import check_size

Trace: TypeAlias = tuple[Atom, ...]

TRACES = TraceFormalism()
NAMES = Vocabulary(frozenset({"A", "Z"}), frozenset({"B", "Z"}))
CONNECT, DISCONNECT = Atom("", "connect"), Atom("", "disconnect")
A, B = Atom("", "in", "A"), Atom("", "out", "B")
INNER = (A, B, Atom("", "in", "Z"), Atom("", "out", "Z"))
LEAVES: st.SearchStrategy[Formula] = st.sampled_from(
    [A, B, Atom("", "in", ANY), Atom("", "out", ANY), DISCONNECT, CONNECT, TRUE, FALSE]
)


def means(formula: Formula, trace: Trace, at: int) -> bool:
    """Return the textbook truth of a formula at one position of a complete trace."""
    here = partial(means, trace=trace)
    later, before = range(at, len(trace)), range(at, -1, -1)
    match formula:
        case Truth(value):
            return value
        case Atom(_, kind, event):
            now = trace[at]
            return now.kind == kind and event in (ANY, now.event)
        case Not(body):
            return not here(body, at=at)
        case And(parts):
            return all(here(part, at=at) for part in parts)
        case Or(parts):
            return any(here(part, at=at) for part in parts)
        case Next(body, strong):
            return here(body, at=at + 1) if at + 1 < len(trace) else not strong
        case Previously(body):
            return at > 0 and here(body, at=at - 1)
        case Until(path, goal):
            return any(here(goal, at=k) and all(here(path, at=i) for i in range(at, k)) for k in later)
        case Release(freeing, body):
            return all(here(body, at=k) or any(here(freeing, at=i) for i in range(at, k)) for k in later)
        case Since(path, origin):
            return any(
                here(origin, at=k) and all(here(path, at=i) for i in range(k + 1, at + 1)) for k in before
            )
    raise AssertionError(formula)


def traces(longest: int) -> Iterator[Trace]:
    """Yield every trace of an endpoint up to that length, short ones first."""
    for length in range(1, longest + 1):
        for inner in itertools.product(INNER, repeat=length - 1):
            yield (CONNECT, *inner)
        if length > 1:
            for inner in itertools.product(INNER, repeat=length - 2):
                yield (CONNECT, *inner, DISCONNECT)


SHORT = tuple(traces(4))
LONG = tuple(traces(6))


def past(inner: st.SearchStrategy[Formula]) -> st.SearchStrategy[Formula]:
    return st.one_of(
        st.builds(negation, inner),
        st.builds(conjunction, inner, inner),
        st.builds(disjunction, inner, inner),
        st.builds(Previously, inner),
        st.builds(Since, inner, inner),
    )


def future(inner: st.SearchStrategy[Formula]) -> st.SearchStrategy[Formula]:
    return st.one_of(
        st.builds(negation, inner),
        st.builds(conjunction, inner, inner),
        st.builds(disjunction, inner, inner),
        st.builds(Next, inner, st.booleans()),
        st.builds(Until, inner, inner),
        st.builds(Release, inner, inner),
    )


PAST: st.SearchStrategy[Formula] = st.recursive(LEAVES, past, max_leaves=3)
FORMULAS: st.SearchStrategy[Formula] = st.recursive(PAST, future, max_leaves=4)


def decidable(formula: Formula) -> bool:
    try:
        check_size(formula, TRACES.table)
    except TooLargeError:
        return False
    return True


def agree(one: Formula, two: Formula, all_traces: tuple[Trace, ...]) -> None:
    """Assert that the decision agrees with a check of every trace."""
    found = TRACES.counterexample(one, two)
    assert bool(TRACES.implies(one, two)) == (found is None)
    against = next((t for t in all_traces if means(one, t, 0) and not means(two, t, 0)), None)
    if found is None:
        assert against is None
        return
    real = concrete(found.trace)
    assert means(one, real, 0)
    assert not means(two, real, 0)
    if against is None:
        assert len(real) > len(all_traces[-1])
    else:
        assert len(real) == len(against)


def concrete(trace: Trace) -> Trace:
    """Return the trace with an event for each letter that stands for any other."""
    event = {OTHER: Atom("", "in", "Z")}
    return tuple(Atom("", atom.kind, "Z") if atom.event == ANY else event.get(atom, atom) for atom in trace)


@given(FORMULAS, FORMULAS)
@settings(max_examples=150, deadline=None)
def test_implication_agrees_with_all_short_traces(one: Formula, two: Formula) -> None:
    assume(decidable(one) and decidable(two))
    agree(one, two, SHORT)


@pytest.mark.slow
@given(FORMULAS, FORMULAS)
@settings(max_examples=60, deadline=None)
def test_implication_agrees_with_all_traces_up_to_length_six(one: Formula, two: Formula) -> None:
    assume(decidable(one) and decidable(two))
    agree(one, two, LONG)


@given(FORMULAS, FORMULAS, FORMULAS)
@settings(max_examples=100, deadline=None)
def test_implication_is_a_preorder(one: Formula, two: Formula, three: Formula) -> None:
    assume(all(map(decidable, (one, two, three))))
    assert TRACES.implies(one, one)
    if TRACES.implies(one, two) and TRACES.implies(two, three):
        assert TRACES.implies(one, three)
    both = TRACES.conjoin([one, two])
    assume(decidable(both))
    assert TRACES.implies(both, one)
    assert TRACES.implies(one, disjunction(one, two))


@given(FORMULAS)
@settings(max_examples=150, deadline=None)
def test_a_tautology_is_what_everything_implies(formula: Formula) -> None:
    assume(decidable(formula))
    trivial = TRACES.trivial(formula)
    assert trivial == bool(TRACES.implies(TRUE, formula))
    if trivial:
        assert all(means(formula, trace, 0) for trace in SHORT)


@given(FORMULAS, FORMULAS)
@settings(max_examples=100, deadline=None)
def test_both_ends_of_a_connection_decide_alike(one: Formula, two: Formula) -> None:
    assume(decidable(one) and decidable(two))
    assert TRACES.mirror(TRACES.mirror(one)) == one
    assert bool(TRACES.implies(TRACES.mirror(one), TRACES.mirror(two))) == bool(TRACES.implies(one, two))


@given(FORMULAS)
@settings(max_examples=300, deadline=None)
def test_printing_a_formula_and_reading_it_are_inverse(formula: Formula) -> None:
    assume(decidable(formula))
    assert TRACES.parse(TRACES.print(formula), NAMES) == formula


@given(FORMULAS, st.lists(st.sampled_from(INNER), max_size=8), st.booleans())
@settings(max_examples=300, deadline=None)
def test_a_monitor_agrees_with_the_meaning_of_its_formula(
    formula: Formula, inner: list[Atom], ends: bool
) -> None:
    assume(decidable(formula))
    trace = (CONNECT, *inner, *([DISCONNECT] if ends else []))
    monitor = TRACES.monitor(formula)
    for now, atom in enumerate(trace):
        monitor.feed(str(atom), float(now))
    violation = monitor.violation
    if ends:
        assert (violation is None) == means(formula, trace, 0)
    if violation is None:
        assert monitor.standing is Standing.HOLDS_SO_FAR
        return
    read = trace[: int(violation.time) + 1]
    futures = [()] if read[-1] == DISCONNECT else [short[1:] for short in SHORT]
    assert not any(means(formula, read + more, 0) for more in futures)


@given(FORMULAS, st.lists(st.sampled_from(INNER), max_size=8))
@settings(max_examples=200, deadline=None)
def test_the_trace_a_monitor_shows_is_part_of_what_happened_and_cannot_be_cut(
    formula: Formula, inner: list[Atom]
) -> None:
    assume(decidable(formula))
    trace = [str(atom) for atom in (CONNECT, *inner, DISCONNECT)]
    violation = first_violation(formula, trace)
    assume(violation is not None)
    shown = list(violation or ())
    rest = iter(trace)
    assert all(atom in rest for atom in shown)
    assert first_violation(formula, shown) == tuple(shown)
    for cut in range(len(shown) - 1):
        fewer = shown[:cut] + shown[cut + 1 :]
        assert fewer[0] != "connect" or first_violation(formula, fewer) != tuple(fewer)


def first_violation(formula: Formula, trace: list[str]) -> tuple[str, ...] | None:
    monitor = TRACES.monitor(formula)
    for now, atom in enumerate(trace):
        monitor.feed(atom, float(now))
    return monitor.violation.trace if monitor.violation else None


FIFO = Assumed("peer", "fifo")
ASSUMED: st.SearchStrategy[Formula] = st.sampled_from(
    [Assumed("peer", "causal"), FIFO, Assumed("self", "total"), A, B]
)


@given(st.recursive(ASSUMED, future, max_leaves=4), st.recursive(ASSUMED, future, max_leaves=4))
@settings(max_examples=100, deadline=None)
def test_implication_under_assumptions_holds_in_every_case_that_can_be(one: Formula, two: Formula) -> None:
    assume(decidable(one) and decidable(two))
    found = TRACES.counterexample(one, two)
    assert bool(TRACES.implies(one, two)) == (found is None)
    if found is not None:
        real = concrete(found.trace)
        assert means(under(one, found.facts), real, 0)
        assert not means(under(two, found.facts), real, 0)
        if Assumed("peer", "causal") in found.facts and FIFO in (*walk(one), *walk(two)):
            assert FIFO in found.facts


SENTENCES = (
    "true",
    "no A",
    "no A before B",
    "no A after B",
    "no B between A and out.Z",
    "every A follows B",
    "every A directly follows B",
    "every A is followed by B",
    "every A is directly followed by B",
    "at most one A",
    "at least one A",
    "exactly one A",
    "at most one A, and nothing after it",
    "nothing after B",
    "only A",
    "only A or B",
    "only A after B",
    "A comes first",
    "A alternates with B",
    "at most 1 A between two B",
    "given at least one A, eventually B",
    "no A before B; nothing after B",
    "eventually disconnect",
    "never (A and next B)",
)
MIDDLE = tuple(traces(5))


@cache
def kept(sentence: str) -> frozenset[int]:
    """Return the indices of the traces in `MIDDLE` that keep the sentence."""
    formula = TRACES.parse(sentence, NAMES)
    return frozenset(number for number, trace in enumerate(MIDDLE) if means(formula, trace, 0))


@pytest.mark.parametrize("provided", SENTENCES)
def test_sentences_imply_each_other_exactly_as_their_traces_do(provided: str) -> None:
    """For these sentences, every failing implication fails on a trace this short."""
    for required in SENTENCES:
        answer = TRACES.implies(TRACES.parse(provided, NAMES), TRACES.parse(required, NAMES))
        assert answer.holds == (kept(provided) <= kept(required)), (required, answer.render())
