"""A limit on the nesting of types: code generators recurse once for each level."""

from __future__ import annotations

from collections.abc import Iterator

from liven.types.codec.errors import NoWireFormError
from liven.types.terms.value_types import ListOf, MapOf, OptionalOf, Record, Recursive, Union, ValueType

MOST_LEVELS = 200


def demand_shallow(type_: ValueType) -> None:
    """Raise NoWireFormError for a type that nests too deep."""
    level: dict[int, ValueType] = {id(type_): type_}
    for _ in range(MOST_LEVELS):
        level = {id(part): part for whole in level.values() for part in _parts(whole)}
        if not level:
            return
    raise NoWireFormError(f"the type is nested more than {MOST_LEVELS} levels deep")


def _parts(whole: ValueType) -> Iterator[ValueType]:
    match whole:
        case ListOf(part) | MapOf(part) | OptionalOf(part) | Recursive(_, part):
            yield part
        case Record(held) | Union(held):
            yield from (part for _, part in held)
