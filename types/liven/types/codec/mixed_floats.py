"""Types that hold floats of both widths: their bytes are assembled from pieces.

MessagePack's packer writes all floats of one call at one width. So a part that holds a single width is
packed whole by the packer of that width, and the bytes that join such parts (headers of maps and lists,
names) are written here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, TypeAlias

from msgpack import Packer  # type: ignore[import-untyped]  # it has no stubs

from liven.types.terms.recursion import unfold
from liven.types.terms.value_types import (
    Float,
    ListOf,
    MapOf,
    OptionalOf,
    Record,
    Recursive,
    Union,
    ValueType,
)

Pack: TypeAlias = Callable[[Any], bytes]


def widths(type_: ValueType) -> frozenset[int]:
    """Return the widths of the floats in values of the type."""
    found: set[int] = set()
    todo, met = [type_], set[int]()
    while todo:
        term = todo.pop()
        if isinstance(term, Float):
            found.add(term.bits)
        elif id(term) not in met:
            met.add(id(term))
            todo.extend(inner_types(term))
    return frozenset(found)


def packer_for(type_: ValueType, *, arrays: bool) -> Pack:
    """Return the packer for converted values of the type: MessagePack's own unless the type is mixed."""
    found = widths(type_)
    if len(found) < 2:
        return packer(single=32 in found)
    return Pieces(type_, arrays=arrays).pack


def packer(*, single: bool) -> Pack:
    """Return the MessagePack packer that writes floats in 32 or 64 bits."""
    pack: Pack = Packer(use_single_float=single, autoreset=True, strict_types=True).pack
    return pack


class Pieces:
    """Packs values of one mixed type."""

    def __init__(self, type_: ValueType, *, arrays: bool) -> None:
        self._type = type_
        self._arrays = arrays
        self._packs = {True: packer(single=True), False: packer(single=False)}
        self._heads = Packer(autoreset=True)
        self._widths: dict[int, tuple[ValueType, frozenset[int]]] = {}

    def pack(self, value: Any) -> bytes:
        """Return the bytes of a converted value."""
        return b"".join(self._pieces(self._type, value))

    def _pieces(self, type_: ValueType, value: Any) -> Iterator[bytes]:
        if isinstance(type_, Recursive):
            type_ = unfold(type_)
        found = self._widths_of(type_)
        if len(found) < 2:
            yield self._packs[32 in found](value)
        elif isinstance(type_, OptionalOf):
            yield from self._pieces(type_.item, value) if value is not None else (b"\xc0",)
        elif isinstance(type_, ListOf):
            yield self._heads.pack_array_header(len(value))
            for item in value:
                yield from self._pieces(type_.item, item)
        else:
            yield from self._named(type_, value)

    def _named(self, type_: ValueType, value: Any) -> Iterator[bytes]:
        if isinstance(type_, Record) and self._arrays:
            yield self._heads.pack_array_header(len(value))
            for (_, held), item in zip(type_.fields, value, strict=True):
                yield from self._pieces(held, item)
            return
        kinds = dict(type_.fields if isinstance(type_, Record) else _tags(type_))
        yield self._heads.pack_map_header(len(value))
        for name, item in value.items():
            yield self._packs[False](name)
            yield from self._pieces(type_.item if isinstance(type_, MapOf) else kinds[name], item)

    def _widths_of(self, type_: ValueType) -> frozenset[int]:
        known = self._widths.get(id(type_))
        if known is None:
            known = self._widths[id(type_)] = (type_, widths(type_))
        return known[1]


def inner_types(term: ValueType) -> Iterator[ValueType]:
    """Yield the types of the parts of a value; a recursive type yields its unfolding."""
    if isinstance(term, ListOf | MapOf | OptionalOf):
        yield term.item
    elif isinstance(term, Recursive):
        yield unfold(term)
    elif isinstance(term, Record | Union):
        yield from (held for _, held in (term.fields if isinstance(term, Record) else term.tags))


def _tags(type_: ValueType) -> tuple[tuple[str, ValueType], ...]:
    return type_.tags if isinstance(type_, Union) else ()
