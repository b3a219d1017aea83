"""A group on real sockets: what was delivered and told, until the application takes it."""

from __future__ import annotations

import time
from array import array
from typing import Protocol

from liven.multicast.group import Deliver, Delivery, GroupEvent, Payload, Sent, Stable, Tell
from liven.multicast.message_batch import Batch, TakeBatch

EVENTS_MOST = 16_384


class GroupOwner(Protocol):
    """What a group asks of its engine. Numbers are used again, so a group names itself."""

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
    """Who is handed messages and events, and how much of it the engine was not told of yet."""

    __slots__ = ("batch", "deliver", "messages", "size", "tell")

    def __init__(self, deliver: Deliver | None, tell: Tell | None, batch: TakeBatch | None = None) -> None:
        self.batch = batch
        self.deliver = deliver
        self.tell = tell
        self.messages = 0
        self.size = 0


class SocketGroup:
    """This engine's part in one group. Thousands of them are small: no dictionary, no room kept free, and no
    list before there is something to keep."""

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
        """The name by which the cluster knows the group."""
        return self._name

    def send(self, payload: Payload) -> int:
        """Sends to all members, this one included; returns the ticket that later events name.

        Raises BusyError, with nothing sent, while too much waits to leave."""
        return self._owner.send(self, payload)

    def send_many(self, block: bytes | bytearray | memoryview, lengths: array[int]) -> int:
        """Sends messages that lie side by side in one block, in their order and with nothing in between; one
        ticket names them all, and `Sent` is told of the last.

        Raises BusyError, with nothing sent, while too much waits to leave."""
        return self._owner.send_many(self, block, lengths)

    def receive(self, limit: int | None = None) -> list[Delivery]:
        """Takes what was delivered, oldest first, at most `limit`."""
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
        """Takes what was told beside messages, oldest first.

        Past a bound of events that nobody takes, no `Sent` is kept and the last `Stable` of each sender."""
        taken, self._events = self._events, None
        return taken or []

    def listen(self, deliver: Deliver | None, tell: Tell | None = None) -> None:
        """Has each message, and each event, handed to a function within the engine's `poll`, instead of being
        kept; what waits already is handed over at once. None: keep them, as at first."""
        self._listen(_Listener(deliver, tell) if deliver is not None or tell is not None else None)

    def listen_batches(self, batch: TakeBatch, tell: Tell | None = None) -> None:
        """As `listen`, but messages are handed over together, as they came, where they lie; see `Batch`."""
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
        """Hands over no further message, but still the events; called by the engine when it closes."""
        if self._listener is not None:
            self._listener.deliver = self._listener.batch = None

    def settle(self) -> None:
        """Tells the engine what was handed over since; called by it after each batch."""
        listener = self._listener
        if listener is not None and listener.messages:
            messages, size = listener.messages, listener.size
            listener.messages = listener.size = 0
            self._owner.consumed(self, messages, size)

    def leave(self) -> None:
        """Leaves; `Left` follows."""
        self._owner.leave(self)

    def resume(self) -> None:
        """After `Demoted`: has messages delivered again."""
        self._owner.resume(self)

    def deliver(self, delivery: Delivery) -> None:
        """Files a message; called by the engine alone."""
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
        """Hands messages over together; called by the engine alone. They count as taken when that is done."""
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
        """Files an event; called by the engine alone."""
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
    """Without what says only how far messages got, but for the last word on each sender."""
    last = {event.sender: event for event in events if isinstance(event, Stable)}
    rest = [event for event in events if not isinstance(event, Sent | Stable)]
    # The half is left free, so that this is not done again at each event.
    return [*rest[-EVENTS_MOST // 2 :], *list(last.values())[-EVENTS_MOST // 4 :]]
