"""The dispatcher: one thread that runs all objects of a process, as an interface.

Its law: one thing runs at a time, in an order that depends only on what was asked and when it fell
due, and nothing that a called function raises ends the loop.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol, TypeAlias

Action: TypeAlias = Callable[[], object]


class Entry(Protocol):
    """Something that the dispatcher was asked to do. It keeps no proxy alive."""

    @property
    def active(self) -> bool:
        """Whether it is still to happen (for a watch: still watched)."""

    def cancel(self) -> None:
        """Takes it back and lets go of the function. Doing so twice, or too late, does nothing."""


class Dispatcher(Protocol):
    """What objects and the runtime need of an event loop."""

    def now(self) -> float:
        """Seconds on this dispatcher's own clock, which never goes back."""

    def call_soon(self, action: Action) -> Entry:
        """Calls `action` after this turn, first asked first called."""

    def call_later(self, delay: float, action: Action) -> Entry:
        """Calls `action` once `delay` seconds have passed; those due together in the order of asking."""

    def watch_fd(self, fd: int, action: Action, *, write: bool = False) -> Entry:
        """Calls `action` whenever `fd` can be read (or written), until the entry is cancelled."""

    def post(self, action: Action) -> None:
        """As `call_soon`, and the one method that any thread may call."""


def check_delay(delay: float) -> float:
    """`delay`, if it is a length of time; a ValueError that says so otherwise."""
    if not 0 <= delay < float("inf"):
        raise ValueError(f"a delay is zero or more seconds, and ends: got {delay!r}")
    return delay
