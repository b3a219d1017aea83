"""The delay of other people's presence, measured without a common clock.

Each window sends the time of its own clock, the last time it received from one other window, and how long ago
it received that. A window that finds its own time echoed knows the round trip; half of it is the delay."""

from __future__ import annotations

import uuid
from collections.abc import Collection
from dataclasses import dataclass
from typing import Final

NOBODY: Final = uuid.UUID(int=0)
EVERY: Final = 4.0
"""Seconds between signs of life, which show the others that you are still here."""
_ROUNDING: Final = 0.001
SILENT_AFTER: Final = 3 * EVERY
"""Seconds without a message after which somebody counts as silent."""


@dataclass(frozen=True, slots=True)
class ClockEcho:
    """The times in one presence message."""

    clock: float
    """The sender's own time, in seconds."""
    answers: uuid.UUID
    """The window whose time is echoed."""
    answered: float
    """That time, by that window's clock."""
    held: float
    """Seconds since the sender received it."""


@dataclass(slots=True)
class _Other:
    """The state of the measurement for one other window."""

    clock: float
    at: float
    lag: float | None = None
    answered_at: float = float("-inf")


class PeerDelays:
    """The delay of each other window, measured by the clock behind every `now`."""

    def __init__(self, me: uuid.UUID) -> None:
        self._me = me
        self._others: dict[uuid.UUID, _Other] = {}

    def heard(self, who: uuid.UUID, said: ClockEcho, now: float) -> None:
        """Record a message. The same message again is ignored."""
        other = self._others.get(who)
        if other is None:
            other = self._others[who] = _Other(said.clock, now)
        elif other.clock == said.clock:
            return
        other.clock, other.at = said.clock, now
        way = now - said.answered - said.held
        if said.answers == self._me and said.held >= 0 and -_ROUNDING <= way <= 3600:
            other.lag = max(0.0, way) / 2

    def keep(self, here: Collection[uuid.UUID]) -> None:
        """Forget every window except these."""
        for gone in self._others.keys() - set(here):
            del self._others[gone]

    def say(self, now: float) -> ClockEcho:
        """Return the times for the next message. The other windows are echoed in turn."""
        waiting = min(self._others, key=lambda who: self._others[who].answered_at, default=None)
        if waiting is None:
            return ClockEcho(now, NOBODY, 0.0, 0.0)
        other = self._others[waiting]
        other.answered_at = now
        return ClockEcho(now, waiting, other.clock, now - other.at)

    def words(self, who: uuid.UUID, now: float) -> str:
        """Describe the delay of a window in words; empty if it is unknown."""
        other = self._others.get(who)
        if other is None:
            return ""
        silence = now - other.at
        if silence > SILENT_AFTER:
            return f"silent for {round(silence)} s"
        if other.lag is None:
            return ""
        return (
            f"{other.lag:.1f} s behind" if other.lag >= 1 else f"{max(1, round(1000 * other.lag))} ms behind"
        )

    def is_late(self, who: uuid.UUID, now: float) -> bool:
        """True if a window is silent, or so far behind that people should know."""
        other = self._others.get(who)
        if other is None:
            return False
        return now - other.at > SILENT_AFTER or (other.lag is not None and other.lag >= 1)
