"""The tables of a feed: one for each class with all its versions, and one for each other type.

A feed's description names the types of its records. Names with the same class id are versions of one class,
so their values come into one table."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final

from liven.liveobjects.feeds.description import TypeEntry
from liven.liveobjects.feeds.table.columns import columns_of
from liven.liveobjects.feeds.table.decoder import UnknownTypeError, value_type
from liven.liveobjects.feeds.table.reading import Reading
from liven.liveobjects.feeds.table.schema import TableSchema, merged, table_name
from liven.types.codec.codec import Codec
from liven.types.codec.errors import NoWireFormError

_DISTINCT: Final = "{}_{}"


@dataclass(frozen=True, slots=True)
class TypedTable:
    """A table, the types that it takes, and its columns with those of all these types."""

    name: str
    schema: TableSchema
    readings: tuple[Reading, ...]


@dataclass(frozen=True, slots=True)
class Plan:
    """The tables for some types, and the types that have none, with the reasons."""

    tables: tuple[TypedTable, ...]
    unknown: Mapping[str, str]


def tables_for(
    types: Iterable[str], described: Mapping[str, TypeEntry], known: Mapping[str, TableSchema]
) -> Plan:
    """Return the tables for the values of these types; `known` are the tables so far, which keep their
    names."""
    groups: dict[str, list[str]] = {}
    unknown: dict[str, str] = {}
    for type_ in sorted(types, key=lambda one: (_version(described, one), one)):
        try:
            Codec(value_type(_notation(described, type_)))
        except (UnknownTypeError, NoWireFormError) as error:
            unknown[type_] = str(error)
        else:
            groups.setdefault(_class_of(described, type_), []).append(type_)
    names = {schema.type: name for name, schema in known.items()}
    found = []
    for key, members in groups.items():
        name = names.get(key) or _free(table_name(members[0]), set(names.values()))
        names[key] = name
        found.append(_table(name, key, members, described, known.get(name)))
    return Plan(tuple(found), unknown)


def _table(
    name: str, key: str, members: list[str], described: Mapping[str, TypeEntry], schema: TableSchema | None
) -> TypedTable:
    readings = []
    for type_ in members:
        notation = _notation(described, type_)
        schema, names = merged(schema, key, columns_of(value_type(notation)).columns)
        readings.append(Reading(type_, notation, {old: new for old, new in names.items() if old != new}))
    assert schema is not None  # a group has a member
    return TypedTable(name, schema, tuple(readings))


def _class_of(described: Mapping[str, TypeEntry], type_: str) -> str:
    entry = described.get(type_)
    return entry.id if entry is not None and entry.id else type_


def _version(described: Mapping[str, TypeEntry], type_: str) -> int:
    entry = described.get(type_)
    return entry.version if entry is not None else 0


def _notation(described: Mapping[str, TypeEntry], type_: str) -> str:
    entry = described.get(type_)
    return entry.notation if entry is not None and entry.notation else type_


def _free(name: str, taken: set[str]) -> str:
    number, found = 2, name
    while found in taken:
        found, number = _DISTINCT.format(name, number), number + 1
    return found
