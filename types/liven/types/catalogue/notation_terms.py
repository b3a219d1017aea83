"""Makes terms from notation: looks up the names in a written type in a catalogue."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, Protocol, TypeAlias

from liven.types.catalogue.entry import KIND_NAMES, Entry, Kind
from liven.types.catalogue.notation import Bounded, Cases, Ends, Fields, Maybe, Named, Node, NotationError
from liven.types.terms.endpoint_types import EndpointType, Events, ObjectType
from liven.types.terms.interfaces import incoming, outgoing
from liven.types.terms.recursive_terms import RecursiveTerms
from liven.types.terms.value_types import (
    BOOL,
    BYTES,
    FLOAT32,
    FLOAT64,
    ID,
    INT8,
    INT16,
    INT32,
    INT64,
    TEXT,
    UINT8,
    UINT16,
    UINT32,
    UINT64,
    EndpointTo,
    Integer,
    ListOf,
    MapOf,
    Record,
    RefTo,
    Union,
    ValueType,
    optional,
)

Environment: TypeAlias = Mapping[str, Any]
"""The terms given to the type parameters."""

SCALARS: dict[str, ValueType] = {
    "bool": BOOL,
    "int8": INT8,
    "int16": INT16,
    "int32": INT32,
    "int64": INT64,
    "uint8": UINT8,
    "uint16": UINT16,
    "uint32": UINT32,
    "uint64": UINT64,
    "float32": FLOAT32,
    "float64": FLOAT64,
    "text": TEXT,
    "bytes": BYTES,
    "id": ID,
}


class OpenTemplateError(ValueError):
    """A template was used as a type before its parameters were given."""

    def __init__(self, entry: Entry) -> None:
        parameters = entry.source.type_parameters()
        names = ", ".join(parameter.name for parameter in parameters)
        are = "is" if len(parameters) == 1 else "are"
        super().__init__(
            f"{entry} is a template: it cannot be compared until {names} {are} given; "
            f"write {entry.alias}<{names}> with a class for each"
        )


class Finder(Protocol):
    """A source of known classes by name."""

    def find(self, name: str, kind: Kind | None = None) -> Entry:
        """Return the class of that name; raise a CatalogueError."""


class Builder:
    """Makes the terms of written types; each class with the same arguments is made once."""

    def __init__(self, finder: Finder) -> None:
        self._finder = finder
        self._terms = RecursiveTerms()

    def forget(self) -> None:
        """Forget all terms, because a class got another structure."""
        self._terms = RecursiveTerms()

    def value(self, node: Node, given: Environment) -> ValueType:
        """Return a value type."""
        match node:
            case Maybe(item):
                return optional(self.value(item, given))
            case Fields(items):
                return Record(self._items(items, given))
            case Cases(items):
                return Union(self._items(items, given))
            case Bounded(low, high):
                return Integer(low, high)
            case Named(name, arguments) if name not in given:
                return self._named_value(node, name, arguments, given)
        made: ValueType = self._class("value", node, given)
        return made

    def interface(self, node: Node, given: Environment) -> Events:
        """Return the events of an interface, including replies."""
        made: Events = self._class("interface", node, given)
        return made

    def object(self, node: Node, given: Environment) -> ObjectType:
        """Return an object type."""
        made: ObjectType = self._class("object", node, given)
        return made

    def component(self, node: Node, given: Environment) -> ObjectType:
        """Return the type of a known object."""
        made: ObjectType = self._class("component", node, given)
        return made

    def endpoint(self, node: Node, given: Environment) -> EndpointType:
        """Return an endpoint, spelled out or named by an endpoint class."""
        if not isinstance(node, Ends):
            made: EndpointType = self._class("endpoint", node, given)
            return made
        if node.local:
            return EndpointType(local=node.local)
        exported = self.interface(node.exported, given) if node.exported else ()
        imported = self.interface(node.imported, given) if node.imported else ()
        return EndpointType(incoming(exported, imported), outgoing(exported, imported))

    def of_kind(self, kind: Kind) -> Callable[[Node, Environment], Any]:
        """Return the method that makes a class of that kind."""
        makers: dict[Kind, Callable[[Node, Environment], Any]] = {
            "value": self.value,
            "interface": self.interface,
            "object": self.object,
            "component": self.component,
            "endpoint": self.endpoint,
        }
        return makers[kind]

    def instance(self, entry: Entry, arguments: tuple[Any, ...]) -> Any:
        """Return the term of a known class with these arguments."""
        if len(arguments) != len(entry.source.type_parameters()):
            raise OpenTemplateError(entry)
        key = (entry.source, arguments)  # two classes without ids may have one alias
        if entry.kind == "value":
            return self._terms.recursive(key, entry.alias, lambda: self._tagged_value(entry, arguments))
        return self._terms.once(key, lambda: entry.source.term(arguments))

    def _tagged_value(self, entry: Entry, arguments: tuple[Any, ...]) -> ValueType:
        made: ValueType = entry.source.term(arguments)
        return made

    def _class(self, kind: Kind, node: Node, given: Environment) -> Any:
        if not isinstance(node, Named):
            raise NotationError(f"{_shown(node)} is used where {_article(kind)} is expected")
        if node.name in given and not node.arguments:
            return given[node.name]
        entry = self._finder.find(node.name, kind)
        return self.instance(entry, self._arguments(entry, node.arguments, given))

    def _arguments(self, entry: Entry, nodes: tuple[Node, ...], given: Environment) -> tuple[Any, ...]:
        parameters = entry.source.type_parameters()
        if len(nodes) != len(parameters):
            if not nodes:
                raise OpenTemplateError(entry)
            names = ", ".join(parameter.name for parameter in parameters) or "none"
            raise NotationError(f"{entry} got {len(nodes)} classes; its parameters: {names}")
        pairs = zip(parameters, nodes, strict=True)
        return tuple(self.of_kind(parameter.kind)(node, given) for parameter, node in pairs)

    def _named_value(
        self, node: Named, name: str, arguments: tuple[Node, ...], given: Environment
    ) -> ValueType:
        match name, len(arguments):
            case "list", 1:
                return ListOf(self.value(arguments[0], given))
            case "optional", 1:
                return optional(self.value(arguments[0], given))
            case "map", 2:
                if arguments[0] != Named("text"):
                    raise NotationError(f"the keys of a map are text, not {_shown(arguments[0])}")
                return MapOf(self.value(arguments[1], given))
            case "ref", 1:
                return self._reference(arguments[0], given)
            case "endpoint", 1:
                return EndpointTo(self.endpoint(arguments[0], given))
            case _, 0 if name in SCALARS:
                return SCALARS[name]
        made: ValueType = self._class("value", node, given)
        return made

    def _reference(self, node: Node, given: Environment) -> ValueType:
        if not isinstance(node, Named) or node.name in given:
            return RefTo(self.object(node, given))
        entry = self._finder.find(node.name, "object")
        arguments = self._arguments(entry, node.arguments, given)
        key = ("ref", entry.source, arguments)
        return self._terms.recursive(key, entry.alias, lambda: RefTo(self.instance(entry, arguments)))

    def _items(
        self, items: tuple[tuple[str, Node], ...], given: Environment
    ) -> tuple[tuple[str, ValueType], ...]:
        made = {name: self.value(node, given) for name, node in items}
        if len(made) != len(items):
            raise NotationError(f"a name occurs twice in {', '.join(name for name, _ in items)}")
        return tuple(sorted(made.items(), key=lambda item: item[0]))


def with_tag(term: ValueType, tag: Any) -> ValueType:
    """Return the term under the name of its class, if a term of its kind can carry one."""
    return replace(term, tag=tag) if isinstance(term, Record | Union) else term


def _article(kind: Kind) -> str:
    name = KIND_NAMES[kind]
    return f"an {name}" if name[0] in "aeio" else f"a {name}"


def _shown(node: Node) -> str:
    return node.name if isinstance(node, Named) else "a written type"
