"""The keyboard while a table renews itself: a key is heard at once, and not written into the table."""

from __future__ import annotations

import os
import select
import sys
import termios
import time
import tty
from types import TracebackType
from typing import Any, Self

END = b"q"


class Keys:
    """A terminal's keys within a `with`; without a terminal, one that nobody types at."""

    def __init__(self, *, wanted: bool = True) -> None:
        self._terminal = sys.stdin.fileno() if wanted and _is_terminal() else -1
        self._before: list[Any] = []

    @property
    def heard(self) -> bool:
        """Whether anybody can type here."""
        return self._terminal >= 0

    def __enter__(self) -> Self:
        if self.heard:
            self._before = termios.tcgetattr(self._terminal)
            tty.setcbreak(self._terminal)  # Ctrl-C still interrupts
        return self

    def __exit__(self, _kind: type[BaseException] | None, _e: object, _at: TracebackType | None) -> None:
        if self.heard:
            termios.tcsetattr(self._terminal, termios.TCSADRAIN, self._before)

    def end_within(self, seconds: float) -> bool:
        """Whether the key that ends was typed, or the terminal went away; other keys mean nothing."""
        if not self.heard:
            time.sleep(seconds)
            return False
        until = time.monotonic() + seconds
        while select.select([self._terminal], [], [], max(0.0, until - time.monotonic()))[0]:
            try:
                typed = os.read(self._terminal, 64)
            except OSError:  # as of a terminal that was closed
                return True
            if not typed or END in typed.lower():
                return True
        return False


def _is_terminal() -> bool:
    return sys.stdin is not None and sys.stdin.isatty()
