"""Telling a channel that members will not come back, without its objects: join as a keeper, say so, and leave
when the others have decided."""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import Final

from liven.liveobjects.channel.objects.keeper import KEEPS, KeeperSession
from liven.liveobjects.channel.process.channel_system import ChannelSystem

LOOK_EVERY: Final = 0.1
PATIENCE: Final = 30.0
"""Seconds to wait for other members and their decision."""


class Declaration:
    """One declaration. `done` is called once, with the reason for a failure or an empty text."""

    def __init__(
        self,
        system: ChannelSystem,
        channel: str,
        gone: Collection[bytes],
        done: Callable[[str], object],
    ) -> None:
        self._system = system
        self._channel = channel
        self._gone = frozenset(gone)
        self._done = done
        self._declared = False
        self._until = system.dispatcher.now() + PATIENCE
        system.entered(channel, KEEPS)
        self._session = system.shared(KeeperSession, channel, lambda: KeeperSession(system, channel))
        self._look()

    def _look(self) -> None:
        session = self._session
        absent = session.absent
        if absent is not None and self._declared and self._gone.isdisjoint(absent):
            self._end("")
        elif absent is not None and session.begun and not self._declared and not self._gone.issubset(absent):
            self._end("no change waits for that member now: it is here, or enough others are")
        elif self._system.dispatcher.now() >= self._until:
            self._end("the others did not decide in time" if self._declared else "no other member answers")
        else:
            if absent is not None and session.begun and not self._declared:
                self._declared = True
                session.declare_gone(self._gone)
            self._system.dispatcher.call_later(LOOK_EVERY, self._look)

    def _end(self, why: str) -> None:
        self._system.left(self._channel)
        self._system.drop_session(self._channel)
        self._session.leave()
        self._done(why)
