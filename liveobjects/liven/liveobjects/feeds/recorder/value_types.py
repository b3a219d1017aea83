"""The value types of a channel: their names in records, and payloads as records have them.

Members send the compact form, which only those with the same type can read. Records hold the form that every
reader of the type, or of a supertype, can read. The two are the same for a type without records inside.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Any, Final

from liven.liveobjects.feeds.description import TypeEntry
from liven.types.catalogue.catalogue import Catalogue
from liven.types.codec import Codec, CodecError, NoWireFormError
from liven.types.terms.hashing import structural_hash
from liven.types.terms.type_text import spell
from liven.types.terms.value_types import (
    TEXT,
    ListOf,
    MapOf,
    OptionalOf,
    Record,
    Recursive,
    RefTo,
    Union,
    ValueType,
)

_LONGEST: Final = 60
"""Characters of a structure that is its own name."""
_REFERENCE: Final = "reference"
"""The name of text fields that hold recipes, as desktops and folders have them."""


class PayloadType:
    """One value type of a channel."""

    def __init__(self, name: str, type_: ValueType) -> None:
        self.name = name
        self.entry = TypeEntry(spell(type_))
        self._type = type_
        self._codec: Codec | None = None
        with suppress(NoWireFormError):  # nobody can send such values either
            self._codec = Codec(type_)
        self._same = not _has(type_, Record, Union)
        self.holds_recipes = any(True for _ in _recipe_places(type_))
        """True if values may contain recipes of objects."""

    def recorded(self, payloads: Sequence[bytes]) -> list[bytes | None]:
        """Return payloads as records have them; None for one that is no value of the type, which all members
        drop."""
        codec = self._codec
        if codec is None:
            return [None] * len(payloads)
        return [self._recorded(codec, each) for each in payloads]

    def _recorded(self, codec: Codec, payload: bytes) -> bytes | None:
        try:
            value = codec.decode_compact(payload)
            return payload if self._same else codec.encode(value)
        except CodecError:
            return None

    def recipes(self, payload: bytes) -> list[str]:
        """Return the recipes in a value, as texts; none in one that cannot be read."""
        return [] if self._codec is None else self._recipes(self._codec.decode_compact, payload)

    def seed_recipes(self, seed: bytes) -> list[str]:
        """Return the same of a state as a recipe carries it."""
        return [] if self._codec is None else self._recipes(self._codec.decode, seed)

    def _recipes(self, decode: Callable[[bytes], Any], payload: bytes) -> list[str]:
        try:
            return list(_recipes(self._type, decode(payload)))
        except CodecError:
            return []


class TypeNames:
    """The names of value types: those of known classes, short structures, or a part of their hash."""

    def __init__(self, catalogue: Catalogue | None = None) -> None:
        self._catalogue = catalogue
        self._named: Mapping[bytes, str] | None = None
        self._known: dict[bytes, PayloadType] = {}

    def of(self, type_: ValueType) -> PayloadType:
        """Return a type with its name."""
        key = structural_hash(type_)
        known = self._known.get(key)
        if known is None:
            known = self._known[key] = PayloadType(self._name(key, type_), type_)
        return known

    def _name(self, key: bytes, type_: ValueType) -> str:
        if self._named is None:
            self._named = dict(_names(self._catalogue)) if self._catalogue is not None else {}
        text = spell(type_)
        return self._named.get(key) or (text if len(text) <= _LONGEST else f"type-{key.hex()[:16]}")


def class_of(catalogue: Catalogue, type_: ValueType) -> str:
    """Return the name of a class of values with this structure, as recipes write it; empty for none."""
    wanted = structural_hash(type_)
    return next((name for term, name in _classes(catalogue) if structural_hash(term) == wanted), "")


def _names(catalogue: Catalogue) -> Iterator[tuple[bytes, str]]:
    for term, name in _classes(catalogue):
        if isinstance(term, Record | Union | Recursive):
            yield structural_hash(term), name


def _classes(catalogue: Catalogue) -> Iterator[tuple[ValueType, str]]:
    for entry in catalogue.entries("value"):
        if entry.source.type_parameters():
            continue
        try:
            yield catalogue.term(entry), entry.alias or entry.name
        except (ValueError, LookupError, TypeError):
            continue  # a class that is known by name only


def _parts(type_: ValueType) -> tuple[ValueType, ...]:
    match type_:
        case ListOf(item) | MapOf(item) | OptionalOf(item):
            return (item,)
        case Record(fields):
            return tuple(item for _, item in fields)
        case Union(tags):
            return tuple(item for _, item in tags)
        case Recursive(_, body):
            return (body,)
    return ()


def _has(type_: ValueType, *kinds: type) -> bool:
    return isinstance(type_, kinds) or any(_has(each, *kinds) for each in _parts(type_))


def _recipe_places(type_: ValueType, field: str = "") -> Iterator[ValueType]:
    if isinstance(type_, RefTo) or (type_ == TEXT and field == _REFERENCE):
        yield type_
    elif isinstance(type_, Record):
        for name, item in type_.fields:
            yield from _recipe_places(item, name)
    elif isinstance(type_, OptionalOf):
        yield from _recipe_places(type_.item, field)
    else:
        for item in _parts(type_):
            yield from _recipe_places(item)


def _recipes(type_: ValueType, value: Any, field: str = "") -> Iterator[str]:
    """Yield the texts at the places of recipes."""
    if isinstance(value, str):
        if isinstance(type_, RefTo) or (type_ == TEXT and field == _REFERENCE):
            yield value
        return
    match type_:
        case OptionalOf(item) if value is not None:
            yield from _recipes(item, value, field)
        case ListOf(item) if isinstance(value, list):
            for each in value:
                yield from _recipes(item, each)
        case MapOf(item) if isinstance(value, dict):
            for each in value.values():
                yield from _recipes(item, each)
        case Record(fields) if isinstance(value, dict):
            for name, item in fields:
                yield from _recipes(item, value.get(name), name)
        case Union(tags) if isinstance(value, dict):
            for name, item in tags:
                if name in value:
                    yield from _recipes(item, value[name], name)
        case Recursive(_, body):
            yield from _recipes(body, value)
