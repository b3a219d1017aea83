"""How far a member is with its history, what of that is on its disk, and what the others were told of it.

Whoever says that something is in its log must have it there in the history that goes on: what is in the log
of another history, in which this member was, is nothing to those who count on it.
"""

from __future__ import annotations

from typing import Final

from liven.liveobjects.channel.ordering.member_state import Stand
from liven.liveobjects.channel.ordering.messages import Progress

TELL_EVERY: Final = 0.02
"""How often a member tells at most how far it is, when it has nothing else to send."""
TELL_AFTER: Final = 0.005
"""How long it waits with that: what tells that all have an operation is not to be in the way of those who are
still to have it, and more may come that is told of together."""


class Reach:
    """How far one member is."""

    __slots__ = ("_logged", "_recorded", "_told", "_told_at", "_untold_since")

    def __init__(self) -> None:
        self._logged: int | None = None
        """Up to where the history is in its log; None where the log is in memory."""
        self._recorded: int | None = None
        """The last session that is on its disk; None where none is kept."""
        self._told: Progress | None = None
        self._told_at = 0.0
        self._untold_since: float | None = None

    def logged(self, number: int) -> None:
        """All of the history up to `number` is in the log."""
        self._logged = max(number, self._logged or 0)

    def recorded(self, serial: int) -> None:
        """The sessions up to this one are on the disk."""
        self._recorded = max(serial, self._recorded or 0)

    def log_begins(self) -> None:
        """Nothing of the history that goes on is in the log yet."""
        if self._logged is not None:
            self._logged = 0

    def sessions_begin(self) -> None:
        """The sessions are those of another beginning, and none of them is on the disk yet."""
        if self._recorded is not None:
            self._recorded = 0

    def begin(self) -> None:
        """A regime begins: nobody in it was told anything."""
        self._told = None

    def progress(self, stand: Stand, *, leaving: bool) -> Progress:
        """How far this member is. Until it has the state, its log has nothing of this history."""
        number = 0 if stand.past is None else stand.past.number
        if self._logged is not None:
            number = min(number, self._logged) if stand.complete else 0
        known = stand.sessions.serial
        serial = known if self._recorded is None else min(known, self._recorded)
        return Progress(number, serial, stand.complete, leaving)

    def wake(self, stand: Stand, now: float, *, leaving: bool) -> float | None:
        """When it is time to tell how far this member is; None if the others know it."""
        if self._told is None:
            return now
        if self.progress(stand, leaving=leaving) == self._told:
            return None
        if self._untold_since is None:
            self._untold_since = now
        return max(self._told_at + TELL_EVERY, self._untold_since + TELL_AFTER)

    def due(self, stand: Stand, now: float, *, leaving: bool, alone: bool = False) -> Progress | None:
        """What is to be told of it now, if anything, in a message of its own or with others; it counts as
        told then."""
        if self._told is not None and now < self._told_at + TELL_EVERY:
            return None
        progress = self.progress(stand, leaving=leaving)
        if progress == self._told:
            return None
        if alone and self._told is not None:
            if self._untold_since is None:
                self._untold_since = now
            if now < self._untold_since + TELL_AFTER:
                return None
        self._told, self._told_at, self._untold_since = progress, now, None
        return progress
