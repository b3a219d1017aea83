"""A member's progress: how far its history and its log on disk are, and when to report that.

A member that reports an operation as logged must have it on disk in the history that continues. The log of
another history does not count.
"""

from __future__ import annotations

from typing import Final

from liven.liveobjects.channel.ordering.member_state import MemberState
from liven.liveobjects.channel.ordering.messages import Progress

TELL_EVERY: Final = 0.02
"""Least seconds between two progress reports of a member that sends nothing else."""
TELL_AFTER: Final = 0.005
"""Seconds that a report waits. It must not delay operations that others still lack, and one report can cover
more that arrives meanwhile."""


class MemberProgress:
    """The progress of one member."""

    __slots__ = ("_logged", "_recorded", "_told", "_told_at", "_untold_since", "stores")

    def __init__(self) -> None:
        self._logged: int | None = None
        """The number up to which the log is complete; None if the log is in memory."""
        self._recorded: int | None = None
        """The last session on disk; None if none is stored."""
        self.stores = True
        """False while the disk takes no data."""
        self._told: Progress | None = None
        self._told_at = 0.0
        self._untold_since: float | None = None

    def logged(self, number: int) -> None:
        """Record that the log is complete up to `number`."""
        self._logged = max(number, self._logged or 0)

    def is_stored(self, number: int) -> bool:
        """True if the log takes data and is complete up to `number`."""
        return self.stores and (self._logged is None or self._logged >= number)

    def recorded(self, serial: int) -> None:
        """Record that sessions up to `serial` are on disk."""
        self._recorded = max(serial, self._recorded or 0)

    def log_begins(self) -> None:
        """Record that the log holds nothing of the continuing history yet."""
        if self._logged is not None:
            self._logged = 0

    def sessions_begin(self) -> None:
        """Record that the sessions have another founding, and none is on disk yet."""
        if self._recorded is not None:
            self._recorded = 0

    def begin(self) -> None:
        """Begin a view, in which nothing was reported yet."""
        self._told = None

    def progress(self, member_state: MemberState, *, leaving: bool) -> Progress:
        """Return the progress. Without the state, the log holds nothing of this history."""
        number = 0 if member_state.past is None else member_state.past.number
        if self._logged is not None:
            number = min(number, self._logged) if member_state.complete else 0
        known = member_state.sessions.serial
        serial = known if self._recorded is None else min(known, self._recorded)
        chain = None if member_state.past is None else member_state.past.chain_at(number)
        return Progress(number, serial, member_state.complete, leaving, chain or b"", self.stores)

    def wake(self, member_state: MemberState, now: float, *, leaving: bool) -> float | None:
        """Return when the next report is due; None if the others are up to date."""
        if self._told is None:
            return now
        if self.progress(member_state, leaving=leaving) == self._told:
            return None
        if self._untold_since is None:
            self._untold_since = now
        return max(self._told_at + TELL_EVERY, self._untold_since + TELL_AFTER)

    def due(
        self, member_state: MemberState, now: float, *, leaving: bool, alone: bool = False
    ) -> Progress | None:
        """Return the report to send now, if any, alone or with another message. It counts as sent."""
        if self._told is not None and now < self._told_at + TELL_EVERY:
            return None
        progress = self.progress(member_state, leaving=leaving)
        if progress == self._told:
            return None
        if alone and self._told is not None:
            if self._untold_since is None:
                self._untold_since = now
            if now < self._untold_since + TELL_AFTER:
                return None
        self._told, self._told_at, self._untold_since = progress, now, None
        return progress
