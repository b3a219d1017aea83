from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from liven.runtime.dispatcher.timer_queue import TimerQueue
from liven.runtime.errors import HandlerInterrupted
from liven.runtime.problems import Problem


def _refuse(problem: Problem) -> None:
    raise AssertionError(problem.detail)


@given(st.lists(st.tuples(st.integers(0, 5), st.booleans()), max_size=60))
def test_timers_run_by_due_time_then_in_order_of_request(asked: list[tuple[int, bool]]) -> None:
    timers, seen = TimerQueue(_refuse), list[tuple[int, int]]()
    for number, (due, cancelled) in enumerate(asked):
        entry = timers.at(due, lambda due=due, number=number: seen.append((due, number)))  # type: ignore[misc]
        if cancelled:
            entry.cancel()
    for now in range(6):
        timers.run(now)
        assert all(due <= now for due, _ in seen)
    assert seen == sorted((due, n) for n, (due, cancelled) in enumerate(asked) if not cancelled)
    assert timers.wanted() is None
    assert len(timers) == 0


def test_an_empty_timer_queue_wants_nothing() -> None:
    assert TimerQueue(_refuse).wanted() is None


def test_wanted_is_the_earliest_that_is_not_cancelled() -> None:
    timers = TimerQueue(_refuse)
    first = timers.at(1, lambda: None)
    timers.at(2, lambda: None)
    assert timers.wanted() == 1
    first.cancel()
    assert timers.wanted() == 2
    timers.soon(lambda: None)
    assert timers.wanted() == float("-inf")


def test_cancelled_timers_are_cleared_out_before_they_are_due() -> None:
    timers = TimerQueue(_refuse)
    for _ in range(10_000):
        timers.at(1e9, lambda: None).cancel()
    assert len(timers) < 200


def test_cancelling_a_due_timer_does_not_change_the_count() -> None:
    timers, seen = TimerQueue(_refuse), list[str]()

    def cancel_the_rest() -> None:
        for entry in entries[1:]:
            entry.cancel()

    entries = [timers.at(0, cancel_the_rest) for _ in range(100)]
    timers.at(5, lambda: seen.append("kept"))
    timers.run(0)
    timers.run(5)
    assert seen == ["kept"]


def test_the_serial_is_odd_while_something_runs() -> None:
    timers, seen = TimerQueue(_refuse), list[int]()
    timers.soon(lambda: seen.append(timers.serial))
    timers.run(0)
    assert seen[0] % 2 == 1
    assert timers.serial % 2 == 0


def test_a_stray_interruption_ends_only_the_call_it_hits() -> None:
    problems, seen = list[Problem](), list[str]()
    timers = TimerQueue(problems.append)

    def struck() -> None:
        raise HandlerInterrupted

    timers.soon(struck)
    timers.soon(lambda: seen.append("the next"))
    timers.run(0)
    assert seen == ["the next"]
    assert "HandlerInterrupted" in problems[0].what
