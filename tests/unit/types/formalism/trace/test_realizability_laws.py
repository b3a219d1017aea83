"""Realizability compared with play: no peer that keeps its part can break a realizable promise."""

from __future__ import annotations

from hypothesis import assume, given, settings
from hypothesis import strategies as st

from liven.types.formalism.atoms import ANY, Atom
from liven.types.formalism.plugin import Vocabulary
from liven.types.formalism.trace import Formula, TraceFormalism
from liven.types.formalism.trace.realizability import spoiling_counterexample

TRACES = TraceFormalism()
NAMES = Vocabulary(frozenset({"A", "B"}), frozenset({"X", "Y"}))
PARTS = [
    "at most one A",
    "no X before A",
    "no A after X",
    "every A is answered by X",
    "every X is answered by A",
    "every A is directly followed by X",
    "A alternates with X",
    "X alternates with A",
    "nothing after Y",
    "no B",
    "only X or A",
    "eventually X",
    "eventually A",
    "at most 2 X between two A",
    "no Y between A and X",
    "given at least one A, eventually X",
    "next X or weakly next not X",
    "never (X and next B)",
]
FORMULAS = st.lists(st.sampled_from(PARTS), max_size=2).map(
    lambda parts: TRACES.parse("; ".join(parts) or "true", NAMES)
)
EVENTS = st.lists(st.sampled_from(["in.A", "in.B", "out.X", "out.Y", "in.Z", "out.Z"]), max_size=9)


def first_break(formula: Formula, trace: list[str]) -> int:
    """Return the position at which a monitor sees the formula broken; beyond the end if it never does."""
    monitor = TRACES.monitor(formula)
    for now, atom in enumerate(trace):
        monitor.feed(atom, float(now))
    return int(monitor.violation.time) if monitor.violation else len(trace)


@given(FORMULAS, FORMULAS, EVENTS)
@settings(max_examples=400, deadline=None)
def test_a_realizable_promise_breaks_only_by_its_owner_or_after_its_demands(
    provided: Formula, required: Formula, events: list[str]
) -> None:
    assume(TRACES.realizable(provided, required))
    trace = ["connect", *events, "disconnect"]
    broken = first_break(provided, trace)
    if broken == len(trace) or first_break(required, trace[: broken + 1]) <= broken:
        return
    monitor = TRACES.monitor(provided)
    for now, atom in enumerate(trace):
        monitor.feed(atom, float(now))
    assert monitor.violation is not None
    assert trace[broken].startswith("out.") or monitor.violation.owed_by == "owner"


@given(FORMULAS, FORMULAS)
@settings(max_examples=300, deadline=None)
def test_a_spoiling_trace_is_real(provided: Formula, required: Formula) -> None:
    """Fed to monitors, it breaks the promise with its last letter, and never the demand."""
    found = spoiling_counterexample(provided, required, TRACES.table)
    assert TRACES.realizable(provided, required).holds <= (found is None)
    if found is None:
        return
    trace = [str(Atom("", atom.kind, "Z") if atom.event == ANY else atom) for atom in found.trace]
    assert first_break(provided, trace) == len(trace) - 1
    assert first_break(required, trace) == len(trace)
    assert not trace[-1].startswith("out.")
