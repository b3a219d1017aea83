"""Which promises their owner can keep alone."""

from __future__ import annotations

import pytest

from liven.types.formalism.plugin import JudgesKeeping, Vocabulary
from liven.types.formalism.trace import TraceFormalism
from liven.types.formalism.trace.keeping import spoiled

KEEPABLE = [
    ("no Ack", "true"),
    ("every Receive follows a Send", "true"),
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
def test_a_promise_about_ones_own_doing_can_be_kept(
    provided: str, required: str, trace: TraceFormalism, channel: Vocabulary
) -> None:
    answer = trace.keepable(trace.parse(provided, channel), trace.parse(required, channel))
    assert answer.holds, answer.render()


@pytest.mark.parametrize(("provided", "required", "example"), NOT_KEEPABLE)
def test_a_promise_that_the_peer_can_break_is_refused_with_a_shortest_trace(
    provided: str, required: str, example: str, trace: TraceFormalism, channel: Vocabulary
) -> None:
    promise, demand = trace.parse(provided, channel), trace.parse(required, channel)
    answer = trace.keepable(promise, demand)
    assert not answer
    assert f"this may happen: {example};" in answer.render()
    found = spoiled(promise, demand, trace.table)
    assert found is not None and str(found) == example


def test_a_refusal_says_what_to_do(trace: TraceFormalism, channel: Vocabulary) -> None:
    answer = trace.keepable(trace.parse("no Send", channel), trace.parse("true", channel))
    assert "in.Send is not its owner's doing" in answer.render()
    assert "require of the peer what prevents this" in answer.render()


def test_what_cannot_be_judged_is_not_taken_for_keepable(trace: TraceFormalism, channel: Vocabulary) -> None:
    parts = [trace.parse(f"at most 16 {name}", channel) for name in ("Receive", "Ack")]
    answer = trace.keepable(trace.conjoin(parts), trace.parse("true", channel))
    assert not answer
    assert "not decided" in answer.claim


def test_traces_judge_keeping(trace: TraceFormalism) -> None:
    assert isinstance(trace, JudgesKeeping)
