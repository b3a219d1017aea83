"""The node: what all objects of one process share. The composition root makes one and passes it on."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Protocol

from liven.runtime.connection import Connection, connect
from liven.runtime.dispatcher.contract import Dispatcher
from liven.runtime.endpoint import ExternalEndpoint
from liven.runtime.problems import Path, Problems
from liven.runtime.proxy import Proxy
from liven.runtime.turn import Handler, Turn
from liven.runtime.workers import Workers
from liven.types.explain import Explanation
from liven.types.structure import EndpointType, ObjectType


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
        self.bridges = bridges
        problems.deliver_through(dispatcher.post)

    def matches(self, one: EndpointType, other: EndpointType) -> Explanation:
        return self.relations.matches(one, other)

    def connect(self, one: ExternalEndpoint, other: ExternalEndpoint) -> Connection:
        """Joins two matching endpoints."""
        return connect(self, one, other)
