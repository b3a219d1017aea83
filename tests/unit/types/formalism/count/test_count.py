"""Laws and examples of the formalism `count`."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from liven.types.formalism.count import COUNT, CountFormalism, Counts, Interval
from liven.types.formalism.count.interval import meet_all
from liven.types.formalism.guarantee import GUARANTEE
from liven.types.formalism.plugin import Formalism, FormulaError, Monitor, Standing, Vocabulary

COUNTS = CountFormalism()
HERE = Vocabulary()
INTERVALS = st.builds(Interval, st.integers(0, 6), st.none() | st.integers(0, 6))
PREDICATES = st.lists(st.tuples(st.sampled_from(["", "b"]), INTERVALS), max_size=3).map(meet_all)


def parse(text: str) -> Counts:
    return COUNTS.parse(text, HERE)


def standing(monitor: Monitor) -> Standing:
    return monitor.standing


def test_it_implements_the_formalism_protocol() -> None:
    plugin: Formalism[Counts] = COUNTS
    assert plugin.id == COUNT


@pytest.mark.parametrize(
    ("text", "low", "high"),
    [
        ("at least 2 instances connected", 2, None),
        ("at most 5", 0, 5),
        ("At least one and at most 5 instances", 1, 5),
        ("exactly one instance connected", 1, 1),
        ("between 2 and 7", 2, 7),
        ("at least 2; at least 3, at most 4", 3, 4),
    ],
)
def test_a_formula_is_an_interval(text: str, low: int, high: int | None) -> None:
    assert parse(text) == (("", Interval(low, high)),)


@pytest.mark.parametrize(
    ("provided", "required"),
    [
        ("at least 3", "at least 2"),
        ("at most 2", "at most 3"),
        ("exactly 2", "between 1 and 3"),
        ("between 2 and 3", "at least 2"),
        ("exactly one", "at most one"),
    ],
)
def test_the_narrower_interval_implies_the_wider_and_not_the_other_way(provided: str, required: str) -> None:
    assert COUNTS.implies(parse(provided), parse(required))
    assert not COUNTS.implies(parse(required), parse(provided))


def test_at_an_object_a_formula_names_its_endpoint(whole: Vocabulary) -> None:
    counts = COUNTS.parse("at least 2 instances of channel connected; at most 1 of detector", whole)
    assert counts == (("channel", Interval(2)), ("detector", Interval(0, 1)))
    assert COUNTS.implies(counts, COUNTS.parse("at least 1 of channel", whole))
    assert not COUNTS.implies(counts, COUNTS.parse("at least 1 of detector", whole))


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("", "at column 1: expected `at least`"),
        ("at least", "expected a number of at most 12 digits, found the end"),
        ("at least many", "found 'many'"),
        ("at least 2.5", "whole numbers"),
        ("at least 9999999999999", "12 digits"),
        ("between 2", "expected 'and'"),
        ("at least 2 birds", "expected the end, found 'birds'"),
        ("at least 3 and at most 2", "no number is at least 3 and at most 2"),
        ("at least 2 of channel", "leave out `of`"),
    ],
)
def test_a_text_that_is_not_an_interval_is_refused(text: str, complaint: str) -> None:
    with pytest.raises(FormulaError, match=complaint):
        parse(text)


def test_an_endpoint_whose_name_is_no_word_stands_in_quotes() -> None:
    names = Vocabulary(endpoints=(("Next Writer", Vocabulary()),))
    counts = COUNTS.parse('at most 2 instances of "Next Writer"', names)
    assert counts == (("Next Writer", Interval(0, 2)),)
    assert COUNTS.parse(COUNTS.print(counts), names) == counts


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("at least 2", "say of which endpoint, as in `of channel`"),
        ("at least 2 of chanel", "did you mean channel"),
    ],
)
def test_at_an_object_an_unnamed_endpoint_is_refused(text: str, complaint: str, whole: Vocabulary) -> None:
    with pytest.raises(FormulaError, match=complaint):
        COUNTS.parse(text, whole)


def numbers(predicate: Counts, place: str) -> set[int]:
    interval = dict(predicate).get(place, Interval())
    return {n for n in range(9) if interval.low <= n and (interval.high is None or n <= interval.high)}


@given(PREDICATES, PREDICATES)
def test_implication_is_inclusion_of_what_is_allowed(one: Counts, two: Counts) -> None:
    none = any(not numbers(one, place) for place in ("", "b"))
    inside = all(numbers(one, place) <= numbers(two, place) for place in ("", "b"))
    assert bool(COUNTS.implies(one, two)) == (none or inside)


@given(PREDICATES, PREDICATES, PREDICATES)
def test_implication_is_a_preorder(one: Counts, two: Counts, three: Counts) -> None:
    assert COUNTS.implies(one, one)
    if COUNTS.implies(one, two) and COUNTS.implies(two, three):
        assert COUNTS.implies(one, three)
    assert COUNTS.implies(COUNTS.conjoin([one, two]), one)


@given(INTERVALS.filter(lambda interval: not interval.empty))
def test_print_and_parse_are_inverse(interval: Interval) -> None:
    predicate = meet_all([("", interval)])
    assert parse(COUNTS.print(predicate)) == predicate


def test_an_interval_of_all_numbers_is_a_tautology() -> None:
    assert COUNTS.trivial(parse("at least 0"))
    assert not COUNTS.trivial(parse("at least 1"))
    assert COUNTS.mirror(parse("at least 1")) == parse("at least 1")


def test_at_most_one_is_exclusive() -> None:
    assert list(COUNTS.translate(parse("at most one"))) == [(GUARANTEE, frozenset({"exclusive"}))]
    assert list(COUNTS.translate(parse("at most two"))) == []


def test_one_connection_shows_nothing_of_the_others() -> None:
    monitor = COUNTS.monitor(parse("at most 1"))
    for now, atom in enumerate(["connect", "in.Send", "disconnect"]):
        monitor.feed(atom, float(now))
        assert standing(monitor) is Standing.NOT_OBSERVABLE
    monitor.advance(9.0)
    assert monitor.broken is None


def test_a_presence_channel_shows_that_there_are_too_many() -> None:
    monitor = COUNTS.monitor(parse("at most 2"))
    monitor.present(2, 1.0)
    assert standing(monitor) is Standing.HOLDS_SO_FAR
    monitor.present(3, 2.0)
    assert standing(monitor) is Standing.BROKEN
    assert monitor.violation is not None
    assert monitor.violation.trace == ("3 connected",)
    assert "there are 3 connected" in str(monitor.broken)


def test_too_few_counts_from_the_time_there_were_enough() -> None:
    monitor = COUNTS.monitor(parse("at least 2"))
    monitor.present(1, 1.0)
    assert standing(monitor) is Standing.UNDECIDED
    monitor.present(2, 2.0)
    assert standing(monitor) is Standing.HOLDS_SO_FAR
    monitor.present(1, 3.0)
    assert monitor.violation is not None
    assert monitor.violation.trace == ("2 connected", "1 connected")
    monitor.present(9, 4.0)
    assert monitor.violation.time == 3.0


def test_an_endpoint_that_no_formula_names_is_not_counted(whole: Vocabulary) -> None:
    monitor = COUNTS.monitor(COUNTS.parse("at most 1 of channel", whole))
    monitor.present(7, 1.0, "detector")
    assert standing(monitor) is Standing.NOT_OBSERVABLE
    monitor.present(2, 2.0, "channel")
    assert standing(monitor) is Standing.BROKEN
