"""Taps for `Connection.watch`: they count or list the events of a connection and change nothing."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from reprlib import Repr
from typing import Final

from liven.runtime.objects.endpoint import Endpoint

KEPT: Final = 200
"""The number of events kept; the oldest are dropped."""
LONGEST: Final = 300
"""Characters shown of the values of one event."""


def _brief() -> Repr:
    made = Repr()
    made.maxlevel, made.maxdict, made.maxlist, made.maxtuple, made.maxset = 4, 8, 8, 8, 8
    made.maxstring = made.maxother = 120
    return made


_BRIEF: Final = _brief()


class EventCount:
    """The number of events that passed."""

    __slots__ = ("events",)

    def __init__(self) -> None:
        self.events = 0

    def __call__(self, _receiver: Endpoint, _event: str, _values: tuple[object, ...]) -> None:
        self.events += 1


@dataclass(frozen=True, slots=True)
class PassedEvent:
    """One event that passed."""

    at: float
    """On the log's clock."""
    receiver: Endpoint
    name: str
    values: str
    """As shortened text, because a value may have changed or gone when somebody reads it."""


class EventLog:
    """The last events, oldest first."""

    def __init__(self, now: Callable[[], float]) -> None:
        self._now = now
        self.kept: deque[PassedEvent] = deque(maxlen=KEPT)
        self.total = 0
        """The number of all events that passed."""

    def __call__(self, receiver: Endpoint, event: str, values: tuple[object, ...]) -> None:
        self.total += 1
        self.kept.append(PassedEvent(self._now(), receiver, event, in_brief(values)))


def in_brief(values: tuple[object, ...]) -> str:
    """Return values as readable text of at most `LONGEST` characters.

    An author's `repr` that raises is shown as such, so that watching never breaks a connection.
    """
    text = ", ".join(_BRIEF.repr(value) for value in values)
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 1]}…"
