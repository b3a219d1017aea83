"""The dispatcher: one thread that runs all objects of a process, as an interface.

Its law: one call runs at a time, in an order that depends only on the order of the requests and their due
times, and no error in a called function ends the loop.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol, TypeAlias

Action: TypeAlias = Callable[[], object]


class Entry(Protocol):
    """A pending call or watch. It keeps no proxy alive."""

    @property
    def active(self) -> bool:
        """True while the call is pending, or the descriptor is watched."""

    def cancel(self) -> None:
        """Cancel it and release the function. A second or late call does nothing."""


class Dispatcher(Protocol):
    """The event loop that objects and the runtime need."""

    def now(self) -> float:
        """Return the seconds on this dispatcher's own clock, which never goes back."""

    def call_soon(self, action: Action) -> Entry:
        """Call `action` after this turn, in the order of the requests."""

    def call_later(self, delay: float, action: Action) -> Entry:
        """Call `action` once `delay` seconds have passed;
        calls due together run in the order of the requests."""

    def watch_fd(self, fd: int, action: Action, *, write: bool = False) -> Entry:
        """Call `action` whenever `fd` is readable (or writable), until the entry is cancelled."""

    def post(self, action: Action) -> None:
        """Call `action` like `call_soon`. The only method that any thread may call."""


def check_delay(delay: float) -> float:
    """Return `delay`; raise ValueError unless it is a length of time."""
    if not 0 <= delay < float("inf"):
        raise ValueError(f"a delay is zero or more seconds, and finite: got {delay!r}")
    return delay
