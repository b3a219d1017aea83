"""The line about what a command is doing: on a terminal, in a file, and its end."""

from __future__ import annotations

import io
import threading

import pytest

from liven.app.feeds.activity_line import ActivityLine, is_about_the_same


class Terminal(io.StringIO):
    """A stream that says that it is a terminal."""

    def isatty(self) -> bool:
        return True


class Clock:
    """A clock that stands until it is moved."""

    now = 100.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


def drawn(line: ActivityLine, clock: Clock, *seconds: float) -> None:
    """Draw at some seconds after the beginning. The thread that draws sees the same clock."""
    for each in seconds:
        clock.now = 100.0 + each
        line.draw()


def test_a_terminal_has_one_line_that_is_rewritten_and_removed(clock: Clock) -> None:
    stream = Terminal()
    with ActivityLine(stream, clock) as line:
        line.step("starting Java")
        drawn(line, clock, 0.1, 0.6, 3.2)
        line.step("starting Spark")
        drawn(line, clock, 3.3, 15.9)
    shown = stream.getvalue().split("\r\x1b[K")
    assert shown == [
        "",
        "Starting Java\u2026",
        "Starting Java\u2026 3 s",
        "Starting Spark\u2026",
        "Starting Spark\u2026 12 s",
        "",
    ]


def test_a_file_has_a_line_for_each_step_and_every_ten_seconds(clock: Clock) -> None:
    stream = io.StringIO()
    with ActivityLine(stream, clock) as line:
        line.step("starting Java")
        drawn(line, clock, 0.1, 0.6, 3.0, 10.2, 19.9, 20.1)
        line.step("starting Spark")
        drawn(line, clock, 20.2, 20.7)
    assert stream.getvalue().splitlines() == [
        "liven: starting Java\u2026",
        "liven: starting Java\u2026 10 s",
        "liven: starting Java\u2026 20 s",
        "liven: starting Spark\u2026",
    ]


def test_the_same_step_said_again_goes_on(clock: Clock) -> None:
    stream = Terminal()
    with ActivityLine(stream, clock) as line:
        line.step("waiting")
        drawn(line, clock, 4.0)
        line.step("waiting")
        drawn(line, clock, 7.0)
    assert stream.getvalue().split("\r\x1b[K")[-2] == "Waiting\u2026 7 s"


def test_a_step_that_is_soon_over_is_not_shown(clock: Clock) -> None:
    for stream in (io.StringIO(), Terminal()):
        with ActivityLine(stream, clock) as line:
            line.step("reading the recording")
            drawn(line, clock, 0.4)
        assert stream.getvalue() == ""


def test_a_thread_draws_until_the_end() -> None:
    stream, seen = Terminal(), threading.Event()

    def now() -> float:
        if stream.getvalue():
            seen.set()
        return next(ticks)

    ticks = iter(float(each) for each in range(1 << 20))
    line = ActivityLine(stream, now)
    before = threading.active_count()
    line.step("starting Java")
    assert seen.wait(60)
    line.end()
    assert threading.active_count() == before


def test_only_counted_seconds_are_nothing_new() -> None:
    assert is_about_the_same("liven: starting Java\u2026 10 s")
    assert not is_about_the_same("liven: starting Java\u2026")
    assert not is_about_the_same("board: ingested 10 records in 1.2 s")
