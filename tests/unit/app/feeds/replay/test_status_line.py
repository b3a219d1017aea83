from __future__ import annotations

import io

import pytest

from liven.app.feeds.replay.status_line import StatusLine, shown_length, status_text
from liven.liveobjects.feeds.replay.options import Window
from liven.liveobjects.feeds.replay.pace import MAX
from liven.liveobjects.feeds.replay.place import Place
from liven.liveobjects.feeds.replay.player import Position
from liven.liveobjects.feeds.replay.state import State

START = 1_750_000_000_000_000
WINDOW = Window(Place(0, START), Place(100, START + 600_000_000))


def position(state: State = State.PLAYING, speed: float = 2.0, time: int = START + 70_400_000) -> Position:
    return Position(state, 12, time, WINDOW, speed, 1234)


def test_line_has_clock_progress_speed_and_count() -> None:
    assert status_text(position()) == (
        "▶ 2025-06-15 15:07:50.4 UTC  0:01:10 / 0:10:00  ██░░░░░░░░░░░░░░░░░░  12 %  2 ×  1,234 events"
    )
    paused = status_text(position(State.PAUSED, MAX))
    assert paused.startswith("⏸ ")
    assert "  max  " in paused


@pytest.mark.parametrize("width", range(10, 140))
def test_line_fits_any_terminal(width: int) -> None:
    line = status_text(position(), width)
    assert len(line) <= width
    if width >= 79:
        assert "1,234 events" in line


@pytest.mark.parametrize("state", list(State))
def test_every_state_has_a_sign(state: State) -> None:
    assert status_text(position(state))[1] == " "


def test_clock_that_is_far_off_is_shown_as_a_number() -> None:
    assert f"{2**62} µs" in status_text(position(time=2**62))


def test_lengths_have_hours() -> None:
    assert shown_length(3_725_000_000) == "1:02:05"
    assert shown_length(-5) == "0:00:00"


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_line_is_drawn_in_place_and_removed_for_other_output() -> None:
    stream = Terminal()
    line = StatusLine(stream)
    line.show(position())
    line.clear()
    line.clear()
    assert stream.getvalue().count("\r\x1b[K") == 2
    line.leave()
    assert not stream.getvalue().endswith("\n")
    line.show(position())
    line.leave()
    assert stream.getvalue().endswith("\n")


def test_nothing_is_drawn_where_there_is_no_terminal() -> None:
    stream = io.StringIO()
    StatusLine(stream).show(position())
    assert stream.getvalue() == ""
