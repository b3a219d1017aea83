"""The terminal during `liven top`: the alternate screen, single keys, and clean restoration on exit, Ctrl-Z
and signals."""

from __future__ import annotations

import errno
import os
import select
import signal
import sys
import termios
import time
from collections.abc import Callable
from contextlib import suppress
from types import FrameType, TracebackType
from typing import Any, Self

END = b"q"
_ENTER, _LEAVE = "\x1b[?1049h\x1b[?25l", "\x1b[?25h\x1b[?1049l"
_Frame = FrameType | None
_LOCAL = 3
"""Index of the local modes (echo, line buffering) in the result of `tcgetattr`."""


class Terminal:
    """A context manager for the terminal. Without a terminal there are no keys, and tables follow one
    another."""

    def __init__(self, *, wanted: bool = True) -> None:
        self._keys = sys.stdin.fileno() if wanted and _is_terminal() else -1
        self._page = wanted
        self._before: list[Any] = []
        self._woken, self._wake = -1, -1
        self._handlers: dict[int, Any] = {}

    @property
    def is_interactive(self) -> bool:
        """True if keys can be read."""
        return self._keys >= 0

    def __enter__(self) -> Self:
        if self._page:
            self._woken, self._wake = os.pipe()
            os.set_blocking(self._wake, False)
            reactions = {
                signal.SIGWINCH: self._note,
                signal.SIGCONT: self._resume,
                signal.SIGTSTP: self._stop,
                signal.SIGTERM: _end,
                signal.SIGHUP: _end,
            }
            self._handlers = {number: signal.signal(number, react) for number, react in reactions.items()}
            if self.is_interactive:
                self._before = termios.tcgetattr(self._keys)
            self._take()
        return self

    def __exit__(self, _kind: type[BaseException] | None, _e: object, _at: TracebackType | None) -> None:
        if self._page:
            for number, handler in self._handlers.items():
                signal.signal(number, handler)
            with suppress(OSError, termios.error):  # such as a terminal that was closed
                self._give_back()
            os.close(self._woken)
            os.close(self._wake)

    def wait_for_quit(self, seconds: float, changed: Callable[[], None] = lambda: None) -> bool:
        """Wait for a number of seconds; return True if the user pressed the quit key or the terminal went
        away.

        Call `changed` when the terminal was resized or the program was continued.
        """
        until = time.monotonic() + seconds
        watched = [each for each in (self._keys, self._woken) if each >= 0]
        while (left := until - time.monotonic()) > 0:
            ready = select.select(watched, [], [], left)[0]
            if self._woken in ready:
                os.read(self._woken, 512)
                changed()
            if self._keys in ready and self._is_end():
                return True
        return False

    def _is_end(self) -> bool:
        try:
            typed = os.read(self._keys, 64)
        except OSError:  # such as a terminal that was closed
            return True
        return not typed or END in typed.lower()

    def _take(self) -> None:
        if self.is_interactive:
            heard_at_once = list(self._before)
            heard_at_once[_LOCAL] &= ~(termios.ECHO | termios.ICANON)  # Ctrl-C still interrupts
            self._set(heard_at_once)
        sys.stdout.write(_ENTER)
        sys.stdout.flush()

    def _give_back(self) -> None:
        if self.is_interactive:
            self._set(self._before)
        sys.stdout.write(_LEAVE)
        sys.stdout.flush()

    def _set(self, attributes: list[Any]) -> None:
        while True:
            try:
                return termios.tcsetattr(self._keys, termios.TCSADRAIN, attributes)
            except termios.error as error:
                if error.args[0] != errno.EINTR:  # interrupted by a stop signal
                    raise

    def _note(self, _number: int, _frame: _Frame) -> None:
        with suppress(BlockingIOError):  # a wake-up is pending already
            os.write(self._wake, b".")

    def _stop(self, _number: int, _frame: _Frame) -> None:
        """Restore the terminal for the shell, stop this process, and set the terminal up again afterwards."""
        self._give_back()
        signal.signal(signal.SIGTSTP, signal.SIG_DFL)
        os.kill(os.getpid(), signal.SIGTSTP)
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGTSTP})
        signal.signal(signal.SIGTSTP, self._stop)
        self._resume(_number, _frame)  # also if the stop had no effect, as in an orphaned process group

    def _resume(self, _number: int, _frame: _Frame) -> None:
        """Set the terminal up again after a stop by SIGSTOP, which no handler sees."""
        self._take()
        self._note(_number, _frame)


def _end(number: int, _frame: _Frame) -> None:
    raise SystemExit(128 + number)


def _is_terminal() -> bool:
    return sys.stdin is not None and sys.stdin.isatty()
