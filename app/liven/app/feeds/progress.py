"""A progress bar with the time left, and the same as lines of JSON for a program."""

from __future__ import annotations

import json
import sys
import time

_CLEAR = "\r\x1b[K"
_EVERY = 0.1
"""Seconds between two pictures of a bar."""
_WIDTH = 24


class ProgressBar:
    """A bar on standard error: drawn on a terminal, written as JSON if asked to, silent otherwise."""

    def __init__(self, verb: str, unit: str = "records", *, as_json: bool = False) -> None:
        self._verb, self._unit, self._json = verb, unit, as_json
        self._begun = time.monotonic()
        self._next = 0.0
        self._drawn = False

    def show(self, done: int, whole: int) -> None:
        """Show the progress, at most ten times a second."""
        now = time.monotonic()
        if now < self._next and done < whole:
            return
        self._next = now + _EVERY
        rate = done / max(now - self._begun, 1e-3)
        left = (whole - done) / rate if rate else 0.0
        if self._json:
            line = {
                "doing": self._verb,
                "done": done,
                "of": whole,
                "unit": self._unit,
                "seconds_left": round(left, 1),
            }
            print(json.dumps(line), file=sys.stderr, flush=True)
        elif sys.stderr.isatty():
            part = done / whole if whole else 1.0
            filled = int(part * _WIDTH)
            bar = "█" * filled + "░" * (_WIDTH - filled)
            text = f"{self._verb} {bar} {100 * part:3.0f} %  {done:,} {self._unit}, {_span(left)} left"
            sys.stderr.write(_CLEAR + text)
            sys.stderr.flush()
            self._drawn = True

    def end(self) -> None:
        """Remove the bar."""
        if self._drawn:
            sys.stderr.write(_CLEAR)
            sys.stderr.flush()
            self._drawn = False


def _span(seconds: float) -> str:
    """Return a span of time as people say it."""
    whole = round(seconds)
    if whole < 60:
        return f"{whole} s"
    if whole < 3600:
        return f"{whole // 60} min {whole % 60} s"
    return f"{whole // 3600} h {whole % 3600 // 60} min"
