"""Values of any declared type from JSON, and records of simple fields from the cells of a CSV."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any, Final

from liven.liveobjects.feeds.source.formats import fields
from liven.liveobjects.feeds.source.formats.decoded import FieldError
from liven.runtime.foreign_text import shown_value
from liven.types.terms.type_text import brief
from liven.types.terms.value_types import (
    BOOL,
    TEXT,
    Float,
    Integer,
    ListOf,
    MapOf,
    OptionalOf,
    Record,
    Scalar,
    ValueType,
)

_DEEPEST: Final = 32
_LONGEST_TEXT: Final = 1 << 20
_TRUTHS: Final = {"true": True, "false": False, "yes": True, "no": False, "1": True, "0": False}


def unreadable(kind: ValueType, depth: int = 0) -> str:
    """Return the part of a type that JSON cannot give, for a message; empty if there is none."""
    match kind:
        case Integer() | Float():
            return ""
        case Scalar():
            return "" if kind in (BOOL, TEXT) else brief(kind)
        case OptionalOf(item) | ListOf(item) | MapOf(item) if depth < _DEEPEST:
            return unreadable(item, depth + 1)
        case Record(members) if depth < _DEEPEST:
            return next((found for _, one in members if (found := unreadable(one, depth + 1))), "")
        case _:
            return brief(kind)


def no_cell(kind: ValueType) -> str:
    """Return the first field of a record that a cell of a CSV cannot hold; empty if there is none."""
    if not isinstance(kind, Record):
        return brief(kind)
    for name, one in kind.fields:
        inner = one.item if isinstance(one, OptionalOf) else one
        if not isinstance(inner, Integer | Float) and inner not in (BOOL, TEXT):
            return f"{name}: {brief(one)}"
    return ""


def fitted(value: Any, kind: ValueType, name: str = "it") -> Any:
    """Return a JSON value as a value of a type that `unreadable` has passed; raise FieldError.

    Fields that the type lacks are left out, and a missing field may be optional.
    """
    match kind:
        case OptionalOf(item):
            return None if value is None else fitted(value, item, name)
        case Integer(low, high):
            return _there(fields.whole(value, name, low, high), name)
        case Float():
            return _single(_there(fields.number(value, name), name), kind, name)
        case ListOf(item):
            if not isinstance(value, list):
                raise FieldError(f"{name} is {shown_value(value)}, not a list")
            return [fitted(one, item, f"{name}[{place}]") for place, one in enumerate(value)]
        case MapOf(item):
            return {_key(key, name): fitted(one, item, f"{name}.{key}") for key, one in _object(value, name)}
        case Record(members):
            found = dict(_object(value, name))
            return {key: fitted(found.get(key), one, _inside(name, key)) for key, one in members}
        case Scalar("bool"):
            return _there(fields.truth(value, name), name)
        case _:
            return _text(value, name)


def from_cells(kind: Record) -> Callable[[Mapping[str, str]], dict[str, Any]]:
    """Return a function that makes a record of the cells of a line, by the names of the columns in small
    letters."""
    readers = [(name, name.lower(), _cell_reader(one)) for name, one in kind.fields]

    def read(cells: Mapping[str, str]) -> dict[str, Any]:
        return {name: cell(cells.get(column), name) for name, column, cell in readers}

    return read


def _cell_reader(kind: ValueType) -> Callable[[str | None, str], Any]:
    if isinstance(kind, OptionalOf):
        inner = _cell_reader(kind.item)
        return lambda text, name: None if text is None or not text.strip() else inner(text, name)
    match kind:
        case Integer(low, high):
            return lambda text, name: fields.needed(fields.whole_in(text, name, low, high), name)
        case Float():
            return lambda text, name: _single(fields.needed(fields.number_in(text, name), name), kind, name)
        case Scalar("bool"):
            return _truth_in
        case _:
            return lambda text, name: _text(_there(text, name), name)


def _truth_in(text: str | None, name: str) -> bool:
    found = _TRUTHS.get(fields.needed(text, name).strip().lower())
    if found is None:
        raise FieldError(f"{name} is {shown_value(text)}, not true or false")
    return found


def _there(value: Any, name: str) -> Any:
    """Return a value that is there, which an empty text is."""
    if value is None:
        raise FieldError(f"{name} is missing")
    return value


def _single(value: float, kind: Float, name: str) -> float:
    """Return a number that its type can hold."""
    if kind.bits == 32 and not math.isinf(value) and abs(value) > 3.4028234e38:
        raise FieldError(f"{name} is {value:g}, which has no form in 32 bits")
    return value


def _text(value: Any, name: str) -> str:
    if value is None:
        raise FieldError(f"{name} is missing")
    fields.words(value, name, _LONGEST_TEXT)
    text: str = value
    return text


def _key(key: str, name: str) -> str:
    return _text(key, f"a name in {name}")


def _object(value: Any, name: str) -> list[tuple[str, Any]]:
    if not isinstance(value, dict):
        raise FieldError(f"{name} is {shown_value(value)}, not an object")
    return list(value.items())


def _inside(name: str, key: str) -> str:
    return key if name == "it" else f"{name}.{key}"
