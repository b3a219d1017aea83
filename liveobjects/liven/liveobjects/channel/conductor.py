"""Runs the machine of an ordered channel over a line: hands in what comes, does what comes out.

A conductor outlives the objects that it serves by a moment, in which it leaves the group in good order: who
leaves without a word counts as one who failed.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from typing import Final

from liven.liveobjects.channel.dialect import Dialect, Meeting, WrongDialectError
from liven.liveobjects.channel.ordering import (
    MayLeave,
    OrderedChannel,
    Output,
    Send,
    Trouble,
)
from liven.liveobjects.channel.system import ChannelSystem
from liven.liveobjects.channel.transport import Batch, LineBusyError, LineClosedError, LineEvent, Roomy
from liven.multicast.group import Demoted, Evicted, View
from liven.runtime.dispatcher.contract import Entry
from liven.runtime.problems import Kind, Problem

COMES_BACK_AFTER: Final = 1.0
LEAVES_WITHIN: Final = 2.0
_AGAIN_AFTER: Final = 0.05


class Conductor:
    """One member of one channel. `do` is given every output of the machine but what concerns the line."""

    def __init__(
        self,
        system: ChannelSystem,
        name: str,
        dialect: Dialect,
        machine: OrderedChannel,
        do: Callable[[Output], object],
        refused: Callable[[WrongDialectError], object],
    ) -> None:
        self.machine = machine
        self.name = name
        self._system = system
        self._dialect = dialect
        self._do = do
        self._refused = refused
        self._unsent: deque[bytes] = deque()
        self._soon: Entry | None = None
        self._wake: Entry | None = None
        self._wakes_at = float("inf")
        self._meeting: Meeting | None = None
        self._leaving = self._over = self._reopening = False
        self._open()

    @property
    def me(self) -> int:
        """This member's short name; 0 while it is nobody."""
        return self._meeting.line.me if self._meeting is not None else 0

    def submit(self, payload: bytes) -> int:
        """Gives the machine an operation; those of one turn leave together. ChannelBusyError, ValueError."""
        ticket = self.machine.submit(payload)
        self.settle_soon()
        return ticket

    def settle_soon(self) -> None:
        """Does what the machine wants after this turn."""
        if self._soon is None and not self._over:
            self._soon = self._system.dispatcher.call_soon(self._settle_now)

    def leave(self) -> None:
        """Leaves in good order; the conductor ends by itself."""
        if self._leaving or self._over:
            return
        self._leaving = True
        self._system.leaving.add(self.name)
        self._do = _nothing
        self.machine.leave()
        self._system.dispatcher.call_later(LEAVES_WITHIN, self._go)
        self.settle_soon()

    def _open(self) -> None:
        """Joins the group; while an earlier conductor is still leaving it, waits for that."""
        if self._over:
            return
        if self.name in self._system.leaving and not self._leaving:
            self._system.dispatcher.call_later(_AGAIN_AFTER, self._open)
            return
        self._reopening = False
        self._meeting = Meeting(
            self._system.transport, self.name, self._dialect, self._batch, self._was_refused
        )

    def _batch(self, batch: Batch) -> None:
        for event in batch.events:
            self._event(event)
        for message in batch.messages:
            self.machine.heard(message.sender, message.payload)
        self.settle()

    def _event(self, event: LineEvent) -> None:
        meeting = self._meeting
        match event:
            case View(number=number, members=members) if meeting is not None and meeting.line.me:
                nodes = [member.node for member in members]
                if meeting.line.me in nodes:
                    self.machine.view(number, nodes, meeting.line.me, self._system.dispatcher.now())
            case Evicted():
                self._unsent.clear()
                self.machine.detached()
                self._system.dispatcher.call_later(COMES_BACK_AFTER, self._come_back)
            case Demoted() if meeting is not None:
                meeting.line.resume()
            case Roomy():
                self._flush()

    def settle(self) -> None:
        """Does what the machine wants, until it wants nothing."""
        if self._over:
            return
        self.machine.tick(self._system.dispatcher.now())
        while outputs := self.machine.take(self._room()):
            for output in outputs:
                self._act(output)
            if self._over:
                return
        self._sleep()

    def _act(self, output: Output) -> None:
        match output:
            case Send(payload=payload):
                self._unsent.append(payload)
                self._flush()
            case MayLeave():
                self._go()
            case Trouble(text=text, rejoin=rejoin):
                self._tell(text, "it joins again" if rejoin else "it was left out")
                if rejoin:
                    self._reopen()
            case _:
                self._do(output)

    def _room(self) -> int:
        if self._meeting is None or self._unsent:
            return 0
        return self._meeting.line.room

    def _flush(self) -> None:
        while self._unsent and self._meeting is not None:
            try:
                self._meeting.line.send(self._unsent[0])
            except LineBusyError:
                return  # Roomy will be told
            except LineClosedError:
                self._unsent.clear()
                return
            self._unsent.popleft()

    def _settle_now(self) -> None:
        self._soon = None
        self.settle()

    def _sleep(self) -> None:
        """Asks to be called when the machine next wants to be."""
        wake = self.machine.wake
        if wake is None or wake >= self._wakes_at:
            return
        if self._wake is not None:
            self._wake.cancel()
        self._wakes_at = wake
        delay = max(0.0, wake - self._system.dispatcher.now())
        self._wake = self._system.dispatcher.call_later(delay, self._woken)

    def _woken(self) -> None:
        self._wake, self._wakes_at = None, float("inf")
        self.settle()

    def _come_back(self) -> None:
        if self._meeting is not None and not self._over and not self._leaving:
            self._meeting.rejoin()

    def _reopen(self) -> None:
        """Leaves the group and joins it again: messages are missing here."""
        if self._meeting is not None and not self._reopening:
            self._reopening = True
            self._unsent.clear()
            self.machine.detached()
            self._meeting.line.leave()
            self._meeting = None
            self._system.dispatcher.call_soon(self._open)

    def _go(self) -> None:
        """Out of the group, agreed or not."""
        if self._over:
            return
        self._over = True
        for entry in (self._soon, self._wake):
            if entry is not None:
                entry.cancel()
        if self._meeting is not None:
            self._meeting.line.leave()
        self._system.leaving.discard(self.name)

    def _was_refused(self, error: WrongDialectError) -> None:
        self._over = True
        self.machine.detached()
        self._refused(error)

    def _tell(self, what: str, advice: str) -> None:
        self._system.report(Problem(Kind.PEER, ("channels", self.name), what, advice))


def _nothing(_: Output) -> None:
    """Nobody is served any more."""
