"""The formalism `trace` as a plug-in."""

from __future__ import annotations

import pytest

from liven.types.formalism.count import COUNT, Interval
from liven.types.formalism.plugin import FormulaError, Vocabulary
from liven.types.formalism.trace import TRACE, TooLargeError, TraceFormalism
from liven.types.formalism.trace.formula import TRUE, And


def test_the_id_and_name_are_fixed() -> None:
    assert str(TRACE) == "63A4E3A7375EEEAE4D41A326F84BE184"
    assert TraceFormalism.name == "trace"


def test_the_empty_conjunction_is_true(trace: TraceFormalism) -> None:
    assert trace.conjoin([]) == TRUE
    assert trace.trivial(trace.conjoin([]))


def test_several_constraints_are_meant_together(trace: TraceFormalism, channel: Vocabulary) -> None:
    parts = [trace.parse(text, channel) for text in ("no Send", "no Open; no Close")]
    together = trace.conjoin(parts)
    assert isinstance(together, And)
    assert len(together.parts) == 3
    assert all(trace.implies(together, part) for part in parts)


def test_a_predicate_can_be_remembered_by_value(trace: TraceFormalism, channel: Vocabulary) -> None:
    one, two = (trace.parse("every Receive follows a Send", channel) for _ in range(2))
    assert one == two
    assert {one: "seen"}[two] == "seen"


@pytest.mark.parametrize(
    ("text", "places"),
    [
        ("never detector.connect", ["detector"]),
        ("never (detector.connect or channel.connect)", ["channel", "detector"]),
        ("never detector.*", []),
        ("no channel.Send before detector.connect; never detector.connect", ["detector"]),
        ("at most one detector.connect", []),
    ],
)
def test_an_endpoint_that_never_connects_has_no_instances(
    text: str, places: list[str], trace: TraceFormalism, whole: Vocabulary
) -> None:
    consequences = list(trace.translate(trace.parse(text, whole)))
    assert consequences == [(COUNT, ((place, Interval(0, 0)),)) for place in places]


def test_at_one_endpoint_there_is_nothing_to_translate(trace: TraceFormalism, channel: Vocabulary) -> None:
    assert list(trace.translate(trace.parse("never connect", channel))) == []


def test_the_words_of_an_error_lead_to_the_place(trace: TraceFormalism, channel: Vocabulary) -> None:
    with pytest.raises(FormulaError) as refused:
        trace.parse("no Send; no Recieve", channel)
    assert str(refused.value) == "at column 13: 'Recieve' is not an event here; did you mean Receive?"


def test_being_too_large_is_a_kind_of_formula_error() -> None:
    assert issubclass(TooLargeError, FormulaError)


def test_a_formula_needs_the_names_it_uses(trace: TraceFormalism) -> None:
    with pytest.raises(FormulaError, match="'Send' is not an event here"):
        trace.parse("no Send", Vocabulary())


def test_both_sides_of_a_connection_agree_on_what_fits(trace: TraceFormalism, channel: Vocabulary) -> None:
    """A promise of one side against a demand of the other, decided by either side."""
    other_side = Vocabulary(channel.outputs, channel.inputs)
    promise = trace.parse("every Receive directly follows a Send", channel)
    demand = trace.parse("no Receive before Send", other_side)
    assert trace.implies(promise, trace.mirror(demand))
    assert trace.implies(trace.mirror(promise), demand)
    assert not trace.implies(promise, demand)


def test_a_monitor_is_made_anew_each_time(trace: TraceFormalism, channel: Vocabulary) -> None:
    formula = trace.parse("no Send", channel)
    first, second = trace.monitor(formula), trace.monitor(formula)
    first.feed("connect", 0.0)
    first.feed("in.Send", 1.0)
    second.feed("connect", 0.0)
    assert first.violation is not None
    assert second.violation is None
