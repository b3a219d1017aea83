"""One line for several objects: a process joins a group once, however many of its objects use it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias

from liven.liveobjects.channel.line.traffic_counters import GroupTraffic, TrafficCount
from liven.liveobjects.channel.line.transport import (
    Batch,
    Line,
    LineClosedError,
    LineEvent,
    Receiver,
    Transport,
)
from liven.multicast.group import (
    Delivery,
    Demoted,
    Evicted,
    Joined,
    Left,
    Paused,
    Refused,
    Resumed,
    Sent,
    Uncertain,
    View,
    Withdrawn,
)

Soon: TypeAlias = Callable[[Callable[[], object]], object]
"""Calls a function after this turn."""
_WAITS = "waits for a slow member"
_BEHIND = "this program receives too slowly"


class SharedLine:
    """One object's share of a line. It receives what all other objects of the process receive."""

    __slots__ = (
        "_receiver",
        "_tickets",
        "_trunk",
        "name",
    )

    def __init__(self, trunk: _Trunk, receiver: Receiver) -> None:
        self._trunk: _Trunk | None = trunk
        self._receiver = receiver
        self._tickets = 0
        self.name = trunk.name

    @property
    def me(self) -> int:
        """The process's node in the group."""
        return self._trunk.me if self._trunk is not None else 0

    @property
    def room(self) -> int:
        """Bytes that can be sent now."""
        return self._trunk.room if self._trunk is not None else 0

    def send(self, payload: bytes) -> int:
        """Send to all members."""
        if self._trunk is None:
            raise LineClosedError(f"the line in group {self.name!r} was left; open it again")
        self._trunk.send(self, self._tickets + 1, payload)
        self._tickets += 1
        return self._tickets

    def rejoin(self) -> None:
        """Rejoin, after `Evicted`. The first object to ask brings back all."""
        if self._trunk is not None:
            self._trunk.rejoin()

    def resume(self) -> None:
        """Resume delivery, after `Demoted`."""
        if self._trunk is not None:
            self._trunk.resume()

    def leave(self) -> None:
        """Stop receiving. The process leaves the group with its last object."""
        if self._trunk is not None:
            trunk, self._trunk = self._trunk, None
            trunk.remove(self)
            trunk.soon(lambda: self.hear((), (Left(),)))

    def hear(self, messages: Sequence[Delivery], events: Sequence[LineEvent]) -> None:
        """Deliver messages and events. Only the trunk calls this."""
        self._receiver(Batch(messages, events))

    def take(self, batch: Batch) -> None:
        """Deliver a batch that is the same for all. Only the trunk calls this."""
        self._receiver(batch)


class _Trunk:
    """The process's line in one group. Between two memberships it only queues."""

    __slots__ = (
        "_evicted",
        "_leaving",
        "_line",
        "_owners",
        "_queue",
        "_shared",
        "_slow",
        "_view",
        "lines",
        "name",
        "soon",
        "tally",
    )

    def __init__(self, shared: SharedLines, name: str) -> None:
        self.name = name
        self.soon = shared.soon
        self.lines: tuple[SharedLine, ...] = ()
        self.tally: TrafficCount | None = None
        """The traffic since somebody first asked for it."""
        self._shared = shared
        self._slow = ""
        self._owners: dict[int, tuple[SharedLine, int]] | None = None
        """The sender of each message in transit, by the line's ticket, with its own ticket. None if there is
        none, because even an emptied dictionary is large."""
        self._view: View | None = None
        self._evicted = self._leaving = False
        self._queue: tuple[tuple[SharedLine, int, bytes], ...] = ()
        self._line: Line = shared.transport.open(name, self._batch)

    @property
    def me(self) -> int:
        return 0 if self._leaving else self._line.me

    @property
    def room(self) -> int:
        return 0 if self._leaving else self._line.room

    def send(self, line: SharedLine, own: int, payload: bytes) -> None:
        if self._leaving:
            self._queue += ((line, own, payload),)
        else:
            ticket = self._line.send(payload)
            if self._owners is None:
                self._owners = {}
            self._owners[ticket] = line, own

    def resume(self) -> None:
        self._slow = ""
        self._line.resume()

    def look(self) -> GroupTraffic:
        """Return the present state of the group."""
        nodes = tuple(one.node for one in self._view.members) if self._view is not None else ()
        count = self.tally or TrafficCount()
        sizes = tuple(count.sizes.items())
        counts = (count.sent, count.received, count.size)
        return GroupTraffic(self.name, len(nodes), *counts, self._slow, nodes, sizes)

    def greet(self, line: SharedLine) -> None:
        """Tell a later object what the others were told."""
        if self._view is not None and line in self.lines:
            line.hear((), (Joined(), self._view))

    def remove(self, line: SharedLine) -> None:
        self.lines = tuple(one for one in self.lines if one is not line)
        if not self.lines and not self._leaving:
            self._leaving, self._view = True, None
            self._line.leave()

    def rejoin(self) -> None:
        if self._evicted:
            self._evicted = False
            self._line.rejoin()

    def _batch(self, batch: Batch) -> None:
        if self._shared.counting:
            self.tally = self.tally or TrafficCount()
            self.tally.count(batch, self._line.me)
        if not batch.events:
            self._distribute_messages(batch)
            return
        common: list[LineEvent] = []
        private: dict[SharedLine, list[LineEvent]] = {}
        for event in batch.events:
            owned = self._owned(event)
            if owned is None:
                common.append(event)
            else:
                private.setdefault(owned[0], []).append(owned[1])
        if not self._leaving:
            self._distribute(batch.messages, common, private)
        elif any(isinstance(event, Left) for event in common):
            self._left()

    def _distribute_messages(self, batch: Batch) -> None:
        """Deliver a batch without events."""
        for line in self.lines:
            if line in self.lines and not self._leaving:
                line.take(batch)

    def _distribute(
        self,
        messages: Sequence[Delivery],
        common: list[LineEvent],
        private: dict[SharedLine, list[LineEvent]],
    ) -> None:
        for line in self.lines:
            own = private.get(line, [])
            if line in self.lines and (messages or common or own):
                line.hear(messages, (*own, *common))

    def _left(self) -> None:
        """Handle that the line was left: open it again if an object asked for it meanwhile."""
        self._owners = None
        if not self.lines:
            self._shared.forget(self)
            return
        self._leaving = self._evicted = False
        self._line = self._shared.transport.open(self.name, self._batch)
        queue, self._queue = self._queue, ()
        for line, own, payload in queue:
            if line in self.lines:
                self.send(line, own, payload)

    def _owned(self, event: LineEvent) -> tuple[SharedLine, LineEvent] | None:
        """Return the only object that an event concerns, with its own ticket in it; None for an event for
        all."""
        match event:
            case View():
                self._view = event
            case Evicted():
                self._view, self._evicted, self._slow = None, True, ""
            case Paused() | Demoted():
                self._slow = _WAITS if isinstance(event, Paused) else _BEHIND
            case Resumed():
                self._slow = ""
            case Sent(ticket=ticket) | Uncertain(ticket=ticket) | Withdrawn(ticket=ticket):
                return self._renamed(event, ticket)
            case Refused(ticket=ticket) if ticket:
                return self._renamed(event, ticket)
        return None

    def _renamed(self, event: LineEvent, ticket: int) -> tuple[SharedLine, LineEvent] | None:
        if self._owners is None or (owner := self._owners.pop(ticket, None)) is None:
            return None
        if not self._owners:
            self._owners = None
        line, own = owner
        match event:
            case Sent(number=number):
                return line, Sent(own, number)
            case Uncertain():
                return line, Uncertain(own)
            case Refused(code=code, reason=reason):
                return line, Refused(own, code, reason)
        return line, Withdrawn(own)


class SharedLines:
    """A transport on which several objects may share a group."""

    def __init__(self, transport: Transport, soon: Soon) -> None:
        self.transport = transport
        self.soon = soon
        self.counting = 0
        """Number of observers."""
        self._trunks: dict[str, _Trunk] = {}

    def count(self) -> Callable[[], None]:
        """Count traffic from now on. Call the result to stop."""
        self.counting += 1
        ended = False

        def uncount() -> None:
            nonlocal ended
            self.counting -= not ended
            ended = True

        return uncount

    def groups(self) -> tuple[GroupTraffic, ...]:
        """Return all groups of the process, by name."""
        return tuple(self._trunks[name].look() for name in sorted(self._trunks))

    def open(self, name: str, receiver: Receiver) -> SharedLine:
        """Join the group called `name`, unless this process is already in it."""
        trunk = self._trunks.get(name)
        fresh = trunk is None
        if trunk is None:
            trunk = self._trunks[name] = _Trunk(self, name)
        line = SharedLine(trunk, receiver)
        trunk.lines += (line,)
        if not fresh:
            self.soon(lambda: trunk.greet(line))
        return line

    def forget(self, trunk: _Trunk) -> None:
        """Forget a line that the last object left. Only the trunk calls this."""
        if self._trunks.get(trunk.name) is trunk:
            del self._trunks[trunk.name]
