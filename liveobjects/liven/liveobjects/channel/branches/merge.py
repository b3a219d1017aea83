"""Merging a branch without its objects: join the channel as a keeper, and leave when the whole branch is in
the order and on disk."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from liven.liveobjects.channel.objects.keeper import KEEPS, KeeperSession
from liven.liveobjects.channel.process.channel_system import ChannelSystem

LOOK_EVERY: Final = 0.05
PATIENCE: Final = 30.0
"""Seconds to wait for other members and for the disk."""


class BranchMerge:
    """The merge of one branch. `done` is called once, with the reason for a failure or an empty text."""

    def __init__(
        self, system: ChannelSystem, channel: str, branch: str, done: Callable[[str], object]
    ) -> None:
        self._system = system
        self._channel = channel
        self._branch = branch
        self._done = done
        self._begun = False
        self._until = system.dispatcher.now() + PATIENCE
        system.entered(channel, KEEPS)
        self._session = system.shared(KeeperSession, channel, lambda: KeeperSession(system, channel))
        self._look()

    def _look(self) -> None:
        session, there = self._session, self._branch in self._session.recovered.names
        if self._begun and not there and not session.unacknowledged:
            self._end("")
        elif self._system.dispatcher.now() >= self._until:
            late = "some operations have no place in the order yet; they are submitted again later"
            self._end(late if self._begun else "the channel did not begin: no member with its state answers")
        elif session.begun and not self._begun and not there:
            self._end(f"there is no branch {self._branch} here, or a running program has it")
        else:
            goes_on = session.recovered.is_left(self._branch) and not session.unacknowledged
            if session.begun and (goes_on or not self._begun):
                self._begun = True
                session.recovered.merge(self._branch)
            self._system.dispatcher.call_later(LOOK_EVERY, self._look)

    def _end(self, why: str) -> None:
        self._system.left(self._channel)
        self._system.drop_session(self._channel)
        self._session.leave()
        self._done(why)
