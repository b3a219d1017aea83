"""The objects that run in a confined process, by the numbers that the program gave them."""

from __future__ import annotations

from typing import Any

from liven.runtime import author_traceback
from liven.runtime.checking.type_knowledge import TypeKnowledge
from liven.runtime.confined import messages
from liven.runtime.confined.event_bridge import EventBridge
from liven.runtime.errors import HandlerInterrupted, ObjectRuntimeError
from liven.runtime.loader.values import ValueFault, constructor_values
from liven.runtime.objects.node import Node
from liven.runtime.objects.probe import opposite
from liven.runtime.objects.proxy import Proxy, ProxyHandle
from liven.runtime.objects.proxy_builder import Blueprints
from liven.runtime.objects.ui_endpoint import Shown
from liven.runtime.problems import Problem
from liven.runtime.reference import ids
from liven.runtime.reference.model import Reference
from liven.runtime.reference.xml import read_object
from liven.runtime.tunnel.link import Link
from liven.types.catalogue import Entry
from liven.types.codec import Codecs
from liven.types.declare.declaration import ProxyDeclaration
from liven.types.formalism.registry import Formalisms
from liven.types.ids import ClassId
from liven.types.terms.endpoint_types import ObjectType

_TEXT = 2000
_DETAIL = 8000


class UnofferedError(ObjectRuntimeError):
    """The library does not declare the class that was asked for."""


class HostedObjects:
    """Builds objects of one library and passes their events over the link."""

    def __init__(self, node: Node, known: TypeKnowledge, link: Link) -> None:
        self._node = node
        self._known = known
        self._link = link
        self._codecs = Codecs()
        self._blueprints = Blueprints()
        self._offered: dict[ClassId, Entry] = {}
        self._named: dict[str, Entry] = {}
        self._running: dict[int, _Hosted] = {}

    def offer(self, entry: Entry) -> None:
        """Let objects of this class be built."""
        if entry.kind == "component":
            self._offered[entry.id] = self._named[entry.alias] = entry

    def shown(self, number: int, endpoint: str) -> Shown | None:
        """Return what an endpoint of an object shows; None if there is no such thing."""
        hosted = self._running.get(number)
        payload = hosted.shown(endpoint) if hosted is not None else None
        return payload if isinstance(payload, Shown) else None

    def came(self, name: str, rest: list[Any]) -> None:
        """Take a message about an object. One that has ended meanwhile gets none."""
        number, *more = rest
        if name == messages.BUILD:
            self._build(number, *more)
            return
        hosted = self._running.get(number)
        if hosted is None:
            return
        if name == messages.EVENT:
            hosted.event(*more)
        elif name == messages.CONNECT:
            hosted.connect(*more)
        elif name == messages.DISCONNECT:
            hosted.disconnect(*more)
        elif name == messages.END:
            del self._running[number]
            hosted.close()

    def report(self, problem: Problem) -> None:
        """Pass on a problem of one of the objects."""
        for number, hosted in self._running.items():
            if problem.where[: len(hosted.path)] == hosted.path:
                texts = (problem.what[:_TEXT], problem.advice[:_TEXT], problem.detail[-_DETAIL:])
                self._link.send(messages.PROBLEM, number, problem.kind.value, *texts, problem.is_over)
                return

    def _build(self, number: int, xml: str, path: list[str], person: str) -> None:
        self._node.person = person
        try:
            thing = read_object(xml)
            assert isinstance(thing, Reference)
            handle = self._built(thing, tuple(path))
        except (ObjectRuntimeError, ValueFault) as error:
            self._link.send(messages.UNBUILT, number, str(error)[:_TEXT], "")
        except HandlerInterrupted as error:
            what = f"its constructor did not end and was interrupted{author_traceback.author_line(error)}"
            self._link.send(messages.UNBUILT, number, what, author_traceback.author_frames(error)[-_DETAIL:])
        except BaseException as error:  # SystemExit too: an object must not end the others of its library
            what = f"its code raised {type(error).__name__}: {error}{author_traceback.author_line(error)}"
            details = author_traceback.author_frames(error)[-_DETAIL:]
            self._link.send(messages.UNBUILT, number, what[:_TEXT], details)
        else:
            hosted = _Hosted(number, handle, self._node, self._known.formalisms, self._codecs, self._link)
            self._running[number] = hosted
            handle.on_end(lambda failed: self._ended(number, failed))
            self._link.send(messages.BUILT, number)

    def _built(self, thing: Reference, path: tuple[str, ...]) -> ProxyHandle:
        id_ = ids.parse(thing.id)
        entry = self._named.get(thing.id) if id_ is None else self._offered_as(id_)
        if entry is None:
            raise UnofferedError(f"its library does not declare {thing.id}")
        declaration = entry.source.declaration  # type: ignore[attr-defined]  # learned from a class
        assert isinstance(declaration, ProxyDeclaration)
        blueprint = self._blueprints.of(declaration)
        values = constructor_values(thing.parameters, blueprint.takes)
        kind: ObjectType = self._known.catalogue.term(entry)
        return blueprint.build(self._node, path, kind, values)

    def _offered_as(self, wanted: ClassId) -> Entry | None:
        fitting = [
            entry
            for id_, entry in self._offered.items()
            if id_.component == wanted.component and id_.version >= wanted.version
        ]
        return max(fitting, key=lambda entry: entry.id.version, default=None)

    def _ended(self, number: int, failed: bool) -> None:
        if self._running.pop(number, None) is not None:
            self._link.send(messages.ENDED, number, failed)


class _Hosted:
    """One object, and the stand-ins for what its endpoints are connected to."""

    def __init__(
        self,
        number: int,
        handle: ProxyHandle,
        node: Node,
        formalisms: Formalisms,
        codecs: Codecs,
        link: Link,
    ) -> None:
        self._number = number
        self._handle = handle
        self._node = node
        self._formalisms = formalisms
        self._codecs = codecs
        self._link = link
        self._peers: dict[str, tuple[ProxyHandle, EventBridge]] = {}

    @property
    def path(self) -> tuple[str, ...]:
        """Its place in the recipe."""
        return self._handle.path

    def shown(self, endpoint: str) -> object:
        """Return what one of its endpoints shows."""
        return self._handle.endpoint(endpoint).internal().payload

    def event(self, endpoint: str, event: str, data: bytes) -> None:
        """Pass an event to the object."""
        peer = self._peers.get(endpoint)
        if peer is not None:
            peer[1].came(event, data)

    def connect(self, endpoint: str) -> None:
        """Connect a stand-in for the peer in the other process."""
        end = self._handle.endpoint(endpoint)
        kind = opposite(end.type, self._formalisms)
        proxy = Proxy(self._node, (*self.path, endpoint, "(another process)"), ObjectType((("far", kind),)))
        far = proxy.add_endpoint("far", kind)

        def send(event: str, data: bytes) -> None:
            self._link.send(messages.EVENT, self._number, endpoint, event, data)

        self._peers[endpoint] = (ProxyHandle(proxy), EventBridge(far, self._codecs, send))
        self._node.connect(end, far.external())

    def disconnect(self, endpoint: str) -> None:
        """Disconnect the stand-in."""
        peer = self._peers.pop(endpoint, None)
        if peer is not None:
            peer[0].close()

    def close(self) -> None:
        """End the object."""
        for name in tuple(self._peers):
            self.disconnect(name)
        self._handle.close()
