"""Arrow's types for the kinds of columns, which are written as Spark writes them (`ARRAY<BIGINT>`)."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

import pyarrow as pa

from liven.liveobjects.feeds.table.arrow_blocks import TIME
from liven.liveobjects.feeds.table.columns import Column

_PLAIN: Final = {
    "BIGINT": pa.int64(),
    "INT": pa.int32(),
    "DOUBLE": pa.float64(),
    "BOOLEAN": pa.bool_(),
    "STRING": pa.string(),
    "BINARY": pa.binary(),
    "TIMESTAMP": TIME,
    "DECIMAL(20,0)": pa.decimal128(20, 0),
}
_TOKEN: Final = re.compile(r"\s*(`(?:[^`]|``)*`|[A-Z]+(?:\(\d+,\d+\))?|[<>,:])")


def arrow_columns(columns: Iterable[Column]) -> pa.Schema:
    """Return the columns of a table as Arrow has them; raise ValueError for a kind that there is not."""
    return pa.schema([(column.name, arrow_type(column.kind)) for column in columns])


def arrow_type(kind: str) -> pa.DataType:
    """Return the type of a column; raise ValueError."""
    tokens = _Tokens(kind)
    found = _one(tokens)
    tokens.demand("")
    return found


def _one(tokens: _Tokens) -> pa.DataType:
    match tokens.next():
        case "ARRAY":
            tokens.demand("<")
            found = pa.list_(_one(tokens))
        case "MAP":
            tokens.demand("<")
            key = _one(tokens)
            tokens.demand(",")
            found = pa.map_(key, _one(tokens))
        case "STRUCT":
            tokens.demand("<")
            fields = [_field(tokens)]
            while tokens.peek() == ",":
                tokens.demand(",")
                fields.append(_field(tokens))
            found = pa.struct(fields)
        case plain if plain in _PLAIN:
            return _PLAIN[plain]
        case _:
            raise tokens.error()
    tokens.demand(">")
    return found


def _field(tokens: _Tokens) -> pa.Field:
    name = tokens.next()
    if not name.startswith("`"):
        raise tokens.error()
    tokens.demand(":")
    return pa.field(name[1:-1].replace("``", "`"), _one(tokens))


class _Tokens:
    """The words and signs of a kind, one after the other."""

    def __init__(self, kind: str) -> None:
        self._kind = kind
        self._at = 0

    def peek(self) -> str:
        """Return the next token, empty at the end."""
        found = _TOKEN.match(self._kind, self._at)
        return found[1] if found else self._kind[self._at :].strip()

    def next(self) -> str:
        """Return the next token and go on."""
        found = _TOKEN.match(self._kind, self._at)
        if found is None:
            raise self.error()
        self._at = found.end()
        return found[1]

    def demand(self, token: str) -> None:
        """Go on behind this token, or be at the end; raise ValueError."""
        if self.peek() != token:
            raise self.error()
        if token:
            self.next()

    def error(self) -> ValueError:
        """Return the error that the kind cannot be read."""
        return ValueError(f"{self._kind!r} is no kind of column (at character {self._at})")
