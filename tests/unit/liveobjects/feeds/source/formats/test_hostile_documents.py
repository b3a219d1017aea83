"""Whatever a stranger sends: rows have their declared type, everything else is a fault with a reason."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from liven.liveobjects.feeds.source.formats.decoded import MOST_FAULTS, Decoded
from liven.liveobjects.feeds.source.formats.format_table import FORMATS, decoder, term
from liven.types.codec import Codec

STATE = ["4b1814", "SWR7 ", "Swiss", 1.5, 2, 8.5, 47.1, 9000.0, False, 200.5, 12.0, 0, [1], None, "1000"]
OPENSKY = {"time": 2, "states": [[*STATE, False, 0], [*STATE, True, False, 1], [*STATE, False, 0, 3]]}
AIRCRAFT = {
    "now": 1.5,
    "aircraft": [{"hex": "4b1814", "alt_baro": "ground", "lat": 1, "lon": 2, "gs": 3, "seen": 0.5}],
}
QUAKE = {
    "type": "Feature",
    "id": "us1",
    "geometry": {"coordinates": [10, 20, 3]},
    "properties": {"time": 1000, "updated": 2000, "mag": 4.5, "tsunami": 0},
}
USGS = {"type": "FeatureCollection", "features": [QUAKE]}
KLINES = [[1000, "1", "3", "0.5", "2", "7", 1999, "8", 5, "1", "2", "0"]]
QUOTES = [{"time": "2026-01-31", "symbol": "ABC", "bid": 1.5, "ask": "1.6"}]
LINE = "MSG,3,1,1,4B1814,1,2026/01/31,12:00:00.500,2026/01/31,12:00:00.500,,9000,,,47.1,8.5,,,0,0,0,0"
OHLC = "Date,Open,High,Low,Close,Adj Close,Volume\n2026-01-30,1,3,0.5,2,1.9,700\n"

SAMPLES: dict[str, bytes] = {
    "opensky": json.dumps(OPENSKY).encode(),
    "aircraft.json": json.dumps(AIRCRAFT).encode(),
    "usgs": json.dumps(USGS).encode(),
    "klines": json.dumps(KLINES).encode(),
    "quotes": json.dumps(QUOTES).encode(),
    "basestation": LINE.encode(),
    "ohlc": OHLC.encode(),
}
HOSTILE: tuple[Any, ...] = (
    None,
    True,
    -1,
    10**400,
    2**63,
    -(2**63) - 1,
    1e308,
    float("nan"),
    float("inf"),
    "",
    "NaN",
    "1e999",
    "1_0",
    "\ud800",
    "\u202e" * 3000,
    "9" * 200,
    [],
    [None],
    {},
    {"a": 1},
)
LEAVES = st.one_of(st.sampled_from(HOSTILE), st.integers(), st.floats(), st.text(max_size=20))


def proven(name: str) -> Callable[[bytes], Decoded]:
    """Return the decoder, which checks that each row has the declared type."""
    format_ = FORMATS[name]
    assert format_.record is not None
    kind = term(format_.record)
    codec, decode = Codec(kind), decoder(name, kind)

    def checked(data: bytes) -> Decoded:
        found = decode(data)
        for row in found.rows:
            assert codec.decode(codec.encode(row)) == row
        assert len(found.faults) == min(found.refused, MOST_FAULTS)
        assert all(fault.reason and len(str(fault)) < 400 for fault in found.faults)
        return found

    return checked


@pytest.mark.parametrize("name", SAMPLES)
def test_the_good_document_has_no_fault(name: str) -> None:
    found = proven(name)(SAMPLES[name])
    assert found.rows
    assert not found.faults


@pytest.mark.parametrize("name", SAMPLES)
@given(data=st.binary(max_size=300))
def test_bytes_of_any_kind_raise_nothing(name: str, data: bytes) -> None:
    proven(name)(data)


@pytest.mark.parametrize("name", SAMPLES)
@given(place=st.integers(0, 2000), new=st.binary(max_size=12))
def test_a_document_with_some_bytes_replaced_raises_nothing(name: str, place: int, new: bytes) -> None:
    sample = SAMPLES[name]
    at = place % len(sample)
    proven(name)(sample[:at] + new + sample[at + len(new) :])


def replaced(value: Any, chosen: int, new: Any) -> tuple[Any, int]:
    """Return a document with the value at one place, counted from the root, replaced or left out."""
    if chosen == 0:
        return new, -1
    chosen -= 1
    if isinstance(value, list):
        whole: Any = []
        for one in value:
            one, chosen = replaced(one, chosen, new) if chosen >= 0 else (one, -1)
            whole.append(one)
        return whole, chosen
    if isinstance(value, dict):
        whole = {}
        for key, one in value.items():
            one, chosen = replaced(one, chosen, new) if chosen >= 0 else (one, -1)
            if one is not Ellipsis:
                whole[key] = one
        return whole, chosen
    return value, chosen


@pytest.mark.parametrize("name", [name for name in SAMPLES if name not in ("basestation", "ohlc")])
@given(place=st.integers(0, 80), new=LEAVES | st.lists(LEAVES, max_size=3) | st.just(...))
def test_a_wrong_value_at_any_place_is_refused_or_unimportant(name: str, place: int, new: Any) -> None:
    whole = replaced(json.loads(SAMPLES[name]), place, new)[0]
    text = json.dumps(whole if whole is not ... else None, default=lambda _: None)
    proven(name)(text.encode())


@pytest.mark.parametrize("name", ["basestation", "ohlc"])
@given(place=st.integers(0, 22), new=st.sampled_from(HOSTILE).map(str) | st.text(max_size=20))
def test_a_wrong_cell_is_refused_or_unimportant(name: str, place: int, new: str) -> None:
    *head, line = SAMPLES[name].decode().splitlines()
    cells = line.split(",")
    cells[place % len(cells)] = new
    proven(name)("\n".join([*head, ",".join(cells)]).encode("utf-8", "replace"))


@pytest.mark.parametrize("name", SAMPLES)
def test_a_nested_document_is_refused(name: str) -> None:
    found = proven(name)(b"[" * 200_000)
    assert found.refused
    assert not found.rows


@pytest.mark.parametrize("name", ["basestation", "ohlc"])
def test_a_long_cell_is_refused_whatever_else_the_process_reads(name: str) -> None:
    before = csv.field_size_limit(1 << 30)
    try:
        assert proven(name)(b"x" * 200_000).refused
    finally:
        csv.field_size_limit(before)


def test_only_the_first_faults_are_kept_and_all_are_counted() -> None:
    found = proven("klines")(json.dumps([[1]] * 1000).encode())
    assert (found.refused, len(found.faults)) == (1000, MOST_FAULTS)
    assert str(found.faults[1]) == "row 2: it is [1], not a list of 7 to 12 fields"
