"""A group on real sockets: keeps deliveries and events until the application takes them."""

from __future__ import annotations

import time
from array import array
from typing import Protocol

from liven.multicast.group import Deliver, Delivery, GroupEvent, Payload, Sent, Stable, Tell
from liven.multicast.message_batch import Batch, TakeBatch

EVENTS_MOST = 16_384


class GroupOwner(Protocol):
    """The engine as a group sees it. Group numbers are reused, so a group passes itself."""

    def send(self, group: SocketGroup, payload: Payload) -> int: ...

    def send_many(
        self, group: SocketGroup, block: bytes | bytearray | memoryview, lengths: array[int]
    ) -> int: ...

    def batches(self, group: SocketGroup, wanted: bool) -> None: ...

    def consumed(self, group: SocketGroup, messages: int, size: int) -> None: ...

    def leave(self, group: SocketGroup) -> None: ...

    def resume(self, group: SocketGroup) -> None: ...

    def handed(self, group: SocketGroup) -> None: ...

    def failed(self, error: Exception) -> None: ...


class _Listener:
    """The functions that receive messages and events, and the count of messages not yet reported to the
    engine."""

    __slots__ = ("batch", "deliver", "messages", "size", "tell")

    def __init__(self, deliver: Deliver | None, tell: Tell | None, batch: TakeBatch | None = None) -> None:
        self.batch = batch
        self.deliver = deliver
        self.tell = tell
        self.messages = 0
        self.size = 0


class SocketGroup:
    """The membership of this engine in one group. Thousands of groups stay small: slots instead of a
    dictionary, and no list before there is something to keep."""

    __slots__ = ("_deliveries", "_events", "_listener", "_name", "_owner", "number")

    def __init__(self, owner: GroupOwner, name: str, number: int) -> None:
        self._owner = owner
        self._name = name
        self.number = number
        self._deliveries: list[Delivery] | None = None
        self._events: list[GroupEvent] | None = None
        self._listener: _Listener | None = None

    @property
    def name(self) -> str:
        """The name of the group in the cluster."""
        return self._name

    def send(self, payload: Payload) -> int:
        """Send to all members, this one included. Return the ticket that later events carry.

        Raise BusyError, with nothing sent, while too much waits to be sent."""
        return self._owner.send(self, payload)

    def send_many(self, block: bytes | bytearray | memoryview, lengths: array[int]) -> int:
        """Send messages that are contiguous in one block, in order and with nothing in between; all share one
        ticket, and `Sent` reports the last.

        Raise BusyError, with nothing sent, while too much waits to be sent."""
        return self._owner.send_many(self, block, lengths)

    def receive(self, limit: int | None = None) -> list[Delivery]:
        """Take up to `limit` deliveries, oldest first."""
        waiting = self._deliveries
        if waiting is None:
            return []
        if limit is None or limit >= len(waiting):
            taken, self._deliveries = waiting, None
        else:
            taken = waiting[:limit]
            del waiting[:limit]
        if taken:
            self._owner.consumed(self, len(taken), sum(len(each.payload) for each in taken))
        return taken

    def events(self) -> list[GroupEvent]:
        """Take the events, oldest first.

        Beyond a limit of untaken events, only the last `Stable` of each sender and no `Sent` is kept."""
        taken, self._events = self._events, None
        return taken or []

    def listen(self, deliver: Deliver | None, tell: Tell | None = None) -> None:
        """Pass each message and event to a function within `Engine.poll`, instead of keeping it; those that
        wait already are passed at once. None: keep them, as at first."""
        self._listen(_Listener(deliver, tell) if deliver is not None or tell is not None else None)

    def listen_batches(self, batch: TakeBatch, tell: Tell | None = None) -> None:
        """Like `listen`, but messages are passed together, as they came, without copying; see `Batch`."""
        self._listen(_Listener(None, tell, batch))

    def _listen(self, listener: _Listener | None) -> None:
        self.settle()
        self._listener = listener
        self._owner.batches(self, listener is not None and listener.batch is not None)
        deliveries, events = self._deliveries or (), self._events or ()
        self._deliveries = self._events = None
        for event in events:
            self.tell(event)
        if listener is not None and listener.batch is not None and deliveries:
            self.hand(Batch.of(deliveries))
        else:
            for delivery in deliveries:
                self.deliver(delivery)
        self.settle()

    def hush(self) -> None:
        """Pass no further messages, but still events; called by the engine when it closes."""
        if self._listener is not None:
            self._listener.deliver = self._listener.batch = None

    def settle(self) -> None:
        """Report passed messages to the engine; called by it after each batch."""
        listener = self._listener
        if listener is not None and listener.messages:
            messages, size = listener.messages, listener.size
            listener.messages = listener.size = 0
            self._owner.consumed(self, messages, size)

    def leave(self) -> None:
        """Leave the group; `Left` follows."""
        self._owner.leave(self)

    def resume(self) -> None:
        """Resume the deliveries after `Demoted`."""
        self._owner.resume(self)

    def deliver(self, delivery: Delivery) -> None:
        """Handle a message; called only by the engine."""
        listener = self._listener
        if listener is None or listener.deliver is None:
            if self._deliveries is None:
                self._deliveries = [delivery]
            else:
                self._deliveries.append(delivery)
            return
        if not listener.messages:
            self._owner.handed(self)
        listener.messages += 1
        listener.size += len(delivery.payload)
        try:
            listener.deliver(delivery)
        except Exception as error:
            self._owner.failed(error)

    def hand(self, batch: Batch) -> None:
        """Pass messages together; called only by the engine. They count as taken afterwards."""
        listener = self._listener
        if listener is None or listener.batch is None:
            now = time.monotonic()
            for sender, number, payload in zip(batch.senders, batch.numbers, batch.payloads(), strict=True):
                self.deliver(Delivery(sender, number, payload, now))
            return
        count, size = len(batch), batch.size
        try:
            listener.batch(batch)
        except Exception as error:
            self._owner.failed(error)
        self._owner.consumed(self, count, size)

    def tell(self, event: GroupEvent) -> None:
        """Handle an event; called only by the engine."""
        listener = self._listener
        if listener is not None and listener.tell is not None:
            try:
                listener.tell(event)
            except Exception as error:
                self._owner.failed(error)
            return
        if self._events is None:
            self._events = [event]
            return
        if len(self._events) >= EVENTS_MOST:
            self._events = _compacted(self._events)
        self._events.append(event)


def _compacted(events: list[GroupEvent]) -> list[GroupEvent]:
    """Return the events without reports of progress, except the last one for each sender."""
    last = {event.sender: event for event in events if isinstance(event, Stable)}
    rest = [event for event in events if not isinstance(event, Sent | Stable)]
    # Leave half of the room free, so that this is not repeated at each event.
    return [*rest[-EVENTS_MOST // 2 :], *list(last.values())[-EVENTS_MOST // 4 :]]
