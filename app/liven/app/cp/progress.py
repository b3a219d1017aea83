"""The progress line of a transfer, and messages beside it."""

from __future__ import annotations

import sys
import time

from liven.app.network.cli import complain
from liven.runtime.exit_codes import NO

_CLEAR = "\r\x1b[K"


class ProgressLine:
    """A progress line with the average rate; printed only on a terminal."""

    def __init__(self, verb: str) -> None:
        self._verb = verb
        self._next = 0.0
        self._begun: tuple[float, int] | None = None
        self._whole = -1

    def show(self, done: int, whole: int) -> None:
        """Print the progress, at most ten times a second, and the end of a pass once."""
        now = time.monotonic()
        if self._begun is None:
            self._begun = now, done
        ended = done >= whole
        if not sys.stderr.isatty() or (now < self._next if not ended else whole == self._whole):
            return
        self._next = now + 0.1
        self._whole = whole if ended else -1
        rate = (done - self._begun[1]) / max(1e-3, now - self._begun[0]) / 1e6
        end = "\n" if ended else ""
        sys.stderr.write(f"\r{self._verb} {100 * done // max(1, whole):3} %  {rate:8.1f} MB/s{end}")
        sys.stderr.flush()

    def say(self, text: str) -> None:
        """Print a message on a line of its own."""
        if sys.stderr.isatty():
            sys.stderr.write(_CLEAR)
        complain(text, NO)
