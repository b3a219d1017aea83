"""The printed form of every type, for people: `int32`, `list<text>`, `{x: float64, y: optional<text>}`.

`spell` writes a type out; `brief` says a declared type by its name and cuts what is long, for sentences.
"""

from __future__ import annotations

from typing import Literal, TypeAlias

from liven.types.structure import Constraint, EndpointType, Events, ObjectType
from liven.types.values import (
    INT8,
    INT16,
    INT32,
    INT64,
    UINT8,
    UINT16,
    UINT32,
    UINT64,
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
    ValueType,
)

Entity: TypeAlias = ValueType | EndpointType | ObjectType

_INTEGERS = {
    INT8: "int8",
    INT16: "int16",
    INT32: "int32",
    INT64: "int64",
    UINT8: "uint8",
    UINT16: "uint16",
    UINT32: "uint32",
    UINT64: "uint64",
}
_DEEPEST = 60
"""Nesting that is still written out; beyond it stands an ellipsis."""


def spell(term: Entity) -> str:
    """The whole structure, names of classes left aside."""
    return _print(term, _DEEPEST, named=False)


def brief(term: Entity, width: int = 72) -> str:
    """The name of a declared type, else its structure cut to about `width` characters."""
    text = _print(term, 4, named=True)
    return text if len(text) <= width else text[: width - 1] + "…"


def spell_events(events: Events) -> str:
    """`Send(text), Close({})`: events with what each carries."""
    return _events(events, _DEEPEST, named=False)


def _print(term: Entity, room: int, *, named: bool) -> str:
    tag = getattr(term, "tag", None)
    if tag is not None and (named or isinstance(term, Opaque)):
        return str(tag.alias or tag.id)
    if room <= 0:
        return "…"
    if isinstance(term, EndpointType):
        return _endpoint(term, room - 1, named=named)
    if isinstance(term, ObjectType):
        return _object(term, room - 1, named=named)
    return _value(term, room - 1, named=named)


def _value(term: ValueType, room: int, *, named: bool) -> str:
    match term:
        case Integer(low, high):
            return _INTEGERS.get(term, f"int({low}..{high})")
        case Float(bits):
            return f"float{bits}"
        case Scalar(kind):
            return kind
        case Loop(name):
            return name
        case Local(name):
            return f"local<{name}>"
        case Opaque(tag):
            return tag.alias
        case Recursive(name, body):
            return f"rec {name}. {_print(body, room, named=named)}"
        case Record(fields):
            return "{" + ", ".join(_pairs(fields, room, named=named)) + "}"
        case Union(tags):
            return "<" + " | ".join(_pairs(tags, room, named=named)) + ">"
    return _container(term, room, named=named)


def _pairs(items: Events, room: int, *, named: bool) -> list[str]:
    return [f"{name}: {_print(held, room, named=named)}" for name, held in items]


def _container(term: ListOf | MapOf | OptionalOf | RefTo | EndpointTo, room: int, *, named: bool) -> str:
    match term:
        case ListOf(item):
            return f"list<{_print(item, room, named=named)}>"
        case MapOf(item):
            return f"map<text, {_print(item, room, named=named)}>"
        case OptionalOf(item):
            return f"optional<{_print(item, room, named=named)}>"
        case RefTo(target):
            return f"ref<{_print(target, room, named=named)}>"
        case EndpointTo(endpoint):
            return f"endpoint<{_print(endpoint, room, named=named)}>"


def _endpoint(term: EndpointType, room: int, *, named: bool) -> str:
    parts = [f"local {term.local}"] if term.local else []
    if term.inputs:
        parts.append(f"in {_events(term.inputs, room, named=named)}")
    if term.outputs:
        parts.append(f"out {_events(term.outputs, room, named=named)}")
    return _braced("endpoint", [*parts, *_promises(term.provides, term.requires)])


def _object(term: ObjectType, room: int, *, named: bool) -> str:
    parts = [f"{name}: {_print(endpoint, room, named=named)}" for name, endpoint in term.endpoints]
    return _braced("object", [*parts, *_promises(term.provides, term.requires)])


def _events(events: Events, room: int, *, named: bool) -> str:
    return ", ".join(f"{name}({_print(held, room, named=named)})" for name, held in events)


def _promises(provides: tuple[Constraint, ...], requires: tuple[Constraint, ...]) -> list[str]:
    sides: tuple[tuple[Literal["provides", "requires"], tuple[Constraint, ...]], ...]
    sides = (("provides", provides), ("requires", requires))
    return [f"{side} `{constraint.text}`" for side, constraints in sides for constraint in constraints]


def _braced(head: str, parts: list[str]) -> str:
    return f"{head} {{{'; '.join(parts)}}}"
