"""The transport within one process, without a network: for tests and where there is no one else.

A hub stands for the groups of several members, each with its own transport. All messages of a group have one
order, arrive soon, and are stable on arrival.
"""

from __future__ import annotations

from collections import deque
from itertools import count
from typing import Final

from liven.liveobjects.channel.line.transport import (
    LINE_BUDGET,
    MESSAGE_MOST,
    Batch,
    HasRoom,
    LineBusyError,
    LineClosedError,
    LineEvent,
    Receiver,
)
from liven.multicast.errors import MulticastError
from liven.multicast.group import Delivery, Joined, Left, Member, Sent, Stable, View
from liven.runtime.dispatcher.dispatcher import Dispatcher

_TOO_LONG: Final = -8


class LocalLine:
    """One member's line in one group of a hub."""

    def __init__(self, group: _Group, member: Member, receiver: Receiver) -> None:
        self._group: _Group | None = group
        self._receiver = receiver
        self._messages: deque[Delivery] = deque()
        self._events: deque[LineEvent] = deque()
        self._sent = 0
        self._unread = 0
        self._refused = False
        self.member = member
        self.name = group.name
        self.me = 0

    @property
    def room(self) -> int:
        """Bytes that can be sent now before the line is busy."""
        return max(0, LINE_BUDGET - self._unread)

    def send(self, payload: bytes) -> int:
        """Send to all members, including this one."""
        if self._group is None:
            raise LineClosedError(f"the line in group {self.name!r} was left; open it again")
        if len(payload) > MESSAGE_MOST:
            raise MulticastError(
                _TOO_LONG, f"a message has {len(payload) / 1e6:.1f} MB; the limit is 67.1 MB"
            )
        if self._unread and self._unread + len(payload) > LINE_BUDGET:
            self._refused = True
            raise LineBusyError(f"{self._unread} bytes wait on the line in group {self.name!r}")
        self._sent += 1
        self._unread += len(payload)
        self._events.append(Sent(self._sent, self._sent))
        self._group.spread(self.member, self._sent, payload)
        return self._sent

    def rejoin(self) -> None:
        """Do nothing: a hub evicts nobody."""

    def resume(self) -> None:
        """Do nothing: a hub demotes nobody."""

    def leave(self) -> None:
        """Leave the group; `Left` follows."""
        if self._group is not None:
            group, self._group = self._group, None
            group.remove(self)

    def put(self, message: Delivery) -> None:
        """Accept a message. Only the hub calls this."""
        self._messages.append(message)
        self._events.append(Stable(message.sender, message.number))

    def tell(self, event: LineEvent) -> None:
        """Accept an event. Only the hub calls this."""
        self._events.append(event)

    def pump(self) -> None:
        """Pass what arrived to the receiver. Only the hub calls this."""
        if not self._messages and not self._events:
            return
        batch = Batch(tuple(self._messages), tuple(self._events))
        self._messages.clear()
        self._events.clear()
        self._unread -= sum(len(one.payload) for one in batch.messages if one.sender == self.member.node)
        if self._refused and self._group is not None:
            self._refused = False
            batch = Batch(batch.messages, (*batch.events, HasRoom()))
        for event in batch.events:
            if isinstance(event, View):
                self.me = self.member.node
        self._receiver(batch)


class _Group:
    """The lines of one group."""

    def __init__(self, hub: LocalHub, name: str) -> None:
        self._hub = hub
        self.name = name
        self.lines: list[LocalLine] = []
        self._views = count(1)

    def add(self, line: LocalLine) -> None:
        self.lines.append(line)
        line.tell(Joined())
        self._changed()

    def remove(self, line: LocalLine) -> None:
        self.lines.remove(line)
        line.tell(Left())
        self._hub.wake(line)
        if self.lines:
            self._changed()
        else:
            self._hub.forget(self.name)

    def spread(self, sender: Member, number: int, payload: bytes) -> None:
        message = Delivery(sender.node, number, payload, self._hub.now())
        for line in self.lines:
            line.put(message)
            self._hub.wake(line)

    def _changed(self) -> None:
        view = View(next(self._views), tuple(line.member for line in self.lines))
        for line in self.lines:
            line.tell(view)
            self._hub.wake(line)


class LocalHub:
    """The groups of one process."""

    def __init__(self, dispatcher: Dispatcher) -> None:
        self._dispatcher = dispatcher
        self._groups: dict[str, _Group] = {}
        self._names = count(1)
        self._identities = count(1)
        self._awake: dict[LocalLine, None] = {}
        self._called = False

    def member(self) -> LocalTransport:
        """Return a transport for one more member."""
        return LocalTransport(self, next(self._identities))

    def now(self) -> float:
        """Return the dispatcher's time."""
        return self._dispatcher.now()

    def open(self, name: str, identity: int, receiver: Receiver) -> LocalLine:
        """Open a line for the member with this identity. Only its transport calls this."""
        group = self._groups.setdefault(name, _Group(self, name))
        if any(line.member.identity == identity for line in group.lines):
            raise MulticastError(-7, f"this member is already in group {name!r}")
        line = LocalLine(group, Member(next(self._names), identity, 1), receiver)
        group.add(line)
        return line

    def forget(self, name: str) -> None:
        """Forget a group that all have left. Only the group calls this."""
        del self._groups[name]

    def wake(self, line: LocalLine) -> None:
        """Schedule a line's delivery. Only groups call this."""
        self._awake[line] = None
        if not self._called:
            self._called = True
            self._dispatcher.call_soon(self._pump)

    def _pump(self) -> None:
        self._called = False
        awake, self._awake = self._awake, {}
        for line in awake:
            line.pump()


class LocalTransport:
    """One member's transport over a hub."""

    def __init__(self, hub: LocalHub, identity: int) -> None:
        self._hub = hub
        self._identity = identity

    def open(self, name: str, receiver: Receiver) -> LocalLine:
        """Join the group called `name`."""
        return self._hub.open(name, self._identity, receiver)
