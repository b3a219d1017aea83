"""The measurement of one reaction, case by case."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from liven.types.formalism.atoms import Atom
from liven.types.formalism.timing.measurement import HERE, MAX_OPEN, Measurement
from liven.types.formalism.timing.reaction import Reaction, Where

ASK, ANSWER = Atom("", "in", "Ask"), Atom("", "out", "Answer")


def measure(where: Where = "here", share: str = "1", window: int = 5) -> Measurement:
    return Measurement(Reaction(ASK, ANSWER, Fraction(1), Fraction(share), where), window)


def test_an_answer_in_time_is_a_good_case() -> None:
    one = measure()
    assert not one.happened(HERE, "in.Ask", 0.0)
    assert one.happened(HERE, "out.Answer", 1.0)
    assert list(one.judged) == [True]
    assert one.share == 1.0


def test_time_over_is_a_bad_case_once() -> None:
    one = measure()
    one.happened(HERE, "in.Ask", 0.0)
    assert not one.expire(1.0)
    assert one.expire(1.01)
    assert not one.expire(9.0)
    assert list(one.judged) == [False]


def test_an_answer_without_cause_is_not_a_case() -> None:
    one = measure()
    assert not one.happened(HERE, "out.Answer", 0.0)
    assert not one.judged


def test_other_events_and_other_instances_do_not_matter() -> None:
    one = measure()
    one.happened(HERE, "in.Ask", 0.0)
    assert not one.happened(HERE, "in.Other", 0.1)
    assert not one.happened("elsewhere", "out.Answer", 0.1)
    assert not one.judged


def test_only_the_last_cases_are_kept() -> None:
    one = measure(window=3)
    for number in range(10):
        one.happened(HERE, "in.Ask", float(number))
        one.happened(HERE, "out.Answer", float(number))
    assert list(one.judged) == [True] * 3


@pytest.mark.parametrize(
    ("share", "good", "bad", "short"),
    [("1", 4, 0, False), ("1", 3, 1, True), ("3/4", 3, 1, False), ("3/4", 2, 2, True), ("1/2", 1, 1, False)],
)
def test_falling_short_needs_a_sample_and_too_small_a_share(
    share: str, good: int, bad: int, short: bool
) -> None:
    one = measure(share=share)
    one.judged.extend([True] * good + [False] * bad)
    assert one.falls_short(minimum=good + bad) is short
    assert not one.falls_short(minimum=good + bad + 1)


def test_the_number_of_waiting_cases_is_bounded() -> None:
    one = measure()
    for number in range(MAX_OPEN + 50):
        one.happened(HERE, "in.Ask", number / 1e6)
    assert len(one._open) == MAX_OPEN


@pytest.mark.parametrize("where", ["all", "some"])
def test_without_knowing_who_is_there_nothing_is_measured(where: Where) -> None:
    one = measure(where)
    assert not one.observable
    assert not one.happened("x", "in.Ask", 0.0)
    assert not one.expire(9.0)
    one.gathered(frozenset({"x"}))
    assert one.observable


def test_all_must_answer_before_a_case_is_good() -> None:
    one = measure("all")
    one.gathered(frozenset({"x", "y"}))
    one.happened("x", "in.Ask", 0.0)
    assert not one.happened("x", "out.Answer", 0.1)
    assert not one.happened("x", "out.Answer", 0.2)
    assert one.happened("y", "out.Answer", 0.3)
    assert list(one.judged) == [True]


def test_an_instance_that_connects_later_need_not_answer() -> None:
    one = measure("all")
    one.gathered(frozenset({"x"}))
    one.happened("x", "in.Ask", 0.0)
    one.gathered(frozenset({"x", "y"}))
    assert one.happened("x", "out.Answer", 0.3)


def test_the_first_of_some_is_enough() -> None:
    one = measure("some")
    one.gathered(frozenset({"x", "y"}))
    one.happened("x", "in.Ask", 0.0)
    assert one.happened("y", "out.Answer", 0.1)
    assert not one.happened("x", "out.Answer", 0.2)


@given(st.lists(st.tuples(st.floats(0.01, 3), st.sampled_from(["in.Ask", "out.Answer"])), max_size=40))
def test_every_case_is_judged_once_and_rightly(steps: list[tuple[float, str]]) -> None:
    """Compared with a naive reading: an Ask is good if an Answer comes within a second."""
    one, now, story = measure(window=100), 0.0, list[tuple[float, str]]()
    for pause, atom in steps:
        now += pause
        story.append((now, atom))
        one.expire(now)
        one.happened(HERE, atom, now)
    one.expire(now + 10)
    asked = [time for time, atom in story if atom == "in.Ask"]
    answered = [time for time, atom in story if atom == "out.Answer"]
    good = sum(any(0 < time - ask <= 1 for time in answered) for ask in asked)
    assert (len(one.judged), sum(one.judged)) == (len(asked), good)
