"""The line that shows where a replay is: state, clock, progress, speed. It is always visible at a
terminal."""

from __future__ import annotations

import shutil
import sys
from datetime import UTC, datetime
from typing import Final, TextIO

from liven.liveobjects.feeds.replay.pace import MAX, SECOND
from liven.liveobjects.feeds.replay.player import Position
from liven.liveobjects.feeds.replay.state import State

_CLEAR: Final = "\r\x1b[K"
_SIGNS: Final = {
    State.PLAYING: "▶",
    State.PAUSED: "⏸",
    State.WAITING: "…",
    State.SEEKING: "⏩",
    State.SEEKING_ON: "⏩",
    State.ENDED: "■",
    State.FAILED: "✗",
    State.CLOSED: "■",
}
_BAR: Final = 20
_BAR_LEAST: Final = 4
"""Signs of the bar."""


def status_text(position: Position, width: int = 200) -> str:
    """Return the line for a position. Where it is narrow, the bar gets shorter or is left out."""
    window = position.window
    parts = [
        f"{_SIGNS[position.state]} {shown_clock(position.time)}",
        f"{shown_length(position.elapsed)} / {shown_length(window.length)}",
        f"{100 * position.part:3.0f} %",
        shown_speed(position.speed),
        f"{position.given:,} events",
    ]
    bar = min(_BAR, width - len("  ".join(parts)) - 1)
    if bar >= _BAR_LEAST:
        filled = int(position.part * bar)
        parts[2] = "█" * filled + "░" * (bar - filled) + " " + parts[2]
    return "  ".join(parts)[:width]


def shown_clock(time: int) -> str:
    """Return a recorded moment as a date and a time in UTC, to a tenth of a second."""
    try:
        moment = datetime.fromtimestamp(time // SECOND, UTC)
    except (OverflowError, ValueError, OSError):
        return f"{time} µs"  # a clock that was far off
    return f"{moment:%Y-%m-%d %H:%M:%S}.{time % SECOND // 100_000} UTC"


def shown_length(length: int) -> str:
    """Return a length of time in microseconds as hours, minutes and seconds."""
    seconds = max(length, 0) // SECOND
    return f"{seconds // 3600}:{seconds // 60 % 60:02}:{seconds % 60:02}"


def shown_speed(speed: float) -> str:
    """Return a speed, such as `2 ×`."""
    return "max" if speed == MAX else f"{speed:g} ×"


class StatusLine:
    """The line on a terminal. Other output has to clear it first."""

    def __init__(self, stream: TextIO | None = None) -> None:
        self._stream = sys.stderr if stream is None else stream
        self.is_on = self._stream is not None and self._stream.isatty()
        self._drawn = False

    def show(self, position: Position) -> None:
        """Draw the line in place of the one before."""
        if self.is_on:
            width = max(shutil.get_terminal_size().columns - 1, 10)
            self._stream.write(_CLEAR + status_text(position, width))
            self._stream.flush()
            self._drawn = True

    def clear(self) -> None:
        """Remove the line."""
        if self._drawn:
            self._stream.write(_CLEAR)
            self._stream.flush()
            self._drawn = False

    def leave(self) -> None:
        """Leave the line where it is, and go to the next."""
        if self._drawn:
            self._stream.write("\n")
            self._stream.flush()
            self._drawn = False
