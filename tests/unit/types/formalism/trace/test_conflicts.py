"""The groups of promises that are judged together are never too small."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from liven.types.formalism.plugin import Vocabulary
from liven.types.formalism.trace import TraceFormalism
from liven.types.formalism.trace.alphabet import Scope
from liven.types.formalism.trace.automaton import compiled
from liven.types.formalism.trace.conflicts import joint_conjunctions, only_safety
from liven.types.formalism.trace.formula import And, atoms_of
from liven.types.formalism.trace.realizability import spoiling_counterexample

TRACES = TraceFormalism()
NAMES = Vocabulary(frozenset({"A", "B"}), frozenset({"X", "Y"}))
INNER = Vocabulary(frozenset({"A"}), frozenset({"X"}))
WHOLE = Vocabulary(endpoints=(("p", INNER), ("q", INNER)))


def apart(*texts: str, names: Vocabulary = NAMES) -> list[set[str]]:
    """Return the groups that are judged together, in words."""
    parts = {TRACES.parse(text, names): text for text in texts}
    found = joint_conjunctions(tuple(parts), TRACES.table)
    assert all(isinstance(one, And) for one in found)
    return [{parts[part] for part in one.parts} for one in found if isinstance(one, And)]


def test_safety_promises_never_conflict() -> None:
    assert (
        apart("at most one X", "no X before A", "nothing after Y", "only X or A", "given peer is fifo, no Y")
        == []
    )


def test_an_owed_event_conflicts_with_a_promise_that_forbids_it() -> None:
    assert apart("eventually X", "no X before A", "at most one Y") == [{"eventually X", "no X before A"}]


def test_events_are_connected_through_others() -> None:
    assert apart("eventually X", "no Y before B", "no X before A", "A only after B") == [
        {"eventually X", "no Y before B", "no X before A", "A only after B"}
    ]


def test_a_promise_about_every_event_is_judged_with_all_others() -> None:
    for text in ("nothing after A", "next X", "no disconnect before B", "only A or B"):
        assert apart("eventually Y", text) == [{"eventually Y", text}]


def test_a_disconnect_that_may_break_it_is_something_owed() -> None:
    assert apart("no disconnect before X", "no X before A") == [{"no disconnect before X", "no X before A"}]


@pytest.mark.parametrize(
    ("text", "safe"),
    [("no p.X", True), ("eventually p.X", False), ("eventually p.connect", False), ("true", True)],
)
def test_a_safety_formula_allows_the_end_at_any_time(text: str, safe: bool) -> None:
    formula = TRACES.parse(text, WHOLE)
    scope = Scope(True, frozenset())
    assert only_safety(compiled(formula, scope.within(atoms_of(formula)))) == safe


PARTS = [
    "at most one X",
    "at most one A",
    "no X before A",
    "no A after X",
    "no Y before X",
    "every A is answered by X",
    "every A is directly followed by X",
    "X alternates with A",
    "A alternates with X",
    "nothing after Y",
    "only X or A",
    "eventually X",
    "eventually Y",
    "no disconnect before Y",
    "given at least one A, eventually X",
    "given peer is fifo, no X",
    "next X or weakly next not X",
    "never (X and next B)",
]
AT_OBJECTS = ["eventually p.X", "no p.X before q.A", "at most one q.X", "eventually q.connect", "no q.X"]


@pytest.mark.parametrize(("texts", "names"), [(PARTS, NAMES), (AT_OBJECTS, WHOLE)])
@given(data=st.data())
@settings(max_examples=150, deadline=None)
def test_judging_the_groups_finds_what_judging_everything_at_once_would(
    texts: list[str], names: Vocabulary, data: st.DataObject
) -> None:
    chosen = data.draw(st.lists(st.sampled_from(texts), min_size=1, max_size=4, unique=True))
    parts = [TRACES.parse(text, names) for text in chosen]
    demand = TRACES.parse(data.draw(st.sampled_from([*texts, "true"])), names)
    together = spoiling_counterexample(TRACES.conjoin(parts), demand, TRACES.table)
    if together is not None:
        assert not TRACES.realizable(TRACES.conjoin(parts), demand)
    elif all(spoiling_counterexample(part, demand, TRACES.table) is None for part in parts):
        assert TRACES.realizable(TRACES.conjoin(parts), demand)
