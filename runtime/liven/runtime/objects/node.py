"""The node: what all objects of one process share. The composition root makes one and passes it on."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from typing import Any, Protocol, TypeVar
from weakref import WeakValueDictionary

from liven.runtime.dispatcher.dispatcher import Dispatcher
from liven.runtime.dispatcher.workers import Workers
from liven.runtime.errors import CallFailedError
from liven.runtime.objects.connection import Connection, connect
from liven.runtime.objects.endpoint import ExternalEndpoint
from liven.runtime.objects.event_queue import Handler, Turn
from liven.runtime.objects.pending_questions import Questions
from liven.runtime.objects.proxy import Proxy, ProxyHandle
from liven.runtime.objects.reply import Reply
from liven.runtime.problems import Path, Problems
from liven.types.explanation import Explanation
from liven.types.terms.endpoint_types import EndpointType, ObjectType

T = TypeVar("T")


class Relations(Protocol):
    """The decisions of the types room that the runtime asks for."""

    def matches(self, one: EndpointType, other: EndpointType) -> Explanation:
        """Whether the two may be connected."""

    def object_subtype(self, actual: ObjectType, expected: ObjectType) -> Explanation:
        """Whether `actual` may stand where `expected` is wanted."""


class Bridges(Protocol):
    """How events pass between declarations. A declaration that is None is the neutral form."""

    def cross(
        self, sends: object, receives: object, event: str, handler: Callable[[str], Handler]
    ) -> Handler:
        """What takes `event` as `sends` declares it and gives it on as `receives` does. `handler` gives the
        receiver's function for an event. For an operation, the answer is as the sender declares it."""

    def answer(self, caller: object, server: object, event: str, handler: Handler) -> Handler:
        """What takes the answer of `server`, as `event`, and gives it on as `caller` declares it."""

    def arity(self, sends: object, event: str) -> int | None:
        """How many values `event` has as `sends` declares it; None if that is not known."""

    def bound(
        self, sends: object, event: str, args: tuple[object, ...], named: Mapping[str, object]
    ) -> tuple[object, ...]:
        """The values of `event` in order; TypeError if they do not fit."""


class Loading(Protocol):
    """What turns references into running proxies."""

    def dereference(
        self, reference: Any, *, at: Path = (), time_limit: float | None = None
    ) -> Reply[ProxyHandle]:
        """Builds a proxy; `at` is whose part it will be."""

    def fits(self, reference: Any, expected: type) -> Explanation:
        """Whether the object that a reference leads to is one of the author's `expected` object type."""

    def may_fit(self, reference: Any, expected: type) -> Explanation:
        """As `fits`, and a yes too where that cannot be told before its libraries are here."""


class Monitoring(Protocol):
    """What watches connections."""

    def watch(self, connection: Connection) -> None:
        """Watches one from now on."""


class Tunnelling(Protocol):
    """What connects endpoints across processes."""

    def offer(self, endpoint: ExternalEndpoint) -> str:
        """The address of an endpoint."""

    def connect(self, own: ExternalEndpoint, address: str) -> Reply[Connection]:
        """Connects an endpoint to the one at an address."""


class Root:
    """The party for which the runtime itself runs things. It does not end."""

    path: Path = ()
    deaf = False

    def fail(self) -> None:
        """What was asked of the runtime failed; the problem is reported, and all goes on."""

    def end(self) -> None:
        """Never."""


class Node:
    """One dispatcher, one queue, one list of problems, one type system."""

    def __init__(
        self, dispatcher: Dispatcher, problems: Problems, relations: Relations, bridges: Bridges
    ) -> None:
        self.dispatcher = dispatcher
        self.problems = problems
        self.relations = relations
        self.turn = Turn(problems.report)
        self.root = Root()
        self.running: dict[int, Proxy] = {}
        """Every proxy that has not ended, oldest first."""
        self.workers = Workers()
        """For the blocking work of objects."""
        self.errands = Workers()
        """For the runtime's own, so that objects which keep all workers busy stop no loading."""
        self.questions = Questions()
        """What a person is asked just now."""
        self.person = ""
        """The key of whoever sits here, who is the author of what objects do; empty where nobody is known."""
        self.loader: Loading | None = None
        """Whoever turns references into proxies; the composition root sets it."""
        self.monitors: Monitoring | None = None
        """Whoever watches new connections, when that is switched on."""
        self.tunnels: Tunnelling | None = None
        """Whoever connects endpoints of other processes; the composition root sets it."""
        self.services: dict[type, Callable[[], Any]] = {}
        """What the composition root brings beside objects (a transport, a store), by its type; asked for when
        an object first needs it."""
        self._shared: WeakValueDictionary[Hashable, Any] = WeakValueDictionary()
        self.bridges = bridges
        problems.deliver_through(dispatcher.post)

    def matches(self, one: EndpointType, other: EndpointType) -> Explanation:
        return self.relations.matches(one, other)

    def shared(self, key: Hashable, make: Callable[[], T]) -> T:
        """The one thing of this node under `key`, made if nobody holds it; it goes with its last holder."""
        known: T | None = self._shared.get(key)
        if known is None:
            known = self._shared[key] = make()
        return known

    def service(self, kind: type[T]) -> T:
        """The service of this type; CallFailedError if this program brought none."""
        make = self.services.get(kind)
        if make is None:
            raise CallFailedError(f"this program has no {kind.__name__}; start it with one that does")
        service: T = make()
        return service

    def connect(self, one: ExternalEndpoint, other: ExternalEndpoint) -> Connection:
        """Joins two matching endpoints."""
        return connect(self, one, other)
