"""The driver of an ordered channel: it passes line events to the state machine and carries out the outputs.

Outputs that are not for the line go to the owner, in order. Operations submitted in one turn of the event
loop are sent together.
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
"""Seconds that an excluded member, or one that missed messages, waits before it joins again."""
COME_BACK_MOST: Final = 60.0
"""The longest such wait. It doubles with each time that a member missed something soon after the last one, so
that a member whose messages arrive changed does not make the others agree on views all the time."""


class Loop(Protocol):
    """The functions of a dispatcher that a driver uses; an object's context has them, too."""

    def now(self) -> float: ...
    def call_soon(self, action: Action) -> Entry: ...
    def call_later(self, delay: float, action: Action) -> Entry: ...


class GroupConnection(Protocol):
    """This member's connection to a group, such as `type_handshake.Meeting`."""

    line: Line

    def rejoin(self) -> None:
        """Rejoin after an eviction."""


class OrderDriver:
    """One member of an ordered channel, on a line of its own."""

    __slots__ = (
        "_alarm",
        "_closed",
        "_come_back_after",
        "_coming_back",
        "_due",
        "_join",
        "_loop",
        "_part",
        "_rejoined_at",
        "_soon",
        "_told",
        "_unsent",
        "channel",
    )

    def __init__(
        self,
        channel: OrderedChannel,
        loop: Loop,
        join: Callable[[Receiver], GroupConnection],
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
        self._come_back_after = COME_BACK_AFTER
        self._rejoined_at = -COME_BACK_MOST
        self._closed = False
        self._part: GroupConnection | None = None
        self._part = join(self._batch)

    def submit(self, payload: bytes) -> int:
        """Submit an operation and return its ticket. Raises ChannelBusyError when too many wait."""
        ticket = self.channel.submit(payload)
        self.settle_soon()
        return ticket

    def settle_soon(self) -> None:
        """Process the outputs of the machine at the end of this turn."""
        if self._soon is None and not self._closed:
            self._soon = self._loop.call_soon(self._settle)

    def leave(self) -> None:
        """Leave in good order: own operations get their numbers first. `MayLeave` is passed on, and the line
        is left."""
        self.channel.leave()
        self.settle_soon()

    def close(self) -> None:
        """Leave at once."""
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
                if not self._coming_back:
                    self._loop.call_later(COME_BACK_AFTER, self._rejoin)
            case Demoted() | Dropped():
                self._rejoin_as_new()
            case Left():
                self._detach()
                if self._coming_back:
                    self._loop.call_later(self._delay(), self._open_again)

    def _detach(self) -> None:
        self.channel.detached()
        self._unsent = ()

    def _rejoin(self) -> None:
        if self._part is not None and not self._coming_back:
            self._part.rejoin()

    def _rejoin_as_new(self) -> None:
        """Rejoin as a new member, because this one missed messages."""
        if self._part is not None and not self._coming_back:
            self._coming_back = True
            self._detach()
            self._part.line.leave()

    def _delay(self) -> float:
        """Return the seconds until this member joins again as a new one."""
        soon = self._loop.now() < self._rejoined_at + COME_BACK_MOST
        self._come_back_after = min(2 * self._come_back_after, COME_BACK_MOST) if soon else COME_BACK_AFTER
        return self._come_back_after

    def _open_again(self) -> None:
        self._coming_back = False
        self._rejoined_at = self._loop.now()
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
        outputs = self.channel.ready()  # objects receive first; progress reports can wait
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
                self._rejoin_as_new()
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
