"""The structural hash: sixteen bytes that two types share when they have the same structure.

The type is read as a graph, in which recursion is a cycle. Nodes that nothing can tell apart are merged,
and the smaller graph is numbered from its root, children in the order of their names. So the hash does not
depend on the names of recursive binders, on the unrolling of a recursive type, on class tags, on the order
of declaration, on the process or on the version of Python.

Two value types have one hash exactly when each is a subtype of the other. For types with constraints,
equal hashes mean mutual subtypes, but not the reverse: two formulas that imply each other in different
words hash differently, since only their formalism could tell.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import fields, is_dataclass
from enum import Enum
from hashlib import blake2b
from typing import Any, TypeAlias

from msgpack import packb  # type: ignore[import-untyped]  # it has no stubs

from liven.types.terms.endpoint_types import Constraint, EndpointType, ObjectType
from liven.types.terms.recursion import bare, unfold
from liven.types.terms.type_text import Entity, brief
from liven.types.terms.value_types import (
    EndpointTo,
    Float,
    Integer,
    ListOf,
    Local,
    Loop,
    MapOf,
    Opaque,
    OptionalOf,
    Record,
    Recursive,
    RefTo,
    Scalar,
    Union,
)

Label: TypeAlias = Sequence[Any]
SIZE = 16


def structural_hash(term: Entity) -> bytes:
    """Return the sixteen bytes, the same in every process; raise ValueError if a loop has no binder."""
    return blake2b(_pack(_canonical(term)), digest_size=SIZE).digest()


def _canonical(term: Entity) -> list[Any]:
    """Return the smallest graph of the type: each node as its label and the numbers of its children."""
    graph = _Graph(_resolved(term))
    classes = graph.classes()
    numbers: dict[int, int] = {}
    order, todo = list[int](), [0]
    while todo:
        node = todo.pop()
        if classes[node] not in numbers:
            numbers[classes[node]] = len(numbers)
            order.append(node)
            todo.extend(reversed(graph.children[node]))
    return [
        [graph.labels[node], [numbers[classes[child]] for child in graph.children[node]]] for node in order
    ]


class _Graph:
    """The parts of a type as nodes, numbered in the order they are visited; a part is known by its
    identity."""

    def __init__(self, root: Entity) -> None:
        self.labels: list[Label] = []
        self.children: list[list[int]] = []
        self._terms: list[Entity] = []
        self._known: dict[int, int] = {}
        self._number(root)
        done = 0
        while done < len(self._terms):
            label, inner = _parts(self._terms[done])
            self.labels.append(label)
            self.children.append([self._number(_resolved(part)) for part in inner])
            done += 1

    def _number(self, term: Entity) -> int:
        number = self._known.setdefault(id(term), len(self._terms))
        if number == len(self._terms):
            self._terms.append(term)
        return number

    def classes(self) -> list[int]:
        """Return for each node the number of its class: nodes of one class cannot be told apart."""
        classes = _numbered([_pack(label) for label in self.labels])
        while True:
            kinds = [
                (classes[node], *(classes[child] for child in inner))
                for node, inner in enumerate(self.children)
            ]
            finer = _numbered(kinds)
            if max(finer) == max(classes):
                return finer
            classes = finer


def _numbered(kinds: Sequence[Hashable]) -> list[int]:
    numbers: dict[Hashable, int] = {}
    return [numbers.setdefault(kind, len(numbers)) for kind in kinds]


def _resolved(term: Entity) -> Entity:
    return unfold(term) if isinstance(term, Recursive) else term


def _parts(term: Entity) -> tuple[Label, Sequence[Entity]]:
    """Return the label that sets a node apart by itself, and its children in the order of their names."""
    match term:
        case ListOf(item):
            return ["list"], [item]
        case MapOf(item):
            return ["map"], [item]
        case OptionalOf(item):
            return ["optional"], [bare(item)]
        case Record(held) | Union(held):
            kind = "record" if isinstance(term, Record) else "union"
            ordered = sorted(held, key=_name)
            return [kind, [name for name, _ in ordered]], [part for _, part in ordered]
        case RefTo(target):
            return ["ref"], [target]
        case EndpointTo(endpoint):
            return ["endpoint reference"], [endpoint]
        case EndpointType() | ObjectType():
            return _structure(term)
    return _leaf(term), []


def _leaf(term: Entity) -> Label:
    match term:
        case Integer(low, high):
            return ["integer", str(low), str(high)]
        case Float(bits):
            return ["float", bits]
        case Scalar(kind):
            return [kind]
        case Local(name):
            return ["local", name]
        case Opaque(tag):
            return ["opaque", str(tag.id)]
        case Loop(name):
            raise ValueError(f"`{name}` is used outside the recursive type that it names")
    raise TypeError(f"{brief(term)} has no structure")


def _structure(term: EndpointType | ObjectType) -> tuple[Label, Sequence[Entity]]:
    promises = [_constraints(term.provides), _constraints(term.requires)]
    if isinstance(term, ObjectType):
        endpoints = sorted(term.endpoints, key=_name)
        return ["object", [name for name, _ in endpoints], promises], [held for _, held in endpoints]
    inputs, outputs = sorted(term.inputs, key=_name), sorted(term.outputs, key=_name)
    names = [[name for name, _ in side] for side in (inputs, outputs)]
    return ["endpoint", term.local, names, promises], [held for _, held in (*inputs, *outputs)]


def _name(named: tuple[str, Any]) -> str:
    return named[0]


def _constraints(constraints: Sequence[Constraint]) -> list[bytes]:
    """Return the constraints as a set, sorted so that the order of writing does not matter."""
    return sorted({_pack([str(held.formalism), _predicate(held)]) for held in constraints})


def _predicate(constraint: Constraint) -> Any:
    try:
        return _plain(constraint.predicate)
    except TypeError:
        return constraint.text


def _plain(value: Any) -> Any:
    """Return a predicate as plain lists; raise TypeError for a value that has no order or form of its
    own."""
    match value:
        case None | bool() | int() | float() | str() | bytes():
            return [type(value).__name__, str(value) if isinstance(value, int) else value]
        case Enum():
            return ["enum", value.name]
        case tuple() | list():
            return ["tuple", [_plain(item) for item in value]]
        case frozenset() | set():
            return ["set", sorted(_pack(_plain(item)) for item in value)]
    if is_dataclass(value) and not isinstance(value, type):
        held = [[part.name, _plain(getattr(value, part.name))] for part in fields(value) if part.compare]
        return ["record", type(value).__name__, held]
    raise TypeError(type(value).__name__)


def _pack(value: Any) -> bytes:
    packed: bytes = packb(value, unicode_errors="surrogatepass")
    return packed
