"""The printed form of types for people: `int32`, `list<text>`, `{x: float64, y: optional<text>}`.

`spell` writes a type out in full. `brief` is for sentences: it names a declared type and cuts long
structures.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Literal, TypeAlias

from liven.types.terms.endpoint_types import Constraint, EndpointType, Events, ObjectType
from liven.types.terms.value_types import (
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
_PLAIN = re.compile(r"[\w.~:-]+")
_DEEPEST, _BRIEF_DEEPEST = 60, 4
"""The nesting that is written out; deeper parts become an ellipsis."""
_MOST, _BRIEF_MOST = 20_000, 60
"""The most parts written out. A type may use one part in a million places, so depth is not a bound."""


def spell(term: Entity) -> str:
    """Return the whole structure, without the names of classes."""
    return _Printer(_DEEPEST, _MOST, named=False).print(term)


def brief(term: Entity, width: int = 72) -> str:
    """Return the name of a declared type, else its structure cut to about `width` characters."""
    text = _Printer(_BRIEF_DEEPEST, _BRIEF_MOST, named=True).print(term)
    return text if len(text) <= width else text[: width - 1] + "…"


def spell_events(events: Events) -> str:
    """Return events with their payloads: `Send(text), Close({})`."""
    return _Printer(_DEEPEST, _MOST, named=False).events(events)


def spell_name(name: str) -> str:
    """Return a name as it is, or quoted if it could be taken for something else or would break the line."""
    return name if _PLAIN.fullmatch(name) else repr(name)


def spell_words(text: str) -> str:
    """Return the text of a constraint on one line."""
    return text if text.isprintable() else repr(text)[1:-1]


class _Printer:
    """Prints one term; with `named`, declared types appear by their names."""

    def __init__(self, deepest: int, most: int, *, named: bool) -> None:
        self._room = deepest
        self._left = most
        self._named = named

    def print(self, term: Entity) -> str:
        tag = getattr(term, "tag", None)
        if tag is not None and (self._named or isinstance(term, Opaque)):
            return str(tag.alias or tag.id)
        if self._room <= 0 or self._left <= 0:
            return "…"
        self._room -= 1
        self._left -= 1
        printed = self._structure(term)
        self._room += 1
        return printed

    def events(self, events: Events) -> str:
        return ", ".join(self._each(events, "{}({})"))

    def _structure(self, term: Entity) -> str:
        match term:
            case Record(fields):
                return f"{{{', '.join(self._each(fields, '{}: {}'))}}}"
            case Union(tags):
                return f"<{' | '.join(self._each(tags, '{}: {}'))}>"
            case EndpointType():
                return self._endpoint(term)
            case ObjectType():
                ends = self._each(term.endpoints, "{}: {}")
                return _braced("object", [*ends, *_promises(term.provides, term.requires)])
            case ListOf() | MapOf() | OptionalOf() | RefTo() | EndpointTo() | Recursive():
                return self._container(term)
        return _leaf(term)

    def _container(self, term: ListOf | MapOf | OptionalOf | RefTo | EndpointTo | Recursive) -> str:
        match term:
            case ListOf(item):
                return f"list<{self.print(item)}>"
            case MapOf(item):
                return f"map<text, {self.print(item)}>"
            case OptionalOf(item):
                return f"optional<{self.print(item)}>"
            case RefTo(target):
                return f"ref<{self.print(target)}>"
            case EndpointTo(endpoint):
                return f"endpoint<{self.print(endpoint)}>"
            case Recursive(name, body):
                return f"rec {name}. {self.print(body)}"

    def _endpoint(self, term: EndpointType) -> str:
        parts = [f"local {term.local}"] if term.local else []
        if term.inputs:
            parts.append(f"in {self.events(term.inputs)}")
        if term.outputs:
            parts.append(f"out {self.events(term.outputs)}")
        return _braced("endpoint", [*parts, *_promises(term.provides, term.requires)])

    def _each(self, items: Iterable[tuple[str, Entity]], shape: str) -> Iterator[str]:
        for name, held in items:
            if self._left <= 0:
                yield "…"
                return
            yield shape.format(spell_name(name), self.print(held))


def _leaf(term: Entity) -> str:
    match term:
        case Integer(low, high):
            return _INTEGERS.get(term, f"int({low}..{high})")
        case Float(bits):
            return f"float{bits}"
        case Scalar(kind):
            return kind
        case Local(name):
            return f"local<{name}>"
        case Loop(name):
            return name
    raise TypeError(f"{type(term).__name__} is not a type")


def _promises(provides: tuple[Constraint, ...], requires: tuple[Constraint, ...]) -> list[str]:
    sides: tuple[tuple[Literal["provides", "requires"], tuple[Constraint, ...]], ...]
    sides = (("provides", provides), ("requires", requires))
    return [f"{side} `{spell_words(held.text)}`" for side, constraints in sides for held in constraints]


def _braced(head: str, parts: list[str]) -> str:
    return f"{head} {{{'; '.join(parts)}}}"
