"""Telling a channel that members will not come back, without its objects."""

from __future__ import annotations

from collections.abc import Callable, Collection

from liven.liveobjects.channel.objects.keeper import KeeperSession
from liven.liveobjects.channel.objects.keeper_errand import KeeperErrand
from liven.liveobjects.channel.process.channel_system import ChannelSystem


class Declaration(KeeperErrand):
    """One declaration: it is settled when the others have decided."""

    def __init__(
        self, system: ChannelSystem, channel: str, gone: Collection[bytes], done: Callable[[str], object]
    ) -> None:
        self._gone = frozenset(gone)
        self._declared = False
        super().__init__(system, channel, done)

    def _outcome(self, session: KeeperSession, *, is_late: bool) -> str | None:
        absent = session.absent
        if absent is not None and self._declared and self._gone.isdisjoint(absent):
            return ""
        is_due = absent is not None and session.begun and not self._declared
        if absent is not None and is_due and not self._gone.issubset(absent):
            return "no change waits for that member now: it is here, or enough others are"
        if is_late:
            return "the others did not decide in time" if self._declared else "no other member answers"
        if is_due:
            self._declared = True
            session.declare_gone(self._gone)
        return None
