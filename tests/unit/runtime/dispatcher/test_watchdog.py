from __future__ import annotations

import gc
import threading
import time
from collections.abc import Callable, Iterator

import pytest

from liven.runtime.dispatcher import Watchdog
from liven.runtime.errors import HandlerInterrupted
from liven.runtime.objects.event_queue import Delivery, EventQueue
from liven.runtime.problems import Kind, Path, Problem


class _Runner:
    """A runner of handlers whose state a test sets by hand."""

    def __init__(self) -> None:
        self.thread = threading.get_ident()
        self.serial = 0
        self.busy = False
        self.interrupted: list[int] = []

    def running(self) -> Path:
        return ("note", "channel")

    def interrupt(self, serial: int) -> None:
        self.interrupted.append(serial)


class _Party:
    """The owner of a test's handlers; it takes any number of faults."""

    path = ("busy",)
    deaf = False
    failures = 0

    def fail(self) -> None:
        self.failures += 1

    def end(self) -> None: ...


class Watched:
    """A queue under an impatient watchdog."""

    def __init__(self) -> None:
        self.problems: list[Problem] = []
        self.party = _Party()
        self.queue = EventQueue(self.problems.append)
        self.watchdog = Watchdog(self.queue, self.problems.append, report_after=0.1, stop_after=0.2)

    def run(self, handler: Callable[[], object]) -> None:
        """Run it as a handler."""
        self.queue.perform(Delivery(self.party, handler, "work"))


@pytest.fixture
def watched() -> Iterator[Watched]:
    found = Watched()
    found.watchdog.start()
    yield found
    found.watchdog.close()


def test_a_handler_longer_than_a_second_is_reported_once_with_its_stack() -> None:
    runner, problems = _Runner(), list[Problem]()
    watchdog = Watchdog(runner, problems.append)
    runner.serial, runner.busy = 1, True
    for now in (0.0, 0.9, 1.1, 1.3, 5.0):
        watchdog.look(now)
    (problem,) = problems
    assert problem.kind is Kind.SLOW
    assert not problem.is_over
    assert problem.where == ("note", "channel")
    assert "1.1 s" in problem.what
    assert "test_a_handler_longer_than_a_second" in problem.detail


def test_the_end_of_a_handler_that_was_reported_is_reported() -> None:
    runner, problems = _Runner(), list[Problem]()
    watchdog = Watchdog(runner, problems.append)
    runner.serial, runner.busy = 1, True
    for now in (0.0, 1.1):
        watchdog.look(now)
    runner.serial, runner.busy = 2, False
    for now in (3.5, 3.7):
        watchdog.look(now)
    slow, over = problems
    assert over.is_over
    assert slow.is_replaced_by(over)
    assert "3.5 s" in over.what


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


def test_an_endless_handler_is_interrupted_until_the_next_one_starts() -> None:
    runner = _Runner()
    watchdog = Watchdog(runner, lambda _: None)
    runner.serial, runner.busy = 1, True
    for now in (0.0, 9.9, 10.1, 10.3, 10.5, 11.4, 11.6):
        watchdog.look(now)
    assert runner.interrupted == [1, 1]
    runner.serial = 2
    for now in (12.3, 22.2, 22.4, 22.6):
        watchdog.look(now)
    watchdog.close()
    assert runner.interrupted == [1, 1, 2]


def test_the_garbage_collector_waits_during_an_interruption() -> None:
    runner = _Runner()
    watchdog = Watchdog(runner, lambda _: None)
    runner.serial, runner.busy = 1, True
    seen = []
    for now in (0.0, 10.1, 10.3, 10.5, 11.4):
        watchdog.look(now)
        seen.append((gc.isenabled(), len(runner.interrupted)))
    assert seen == [(True, 0), (False, 0), (False, 1), (True, 1), (False, 1)]
    runner.serial = 2
    watchdog.look(11.6)
    assert gc.isenabled()


def test_the_garbage_collector_runs_again_when_the_watchdog_is_closed() -> None:
    runner = _Runner()
    watchdog = Watchdog(runner, lambda _: None)
    runner.serial, runner.busy = 1, True
    watchdog.look(0.0)
    watchdog.look(10.1)
    assert not gc.isenabled()
    watchdog.close()
    assert gc.isenabled()


def test_a_garbage_collector_that_was_off_stays_off() -> None:
    runner = _Runner()
    watchdog = Watchdog(runner, lambda _: None)
    runner.serial, runner.busy = 1, True
    gc.disable()
    try:
        for now in (0.0, 10.1, 10.3):
            watchdog.look(now)
        assert not gc.isenabled()
    finally:
        gc.enable()


def test_a_handler_that_does_not_end_is_interrupted(watched: Watched) -> None:
    end = time.monotonic() + 60
    watched.run(lambda: spin(end))
    assert [problem.kind for problem in watched.problems[:2]] == [Kind.SLOW, Kind.INTERRUPTED]
    assert watched.party.failures == 1


def test_a_handler_that_swallows_the_interruption_is_interrupted_again(watched: Watched) -> None:
    end = time.monotonic() + 60
    caught: list[HandlerInterrupted] = []

    def swallow() -> None:
        while len(caught) < 2 and time.monotonic() < end:
            try:
                spin(end)
            except HandlerInterrupted as error:
                caught.append(error)

    watched.run(swallow)
    assert len(caught) == 2
    assert watched.problems[0].kind is Kind.SLOW


def test_a_handler_that_keeps_the_garbage_collector_busy_is_interrupted(watched: Watched) -> None:
    end = time.monotonic() + 60
    collected: list[str] = []

    def look_on(phase: str, _: dict[str, int]) -> None:
        collected.append(phase)

    def litter() -> None:
        while time.monotonic() < end:
            for _ in range(1000):
                ring: list[object] = []
                ring.append(ring)

    gc.callbacks.append(look_on)
    try:
        watched.run(litter)
    finally:
        gc.callbacks.remove(look_on)
    assert collected
    assert watched.problems[-1].kind is Kind.INTERRUPTED


def spin(end: float) -> None:
    while time.monotonic() < end:
        pass
