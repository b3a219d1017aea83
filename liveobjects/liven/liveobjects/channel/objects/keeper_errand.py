"""An errand on a channel without its objects: join as a keeper, look until the matter is settled, leave."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Final

from liven.liveobjects.channel.objects.keeper import KEEPS, KeeperSession
from liven.liveobjects.channel.process.channel_system import ChannelSystem

PATIENCE: Final = 30.0
"""Seconds to wait for other members, their decision and the disk."""


class KeeperErrand(ABC):
    """One errand. `done` is called once, with the reason for a failure or an empty text."""

    look_every = 0.1
    """Seconds between two looks."""

    def __init__(self, system: ChannelSystem, channel: str, done: Callable[[str], object]) -> None:
        self._system = system
        self._channel = channel
        self._done = done
        self._until = system.dispatcher.now() + PATIENCE
        system.entered(channel, KEEPS)
        self._session = system.shared(KeeperSession, channel, lambda: KeeperSession(system, channel))
        self._look()

    @abstractmethod
    def _outcome(self, session: KeeperSession, *, is_late: bool) -> str | None:
        """Return the result, or None to look again after doing what can be done now."""

    def _look(self) -> None:
        outcome = self._outcome(self._session, is_late=self._system.dispatcher.now() >= self._until)
        if outcome is None:
            self._system.dispatcher.call_later(self.look_every, self._look)
        else:
            self._end(outcome)

    def _end(self, why: str) -> None:
        self._system.left(self._channel)
        self._system.drop_session(self._channel)
        self._session.leave()
        self._done(why)
