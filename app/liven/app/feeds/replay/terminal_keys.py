"""The terminal of a replay: single keys without Enter, and the former mode again at the end."""

from __future__ import annotations

import os
import sys
import termios
from collections.abc import Callable
from contextlib import suppress
from types import TracebackType
from typing import Any, Final, Self

from liven.app.feeds.replay.keys import KeyReader
from liven.runtime.dispatcher.dispatcher import Dispatcher, Entry

_LOCAL: Final = 3
"""The index of the local modes in the result of `tcgetattr`."""


def is_terminal() -> bool:
    """Return True if keys can be read."""
    return sys.stdin is not None and sys.stdin.isatty()


class TerminalKeys:
    """A context manager that passes the keys of the terminal to a function."""

    def __init__(self, dispatcher: Dispatcher, pressed: Callable[[str], object]) -> None:
        self._dispatcher = dispatcher
        self._pressed = pressed
        self._reader = KeyReader()
        self._handle = sys.stdin.fileno()
        self._before: list[Any] = []
        self._watch: Entry | None = None

    def __enter__(self) -> Self:
        self._before = termios.tcgetattr(self._handle)
        self.take()
        self._watch = self._dispatcher.watch_fd(self._handle, self._read)
        return self

    def __exit__(self, _k: type[BaseException] | None, _e: object, _t: TracebackType | None) -> None:
        if self._watch is not None:
            self._watch.cancel()
        with suppress(OSError, termios.error):  # the terminal was closed
            termios.tcsetattr(self._handle, termios.TCSADRAIN, self._before)

    def take(self) -> None:
        """Have keys reported at once; again after the program was stopped and continued."""
        modes = list(self._before)
        modes[_LOCAL] &= ~(termios.ECHO | termios.ICANON)  # Ctrl-C still interrupts
        with suppress(OSError, termios.error):
            termios.tcsetattr(self._handle, termios.TCSADRAIN, modes)

    def _read(self) -> None:
        try:
            data = os.read(self._handle, 256)
        except OSError:
            data = b""
        if not data:  # the terminal was closed
            if self._watch is not None:
                self._watch.cancel()
            self._pressed("q")
            return
        for key in self._reader.keys(data):
            self._pressed(key)
