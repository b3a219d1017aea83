"""The node: everything that all objects of one process share.

The composition root makes one and passes it on.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from typing import Any, Protocol, TypeVar
from weakref import WeakValueDictionary

from liven.runtime.dispatcher.dispatcher import Dispatcher
from liven.runtime.dispatcher.workers import Workers
from liven.runtime.errors import CallFailedError
from liven.runtime.objects.connection import Connection, connect
from liven.runtime.objects.endpoint import ExternalEndpoint
from liven.runtime.objects.event_queue import EventQueue, Handler
from liven.runtime.objects.pending_questions import PendingQuestions
from liven.runtime.objects.proxy import Proxy, ProxyHandle
from liven.runtime.objects.reply import Reply
from liven.runtime.problems import Path, Problems
from liven.types.explanation import Explanation
from liven.types.terms.endpoint_types import EndpointType, ObjectType

T = TypeVar("T")


class Relations(Protocol):
    """The decisions of the types room that the runtime needs."""

    def matches(self, one: EndpointType, other: EndpointType) -> Explanation:
        """Decide if the two may be connected."""

    def object_subtype(self, actual: ObjectType, expected: ObjectType) -> Explanation:
        """Decide if `actual` may be used where `expected` is required."""


class Bridges(Protocol):
    """Conversion of events between declarations. A declaration that is None is the neutral form."""

    def cross(
        self, sends: object, receives: object, event: str, handler: Callable[[str], Handler]
    ) -> Handler:
        """Return a handler that takes `event` as `sends` declares it and passes it on as `receives` does.

        `handler` returns the receiver's function for an event. For an operation, the answer is as the sender
        declares it.
        """

    def answer(self, caller: object, server: object, event: str, handler: Handler) -> Handler:
        """Return a handler that takes the answer of `server`, as `event`,
        and passes it on as `caller` declares it."""

    def arity(self, sends: object, event: str) -> int | None:
        """Return the number of values of `event` as `sends` declares it; None if unknown."""

    def bound(
        self, sends: object, event: str, args: tuple[object, ...], named: Mapping[str, object]
    ) -> tuple[object, ...]:
        """Return the values of `event` in order; raise TypeError if they do not fit."""


class Loading(Protocol):
    """The loader, as objects see it: it turns references into running proxies."""

    def dereference(
        self, reference: Any, *, at: Path = (), time_limit: float | None = None
    ) -> Reply[ProxyHandle]:
        """Build a proxy; `at` is the path of the object it becomes a part of."""

    def fits(self, reference: Any, expected: type) -> Explanation:
        """Decide if a reference leads to an object of the author's object type `expected`."""

    def may_fit(self, reference: Any, expected: type) -> Explanation:
        """Decide like `fits`, but answer yes as well if that is
        unknown until its libraries are installed."""


class Monitoring(Protocol):
    """The monitor of connections."""

    def watch(self, connection: Connection) -> None:
        """Watch a connection from now on."""


class Tunnelling(Protocol):
    """The connector of endpoints across processes."""

    def offer(self, endpoint: ExternalEndpoint) -> str:
        """Return the address of an endpoint."""

    def connect(self, own: ExternalEndpoint, address: str) -> Reply[Connection]:
        """Connect an endpoint to the one at an address."""


class Confining(Protocol):
    """The builder of objects whose code runs in processes of its own."""

    def build(self, source: Any, reference: Any, path: Path, kind: ObjectType) -> Reply[ProxyHandle]:
        """Build an object from the confined class `source`; the proxy here stands for it."""


class Root:
    """The party in whose name the runtime itself runs handlers. It does not end."""

    path: Path = ()
    deaf = False

    def fail(self) -> None:
        """Carry on: the problem was reported, and the runtime does not end."""

    def end(self) -> None:
        """Do nothing: the runtime does not end."""


class Node:
    """One dispatcher, one queue, one list of problems, one type system."""

    def __init__(
        self, dispatcher: Dispatcher, problems: Problems, relations: Relations, bridges: Bridges
    ) -> None:
        self.dispatcher = dispatcher
        self.problems = problems
        self.relations = relations
        self.queue = EventQueue(problems.report)
        self.root = Root()
        self.running: dict[int, Proxy] = {}
        """All running proxies, oldest first."""
        self.workers = Workers()
        """For the blocking work of objects."""
        self.errands = Workers()
        """For the runtime's own work, so that objects which keep all workers busy do not stop loading."""
        self.questions = PendingQuestions()
        """The questions that a person is being asked."""
        self.person = ""
        """The key of the person at this node, the author of its objects' changes; empty if unknown."""
        self.loader: Loading | None = None
        """The loader; the composition root sets it."""
        self.monitors: Monitoring | None = None
        """The monitor of new connections, when that is switched on."""
        self.tunnels: Tunnelling | None = None
        """The tunnels to other processes; the composition root sets them."""
        self.confinement: Confining | None = None
        """The processes of confined libraries; the composition root sets them."""
        self.services: dict[type, Callable[[], Any]] = {}
        """The services that the composition root provides (a transport, a store), by type; each is made
        when an object first needs it."""
        self._shared: WeakValueDictionary[Hashable, Any] = WeakValueDictionary()
        self.bridges = bridges
        problems.deliver_through(dispatcher.post)

    def errand(self, function: Callable[[], T]) -> Reply[T]:
        """Run the runtime's own blocking `function` in a worker; the reply is settled on the dispatcher's
        thread."""
        reply: Reply[T] = Reply()

        def work() -> None:
            try:
                value = function()
            except Exception as error:
                failure = error
                self.dispatcher.post(lambda: reply.fail(failure))
            else:
                self.dispatcher.post(lambda: reply.resolve(value))

        self.errands.run(work)
        return reply

    def matches(self, one: EndpointType, other: EndpointType) -> Explanation:
        return self.relations.matches(one, other)

    def shared(self, key: Hashable, make: Callable[[], T]) -> T:
        """Return this node's one object under `key`, made if nobody holds it;
        it goes with its last holder."""
        known: T | None = self._shared.get(key)
        if known is None:
            known = self._shared[key] = make()
        return known

    def service(self, kind: type[T]) -> T:
        """Return the service of this type; raise CallFailedError if this program has none."""
        make = self.services.get(kind)
        if make is None:
            raise CallFailedError(f"this program has no {kind.__name__}; start a program that has one")
        service: T = make()
        return service

    def connect(self, one: ExternalEndpoint, other: ExternalEndpoint) -> Connection:
        """Join two matching endpoints."""
        return connect(self, one, other)
