"""Arrow's types of columns."""

from __future__ import annotations

import pyarrow as pa
import pytest

from liven.liveobjects.feeds.table.columns import RECORD_COLUMNS, columns_of
from liven.liveobjects.feeds.table.decoder import value_type
from liven.liveobjects.feeds.table.files.arrow_types import arrow_columns, arrow_type
from liven.liveobjects.feeds.table.schema import QUARANTINE_COLUMNS


def test_kinds_inside_kinds_are_read() -> None:
    kind = "STRUCT<`a``b`: ARRAY<MAP<STRING, DECIMAL(20,0)>>, `c, d>`: BOOLEAN>"
    inside = pa.list_(pa.map_(pa.string(), pa.decimal128(20, 0)))
    assert arrow_type(kind) == pa.struct([("a`b", inside), ("c, d>", pa.bool_())])


def test_every_column_of_records_and_of_any_type_has_one() -> None:
    notation = (
        "{b: bool, i: int8, u: uint64, t: text, y: bytes, f: float32, o: text?, l: list<int16>,"
        " m: map<text, {x: text}>}"
    )
    found = arrow_columns([*QUARANTINE_COLUMNS, *columns_of(value_type(notation)).columns])
    assert found.names[: len(RECORD_COLUMNS)] == [name for name, _ in RECORD_COLUMNS]
    assert found.field("u").type == pa.decimal128(20, 0)


@pytest.mark.parametrize(
    "kind", ["", "INTEGER", "ARRAY<BIGINT", "ARRAY<BIGINT>>", "STRUCT<a: INT>", "MAP<INT>", "?"]
)
def test_other_kinds_are_refused(kind: str) -> None:
    with pytest.raises(ValueError, match="is no kind of column"):
        arrow_type(kind)
