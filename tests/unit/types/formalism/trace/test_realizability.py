"""Promises that their owner can keep alone, and others."""

from __future__ import annotations

import pytest

from liven.types.formalism.plugin import JudgesRealizability, Vocabulary
from liven.types.formalism.trace import TraceFormalism
from liven.types.formalism.trace.realizability import spoiling_counterexample

KEEPABLE = [
    ("no Ack", "true"),
    ("every Receive follows a Send", "true"),
    ("nothing sent after Close", "true"),
    ("at most one Ack, and nothing sent after it", "true"),
    ("every Send is answered by Ack", "true"),
    ("at most one Receive", "true"),
    ("eventually Ack", "true"),
    ("no disconnect before Ack", "true"),
    ("at most one Close", "at most one Close"),
    ("no Send after Close", "nothing after Close"),
    ("Open alternates with Ack", "at most 1 Open between two Ack"),
    ("eventually Ack; no Ack before Open", "at least one Open"),
    ("given at least one Open, eventually Ack", "true"),
    ("given peer is reliable, no Ack", "true"),
]

NOT_KEEPABLE = [
    ("at most one Close", "true", "connect, in.Close, in.Close"),
    ("no Send", "no Open", "connect, in.Send"),
    ("never *", "true", "connect, in.(any other)"),
    ("no Send after Ack", "true", "connect, out.Ack, in.Send"),
    ("eventually Close", "true", "connect, disconnect"),
    ("every Send is directly followed by Ack", "true", "connect, in.Send, in.Send"),
    ("eventually Ack; no Ack before Open", "true", "connect, disconnect"),
    ("never connect", "true", "connect"),
    ("eventually Ack; no Ack", "true", "connect"),
    ("at most two Close", "at most 3 Close", "connect, in.Close, in.Close, in.Close"),
    ("given peer is reliable, no Send", "true", "connect, in.Send (given peer is reliable)"),
]


@pytest.mark.parametrize(("provided", "required"), KEEPABLE)
def test_a_promise_about_the_owners_events_can_be_kept(
    provided: str, required: str, trace: TraceFormalism, channel: Vocabulary
) -> None:
    answer = trace.realizable(trace.parse(provided, channel), trace.parse(required, channel))
    assert answer.holds, answer.render()


@pytest.mark.parametrize(("provided", "required", "example"), NOT_KEEPABLE)
def test_a_promise_that_the_peer_can_break_is_refused_with_a_shortest_trace(
    provided: str, required: str, example: str, trace: TraceFormalism, channel: Vocabulary
) -> None:
    promise, demand = trace.parse(provided, channel), trace.parse(required, channel)
    answer = trace.realizable(promise, demand)
    assert not answer
    assert f"this may happen: {example};" in answer.render()
    found = spoiling_counterexample(promise, demand, trace.table)
    assert found is not None and str(found) == example


def test_a_refusal_gives_a_remedy(trace: TraceFormalism, channel: Vocabulary) -> None:
    answer = trace.realizable(trace.parse("no Send", channel), trace.parse("true", channel))
    assert "in.Send is not an action of its owner" in answer.render()
    assert "require that the peer prevents this" in answer.render()


@pytest.mark.parametrize("each", ["at most 3 {}", "at most 16 {}", "{} only after Send", "at least one {}"])
def test_any_number_of_promises_about_different_events_can_be_kept(each: str, trace: TraceFormalism) -> None:
    events = [f"E{number}" for number in range(12)]
    names = Vocabulary(frozenset({"Send"}), frozenset(events))
    parts = [
        trace.parse(each.format(event), names) for event in events if "least" not in each or event < "E3"
    ]
    answer = trace.realizable(trace.conjoin(parts), trace.parse("at least one Send", names))
    assert answer.holds, answer.render()


def test_who_promises_that_nothing_happens_is_told_to_speak_of_what_it_sends(
    trace: TraceFormalism, channel: Vocabulary
) -> None:
    nothing = trace.parse("at most one Ack, and nothing after it", channel)
    assert (
        "say `nothing sent after` or `out.*`"
        in trace.realizable(nothing, trace.parse("true", channel)).render()
    )
    plain = trace.realizable(trace.parse("no Send", channel), trace.parse("true", channel))
    assert "nothing sent" not in plain.render()


def test_irrelevant_demands_are_not_considered(trace: TraceFormalism) -> None:
    events = [f"E{number}" for number in range(12)]
    names = Vocabulary(frozenset(events), frozenset({"Ack"}))
    demands = trace.conjoin([trace.parse(f"at most 16 {event}", names) for event in events])
    assert trace.realizable(trace.parse("at most 16 E0", names), demands)
    refused = trace.realizable(trace.parse("no E0", names), demands)
    assert "this may happen: connect, in.E0;" in refused.render()


def test_demands_that_cannot_be_met_together_are_weighed_together(
    trace: TraceFormalism, channel: Vocabulary
) -> None:
    demands = trace.parse("every Send is followed by an Open; no Open after Send", channel)
    assert trace.realizable(trace.parse("no Send", channel), demands)
    assert not trace.realizable(trace.parse("no Open", channel), demands)


def test_an_undecided_promise_is_not_accepted(trace: TraceFormalism, channel: Vocabulary) -> None:
    texts = ["at least 16 Receive", "at least 16 Ack", "at least 16 out.Both", "no disconnect before Ack"]
    answer = trace.realizable(
        trace.conjoin([trace.parse(text, channel) for text in texts]), trace.parse("true", channel)
    )
    assert not answer
    assert "not decided, these 4 formulas have more than 4096 states together" in answer.claim
    assert answer.claim.endswith("promise less at once")
    assert "require that the peer" not in answer.render()


def test_a_bare_event_as_promise_gets_a_suggestion(trace: TraceFormalism, channel: Vocabulary) -> None:
    answer = trace.realizable(trace.parse("Ack", channel), trace.parse("true", channel))
    assert answer.claim == "out.Ack: nobody can keep it; did you mean `at least one out.Ack`?"


def test_demands_too_large_to_decide_are_assumed_possible(trace: TraceFormalism, channel: Vocabulary) -> None:
    names = ["fifo", "causal", "total", "timed", "durable", "encrypted", "exclusive"]
    demands = trace.conjoin([trace.parse(f"given peer is {name}, no Send", channel) for name in names])
    answer = trace.realizable(trace.parse("no Ack", channel), demands)
    assert "not decided, at most 6 assumptions" in answer.render()


def test_trace_judges_realizability(trace: TraceFormalism) -> None:
    assert isinstance(trace, JudgesRealizability)
