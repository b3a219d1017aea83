"""Endpoints: the only way in which a proxy communicates with its neighbours.

The `Endpoint` itself is the *internal* reference: only its own proxy sends and handles through it. Others get
an `ExternalEndpoint`, which can be inspected and connected and keeps nothing alive.
"""

from __future__ import annotations

from collections.abc import Mapping
from threading import get_ident
from typing import TYPE_CHECKING, Any, Protocol

from liven.runtime.errors import (
    CallFailedError,
    EndedError,
    NotConnectedError,
    UnknownNameError,
    WrongThreadError,
)
from liven.runtime.objects.calls import REPLY, OpenCalls
from liven.runtime.objects.event_queue import Delivery, Handler
from liven.runtime.objects.reply import Reply
from liven.types.terms.endpoint_types import EndpointType

if TYPE_CHECKING:
    from liven.runtime.objects.connection import Connection
    from liven.runtime.objects.proxy import Proxy

CONNECT = "connect"
DISCONNECT = "disconnect"


class Served(Protocol):
    """Finds a handler in the code of an endpoint's owner when it is first needed: most objects never
    receive most of the events that their class can handle."""

    def handler(self, endpoint: Endpoint, event: str) -> Handler | None: ...


class Emitter:
    """Sends one kind of event. It stays the same over all connections of its endpoint."""

    __slots__ = ("_endpoint", "_turn", "arity", "delivery", "event")

    def __init__(self, endpoint: Endpoint, event: str, arity: int | None = None) -> None:
        self._endpoint = endpoint
        self._turn = endpoint.proxy.node.queue
        self.arity = arity
        self.event = event
        self.delivery: Delivery | None = None

    def __call__(self, *args: object, **named: object) -> None:
        if named or len(args) != self.arity:
            args = self._endpoint.bound(self.event, args, named)
        delivery = self.delivery
        queue = self._turn
        if get_ident() != queue.thread:
            raise WrongThreadError(f"{self._endpoint}.{self.event}")
        if delivery is None:
            self._endpoint.unsent(self.event)
        elif queue.busy:
            queue.put(delivery, args)
        else:
            queue.begin(delivery, args)


class Endpoint:
    """A named two-way channel of events on one proxy, as that proxy sees it."""

    __slots__ = (
        "_calls",
        "_emitters",
        "answering",
        "connection",
        "handlers",
        "name",
        "payload",
        "proxy",
        "receives",
        "sends",
        "served",
        "told",
        "type",
    )

    def __init__(
        self, proxy: Proxy, name: str, kind: EndpointType, receives: object = None, sends: object = None
    ) -> None:
        self.proxy = proxy
        self.name = name
        self.type = kind
        self.receives = receives
        """The declaration of its incoming events; None for the neutral form."""
        self.sends = sends
        """The declaration its outgoing events are written in. Where it equals what the other side
        receives, events pass as they are; else through a wrapper."""
        self.handlers: dict[str, Handler] | None = None
        """The handlers registered for incoming events, `connect` and `disconnect`."""
        self.served: Served | None = None
        """Finds the handlers of all other events."""
        self.answering = True
        """True if the value that an operation's handler returns is sent as its answer. False in the stub of
        an endpoint in another process, which passes calls and answers on unchanged."""
        self.payload: object = None
        """The payload that a UI endpoint hands to its opposite: opaque to the runtime."""
        self.connection: Connection | None = None
        self.told = False
        """True after the owner's `connect` handler and before its `disconnect` handler."""
        self._emitters: tuple[Emitter, ...] = ()
        self._calls: OpenCalls | None = None

    def __str__(self) -> str:
        return "/".join((*self.proxy.path, self.name))

    @property
    def connected(self) -> bool:
        """True while events can be sent."""
        return self.connection is not None

    @property
    def peer_payload(self) -> object:
        """The object that the other side of a UI endpoint shows; None while disconnected."""
        return self.connection.opposite(self).payload if self.connection is not None else None

    def handle(self, handlers: Mapping[str, Handler]) -> None:
        """Register handlers by the names of incoming events, `connect` and `disconnect`."""
        known = (*(name for name, _ in self.type.inputs), CONNECT, DISCONNECT)
        if self.handlers is None:
            self.handlers = {}
        for event, handler in handlers.items():
            if event not in known:
                raise UnknownNameError(f"{self} as an incoming event", event, known)
            self.handlers[event] = handler
        if self.connection is not None:
            self.connection.opposite(self).rejoin()

    def emitter(self, event: str) -> Emitter:
        """Return the function that sends `event`; always the same one."""
        emitter = next((each for each in self._emitters if each.event == event), None)
        if emitter is None:
            emitter = self._made(event)
            self._emitters += (emitter,)
        return emitter

    def _made(self, event: str) -> Emitter:
        names = tuple(name for name, _ in self.type.outputs)
        if event not in names:
            raise UnknownNameError(f"{self} as an outgoing event", event, names)
        arity = self.proxy.node.bridges.arity(self.sends, event)
        if arity is not None and event + REPLY in dict(self.type.inputs):
            arity += 1  # the number of the call, which `call` puts before the values
        emitter = Emitter(self, event, arity)
        if self.connection is not None:
            emitter.delivery = self.connection.delivery(self, event)
        return emitter

    def send(self, event: str, *args: object) -> None:
        """Send `event` to the other side; raise NotConnectedError if there is none."""
        self.emitter(event)(*args)

    def send_once(self, event: str, *args: object) -> None:
        """Send `event` like `send`, without keeping anything for the next time."""
        self._made(event)(*args)

    def bound(self, event: str, args: tuple[object, ...], named: Mapping[str, object]) -> tuple[object, ...]:
        """Return the values of an event in the order of its declaration, with defaults filled in.

        Raise TypeError at the sender, where the mistake is, if they do not fit.
        """
        return self.proxy.node.bridges.bound(self.sends, event, args, named)

    def serves(self, event: str) -> bool:
        """Return True if `event` is an operation and this side's handler returns its answer."""
        return self.answering and event + REPLY in dict(self.type.outputs)

    def call(self, event: str, *args: object, **named: object) -> Reply[Any]:
        """Send the call `event`; the answer or a disconnect settles the reply."""
        emitter = self.emitter(event)
        if self._calls is None:
            self._calls = OpenCalls()
        if named or len(args) + 1 != emitter.arity:
            args = self.bound(event, args, named)
        number, reply = self._calls.open()
        if self.connection is None and self.told:
            reply.fail(CallFailedError(f"{self} was disconnected before {event} was sent"))
            return reply
        emitter(number, *args)
        return reply

    def answer(self, event: str, call: int, value: object, error: str | None) -> None:
        """Send the answer to a call, unless the caller has left."""
        if self.connection is not None:
            self.emitter(event + REPLY)(call, value, error)

    def handler(self, event: str) -> Handler:
        """Return the handler of an incoming event; one that does nothing if the owner's code has none."""
        handler = self._registered(event)
        if handler is None:
            return self._answered if event.endswith(REPLY) else _ignore
        return handler

    def _registered(self, event: str) -> Handler | None:
        handler = None if self.handlers is None else self.handlers.get(event)
        if handler is None and self.served is not None:
            return self.served.handler(self, event)
        return handler

    def _answered(self, call: int, value: object, error: str | None = None) -> None:
        if self._calls is not None:
            self._calls.answered(call, value, error)

    def unsent(self, event: str) -> None:
        """Raise NotConnectedError for an event with no receiver,
        unless the owner cannot yet know that the other side left."""
        if not self.told:
            raise NotConnectedError(str(self), event)

    def joined(self, connection: Connection) -> None:
        """Send events over `connection` from now on."""
        self.connection = connection
        for emitter in self._emitters:
            emitter.delivery = connection.delivery(self, emitter.event)

    def parted(self) -> None:
        """Send events nowhere from now on."""
        self.connection = None
        for emitter in self._emitters:
            emitter.delivery = None

    def rejoin(self) -> None:
        """Ask the connection again where events go, because a tap was added or removed."""
        if self.connection is not None:
            self.joined(self.connection)

    def tell(self, event: str) -> None:
        """Run the owner's handler for connect or disconnect."""
        self.told = event == CONNECT
        if event == DISCONNECT and self._calls is not None:
            self._calls.fail_all(f"{self} was disconnected before the answer came")
        handler = self._registered(event)
        if handler is not None:
            handler()

    def external(self) -> ExternalEndpoint:
        """Return the reference that may be given to others."""
        return ExternalEndpoint(self)

    def clear(self) -> None:
        """Release the owner's code, so that no reference cycle remains."""
        self.handlers = self.served = None
        self._emitters = ()
        if self._calls is not None:
            self._calls.fail_all(f"{self} has ended")
            self._calls = None
        self.payload = None
        self.told = False


class ExternalEndpoint:
    """An endpoint of some proxy as seen from outside: it has a type and can be connected."""

    __slots__ = ("_endpoint",)

    def __init__(self, endpoint: Endpoint) -> None:
        self._endpoint = endpoint

    @property
    def name(self) -> str:
        return self._endpoint.name

    @property
    def type(self) -> EndpointType:
        return self._endpoint.type

    @property
    def connected(self) -> bool:
        """True while it is joined to another endpoint."""
        return self._endpoint.connected

    @property
    def ended(self) -> bool:
        """True once its proxy has ended."""
        return self._endpoint.proxy.ended

    def internal(self) -> Endpoint:
        """Return the endpoint behind it, for the runtime only; raise EndedError once its proxy is gone."""
        if self._endpoint.proxy.ended:
            raise EndedError(str(self))
        return self._endpoint

    def __str__(self) -> str:
        return str(self._endpoint)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, ExternalEndpoint) and other._endpoint is self._endpoint

    def __hash__(self) -> int:
        return hash(self._endpoint)


def _ignore(*args: object) -> None:
    """Ignore an event that the type names and the code does not handle."""
