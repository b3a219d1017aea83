"""The problem that own changes are not confirmed: whom they wait for, and what a person can do about it."""

from __future__ import annotations

from collections.abc import Callable, Collection
from functools import partial
from os import urandom
from typing import Final

from liven.liveobjects.channel.history import RANDOM_BYTES
from liven.liveobjects.channel.members.confirmation import Confirmation
from liven.liveobjects.channel.members.known_members import KnownMembers
from liven.liveobjects.channel.ordering import OrderedChannel, Phase
from liven.liveobjects.channel.process.channel_system import ChannelSystem
from liven.runtime.dispatcher.dispatcher import Entry
from liven.runtime.problems import Kind, Problem, Remedy

TOLD_AFTER: Final = 5.0
"""Seconds without confirmation after which people are told. A join or a restart takes less."""
_LOOK_EVERY: Final = 1.0
_NAMED_MOST: Final = 4
"""Members that are named, and have a button each."""
_TOPIC: Final = "unconfirmed"


class UnconfirmedNotice:
    """Watches the confirmation of operations of one process in a channel."""

    __slots__ = (
        "_alarm",
        "_channel",
        "_logs",
        "_members",
        "_name",
        "_of_all",
        "_oldest",
        "_settle",
        "_since",
        "_system",
        "_told",
    )

    def __init__(
        self,
        system: ChannelSystem,
        name: str,
        channel: OrderedChannel,
        members: KnownMembers,
        settle: Callable[[], object],
        *,
        of_all: Callable[[], bool] = lambda: False,
        logs: bool = True,
    ) -> None:
        self._system = system
        self._name = name
        self._channel = channel
        self._members = members
        self._settle = settle
        self._of_all = of_all
        """True while the operations of all members are watched, because nothing here submits any."""
        self._logs = logs
        """False in a channel without logs, where only the absent are waited for."""
        self._alarm: Entry | None = None
        self._oldest: int | None = None
        self._since = 0.0
        self._told = ""

    def begin(self) -> None:
        """Begin to watch, because an operation may wait for confirmation."""
        if self._alarm is None:
            self._oldest, self._since = self._oldest_now, self._system.dispatcher.now()
            self._look_later()

    def confirmed(self) -> None:
        """Report the end of the problem, because operations were confirmed."""
        self._end("changes are confirmed again")

    def close(self) -> None:
        """Report the end of the problem, because the channel was closed."""
        if self._alarm is not None:
            self._alarm.cancel()
            self._alarm = None
        self._end("it was closed; its changes are kept here and sent again when it is opened")

    def _end(self, what: str) -> None:
        if self._told:
            self._told = ""
            self._system.report(Problem(Kind.PEER, self._where, what, topic=_TOPIC, is_over=True))

    @property
    def _oldest_now(self) -> int | None:
        """A mark of the oldest operation that is not confirmed; None if all are."""
        if not self._of_all():
            return self._channel.oldest_own
        stable = self._channel.stable.number
        return stable if stable < self._channel.position.number else None

    def _look_later(self) -> None:
        self._alarm = self._system.dispatcher.call_later(_LOOK_EVERY, self._look)

    def _look(self) -> None:
        """Report the problem if the same operation has waited for long enough, and people do not know yet
        whom it waits for."""
        self._alarm = None
        oldest, awaited = self._oldest_now, self.awaited
        now = self._system.dispatcher.now()
        if oldest is not None:
            self._look_later()
        if oldest is None or oldest != self._oldest or not awaited:
            self._oldest, self._since = oldest, now
        elif now >= self._since + TOLD_AFTER and awaited != self._told:
            self._told = awaited
            self._system.report(self._problem(awaited))

    @property
    def awaited(self) -> str:
        """Everybody on whom confirmation depends now, for people; empty if it depends on nobody else."""
        names = [self._members.described(each) for each in self._channel.absent]
        if self._logs:
            names += [self._system.person(each) for each in self._channel.behind]
            names += ["the disk of this computer"] * self._channel.waits_for_disk
        more = len(names) - _NAMED_MOST
        if more > 0:
            names[_NAMED_MOST:] = [f"{more} more"]
        return (
            names[0] if len(names) == 1 else " and ".join(filter(None, (", ".join(names[:-1]), *names[-1:])))
        )

    @property
    def confirmation(self) -> Confirmation:
        """Return what the present state waits for before it is confirmed."""
        if self._channel.stage is not Phase.OPEN:
            return Confirmation(alone=True)
        return Confirmation(awaited=tuple(self._members.person(each) for each in self._channel.absent))

    def _problem(self, awaited: str) -> Problem:
        count, gone = self._channel.unacknowledged, self._channel.absent
        if self._of_all():
            count = self._channel.position.number - self._channel.stable.number
        changes = "1 change is" if count == 1 else f"{count:,} changes are"
        what = f"{changes} not confirmed yet: waiting for {awaited}"
        if not gone:
            return Problem(Kind.PEER, self._where, what, "everybody here sees them meanwhile", topic=_TOPIC)
        seen = "everybody here sees them, and they are confirmed" if self._logs else "they are delivered"
        advice = (
            f"{seen} when enough of the absent come back. Only if one never will, say so: what only that "
            "computer has becomes a branch if it does return"
        )
        each: list[tuple[str, tuple[bytes, ...]]] = [
            (f"{self._members.called(one)} will not come back", (one,)) for one in gone[:_NAMED_MOST]
        ]
        if len(gone) > 1:
            each.append((f"none of these {len(gone)} will come back", gone))
        remedies = tuple(Remedy(name, partial(self.declare_gone, members)) for name, members in each)
        return Problem(Kind.PEER, self._where, what, advice, remedies=remedies, topic=_TOPIC)

    def declare_gone(self, members: Collection[bytes]) -> None:
        """Go on without members, because a person says that they will not come back."""
        still = [each for each in members if each in self._channel.absent]
        if still:
            self._channel.retire(still, urandom(RANDOM_BYTES))
            self._settle()

    @property
    def _where(self) -> tuple[str, ...]:
        return "channels", self._name
