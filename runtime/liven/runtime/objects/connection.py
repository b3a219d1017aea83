"""Connections: two matching endpoints joined on one node."""

from __future__ import annotations

from collections.abc import Callable
from sys import intern
from typing import TYPE_CHECKING, TypeAlias

from liven.runtime.errors import AlreadyConnectedError, MismatchError, SelfConnectionError
from liven.runtime.objects.calls import REPLY, serving
from liven.runtime.objects.endpoint import CONNECT, DISCONNECT, Endpoint, ExternalEndpoint
from liven.runtime.objects.event_queue import Delivery, Handler

if TYPE_CHECKING:
    from liven.runtime.objects.node import Node

Tap: TypeAlias = Callable[[Endpoint, str, tuple[object, ...]], None]
"""Called for each event on a connection just before it is handled: with the party that handles it, the
event's name, and its values as the sender declares them."""


class Connection:
    """A pair of joined endpoints. Holding it keeps no proxy alive; disposing of it disconnects the two."""

    __slots__ = ("_ends", "_listeners", "_node", "_taps", "open")

    def __init__(self, node: Node, one: Endpoint, other: Endpoint) -> None:
        self._node = node
        self._ends: tuple[Endpoint, Endpoint] | None = (one, other)
        self._listeners: tuple[Callable[[], object], ...] = ()
        self._taps: tuple[Tap, ...] = ()
        self.open = True

    @property
    def ends(self) -> tuple[ExternalEndpoint, ...]:
        """The two endpoints; empty once the connection is disposed of."""
        return tuple(end.external() for end in self._ends or ())

    def opposite(self, end: Endpoint) -> Endpoint:
        """Return the other endpoint of an open connection."""
        assert self._ends is not None
        one, other = self._ends
        return other if end is one else one

    def on_disconnect(self, callback: Callable[[], object]) -> None:
        """Call `callback` once when the two are disconnected; at once if they already are."""
        if self.open:
            self._listeners += (callback,)
        else:
            callback()

    def watch(self, tap: Tap) -> None:
        """Show `tap` every event from now on, including `disconnect` and a `connect` still to come."""
        self._taps += (tap,)
        for end in self._ends or ():
            end.rejoin()

    def unwatch(self, tap: Tap) -> None:
        """Stop showing events to `tap`; ignored if it sees none."""
        if tap in self._taps:
            self._taps = tuple(one for one in self._taps if one != tap)
            for end in self._ends or ():
                end.rejoin()

    def delivery(self, sender: Endpoint, event: str) -> Delivery:
        """Return the path of `event` from that end: through any
        conversion to the handler at the other end."""
        receiver = self.opposite(sender)
        handler = self._crossed(sender, receiver, event)
        layers = 0
        if receiver.serves(event):
            handler, layers = serving(receiver, event, handler), 1
        if self._taps:
            handler = self._tapped(receiver, event, handler)
            layers += 1
        declared = sender.sends is not None  # its values were already checked when they were sent
        name = intern(f"{receiver.name}.{event}")  # the same for all objects of one class
        return Delivery(receiver.proxy, handler, name, sender.proxy, self, None if declared else layers)

    def _crossed(self, sender: Endpoint, receiver: Endpoint, event: str) -> Handler:
        """Return the receiver's handler, taking values as the sender declares them."""
        bridges = self._node.bridges
        if event.endswith(REPLY):
            return bridges.answer(receiver.sends, sender.receives, event, receiver.handler(event))
        if sender.sends == receiver.receives:
            return receiver.handler(event)
        if event + REPLY in dict(receiver.type.outputs) and not receiver.answering:
            return self._forwarded(sender, receiver, event)
        return bridges.cross(sender.sends, receiver.receives, event, receiver.handler)

    def _forwarded(self, sender: Endpoint, receiver: Endpoint, event: str) -> Handler:
        """Return a handler for a stub: the call's number passes along with the converted values."""
        target = receiver.handler(event)
        number = [0]
        crossing = self._node.bridges.cross(
            sender.sends, receiver.receives, event, lambda _: lambda record: target(number[0], record)
        )

        def forward(call: int, *args: object) -> object:
            number[0] = call
            return crossing(*args)

        return forward

    def dispose(self) -> None:
        """Disconnect the two.

        Events sent before are still handled; then each side handles the disconnect.
        """
        queue = self._node.queue
        queue.check_thread("a connection")
        if not self.open:
            return
        self.open = False
        ends, self._ends = self._ends, None
        for end in ends or ():
            end.parted()
        for end in ends or ():
            queue.announce(self._announcement(end, DISCONNECT), end, DISCONNECT)
        listeners, self._listeners = self._listeners, ()
        for callback in listeners:
            queue.announce(Delivery(self._node.root, callback, "on_disconnect"))
        queue.flush()

    def announce(self) -> None:
        """Run the `connect` handlers of both ends."""
        for end in self._ends or ():
            self._node.queue.announce(self._announcement(end, CONNECT), end, CONNECT)
        self._node.queue.flush()

    def _announcement(self, end: Endpoint, event: str) -> Delivery:
        return Delivery(end.proxy, self._tell, f"{end.name}.{event}")

    def _tell(self, end: Endpoint, event: str) -> None:
        for tap in self._taps:
            tap(end, event, ())
        end.tell(event)

    def _tapped(self, receiver: Endpoint, event: str, handler: Handler) -> Handler:
        taps = self._taps

        def watched(*args: object) -> object:
            for tap in taps:
                tap(receiver, event, args)
            return handler(*args)

        return watched


def connect(node: Node, one: ExternalEndpoint, other: ExternalEndpoint) -> Connection:
    """Join two endpoints of one node after checking that they match, and run the `connect` handlers of both.

    Raise AlreadyConnectedError, SelfConnectionError, EndedError, or MismatchError with the whole explanation.
    """
    node.queue.check_thread(f"connecting {one}")
    left, right = one.internal(), other.internal()
    if left is right:
        raise SelfConnectionError(str(left))
    for end in (left, right):
        if end.connection is not None:
            raise AlreadyConnectedError(str(end), str(end.connection.opposite(end)))
    fits = node.matches(left.type, right.type)
    if not fits:
        raise MismatchError(f"{left} cannot be connected to {right}:", fits)
    connection = Connection(node, left, right)
    left.joined(connection)
    right.joined(connection)
    if node.monitors is not None:
        node.monitors.watch(connection)
    connection.announce()
    return connection
