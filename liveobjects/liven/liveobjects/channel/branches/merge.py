"""Merging a branch into its channel without the channel's objects."""

from __future__ import annotations

from collections.abc import Callable

from liven.liveobjects.channel.objects.keeper import KeeperSession
from liven.liveobjects.channel.objects.keeper_errand import KeeperErrand
from liven.liveobjects.channel.process.channel_system import ChannelSystem


class BranchMerge(KeeperErrand):
    """The merge of one branch: it is settled when the whole branch is in the order and on disk."""

    look_every = 0.05

    def __init__(
        self, system: ChannelSystem, channel: str, branch: str, done: Callable[[str], object]
    ) -> None:
        self._branch = branch
        self._begun = False
        super().__init__(system, channel, done)

    def _outcome(self, session: KeeperSession, *, is_late: bool) -> str | None:
        there = self._branch in session.recovered.names
        if self._begun and not there and not session.unacknowledged:
            return ""
        if is_late:
            late = "some operations have no place in the order yet; they are submitted again later"
            return late if self._begun else "the channel did not begin: no member with its state answers"
        if session.begun and not self._begun and not there:
            return f"there is no branch {self._branch} here, or a running program has it"
        goes_on = session.recovered.is_left(self._branch) and not session.unacknowledged
        if session.begun and (goes_on or not self._begun):
            self._begun = True
            session.recovered.merge(self._branch)
        return None
