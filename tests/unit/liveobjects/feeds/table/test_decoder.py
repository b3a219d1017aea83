"""Typed columns of recorded payloads."""

from __future__ import annotations

from collections.abc import Callable

import msgpack  # type: ignore[import-untyped]
import pyarrow as pa
import pytest

from liven.liveobjects.feeds.record import Record
from liven.liveobjects.feeds.segment.reader import Log
from liven.liveobjects.feeds.table.decoder import BlockDecoder, UnknownTypeError, value_type
from liven.liveobjects.feeds.table.reading import Reading

POINT = "{x: float64, y: float64}"
UNION = "<add: {x: float64} | remove: text>"
SCHEMA = pa.schema(
    [
        ("seq", pa.int64()),
        ("recorder", pa.string()),
        ("type", pa.string()),
        ("x", pa.float64()),
        ("y", pa.float64()),
        ("error", pa.string()),
        ("payload", pa.binary()),
    ]
)


def decoded(log: Log, readings: list[Reading], schema: pa.Schema = SCHEMA) -> list[dict[str, object]]:
    decoder = BlockDecoder(readings, schema)
    batches = [batch for block in log.blocks() for batch in decoder.batches(block, "r")]
    for batch in batches:
        batch.validate(full=True)
        assert batch.schema == schema
    return [row for batch in batches for row in batch.to_pylist()]


def test_good_values_fill_columns_and_bad_ones_stay_as_bytes(
    log: Callable[..., Log], make: Callable[..., Record]
) -> None:
    good = msgpack.packb({"x": 1.0, "y": 2})
    bad = [b"", b"\xc1", msgpack.packb({"x": 1.0}), msgpack.packb({"x": "a", "y": 1.0}), good + b"\x00"]
    rows = decoded(
        log([make(0, good), *(make(n + 1, payload) for n, payload in enumerate(bad)), make(9, good)]),
        [Reading(POINT, POINT, {})],
    )
    assert rows[0] == {
        "seq": 0,
        "recorder": "r",
        "type": POINT,
        "x": 1.0,
        "y": 2.0,
        "error": None,
        "payload": None,
    }
    assert rows[-1]["x"] == 1.0
    for row, payload in zip(rows[1:-1], bad, strict=True):
        assert row["error"]
        assert row["payload"] == payload
        assert row["x"] is None


def test_rows_of_other_types_are_left_out(log: Callable[..., Log], make: Callable[..., Record]) -> None:
    value = msgpack.packb({"x": 0.5, "y": 0.0})
    records = [make(n, value if n % 2 else b"?", type=POINT if n % 2 else "other") for n in range(10)]
    rows = decoded(log(records), [Reading(POINT, POINT, {})])
    assert [row["seq"] for row in rows] == [1, 3, 5, 7, 9]
    assert all(row["x"] == 0.5 for row in rows)


def test_versions_of_a_type_share_a_table(log: Callable[..., Log], make: Callable[..., Record]) -> None:
    old = [make(n, msgpack.packb({"x": 1.0}), type="v1") for n in range(3)]
    new = [make(n, msgpack.packb({"x": 2.0, "z": 3.0}), type="v2") for n in range(3, 6)]
    readings = [Reading("v1", "{x: float64}", {}), Reading("v2", "{x: float64, z: float64}", {"z": "y"})]
    rows = decoded(log([*old, *new]), readings)
    assert [(row["x"], row["y"]) for row in rows] == [(1.0, None)] * 3 + [(2.0, 3.0)] * 3


def test_a_union_fills_its_case(log: Callable[..., Log], make: Callable[..., Record]) -> None:
    schema = pa.schema(
        [("case", pa.string()), ("add", pa.struct([("x", pa.float64())])), ("remove", pa.string())]
    )
    records = [
        make(0, msgpack.packb({"add": {"x": 1.0}}), type=UNION),
        make(1, msgpack.packb({"remove": "it"}), type=UNION),
    ]
    assert decoded(log(records), [Reading(UNION, UNION, {})], schema) == [
        {"case": "add", "add": {"x": 1.0}, "remove": None},
        {"case": "remove", "add": None, "remove": "it"},
    ]


def test_a_value_that_no_column_takes_is_an_error(
    log: Callable[..., Log], make: Callable[..., Record]
) -> None:
    schema = pa.schema([("value", pa.int64()), ("error", pa.string()), ("payload", pa.binary())])
    records = [make(n, msgpack.packb(value), type="uint64") for n, value in enumerate((1, 2**64 - 1, 3))]
    rows = decoded(log(records), [Reading("uint64", "uint64", {})], schema)
    assert [row["value"] for row in rows] == [1, None, 3]
    assert "does not fit" in str(rows[1]["error"])
    assert rows[1]["payload"] == msgpack.packb(2**64 - 1)


def test_readings_survive_as_an_option() -> None:
    readings = [Reading("a:b", POINT, {"x": "x_"})]
    assert Reading.load(Reading.dump(readings)) == readings


@pytest.mark.parametrize("notation", ["", "nothing:known", "{x: ", "list"])
def test_a_type_that_cannot_be_read_is_said(notation: str) -> None:
    with pytest.raises(UnknownTypeError):
        value_type(notation)
