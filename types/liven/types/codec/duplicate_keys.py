"""Unpacking that refuses a map in which a key occurs twice.

The unpacker keeps the last value of a key, so readers that keep another one would disagree. Maps inside
maps are made by a hook that counts their keys; if only the outermost value is a map, its header tells the
number of keys, which costs almost nothing. A type without maps needs no check.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, TypeAlias

from msgpack import unpackb  # type: ignore[import-untyped]  # it has no stubs

from liven.types.codec.errors import CodecError
from liven.types.codec.mixed_floats import inner_types
from liven.types.terms.recursion import bare
from liven.types.terms.value_types import MapOf, Record, Union, ValueType

Unpack: TypeAlias = Callable[[Any], Any]

_WIDTHS = {0xDE: 2, 0xDF: 4}


def unpacker_for(type_: ValueType, *, arrays: bool) -> Unpack:
    """Return the cheapest unpacker that refuses duplicate keys in values of the type."""
    outer = bare(type_)
    if _below(outer, arrays=arrays):
        unpack: Unpack = partial(unpackb, object_pairs_hook=_once_each)
        return unpack
    return _flat if _is_map(outer, arrays=arrays) else unpackb


def _below(outer: ValueType, *, arrays: bool) -> bool:
    """True if values of the type hold maps below the outermost value."""
    todo, met = list(inner_types(outer)), {id(outer)}
    while todo:
        part = todo.pop()
        if _is_map(part, arrays=arrays):
            return True
        if id(part) not in met:
            met.add(id(part))
            todo.extend(inner_types(part))
    return False


def _is_map(part: ValueType, *, arrays: bool) -> bool:
    return isinstance(part, MapOf | Union) or (isinstance(part, Record) and not arrays)


def _flat(data: Any) -> Any:
    value = unpackb(data)
    if type(value) is dict and data[0] - 0x80 != len(value) != _claimed(data):
        return unpackb(data, object_pairs_hook=_once_each)
    return value


def _claimed(data: Any) -> int:
    """Return the number of keys that the header of a map announces."""
    width = _WIDTHS.get(data[0], 0)
    return int.from_bytes(data[1 : 1 + width], "big") if width else data[0] - 0x80


def _once_each(pairs: list[tuple[Any, Any]]) -> dict[Any, Any]:
    made = dict(pairs)
    if len(made) < len(pairs):
        keys = [key for key, _ in pairs]
        doubled = next(key for key in keys if keys.count(key) > 1)
        raise CodecError("", f"a map in these bytes has the key {str(doubled)[:40]!r} twice")
    return made
