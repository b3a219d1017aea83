"""Runs an ordered channel over a line: what the line tells goes into the machine, what comes out is done.

Whoever owns a conductor is told everything that is not for the line, in order. What is submitted in one turn
of the loop leaves together.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, Protocol

from liven.liveobjects.channel.line.transport import (
    Batch,
    Line,
    LineBusyError,
    LineClosedError,
    LineEvent,
    Receiver,
)
from liven.liveobjects.channel.ordering import MayLeave, OrderedChannel, Output, Send, Trouble
from liven.multicast.group import Demoted, Dropped, Evicted, Left, View
from liven.runtime.dispatcher.dispatcher import Action, Entry

COME_BACK_AFTER: Final = 1.0
"""How long a member that was put out, or that missed something, stays away before it joins again."""


class Loop(Protocol):
    """What a conductor needs of a dispatcher; an object's context is one, too."""

    def now(self) -> float: ...
    def call_soon(self, action: Action) -> Entry: ...
    def call_later(self, delay: float, action: Action) -> Entry: ...


class Part(Protocol):
    """This member's part in a group: `dialect.Meeting` is one."""

    line: Line

    def rejoin(self) -> None:
        """Comes back after an eviction."""


class OrderDriver:
    """One member of an ordered channel on a line of its own."""

    __slots__ = (
        "_alarm",
        "_closed",
        "_coming_back",
        "_due",
        "_join",
        "_loop",
        "_part",
        "_soon",
        "_told",
        "_unsent",
        "channel",
    )

    def __init__(
        self,
        channel: OrderedChannel,
        loop: Loop,
        join: Callable[[Receiver], Part],
        told: Callable[[Output], object],
    ) -> None:
        self.channel = channel
        self._loop = loop
        self._join = join
        self._told = told
        self._unsent: tuple[bytes, ...] = ()
        self._soon: Entry | None = None
        self._alarm: Entry | None = None
        self._due = 0.0
        self._coming_back = False
        self._closed = False
        self._part: Part | None = None
        self._part = join(self._batch)

    def submit(self, payload: bytes) -> int:
        """Takes an operation; its ticket. ChannelBusyError when too many of this member's wait."""
        ticket = self.channel.submit(payload)
        self.settle_soon()
        return ticket

    def settle_soon(self) -> None:
        """After anything was asked of the machine: has it done at the end of this turn."""
        if self._soon is None and not self._closed:
            self._soon = self._loop.call_soon(self._settle)

    def leave(self) -> None:
        """Leaves in good order: own operations get their numbers first. `MayLeave` is told, and the line
        is left."""
        self.channel.leave()
        self.settle_soon()

    def close(self) -> None:
        """Leaves at once."""
        self._closed = True
        for entry in (self._soon, self._alarm):
            if entry is not None:
                entry.cancel()
        self._unsent = ()
        if self._part is not None:
            part, self._part = self._part, None
            part.line.leave()

    # From the line

    def _batch(self, batch: Batch) -> None:
        if self._closed:
            return
        for message in batch.messages:
            self.channel.heard(message.sender, message.payload)
        for event in batch.events:
            self._event(event)
        self._settle()

    def _event(self, event: LineEvent) -> None:
        match event:
            case View(number=number, members=members) if self._part is not None:
                nodes = [member.node for member in members]
                me = self._part.line.me
                if me in nodes and not self._coming_back:
                    self.channel.view(number, nodes, me, self._loop.now())
            case Evicted():
                self._detach()
                self._loop.call_later(COME_BACK_AFTER, self._rejoin)
            case Demoted() | Dropped():
                self._come_again()
            case Left():
                self._detach()
                if self._coming_back:
                    self._loop.call_later(COME_BACK_AFTER, self._open_again)

    def _detach(self) -> None:
        self.channel.detached()
        self._unsent = ()

    def _rejoin(self) -> None:
        if self._part is not None:
            self._part.rejoin()

    def _come_again(self) -> None:
        """This member missed messages: it leaves, and comes back as a new one."""
        if self._part is not None and not self._coming_back:
            self._coming_back = True
            self._detach()
            self._part.line.leave()

    def _open_again(self) -> None:
        self._coming_back = False
        if not self._closed:
            self._part = self._join(self._batch)

    # To the line

    def _settle(self) -> None:
        if self._soon is not None:
            self._soon.cancel()
            self._soon = None
        if self._closed:
            return
        self.channel.tick(self._loop.now())
        outputs = self.channel.ready()  # objects hear first; how far this member is can be said after that
        self._send_waiting()
        while outputs or (outputs := self.channel.take(self._room())):
            for output in outputs:
                self._do(output)
            outputs = []
        if not self._closed:
            self._set_alarm()

    def _room(self) -> int:
        return 0 if self._part is None or self._unsent else self._part.line.room

    def _do(self, output: Output) -> None:
        match output:
            case Send(payload):
                self._unsent += (payload,)
                self._send_waiting()
            case MayLeave():
                self._told(output)
                self.close()
            case Trouble(rejoin=True):
                self._told(output)
                self._come_again()
            case _:
                self._told(output)

    def _send_waiting(self) -> None:
        while self._unsent and self._part is not None and not self._coming_back:
            try:
                self._part.line.send(self._unsent[0])
            except LineBusyError:
                return  # `HasRoom` brings us here again
            except LineClosedError:
                self._unsent = ()
                return
            self._unsent = self._unsent[1:]

    def _set_alarm(self) -> None:
        wake = self.channel.wake
        if self._alarm is not None and not self._alarm.active:
            self._alarm = None
        if wake is None or (self._alarm is not None and self._due <= wake):
            return
        if self._alarm is not None:
            self._alarm.cancel()
        self._due = wake
        self._alarm = self._loop.call_later(max(0.0, wake - self._loop.now()), self._settle)
