"""Building a running proxy from an author's proxy class.

Each annotated endpoint becomes an attribute of the instance before its constructor runs. A method handles the
event of its name. `NAME_connected` and `NAME_disconnected`, where the class has them, are called for the
endpoint `NAME`; `on_end` is called last.
"""

from __future__ import annotations

import inspect
from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from typing import Any

from liven.runtime.objects.context import Context, handler_of
from liven.runtime.objects.endpoint import CONNECT, DISCONNECT, Emitter, Endpoint
from liven.runtime.objects.event_queue import Handler
from liven.runtime.objects.node import Node
from liven.runtime.objects.proxy import Proxy, ProxyHandle
from liven.runtime.objects.reply import Reply
from liven.runtime.objects.ui_endpoint import Shown
from liven.runtime.problems import Path
from liven.types.declare.annotation.reader import declaration_of
from liven.types.declare.annotation.shapes import EndpointUse, GivenUse, InterfaceUse
from liven.types.declare.declaration import Parameter, ProxyDeclaration
from liven.types.terms.endpoint_types import ObjectType


class Peer:
    """The other side of an endpoint, with a method for each event that can be sent to it."""

    def __init__(self, endpoint: Endpoint, operations: frozenset[str]) -> None:
        self._endpoint = endpoint
        self._operations = operations

    def __getattr__(self, event: str) -> Emitter | Asker:
        if event.startswith("_"):
            raise AttributeError(event)
        emitter = self._endpoint.emitter(event)
        method = Asker(self._endpoint, event) if event in self._operations else emitter
        setattr(self, event, method)
        return method


class Asker:
    """Calls one operation of the other side and returns a reply."""

    __slots__ = ("_endpoint", "_event")

    def __init__(self, endpoint: Endpoint, event: str) -> None:
        self._endpoint = endpoint
        self._event = event

    def __call__(self, *args: object, **named: object) -> Reply[Any]:
        return self._endpoint.call(self._event, *args, **named)


class LocalEndpoint:
    """An endpoint as the author's code sees it, under the annotated name; the context offers more."""

    __slots__ = ("_endpoint", "_operations", "peer")
    peer: Peer

    def __init__(self, endpoint: Endpoint, operations: frozenset[str]) -> None:
        self._endpoint = endpoint
        self._operations = operations

    def __getattr__(self, name: str) -> Peer:
        """Make `peer` when it is first used: many endpoints never send."""
        if name != "peer":
            raise AttributeError(name)
        self.peer = Peer(self._endpoint, self._operations)
        return self.peer


@dataclass(frozen=True, slots=True)
class _EndpointPlan:
    name: str
    exported: InterfaceUse | None
    imported: InterfaceUse | None
    local: str
    methods: Mapping[str, str]
    """The methods by the events that they handle."""
    operations: frozenset[str]

    def handler(self, endpoint: Endpoint, event: str) -> Handler | None:
        """Return the method of the proxy's instance that handles an event; None if there is none."""
        proxy = endpoint.proxy
        name = self.methods.get(event)
        if name is None or proxy.instance is None:
            return None
        return handler_of(getattr(proxy.instance, name), Context(proxy), answers=endpoint.serves(event))


@dataclass(frozen=True, slots=True)
class Blueprint:
    """Everything that all proxies of one class with the same type arguments share."""

    declaration: ProxyDeclaration
    endpoints: tuple[_EndpointPlan, ...]
    takes: Mapping[str, Parameter]
    """The constructor's arguments from its reference, by name."""
    wants_context: bool

    @classmethod
    def of(cls, declaration: ProxyDeclaration, arguments: tuple[Any, ...] = ()) -> Blueprint:
        """Read the declaration; its type parameters are given as terms."""
        given = tuple(GivenUse(term) for term in arguments)
        plans = [
            _plan(declaration, endpoint.name, endpoint.use)
            for endpoint in declaration.endpoints(given)
            if isinstance(endpoint.use, EndpointUse)
        ]
        constructor = inspect.signature(declaration.cls.__init__)  # type: ignore[misc]  # the class's own
        takes = {one.name: one for one in declaration.values(given)}
        return cls(declaration, tuple(plans), takes, "context" in constructor.parameters)

    def build(self, node: Node, path: Path, kind: ObjectType, values: Mapping[str, object]) -> ProxyHandle:
        """Return a running proxy with disconnected endpoints.

        An error in the constructor ends the proxy and is raised here.
        """
        proxy = Proxy(node, path, kind)
        handle = ProxyHandle(proxy)
        try:
            node.queue.inside(proxy, "its constructor", lambda: self._construct(proxy, kind, values))
        except BaseException:
            proxy.fail()
            raise
        return handle

    def _construct(self, proxy: Proxy, kind: ObjectType, values: Mapping[str, object]) -> None:
        cls: Any = self.declaration.cls
        instance = cls.__new__(cls)
        types = dict(kind.endpoints)
        context = Context(proxy)
        for plan in self.endpoints:
            endpoint = proxy.add_endpoint(plan.name, types[plan.name], plan.exported, plan.imported)
            setattr(instance, plan.name, LocalEndpoint(endpoint, plan.operations))
            endpoint.served = plan
            if plan.local and not plan.local.startswith("~"):
                endpoint.payload = Shown(self.declaration.view, instance)
        proxy.instance = instance
        proxy.last_words = getattr(instance, "on_end", None)
        extra = {"context": context} if self.wants_context else {}
        names = self.declaration.names
        instance.__init__(**{names.get(name, name): value for name, value in values.items()}, **extra)


class Blueprints:
    """Blueprints by class and type arguments, each made when first needed."""

    def __init__(self) -> None:
        self._known: dict[Hashable, Blueprint] = {}

    def of(self, declaration: ProxyDeclaration, arguments: tuple[Any, ...] = ()) -> Blueprint:
        """Return the blueprint of this class with these type arguments."""
        key = (declaration.cls, arguments)
        known = self._known.get(key)
        if known is None:
            known = self._known[key] = Blueprint.of(declaration, arguments)
        return known


def _plan(declaration: ProxyDeclaration, name: str, use: EndpointUse) -> _EndpointPlan:
    exported = use.exported if isinstance(use.exported, InterfaceUse) else None
    imported = use.imported if isinstance(use.imported, InterfaceUse) else None
    handled: tuple[str, ...] = ()
    if exported is not None and name not in declaration.delegates:
        handled = tuple(member.name for member in declaration_of(exported.cls).members)
    told = {CONNECT: f"{name}_connected", DISCONNECT: f"{name}_disconnected"}
    handling = {event: event for event in handled}
    handling |= {event: method for event, method in told.items() if hasattr(declaration.cls, method)}
    operations: frozenset[str] = frozenset()
    if imported is not None:
        methods = declaration_of(imported.cls).methods(imported.arguments)
        operations = frozenset(one.name for one in methods if one.result is not None)
    return _EndpointPlan(name, exported, imported, use.local, handling, operations)
