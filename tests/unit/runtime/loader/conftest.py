"""A node with a loader, a few classes of objects to load, and recipes of them."""

from __future__ import annotations

import gc
import sys
from collections.abc import Iterator
from typing import Any, Generic, Protocol, TypeVar

import pytest

from liven.runtime.checking.type_knowledge import TypeKnowledge
from liven.runtime.dispatcher import HandCranked
from liven.runtime.errors import DereferenceError
from liven.runtime.folder.folder_type import AnyObject, Folder, FolderClient, Found
from liven.runtime.folder.served_folder import ServedFolder
from liven.runtime.loader import Loader
from liven.runtime.objects.context import Context
from liven.runtime.objects.node import Node
from liven.runtime.objects.proxy import ProxyHandle
from liven.runtime.objects.reply import Reply
from liven.runtime.objects.value_bridge import ValueBridges
from liven.runtime.problems import Problems
from liven.runtime.process.builtin_objects import learn_stock
from liven.runtime.reference.model import (
    Component,
    Composite,
    Connection,
    Object,
    ObjectClass,
    Parameter,
    Plain,
    Reference,
)
from liven.runtime.reference.xml import compact
from liven.types.catalogue.registration import register
from liven.types.declare import Dual, Exports, Imports, Ref, interface, object_type, proxy, scan


@interface
class Takes(Protocol):
    def take(self, text: str) -> None: ...


@object_type(id="0000000000000000000000000000B101", alias="test:source")
class SourceObject:
    out: Imports[Takes]


@proxy(id="0000000000000000000000000000B001", alias="test:source-1")
class Source:
    out: Imports[Takes]

    def __init__(self, text: str, times: int = 1) -> None:
        self.text, self.times = text, times

    def out_connected(self) -> None:
        for _ in range(self.times):
            self.out.peer.take(self.text)


@proxy(id="0000000000000000000000000000B002", alias="test:sink")
class Sink:
    end: Exports[Takes]

    def __init__(self) -> None:
        self.taken: list[str] = []

    def take(self, text: str) -> None:
        if text == "boom":
            raise ValueError("boom")
        self.taken.append(text)


@proxy(id="0000000000000000000000000000B003", alias="test:pipe")
class Pipe:
    end: Exports[Takes]
    out: Imports[Takes]

    def take(self, text: str) -> None:
        self.out.peer.take(text + "|")


T = TypeVar("T", contravariant=True)


@interface
class Passes(Protocol[T]):
    def take(self, text: T) -> None: ...


@proxy(id="0000000000000000000000000000B008", alias="test:template")
class Template(Generic[T]):
    """A pipe for any class of values."""

    end: Exports[Passes[T]]
    out: Imports[Passes[T]]

    def __init__(self, name: str = "") -> None:
        self.name = name

    def take(self, text: T) -> None:
        self.out.peer.take(text)


@proxy(id="0000000000000000000000000000B004", alias="test:broken")
class Broken:
    end: Exports[Takes]

    def __init__(self) -> None:
        raise SystemExit("leaves at once")

    def take(self, text: str) -> None: ...


@proxy(id="0000000000000000000000000000B005", alias="test:holder")
class Holder:
    """Dereferences its parameter."""

    end: Exports[Takes]

    def __init__(self, inner: Ref[AnyObject], context: Context) -> None:
        self.inner, self.context = inner, context
        self.held: ProxyHandle | None = None
        context.dereference(inner, "inner").then(self.got)

    def got(self, reply: Reply[ProxyHandle]) -> None:
        self.held = reply.value() if reply.error is None else None

    def take(self, text: str) -> None: ...


@proxy(id="0000000000000000000000000000B006", alias="test:mute-folder", delegates=("Endpoint",))
class MuteFolder:
    """A folder that never answers."""

    Endpoint: Dual[Folder, FolderClient]

    def __init__(self, context: Context) -> None:
        context.serve("Endpoint", _Mute())


def _never(*values: object, **named: object) -> Reply[Any]:
    return Reply()


class _Mute:
    def __getattr__(self, name: str) -> Any:
        if name in ("connected", "disconnected"):
            raise AttributeError(name)
        return _never


@proxy(id="0000000000000000000000000000B007", alias="test:library")
class FixedFolder(ServedFolder):
    """A folder of fixed items: `name=text of the reference`, one per line."""

    Endpoint: Dual[Folder, FolderClient]
    built = 0

    def __init__(self, items: str, context: Context) -> None:
        type(self).built += 1
        self.context = context
        self._items = dict(line.split("=", 1) for line in items.split("\n") if line)

    def items(self) -> dict[str, str]:
        return self._items

    def is_read_only(self) -> bool:
        return True

    def add(self, key: str, object: Ref[AnyObject]) -> None: ...  # noqa: A002

    def remove(self, key: str) -> None: ...

    def try_get_object(self, key: str) -> Found:
        return super().try_get_object(key)


def text(value: str) -> Plain:
    return Plain("string", value)


def source(value: str, *more: Parameter) -> Reference:
    return Reference("test:source-1", (Parameter("text", text(value)), *more))


def folder(**items: Object) -> Reference:
    lines = "\n".join(f"{name}={compact(thing)}" for name, thing in items.items())
    return Reference("test:library", (Parameter("items", text(lines)),))


def external(key: str, of: Object, as_: ObjectClass | None = None, *given: Parameter) -> Reference:
    return Reference(key, given, source=of, object_class=as_)


SINK = Reference("test:sink")


@pytest.fixture
def known() -> TypeKnowledge:
    return learn_stock(TypeKnowledge.stock())


@pytest.fixture
def node(crank: HandCranked, problems: Problems, known: TypeKnowledge) -> Node:
    return Node(crank, problems, known.matcher, ValueBridges())


@pytest.fixture
def loader(node: Node, known: TypeKnowledge) -> Loader:
    return Loader(node, known)


@pytest.fixture
def learned(known: TypeKnowledge) -> None:
    """Learn the classes of this file."""
    register(known.catalogue, scan(sys.modules[__name__]), known.matcher)


@pytest.fixture
def without_collector() -> Iterator[None]:
    gc.collect()
    gc.disable()
    yield
    gc.enable()


def run(loader: Loader, thing: Object | str, **more: Any) -> ProxyHandle:
    return loader.dereference(thing, **more).value()


def refused(loader: Loader, thing: Object | str, **more: Any) -> DereferenceError:
    reply = loader.dereference(thing, **more)
    assert isinstance(reply.error, DereferenceError), reply.error
    return reply.error


def instance(handle: ProxyHandle) -> Any:
    return handle.proxy().instance


def pipeline(value: str = "hello") -> Composite:
    parts = (
        Component("source", source(value)),
        Component("pipe", Reference("test:pipe")),
        Component("sink", SINK),
    )
    joints = (Connection("pipe.out", "sink.end"), Connection("source.out", "pipe.end"))
    return Composite("", components=parts, connections=joints)
