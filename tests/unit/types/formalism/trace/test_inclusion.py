"""Shortest traces that one formula accepts and another rejects."""

from __future__ import annotations

import pytest

from liven.types.formalism.plugin import Vocabulary
from liven.types.formalism.trace import TraceFormalism

NAMES = Vocabulary(frozenset({"A", "B"}), frozenset({"C"}))


@pytest.mark.parametrize(
    ("provided", "required", "shortest"),
    [
        ("true", "false", "connect"),
        ("true", "no A", "connect, in.A"),
        ("true", "at most 3 A", "connect, in.A, in.A, in.A, in.A"),
        ("true", "eventually A", "connect"),
        ("eventually disconnect", "eventually A", "connect, disconnect"),
        ("eventually A", "no A after B", "connect, in.B, in.A"),
        ("A comes first", "no B", "connect, in.A, in.B"),
        ("at least two A", "at least three A", "connect, in.A, in.A"),
        ("no A", "no B; no C", "connect, in.B"),
        ("only A", "never *", "connect, in.A"),
        ("no A or B", "never *", "connect, in.(any other)"),
        ("no A", "always (connect or disconnect or A)", "connect, any other event"),
        ("nothing after A; at least one A", "eventually disconnect", "connect, in.A"),
    ],
)
def test_a_counterexample_is_a_shortest_one(
    provided: str, required: str, shortest: str, trace: TraceFormalism
) -> None:
    found = trace.counterexample(trace.parse(provided, NAMES), trace.parse(required, NAMES))
    assert found is not None
    assert str(found) == shortest


@pytest.mark.parametrize(
    ("provided", "required", "length"),
    [
        ("every A is answered by C", "every A is directly followed by C", 4),
        ("A alternates with B; at least two B", "no C", 6),
        ("next next next true", "no A", 4),
        ("true", "at most 9 A", 11),
    ],
)
def test_of_several_shortest_ones_any_will_do(
    provided: str, required: str, length: int, trace: TraceFormalism
) -> None:
    found = trace.counterexample(trace.parse(provided, NAMES), trace.parse(required, NAMES))
    assert found is not None
    assert len(found.trace) == length


@pytest.mark.parametrize(
    ("provided", "required"),
    [
        ("false", "no A"),
        ("never connect", "false"),
        ("no A", "no A after B"),
        ("only A", "no B; no C"),
        ("never *", "eventually A implies false"),
        ("A comes first; no A", "never *"),
    ],
)
def test_where_every_trace_is_included_there_is_none(
    provided: str, required: str, trace: TraceFormalism
) -> None:
    assert trace.counterexample(trace.parse(provided, NAMES), trace.parse(required, NAMES)) is None


def test_a_counterexample_tells_what_it_assumes(trace: TraceFormalism) -> None:
    provided = trace.parse("given peer is fifo, no A", NAMES)
    required = trace.parse("no A", NAMES)
    assert str(trace.counterexample(provided, required)) == "connect, in.A"
    stronger = trace.parse("given peer is causal, no B", NAMES)
    assert str(trace.counterexample(provided, stronger)) == (
        "connect, in.B (given peer is causal and peer is fifo)"
    )


def test_a_counterexample_at_an_object_names_endpoints(trace: TraceFormalism) -> None:
    names = Vocabulary(endpoints=(("x", NAMES), ("y", NAMES)))
    found = trace.counterexample(trace.parse("no x.A", names), trace.parse("no y.A", names))
    assert str(found) == "y.connect, y.in.A"
    wide = trace.counterexample(trace.parse("no y.A", names), trace.parse("never y.in.*", names))
    assert str(wide) in ("y.connect, y.in.(any other)", "y.connect, y.in.B")
