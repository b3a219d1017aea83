from __future__ import annotations

import os
from collections.abc import Callable

import pytest

from liven.runtime.dispatcher import HandCranked
from liven.runtime.problems import Problem
from liven.runtime.testing.dispatcher_conformance import DispatcherConformance


class _Cranked:
    def __init__(self) -> None:
        self.problems: list[Problem] = []
        self.dispatcher = HandCranked(self.problems.append)

    def run(self, until: Callable[[], bool]) -> None:
        for _ in range(200):
            if until():
                return
            self.dispatcher.advance(0.001)
        self.dispatcher.wait(until)


class TestHandCranked(DispatcherConformance):
    @pytest.fixture
    def harness(self) -> _Cranked:
        return _Cranked()


def test_time_stands_still_until_it_is_advanced() -> None:
    crank = HandCranked()
    seen: list[float] = []
    crank.call_later(3600, lambda: seen.append(crank.now()))
    crank.settle()
    assert seen == []
    crank.advance(3599.5)
    assert seen == []
    crank.advance(0.5)
    assert seen == [3600.0]


def test_each_timer_sees_the_moment_it_was_due() -> None:
    crank = HandCranked()
    seen: list[float] = []

    def again() -> None:
        seen.append(crank.now())
        if len(seen) < 4:
            crank.call_later(0.25, again)

    crank.call_later(0.25, again)
    crank.advance(10)
    assert seen == [0.25, 0.5, 0.75, 1.0]
    assert crank.now() == 10


def test_a_problem_is_raised_in_the_test_that_cranks() -> None:
    crank = HandCranked()
    crank.call_soon(lambda: 1 // 0)
    with pytest.raises(AssertionError, match="ZeroDivisionError"):
        crank.settle()


def test_a_call_that_requests_itself_for_ever_is_an_error() -> None:
    crank = HandCranked()

    def again() -> None:
        crank.call_soon(again)

    again()
    with pytest.raises(RuntimeError, match="a call keeps requesting itself"):
        crank.settle()


def test_waiting_has_a_time_limit() -> None:
    with pytest.raises(TimeoutError):
        HandCranked().wait(lambda: False, timeout=0.01)


def test_the_time_limit_of_waiting_is_a_time_not_a_number_of_turns() -> None:
    """A descriptor that is always ready makes turns short, while a worker elsewhere is as slow as ever."""
    crank, turns = HandCranked(), list[None]()
    reader, writer = os.pipe()
    os.write(writer, b"never read")
    try:
        crank.watch_fd(reader, lambda: turns.append(None))
        crank.wait(lambda: len(turns) > 15_000)
    finally:
        os.close(reader)
        os.close(writer)
