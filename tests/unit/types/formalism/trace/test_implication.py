"""Implication between formulas: directions, counterexamples, bounds."""

from __future__ import annotations

import pytest

from liven.types.formalism.plugin import Formalism, FormulaError, Vocabulary
from liven.types.formalism.trace import TRACE, Formula, TooLargeError, TraceFormalism

PAIRS = [
    ("at most one Close, and nothing after it", "at most one Close"),
    ("at most one Send", "at most two Send"),
    ("at least two Send", "at least one Send"),
    ("exactly one Open", "at most one Open"),
    ("no Send", "no Send after Close"),
    ("Open comes first", "no Send before Open"),
    ("every Receive directly follows a Send", "every Receive follows a Send"),
    ("no Send before Open; no Receive before Send", "no Receive before Open"),
    ("Open alternates with Close", "at most 1 Open between two Close"),
    ("Open alternates with Close", "no Close before Open"),
    ("nothing after Close", "at most one Close"),
    ("every Send is followed by Ack; no Ack after Close", "no Send after Close"),
    ("only Receive", "no Send"),
    ("only Receive after Close", "no Send after Close"),
    ("no Send between Open and Close; Open comes first; no Close", "no Send"),
    ("eventually Close", "given at least one Send, eventually Close"),
    ("at most 2 Send between two Ack", "at most 3 Send between two Ack"),
    ("always (Send implies next Ack)", "every Send is answered by Ack"),
]


@pytest.mark.parametrize(("provided", "required"), PAIRS)
def test_the_stronger_formula_implies_the_weaker_and_not_the_other_way(
    provided: str, required: str, trace: TraceFormalism, channel: Vocabulary
) -> None:
    strong, weak = trace.parse(provided, channel), trace.parse(required, channel)
    assert trace.implies(strong, weak).render(full=True).startswith("✓")
    assert not trace.implies(weak, strong)


EQUAL = [
    ("nothing after Close", "at most one Close, and nothing after it"),
    ("Send never precedes Open", "every Send follows an Open"),
    ("Send never precedes Open", "not Send unless Open"),
    ("Send never precedes Open", "no Send before Open"),
    ("never Send", "no Send"),
    ("only Send", "always (* implies Send)"),
    ("eventually Send", "at least one Send"),
    ("always (connect implies not Send)", "true"),
    ("at most one connect", "true"),
    ("no Send after disconnect", "true"),
    ("eventually (previously Send)", "eventually (Send and next true)"),
]


@pytest.mark.parametrize(("one", "other"), EQUAL)
def test_two_ways_to_say_the_same_imply_each_other(
    one: str, other: str, trace: TraceFormalism, channel: Vocabulary
) -> None:
    left, right = trace.parse(one, channel), trace.parse(other, channel)
    assert trace.implies(left, right)
    assert trace.implies(right, left)


def test_it_implements_the_formalism_protocol(trace: TraceFormalism) -> None:
    plugin: Formalism[Formula] = trace
    assert plugin.id == TRACE


def test_a_refusal_shows_a_shortest_trace(trace: TraceFormalism, channel: Vocabulary) -> None:
    weak = trace.parse("at most two Close", channel)
    strong = trace.parse("at most one Close", channel)
    answer = trace.implies(weak, strong)
    assert "this may happen: connect, in.Close, in.Close" in answer.render()


def test_of_several_demands_each_has_its_answer(trace: TraceFormalism, channel: Vocabulary) -> None:
    provided = trace.parse("at most one Close", channel)
    required = trace.parse("at most one Close; no Send after Close", channel)
    answer = trace.implies(provided, required)
    assert [bool(reason) for reason in answer.reasons] == [True, False]
    assert "connect, in.Close, in.Send" in answer.render()


def test_the_events_of_an_endpoint_do_not_matter(trace: TraceFormalism) -> None:
    """Otherwise implication would depend on the structure and would not be a preorder."""
    few = Vocabulary(frozenset({"Send"}))
    many = Vocabulary(frozenset({"Send", "Stop"}))
    only = trace.parse("always (connect or disconnect or Send)", few)
    assert not trace.trivial(only)
    assert trace.implies(only, trace.parse("no Stop", many))


def test_a_direction_holds_what_is_in_it_and_no_more(trace: TraceFormalism, channel: Vocabulary) -> None:
    silent = trace.parse("never in.*", channel)
    assert trace.implies(silent, trace.parse("no Send", channel))
    assert not trace.implies(silent, trace.parse("no Receive", channel))
    assert trace.trivial(trace.parse("always (connect or disconnect or *)", channel))


def test_mirroring_turns_what_is_received_into_what_is_sent(
    trace: TraceFormalism, channel: Vocabulary
) -> None:
    other_side = Vocabulary(channel.outputs, channel.inputs)
    formula = trace.parse("every Receive follows a Send; given self is total, no Ack", channel)
    mirrored = trace.parse("every Receive follows a Send; given peer is total, no Ack", other_side)
    assert trace.mirror(formula) == mirrored


def test_a_formula_with_too_many_states_is_refused_and_says_so(
    trace: TraceFormalism, channel: Vocabulary
) -> None:
    text = " and ".join(f"eventually ({'next ' * n}Send and {'next ' * (n + 2)}Ack)" for n in range(8))
    with pytest.raises(TooLargeError, match="split it into simpler parts"):
        trace.parse(text, channel)


def test_counting_beyond_the_size_of_automata_is_refused(trace: TraceFormalism, channel: Vocabulary) -> None:
    with pytest.raises(TooLargeError, match="more than 256 states"):
        trace.parse("at most 16 Send; at most 16 Ack", channel)


def test_naming_too_many_events_is_refused(trace: TraceFormalism) -> None:
    names = [f"E{number}" for number in range(70)]
    with pytest.raises(TooLargeError, match="64 different events, this names 70"):
        trace.parse(" or ".join(names), Vocabulary(frozenset(names)))


def test_weighing_too_many_assumptions_is_refused(trace: TraceFormalism, channel: Vocabulary) -> None:
    names = ["fifo", "causal", "total", "timed", "durable", "encrypted", "exclusive"]
    text = " or ".join(f"(peer is {name})" for name in names)
    with pytest.raises(TooLargeError, match="at most 6 assumptions"):
        trace.parse(text, channel)


def test_parts_that_are_too_large_together_refuse_without_an_error(
    trace: TraceFormalism, channel: Vocabulary
) -> None:
    parts = [trace.parse(f"at least 16 {name}", channel) for name in ("Send", "Ack", "Open")]
    together = trace.conjoin(parts)
    assert trace.implies(together, parts[0])
    answer = trace.implies(together, trace.parse("at least one Close", channel))
    assert not answer
    assert "not decided, these 3 formulas have more than 4096 states together" in answer.render()


def test_where_all_is_too_much_one_promise_that_implies_it_will_do(
    trace: TraceFormalism, channel: Vocabulary
) -> None:
    names = ["fifo", "causal", "total", "timed", "durable", "encrypted", "exclusive"]
    parts = [trace.parse(f"given peer is {name}, no Send", channel) for name in names]
    together = trace.conjoin([*parts, trace.parse("at most one Send", channel)])
    assert trace.implies(together, trace.parse("at most two Send", channel))
    assert "at most 6 assumptions" in trace.implies(together, trace.parse("no Open", channel)).render()


def test_a_refusal_of_many_promises_shows_a_trace_that_keeps_them_all(
    trace: TraceFormalism, channel: Vocabulary
) -> None:
    parts = [
        "eventually Ack",
        "no Ack before Send",
        "at most 16 Open",
        "at most 16 Close",
        "at most 16 Receive",
    ]
    together = trace.conjoin([trace.parse(text, channel) for text in parts])
    found = trace.counterexample(together, trace.parse("no Send before Open", channel))
    assert str(found) == "connect, in.Send, out.Ack"


def test_nesting_too_deep_is_refused(trace: TraceFormalism, channel: Vocabulary) -> None:
    for text in ("not " * 1000 + "Send", "(" * 1000 + "Send", "Send until " * 300 + "Send", "given " * 500):
        with pytest.raises(FormulaError, match="nested deeper than 40 levels"):
            trace.parse(text, channel)


def test_operators_that_double_are_bounded(trace: TraceFormalism, channel: Vocabulary) -> None:
    for word in ("iff", "unless"):
        text = f" {word} ".join(["Send", "Ack"] * 15)
        with pytest.raises(FormulaError, match="stands for more than 2000 operators"):
            trace.parse(text, channel)


def test_a_text_too_long_is_refused(trace: TraceFormalism, channel: Vocabulary) -> None:
    with pytest.raises(FormulaError, match="4096 characters, this has 5000"):
        trace.parse("x" * 5000, channel)


def test_an_impossible_promise_implies_everything(trace: TraceFormalism, channel: Vocabulary) -> None:
    nothing = trace.parse("never connect", channel)
    assert trace.implies(nothing, trace.parse("eventually Send", channel))
    assert not trace.trivial(nothing)


def test_what_one_endpoint_does_says_nothing_about_another(trace: TraceFormalism, whole: Vocabulary) -> None:
    one = trace.parse("no channel.Send before channel.Open", whole)
    two = trace.parse("no channel.Send before detector.Suspect", whole)
    against = trace.counterexample(one, two)
    assert str(against) == "channel.connect, channel.in.Open, channel.in.Send"


def test_an_endpoint_sends_nothing_before_it_is_connected(trace: TraceFormalism, whole: Vocabulary) -> None:
    assert trace.trivial(trace.parse("no channel.Send before channel.connect", whole))
    assert not trace.trivial(trace.parse("no channel.Send before detector.connect", whole))
    assert trace.trivial(trace.parse("no channel.* after channel.disconnect", whole))
