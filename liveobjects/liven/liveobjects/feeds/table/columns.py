"""The columns of a value type: their names, their Spark types, and the functions that prepare a value for
them.

Every type has columns. A record has one for each field, a union one for each case and the name of the case,
any other type has one called `value`. Parts that have no columnar form (recursive types, endpoints, deep
nesting) become JSON."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

from liven.types.terms.value_types import (
    Float,
    Integer,
    ListOf,
    MapOf,
    OptionalOf,
    Record,
    RefTo,
    Scalar,
    Union,
    ValueType,
)

Preparation: TypeAlias = Callable[[Any], Any] | None
"""Makes a neutral value one that Arrow takes; None if it already is."""

RECORD_COLUMNS: Final = (
    ("seq", "BIGINT"),
    ("received", "TIMESTAMP"),
    ("sent", "TIMESTAMP"),
    ("recorder", "STRING"),
    ("object", "STRING"),
    ("channel", "STRING"),
    ("author", "STRING"),
    ("type", "STRING"),
    ("serial", "BIGINT"),
    ("flags", "INT"),
)
"""The columns of every record, whatever its type; `serial` above 2^63 is negative, as Spark has no unsigned
numbers."""
CASE: Final = "case"
VALUE: Final = "value"
_RESERVED: Final = frozenset({name for name, _ in RECORD_COLUMNS} | {"feed", "day", "error", "payload"})
_SCALARS: Final = {"bool": "BOOLEAN", "text": "STRING", "bytes": "BINARY", "id": "BINARY"}
_DEEPEST: Final = 12
_SIGNED: Final = (-(2**63), 2**63 - 1)
_UNSIGNED_MOST: Final = 2**64 - 1


@dataclass(frozen=True, slots=True)
class Column:
    """A column of a table."""

    name: str
    kind: str
    """Its type as Spark writes it, such as `DOUBLE` or `ARRAY<BIGINT>`."""


@dataclass(frozen=True, slots=True)
class Field:
    """A column, and the part of a value that it holds."""

    column: Column
    part: str
    """The field or the case; empty for the whole value."""
    prepare: Preparation


@dataclass(frozen=True, slots=True)
class TypeColumns:
    """All columns of a value type."""

    fields: tuple[Field, ...]
    is_union: bool
    """True if a value has one of the parts; the first column is the name of the case then."""

    @property
    def columns(self) -> tuple[Column, ...]:
        """The columns without the way to fill them."""
        return tuple(field.column for field in self.fields)


def columns_of(type_: ValueType) -> TypeColumns:
    """Return the columns of values of this type."""
    if isinstance(type_, Record) and type_.fields:
        return TypeColumns(_named_fields(type_.fields, taken=set()), is_union=False)
    if isinstance(type_, Union) and type_.tags:
        case = Field(Column(CASE, "STRING"), "", None)
        return TypeColumns((case, *_named_fields(type_.tags, taken={CASE})), is_union=True)
    kind, prepare = _form(type_, 0)
    return TypeColumns((Field(Column(VALUE, kind), "", prepare),), is_union=False)


def quoted(name: str) -> str:
    """Return a name as Spark's SQL takes any name."""
    return "`" + name.replace("`", "``") + "`"


def ddl(columns: Sequence[Column]) -> str:
    """Return the schema with these columns, as Spark reads it."""
    return ", ".join(f"{quoted(column.name)} {column.kind}" for column in columns)


def _named_fields(parts: Sequence[tuple[str, ValueType]], taken: set[str]) -> tuple[Field, ...]:
    found = []
    for part, type_ in parts:
        kind, prepare = _form(type_, 0)
        found.append(Field(Column(_free_name(part, taken), kind), part, prepare))
    return tuple(found)


def _free_name(part: str, taken: set[str]) -> str:
    """Return a name that no column has in any letter case, since Spark's SQL does not tell them apart."""
    name = part or VALUE
    while name.lower() in taken or name.lower() in _RESERVED:
        name += "_"
    taken.add(name.lower())
    return name


def _form(type_: ValueType, depth: int) -> tuple[str, Preparation]:
    """Return the Spark type of a part, and the preparation of its values."""
    if depth < _DEEPEST:
        match type_:
            case Integer(low, high):
                return _integer(low, high)
            case Float():
                return "DOUBLE", None
            case Scalar(scalar):
                return _SCALARS[scalar], None
            case RefTo():
                return "STRING", None
            case OptionalOf(item):
                kind, prepare = _form(item, depth + 1)
                return kind, _unless_none(prepare)
            case ListOf(item):
                kind, prepare = _form(item, depth + 1)
                return f"ARRAY<{kind}>", _for_each(prepare)
            case MapOf(item):
                kind, prepare = _form(item, depth + 1)
                return f"MAP<STRING, {kind}>", _as_pairs(prepare)
            case Record(parts) | Union(parts) if _has_distinct_names(parts):
                return _struct(parts, depth)
            case _:
                pass
    return "STRING", as_json


def _integer(low: int, high: int) -> tuple[str, Preparation]:
    if _SIGNED[0] <= low and high <= _SIGNED[1]:
        return "BIGINT", None
    if low >= 0 and high <= _UNSIGNED_MOST:
        return "DECIMAL(20,0)", None
    return "STRING", str


def _has_distinct_names(parts: Sequence[tuple[str, ValueType]]) -> bool:
    return bool(parts) and len({name.lower() for name, _ in parts}) == len(parts)


def _struct(parts: Sequence[tuple[str, ValueType]], depth: int) -> tuple[str, Preparation]:
    forms = [(name, *_form(type_, depth + 1)) for name, type_ in parts]
    kinds = ", ".join(f"{quoted(name)}: {kind}" for name, kind, _ in forms)
    changed = [(name, prepare) for name, _, prepare in forms if prepare is not None]
    if not changed:
        return f"STRUCT<{kinds}>", None

    def prepare_parts(value: dict[str, Any]) -> dict[str, Any]:
        made = dict(value)
        for name, prepare in changed:
            if name in made:  # a union has one of them
                made[name] = prepare(made[name])
        return made

    return f"STRUCT<{kinds}>", prepare_parts


def _unless_none(prepare: Preparation) -> Preparation:
    if prepare is None:
        return None
    return lambda value: None if value is None else prepare(value)


def _for_each(prepare: Preparation) -> Preparation:
    if prepare is None:
        return None
    return lambda values: [prepare(value) for value in values]


def _as_pairs(prepare: Preparation) -> Preparation:
    if prepare is None:
        return lambda value: list(value.items())
    return lambda value: [(key, prepare(item)) for key, item in value.items()]


def as_json(value: Any) -> str:
    """Return any neutral value as JSON; bytes become hexadecimal digits."""
    return json.dumps(
        value, ensure_ascii=False, separators=(",", ":"), default=lambda item: bytes(item).hex()
    )
