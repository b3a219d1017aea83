from __future__ import annotations

import threading
import time

import pytest

from liven.runtime.dispatcher import Watchdog
from liven.runtime.errors import HandlerInterrupted
from liven.runtime.problems import Kind, Path, Problem


class _Runner:
    """A runner of handlers whose state a test sets by hand."""

    def __init__(self) -> None:
        self.thread = threading.get_ident()
        self.serial = 0
        self.busy = False

    def running(self) -> Path:
        return ("note", "channel")


def test_a_handler_longer_than_a_second_is_reported_once_with_its_stack() -> None:
    runner, problems = _Runner(), list[Problem]()
    watchdog = Watchdog(runner, problems.append)
    runner.serial, runner.busy = 1, True
    for now in (0.0, 0.9, 1.1, 1.3, 5.0):
        watchdog.look(now)
    (problem,) = problems
    assert problem.kind is Kind.SLOW
    assert problem.where == ("note", "channel")
    assert "1.1 s" in problem.what
    assert "test_a_handler_longer_than_a_second" in problem.detail


def test_short_handlers_one_after_the_other_are_not_reported() -> None:
    runner, problems = _Runner(), list[Problem]()
    watchdog = Watchdog(runner, problems.append)
    for step in range(100):
        runner.serial, runner.busy = step, True
        watchdog.look(step * 0.5)
    assert problems == []


def test_an_idle_dispatcher_is_not_reported() -> None:
    runner, problems = _Runner(), list[Problem]()
    watchdog = Watchdog(runner, problems.append)
    for now in (0.0, 100.0):
        watchdog.look(now)
    assert problems == []


def test_a_handler_that_does_not_end_is_interrupted() -> None:
    runner, problems = _Runner(), list[Problem]()
    watchdog = Watchdog(runner, problems.append, report_after=0.02, stop_after=0.06)
    watchdog.start()
    runner.busy = True
    end = time.monotonic() + 10
    with pytest.raises(HandlerInterrupted):
        while time.monotonic() < end:
            pass
    runner.busy = False
    watchdog.close()
    assert [problem.kind for problem in problems] == [Kind.SLOW]


def test_one_that_swallows_the_interruption_is_interrupted_again() -> None:
    runner, problems = _Runner(), list[Problem]()
    watchdog = Watchdog(runner, problems.append, report_after=0.02, stop_after=0.06)
    watchdog.start()
    runner.busy = True
    end = time.monotonic() + 10
    caught = 0
    while caught < 2 and time.monotonic() < end:
        try:
            while time.monotonic() < end:
                pass
        except HandlerInterrupted:
            caught += 1
    runner.busy = False
    watchdog.close()
    assert caught == 2
