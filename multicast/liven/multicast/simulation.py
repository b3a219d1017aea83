"""A cluster in virtual time: nodes, a network with faults, and the oracles that judge the protocol.

It runs the same object files as the engine, on a clock that jumps from event to event. The seed determines
everything. A `SimulatedNode` and a `SimulatedGroup` are a `Node` and a `Group`, so code written against those
can be tested here, with losses and crashes at chosen times.
"""

from __future__ import annotations

import struct
from array import array
from collections import deque
from collections.abc import Mapping
from dataclasses import replace

from liven.multicast.engine import Record, World, measure_names, oracle_texts
from liven.multicast.errors import MulticastError
from liven.multicast.group import (
    Deliver,
    Delivery,
    GroupEvent,
    GroupPolicy,
    Member,
    Payload,
    Refused,
    Sent,
    Tell,
    Uncertain,
    Withdrawn,
)
from liven.multicast.message_batch import Batch, TakeBatch, check_block
from liven.multicast.notice_decoder import event_of

_SECOND = 1_000_000_000
_DELIVERY, _WANT = 0, 100
_NOBODY = 0xFFFFFFFF
_MEMBER = struct.Struct("=QQQ")


def _members(payload: bytes) -> tuple[Member, ...]:
    return tuple(Member(*three) for three in _MEMBER.iter_unpack(payload))


class SimulatedGroup:
    """The membership of one simulated node in one group."""

    def __init__(self, node: SimulatedNode, name: str, number: int) -> None:
        self._node = node
        self._name = name
        self._number = number
        self._deliveries: deque[Delivery] = deque()
        self._events: deque[GroupEvent] = deque()
        self._deliver: Deliver | None = None
        self._tell: Tell | None = None

    @property
    def name(self) -> str:
        """The name of the group in the cluster."""
        return self._name

    def send(self, payload: Payload) -> int:
        """Send to all members. Return the ticket that later events carry."""
        return self._node.send(self._number, self._name, payload)

    def send_many(self, block: bytes | bytearray | memoryview, lengths: array[int]) -> int:
        """Send messages that are contiguous in one block; all share one ticket."""
        check_block(block, lengths)
        return self._node.send_many(self._number, self._name, bytes(block), lengths)

    def receive(self, limit: int | None = None) -> list[Delivery]:
        """Take up to `limit` deliveries, oldest first."""
        count = len(self._deliveries) if limit is None else min(limit, len(self._deliveries))
        taken = [self._deliveries.popleft() for _ in range(count)]
        self._node.consumed(self._number, len(taken), sum(len(each.payload) for each in taken))
        return taken

    def events(self) -> list[GroupEvent]:
        """Take the events, oldest first."""
        taken = list(self._events)
        self._events.clear()
        return taken

    def leave(self) -> None:
        """Leave the group; `Left` follows."""
        self._node.leave(self._number)

    def listen(self, deliver: Deliver | None, tell: Tell | None = None) -> None:
        """Pass each message and event to a function within `Simulation.run`, instead of keeping it; those
        that wait already are passed at once. None: keep them, as at first."""
        self._deliver, self._tell = deliver, tell
        for event in self.events():
            self._put_event(event)
        deliveries, self._deliveries = self._deliveries, deque()
        for delivery in deliveries:
            self._put_delivery(delivery)

    def listen_batches(self, batch: TakeBatch, tell: Tell | None = None) -> None:
        """Like `listen`, but messages are passed in batches; here each batch has one message."""

        def hand(delivery: Delivery) -> None:
            made = Batch.of([delivery])
            try:
                batch(made)
            finally:
                made.end()

        self.listen(hand, tell)

    def withdraw(self, ticket: int) -> None:
        """Report that a payload was not available any more; called only by the node."""
        self._put_event(Withdrawn(ticket))

    def put(self, record: Record) -> None:
        """Handle a record; called only by the simulation."""
        if record.kind == _DELIVERY:
            at = record.at / _SECOND
            self._put_delivery(Delivery(record.sender, record.number, record.payload, at))
        elif (event := event_of(record.kind, record, _members)) is not None:
            self._put_event(self._node.named(event))

    def _put_delivery(self, delivery: Delivery) -> None:
        if self._deliver is None:
            self._deliveries.append(delivery)
            return
        try:
            self._deliver(delivery)
        except Exception as error:
            self._node.failed(error)
        self._node.consumed(self._number, 1, len(delivery.payload))

    def _put_event(self, event: GroupEvent | None) -> None:
        if event is None:
            return
        if self._tell is None:
            self._events.append(event)
            return
        try:
            self._tell(event)
        except Exception as error:
            self._node.failed(error)


class SimulatedNode:
    """A node of a simulated cluster, with a member of the real core."""

    def __init__(self, simulation: Simulation, number: int) -> None:
        self._simulation = simulation
        self._world = simulation.world
        self.number = number
        self._groups: dict[int, SimulatedGroup] = {}
        self._makers: dict[int, Payload] = {}
        self._tickets = 0
        self._last_of: dict[int, int] = {}
        """For the ticket of each but the last of messages sent together: the ticket that they share."""

    @property
    def short_name(self) -> int:
        """The name given by the membership service; 0 before."""
        return self._world.call("short_name", self.number)

    def join(self, name: str, policy: GroupPolicy | None = None) -> SimulatedGroup:
        """Join the group called `name`; `Joined` follows."""
        number = self._simulation.group_number(name)
        chosen = policy or GroupPolicy()
        numbers = (int(chosen.slow), chosen.queue_messages, chosen.queue_bytes, chosen.tell_stable)
        if not self._world.join(self.number, number, numbers):
            raise MulticastError(-7, f"node {self.number} is in group {name!r} already, or is not running")
        group = SimulatedGroup(self, name, number)
        self._groups[number] = group
        return group

    def stats(self) -> dict[str, int]:
        """Return all measurements of the member, by name; empty if it is not running."""
        values = ((name, self._world.measure(self.number, name)) for name in measure_names())
        return {name: value for name, value in values if value is not None}

    def crash(self) -> None:
        """End the process, as a power failure does."""
        self._world.call("crash", self.number)
        self._groups.clear()
        self._makers.clear()

    def restart(self) -> None:
        """Start the process again; it knows nothing of its former incarnation."""
        if not self._world.call("restart", self.number):
            raise MulticastError(-2, f"node {self.number} runs already")

    def stop(self) -> None:
        """Leave everything in good order, and end."""
        self._world.call("stop", self.number)

    def freeze(self, seconds: float) -> None:
        """Give it no CPU for a time; its sockets fill."""
        self._world.call("freeze", self.number, self._world.now() + round(seconds * _SECOND))

    def isolate(self, cut: bool = True) -> None:
        """Cut it off from all others, including the membership service, or connect it again."""
        self._world.call("doubt", self.number)
        self._world.call("isolate", self.number, cut)

    def lose(self, count: int, socket: int = 2, sender: SimulatedNode | None = None) -> None:
        """Lose the next `count` datagrams on their way here: socket 0 control, 1 repair, 2 data."""
        source = _NOBODY if sender is None else sender.number
        if not self._world.call("lose", source, self.number, socket, count):
            raise MulticastError(-3, "too many losses are planned; run the simulation first")

    @property
    def alive(self) -> bool:
        """True while the process runs."""
        return bool(self._world.call("alive", self.number))

    def send(self, group: int, name: str, payload: Payload) -> int:
        """Send a message; called by a group."""
        self._tickets += 1
        ticket = self._tickets
        data = payload if isinstance(payload, bytes) else None
        if data is None:
            self._makers[ticket] = payload
        if not self._world.send(self.number, group, data, ticket):
            self._makers.pop(ticket, None)
            raise MulticastError(-6, f"node {self.number} is not in group {name!r}; join it first")
        return ticket

    def send_many(self, group: int, name: str, block: bytes, lengths: array[int]) -> int:
        """Send messages one after the other; called by a group."""
        at, ticket = 0, 0
        last = self._tickets + len(lengths)
        for length in lengths:
            ticket = self.send(group, name, block[at : at + length])
            at += length
            if ticket != last:
                self._last_of[ticket] = last
        return ticket

    def named(self, event: GroupEvent) -> GroupEvent | None:
        """Return the event with the ticket that the application knows; None for an event that it does not
        get."""
        if isinstance(event, Sent) and self._last_of.pop(event.ticket, None) is not None:
            return None
        if isinstance(event, Refused | Uncertain) and event.ticket in self._last_of:
            return replace(event, ticket=self._last_of.pop(event.ticket))
        return event

    def consumed(self, group: int, messages: int, size: int) -> None:
        """Report to the core that messages were taken; called by a group."""
        if messages and self.alive:
            self._world.call("consumed", self.number, group, messages, size)

    def failed(self, error: Exception) -> None:
        """Keep the exception of a listener until everything else was passed; called by a group."""
        self._simulation.failed(error)

    def leave(self, group: int) -> None:
        """Leave a group; called by the group."""
        if not self._world.call("leave", self.number, group):
            raise MulticastError(-6, f"node {self.number} is not in that group")

    def _supply(self, record: Record) -> None:
        maker = self._makers.pop(record.cookie, None)
        payload = maker(record.amount) if callable(maker) else None
        self._world.supply(self.number, record.group, record.cookie, payload)
        group = self._groups.get(record.group)
        if payload is None and group is not None:
            group.withdraw(record.cookie)

    def collect(self) -> None:
        """Handle the waiting records; called only by the simulation."""
        while (record := self._world.take(self.number)) is not None:
            if record.kind == _WANT:
                self._supply(record)
                continue
            # Events of the whole node are reported in each of its groups.
            known = self._groups.get(record.group)
            groups = list(self._groups.values()) if record.group == _NOBODY else [known] if known else []
            for group in groups:
                group.put(record)
            if record.kind == 2:
                self._groups.pop(record.group, None)


class Simulation:
    """A virtual network with a membership service; nodes are added to it."""

    def __init__(
        self, seed: int = 0, *, paper: bool = False, settings: Mapping[str, int] | None = None
    ) -> None:
        self.world = World(seed, settings or {}, paper)
        self._nodes: list[SimulatedNode] = []
        self._numbers: dict[str, int] = {}
        self._errors: list[Exception] = []

    @property
    def now(self) -> float:
        """The virtual time in seconds."""
        return self.world.now() / _SECOND

    def node(self) -> SimulatedNode:
        """Add a node and start it."""
        made = SimulatedNode(self, self.world.add(True))
        self._nodes.append(made)
        return made

    def nodes(self, count: int) -> list[SimulatedNode]:
        """Add `count` nodes."""
        return [self.node() for _ in range(count)]

    def run(self, seconds: float) -> None:
        """Run for `seconds` of virtual time. Raise the exceptions of listeners after everything else was
        passed."""
        end = self.world.now() + round(seconds * _SECOND)
        while True:
            self.world.run(end)
            for node in self._nodes:
                node.collect()
            if self.world.now() >= end:
                break
        if self._errors:
            errors, self._errors = self._errors, []
            raise errors[0] if len(errors) == 1 else ExceptionGroup("several functions failed", errors)

    def failed(self, error: Exception) -> None:
        """Keep the exception of a listener; called by a node."""
        self._errors.append(error)

    def group_number(self, name: str) -> int:
        """Return the number that the simulator gave the group called `name`."""
        return self._numbers.setdefault(name, len(self._numbers))

    def crash_service(self) -> None:
        """End the membership service."""
        self.world.call("crash_service")

    def restart_service(self) -> None:
        """Start a new membership service, which knows only what members report."""
        if not self.world.call("restart_service"):
            raise MulticastError(-2, "the membership service runs already")

    @property
    def trace(self) -> int:
        """A hash of all messages sent and their times; equal seeds and scripts give equal traces."""
        return self.world.call("trace")

    def breaches(self) -> list[str]:
        """Return the breaches that the oracles found so far."""
        return self.world.breaches()

    def verdict(self) -> dict[str, tuple[int, int]]:
        """Return, for each oracle, how often it was applied and how often it was broken."""
        return {
            word: (self.world.call("applied", index), self.world.call("broken", index))
            for index, word in enumerate(oracle_texts())
        }
