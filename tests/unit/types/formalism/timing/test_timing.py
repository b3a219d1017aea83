"""Laws and examples of the formalism `timing`."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from liven.types.formalism.atoms import Atom
from liven.types.formalism.guarantee import GUARANTEE
from liven.types.formalism.plugin import (
    Formalism,
    FormulaError,
    JudgesRealizability,
    Monitor,
    Standing,
    Vocabulary,
)
from liven.types.formalism.timing import TIMING, Reaction, Reactions, TimingFormalism, TimingMonitor

TIMES = TimingFormalism(window=10, minimum=4)
NAMES = Vocabulary(frozenset({"Send", "Both"}), frozenset({"Ack", "Both"}))
SEND, ACK = Atom("", "in", "Send"), Atom("", "out", "Ack")
REACTIONS = st.builds(
    Reaction,
    st.sampled_from([SEND, ACK]),
    st.sampled_from([SEND, ACK]),
    st.sampled_from([Fraction(1, 10), Fraction(1), Fraction(60)]),
    st.sampled_from([Fraction(1, 2), Fraction(95, 100), Fraction(1)]),
    st.sampled_from(["here", "all", "some"]),
)
PREDICATES = st.frozensets(REACTIONS, max_size=3)


def parse(text: str) -> Reactions:
    return TIMES.parse(text, NAMES)


def standing(monitor: Monitor) -> Standing:
    return monitor.standing


def test_it_implements_the_formalism_protocol() -> None:
    plugin: Formalism[Reactions] = TIMES
    assert plugin.id == TIMING


@pytest.mark.parametrize(
    ("text", "reaction"),
    [
        ("Ack within 200 ms after Send", Reaction(SEND, ACK, Fraction(1, 5))),
        ("always, Ack within 2 s after Send", Reaction(SEND, ACK, Fraction(2))),
        (
            "at least 99.5% of the time, Ack at all instances within 1.5 min after Send",
            Reaction(SEND, ACK, Fraction(90), Fraction(995, 1000), "all"),
        ),
        (
            "At least 50 % of the time, out.Both at some instance within 10 us after in.Both",
            Reaction(
                Atom("", "in", "Both"), Atom("", "out", "Both"), Fraction(1, 100_000), Fraction(1, 2), "some"
            ),
        ),
    ],
)
def test_a_formula_says_how_often_how_soon_and_where(text: str, reaction: Reaction) -> None:
    assert parse(text) == {reaction}


@pytest.mark.parametrize(
    ("provided", "required"),
    [
        ("Ack within 1 s after Send", "Ack within 2 s after Send"),
        ("Ack within 1 s after Send", "at least 90% of the time, Ack within 1 s after Send"),
        ("Ack at all instances within 1 s after Send", "Ack at some instance within 1 s after Send"),
        ("Ack within 1 s after Send; Send within 1 s after Ack", "Ack within 1 s after Send"),
    ],
)
def test_the_stronger_formula_implies_the_weaker_and_not_the_other_way(provided: str, required: str) -> None:
    assert TIMES.implies(parse(provided), parse(required))
    assert not TIMES.implies(parse(required), parse(provided))


@pytest.mark.parametrize(
    ("provided", "required"),
    [
        ("Ack within 1 s after Send", "Send within 1 s after Ack"),
        ("Ack within 1 s after Send", "Ack at some instance within 1 s after Send"),
        ("Ack at all instances within 1 s after Send", "Ack within 1 s after Send"),
        ("at least 99% of the time, Ack within 1 s after Send", "Ack within 9 s after Send"),
    ],
)
def test_a_faster_but_rarer_reaction_does_not_follow(provided: str, required: str) -> None:
    assert not TIMES.implies(parse(provided), parse(required))


def test_a_refusal_shows_what_is_provided_instead() -> None:
    answer = TIMES.implies(parse("Ack within 3 s after Send"), parse("Ack within 2 s after Send"))
    assert "provided is only" in answer.render() and "within 3 s" in answer.render()
    nothing = TIMES.implies(parse("Ack within 3 s after Send"), parse("Send within 2 s after Send"))
    assert "nothing is provided about these two events" in nothing.render()


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("", "at column 1: expected a name, found the end"),
        ("Akc within 1 s after Send", "did you mean Ack"),
        ("Ack within 1 hour after Send", "expected a unit, one of us, ms, s, min"),
        ("Ack within s after Send", "expected a number"),
        ("Ack within 1 s before Send", "expected 'after'"),
        ("at least 101% of the time, Ack within 1 s after Send", "more than 100%"),
        ("at least 90% Ack within 1 s after Send", "expected 'of'"),
        ("in.* within 1 s after Send", "between two events by name"),
        ("* within 1 s after Send", "between two events by name"),
        ("Ack within 1 s after Send Send", "expected the end"),
        ("Both within 1 s after Send", "write in.Both or out.Both"),
    ],
)
def test_a_text_that_is_not_a_timing_is_refused(text: str, complaint: str) -> None:
    with pytest.raises(FormulaError, match=complaint):
        parse(text)


def test_an_event_whose_name_is_no_word_stands_in_quotes() -> None:
    names = Vocabulary(frozenset({"Set Key"}), frozenset({"always"}))
    formula = TIMES.parse('always, "always" within 1 s after "Set Key"', names)
    assert TIMES.parse(TIMES.print(formula), names) == formula
    monitor = TIMES.monitor(formula)
    for number in range(4):
        monitor.feed("in.Set Key", 0.1 * number)
    monitor.advance(9.0)
    assert standing(monitor) is Standing.BROKEN


def test_too_many_reactions_are_refused() -> None:
    with pytest.raises(FormulaError, match="at most 64 reactions"):
        parse("; ".join(["Ack within 1 s after Send"] * 70))


def test_a_reaction_in_zero_percent_is_a_tautology() -> None:
    assert TIMES.trivial(parse("at least 0% of the time, Ack within 1 s after Send"))
    assert not TIMES.trivial(parse("Ack within 1 s after Send"))


def test_any_bound_is_timed() -> None:
    assert list(TIMES.translate(parse("Ack within 1 s after Send"))) == [(GUARANTEE, frozenset({"timed"}))]
    assert list(TIMES.translate(frozenset())) == []


@given(PREDICATES, PREDICATES, PREDICATES)
def test_implication_is_a_preorder(one: Reactions, two: Reactions, three: Reactions) -> None:
    assert TIMES.implies(one, one)
    if TIMES.implies(one, two) and TIMES.implies(two, three):
        assert TIMES.implies(one, three)
    assert TIMES.implies(TIMES.conjoin([one, two]), one)


@given(PREDICATES, PREDICATES)
def test_both_ends_of_a_connection_decide_alike(one: Reactions, two: Reactions) -> None:
    assert TIMES.mirror(TIMES.mirror(one)) == one
    assert bool(TIMES.implies(TIMES.mirror(one), TIMES.mirror(two))) == bool(TIMES.implies(one, two))


@given(PREDICATES.filter(bool))
def test_print_and_parse_are_inverse(predicate: Reactions) -> None:
    assert parse(TIMES.print(predicate)) == predicate


def test_only_the_owners_answers_can_be_promised() -> None:
    assert isinstance(TIMES, JudgesRealizability)
    own, other = parse("Ack within 1 s after Send"), parse("Send within 1 s after Ack")
    assert TIMES.realizable(own, frozenset())
    assert not TIMES.realizable(other, frozenset())
    assert "in.Send is not its to send" in TIMES.realizable(other, frozenset()).render()
    assert TIMES.realizable(other, parse("Send within 0.5 s after Ack"))
    assert not TIMES.realizable(other, parse("Send within 5 s after Ack"))


def fed(text: str, *happenings: tuple[float, str]) -> TimingMonitor:
    monitor = TIMES.monitor(parse(text))
    for now, atom in happenings:
        monitor.feed(atom, now)
    return monitor


def cases(*delays: float) -> list[tuple[float, str]]:
    """Feed a Send every ten seconds, each with an Ack after the delay."""
    return [
        pair
        for number, delay in enumerate(delays)
        for pair in ((10.0 * number, "in.Send"), (10.0 * number + delay, "out.Ack"))
    ]


def test_no_verdict_before_the_smallest_sample() -> None:
    monitor = fed("Ack within 1 s after Send", *cases(5, 5, 5))
    assert standing(monitor) is Standing.UNDECIDED
    monitor.feed("in.Send", 100.0)
    monitor.feed("out.Ack", 105.0)
    assert standing(monitor) is Standing.BROKEN
    assert monitor.violation is not None
    assert monitor.violation.owed_by == "owner"
    assert monitor.violation.trace == ("in.Send", "out.Ack")
    assert "0.0% in time of the last 4" in str(monitor.broken)


def test_timely_answers_hold_so_far() -> None:
    assert fed("Ack within 1 s after Send", *cases(0.5, 1, 0.1, 0)).standing is Standing.HOLDS_SO_FAR


def test_a_share_may_be_late() -> None:
    text = "at least 75% of the time, Ack within 1 s after Send"
    assert fed(text, *cases(0.1, 0.1, 5, 0.1)).standing is Standing.HOLDS_SO_FAR
    assert fed(text, *cases(0.1, 0.1, 5, 0.1, 5)).standing is Standing.BROKEN


def test_a_timely_answer_can_complete_the_sample_that_shows_too_few() -> None:
    text = "at least 75% of the time, Ack within 1 s after Send"
    assert fed(text, *cases(0.1, 5, 5, 0.1)).standing is Standing.BROKEN


def test_only_the_last_cases_count() -> None:
    text = "at least 50% of the time, Ack within 1 s after Send"
    assert fed(text, *cases(*[0.1] * 40, *[5] * 5)).standing is Standing.HOLDS_SO_FAR
    assert fed(text, *cases(*[0.1] * 40, *[5] * 6)).standing is Standing.BROKEN


def test_one_answer_is_for_all_that_wait() -> None:
    happenings = [(0.1 * n, "in.Send") for n in range(4)]
    assert fed("Ack within 1 s after Send", *happenings, (0.9, "out.Ack")).standing is Standing.HOLDS_SO_FAR


def test_lateness_is_noticed_when_time_passes() -> None:
    monitor = fed("Ack within 1 s after Send", *[(0.1 * n, "in.Send") for n in range(4)])
    monitor.advance(0.9)
    assert monitor.violation is None
    monitor.advance(5.0)
    assert monitor.violation is not None
    assert monitor.violation.trace == ("in.Send",)


def test_a_case_still_open_at_the_disconnect_is_not_judged() -> None:
    monitor = fed("Ack within 1 s after Send", *cases(0.1, 0.1, 0.1), (50.0, "in.Send"), (50.5, "disconnect"))
    assert standing(monitor) is Standing.UNDECIDED


def test_an_event_can_answer_itself() -> None:
    happenings = [(0.5 * n, "in.Send") for n in range(6)]
    assert fed("Send within 1 s after Send", *happenings).standing is Standing.HOLDS_SO_FAR


def test_time_never_goes_back() -> None:
    with pytest.raises(ValueError, match=r"time went back from 2\.0 to 1\.0"):
        fed("Ack within 1 s after Send", (2.0, "in.Send"), (1.0, "out.Ack"))


@pytest.mark.parametrize("where", ["at all instances", "at some instance"])
def test_one_connection_shows_nothing_of_the_other_instances(where: str) -> None:
    monitor = fed(f"Ack {where} within 1 s after Send", *cases(5, 5, 5, 5, 5))
    assert standing(monitor) is Standing.NOT_OBSERVABLE
    assert monitor.violation is None


def gathering(where: str, *answers: str) -> TimingMonitor:
    """Feed four Sends at x, each answered by the given instances of x and y."""
    monitor = TIMES.monitor(parse(f"Ack {where} within 1 s after Send"))
    monitor.present(["x", "y"], 0.0)
    for number in range(4):
        monitor.feed_at("x", "in.Send", 10.0 * number)
        for instance in answers:
            monitor.feed_at(instance, "out.Ack", 10.0 * number + 0.5)
    monitor.advance(100.0)
    return monitor


def test_all_instances_must_answer() -> None:
    assert gathering("at all instances", "x", "y").standing is Standing.HOLDS_SO_FAR
    assert gathering("at all instances", "y").standing is Standing.BROKEN


def test_some_instance_must_answer() -> None:
    assert gathering("at some instance", "y").standing is Standing.HOLDS_SO_FAR
    assert gathering("at some instance").standing is Standing.BROKEN


def test_disconnected_instances_are_not_waited_for() -> None:
    monitor = TIMES.monitor(parse("Ack at all instances within 1 s after Send"))
    monitor.present(["x", "y"], 0.0)
    for number in range(4):
        monitor.feed_at("x", "in.Send", 0.1 * number)
    monitor.feed_at("x", "out.Ack", 0.5)
    monitor.present(["x"], 0.6)
    monitor.advance(9.0)
    assert standing(monitor) is Standing.HOLDS_SO_FAR


def test_without_instances_all_holds_and_some_fails() -> None:
    for where, verdict in (
        ("at all instances", Standing.HOLDS_SO_FAR),
        ("at some instance", Standing.BROKEN),
    ):
        monitor = TIMES.monitor(parse(f"Ack {where} within 1 s after Send"))
        monitor.present([], 0.0)
        for number in range(4):
            monitor.feed_at("x", "in.Send", 0.1 * number)
        monitor.advance(9.0)
        assert standing(monitor) is verdict


def test_of_some_one_may_answer_after_another_left() -> None:
    monitor = TIMES.monitor(parse("Ack at some instance within 1 s after Send"))
    monitor.present(["x", "y"], 0.0)
    for number in range(4):
        monitor.feed_at("x", "in.Send", 0.1 * number)
    monitor.present(["y"], 0.5)
    assert standing(monitor) is Standing.UNDECIDED
    monitor.feed_at("y", "out.Ack", 0.9)
    assert standing(monitor) is Standing.HOLDS_SO_FAR


def test_a_window_smaller_than_the_sample_is_refused() -> None:
    with pytest.raises(ValueError, match="a minimum of 20 cases does not fit a window of 5"):
        TimingFormalism(window=5)
