"""A line that says what a command is doing, for as long as nothing else can be shown."""

from __future__ import annotations

import re
import sys
import threading
import time
from collections.abc import Callable
from types import TracebackType
from typing import Final, Self, TextIO

_CLEAR: Final = "\r\x1b[K"
_FIRST_AFTER: Final = 0.5
"""Seconds: a step that is over sooner needs no word."""
_AGAIN_AFTER: Final = 10.0
"""Seconds between two lines about the same step where nothing can be rewritten."""
_LOOK_EVERY: Final = 0.5
_SECONDS: Final = re.compile("\u2026 \\d+ s$")


class ActivityLine:
    """Says on standard error which step is being done and since when.

    A terminal shows one line, which is rewritten; a file or a pipe gets a line at first, and then every ten
    seconds. Use it in one thread; another one draws until `end`."""

    def __init__(self, stream: TextIO | None = None, clock: Callable[[], float] = time.monotonic) -> None:
        self._stream = sys.stderr if stream is None else stream
        self._clock = clock
        self._changed = threading.Condition()  # with a lock that its holder may take again
        self._text = ""
        self._since = self._next = 0.0
        self._drawn = False
        self._thread: threading.Thread | None = None

    def step(self, text: str) -> None:
        """Begin a step, such as `starting Java`. The same step again goes on."""
        with self._changed:
            if text == self._text:
                return
            self._text = text
            self._since = self._clock()
            # A line that is there changes at once; the first one waits for a step that lasts.
            self._next = self._since + (0.0 if self._drawn else _FIRST_AFTER)
            if self._thread is None:
                self._thread = threading.Thread(target=self._run, name="liven-activity", daemon=True)
                self._thread.start()

    def end(self) -> None:
        """Remove the line; what follows is printed in its place."""
        with self._changed:
            self._text = ""
            thread, self._thread = self._thread, None
            self._changed.notify_all()
            if self._drawn:
                self._stream.write(_CLEAR)
                self._stream.flush()
                self._drawn = False
        if thread is not None:
            thread.join()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.end()

    def draw(self) -> None:
        """Show the step if it is time to."""
        with self._changed:
            now = self._clock()
            if not self._text or now < self._next:
                return
            seconds = int(now - self._since)
            text = f"{self._text}\u2026{f' {seconds} s' if seconds else ''}"
            if self._stream.isatty():
                self._stream.write(f"{_CLEAR}{text[:1].upper()}{text[1:]}")
                self._drawn = True
                self._next = now + _LOOK_EVERY
            else:
                self._stream.write(f"liven: {text}\n")
                self._next = self._since + (now - self._since) // _AGAIN_AFTER * _AGAIN_AFTER + _AGAIN_AFTER
            self._stream.flush()

    def _run(self) -> None:
        own = threading.current_thread()
        with self._changed:
            while self._thread is own:
                self.draw()
                self._changed.wait(_LOOK_EVERY)


def is_about_the_same(line: str) -> bool:
    """Return True for a line that says only that a step goes on."""
    return bool(_SECONDS.search(line))
