"""The columns of a result in five kinds, each with the expression that makes JSON values of it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from liven.liveobjects.feeds.table.columns import quoted

if TYPE_CHECKING:
    from pyspark.sql import DataFrame
    from pyspark.sql.types import DataType

MOST_COLUMNS: Final = 100
LONGEST_TEXT: Final = 1000
"""Characters of a text in a result."""
_KINDS: Final = {
    "tinyint": ("whole", "{}"),
    "smallint": ("whole", "{}"),
    "int": ("whole", "{}"),
    "bigint": ("whole", "{}"),
    "float": ("real", "cast({} as double)"),
    "double": ("real", "{}"),
    "boolean": ("truth", "{}"),
    "timestamp": ("time", "unix_micros({})"),
    "timestamp_ntz": ("time", "unix_micros(cast({} as timestamp))"),
    "date": ("text", "cast({} as string)"),
    "string": ("text", "{}"),
    "binary": ("text", "lower(hex({}))"),
}
_NESTED: Final = ("struct", "array", "map")


class WideResultError(ValueError):
    """A result has more columns than a table shows."""


def told_columns(frame: DataFrame) -> tuple[list[tuple[str, str]], list[str]]:
    """Return the name and kind of each column, and expressions that make JSON values of them; raise
    WideResultError."""
    fields = frame.schema.fields
    if len(fields) > MOST_COLUMNS:
        raise WideResultError(
            f"the result has {len(fields)} columns; at most {MOST_COLUMNS} are shown, so name those you need"
        )
    names = distinct([field.name for field in fields])
    forms = [_form(field.dataType) for field in fields]
    columns = [(name, kind) for name, (kind, _) in zip(names, forms, strict=True)]
    return columns, [
        f"{form.format(quoted(name))} as {quoted(name)}" for name, (_, form) in zip(names, forms, strict=True)
    ]


def distinct(names: Sequence[str]) -> list[str]:
    """Return names of which no two are equal in any letter case."""
    found: list[str] = []
    taken: set[str] = set()
    for name in names:
        free, number = name, 2
        while free.lower() in taken:
            free, number = f"{name} {number}", number + 1
        taken.add(free.lower())
        found.append(free)
    return found


def _form(kind: DataType) -> tuple[str, str]:
    name = kind.simpleString()
    if name.startswith("decimal"):
        return "real", "cast({} as double)"
    head = name.partition("(")[0]
    if name.startswith(_NESTED):
        found = "text", "to_json({})"
    elif head in ("char", "varchar"):
        found = _KINDS["string"]
    else:
        found = _KINDS.get(name) or _KINDS.get(head) or ("text", "cast({} as string)")
    if found[0] == "text":
        return "text", f"left({found[1]}, {LONGEST_TEXT})"
    return found
