"""Rows that are written in a public format come back from its decoder, as exactly as the format can say."""

from __future__ import annotations

from typing import Any

import pytest

from liven.liveobjects.feeds.source.formats.decoded import Row
from liven.liveobjects.feeds.source.formats.format_table import FORMATS, decoder, term
from liven.liveobjects.feeds.source.formats.records import Aircraft, Quote
from liven.liveobjects.feeds.source.generator.generators import COUNTS, GENERATORS
from liven.liveobjects.feeds.source.generator.public_formats import WRITINGS, UnknownFormatError, written

START = 1_790_000_000_000_000
NAMED = [name for name in WRITINGS if name in FORMATS]


def made(generator: str) -> list[Row]:
    seconds = 7200 if generator == "earthquakes" else 5
    found = GENERATORS[generator](1, COUNTS[generator])
    return [one.row for _, step in found.steps(START, seconds) for one in step]


def read(name: str, rows: list[Row], generator: str) -> list[Any]:
    format_ = FORMATS[name]
    assert format_.record is not None
    found = decoder(name, term(format_.record))(b"".join(written(name, generator, rows)))
    assert not found.faults
    return found.rows


def test_every_format_but_the_general_ones_has_a_decoder() -> None:
    assert set(WRITINGS) - set(NAMED) == {"jsonl", "csv"}
    assert set(NAMED) == set(FORMATS)


@pytest.mark.parametrize("name", ["opensky", "aircraft.json"])
def test_snapshots_of_aircraft_hold_the_last_report_of_each(name: str) -> None:
    rows = made("airspace")
    last = {row["icao"]: row for row in rows}
    found = read(name, rows, "airspace")
    assert {row["icao"] for row in found} == set(last)
    for row in found:
        was = last[row["icao"]]
        assert row["callsign"] == was["callsign"]
        assert (row["latitude"], row["longitude"]) == (was["latitude"], was["longitude"])
        assert row["speed"] == pytest.approx(was["speed"], abs=0.03)
        assert row["on_ground"] == was["on_ground"]
        if not was["on_ground"]:
            assert row["altitude"] == pytest.approx(was["altitude"], abs=0.16)
        assert abs(row["at"] - was["at"]) <= 1_000_000


def test_basestation_tells_identity_position_and_velocity_apart() -> None:
    rows = made("airspace")[:20]
    found = read("basestation", rows, "airspace")
    assert [row["transmission"] for row in found[:5]] == [1, 3, 4, 3, 4]
    positions = [row for row in found if row["transmission"] == 3]
    assert [row["latitude"] for row in positions] == pytest.approx(
        [row["latitude"] for row in rows], abs=1e-5
    )
    speeds = [row["speed"] for row in found if row["transmission"] == 4]
    assert speeds == pytest.approx([row["speed"] for row in rows], abs=0.03)


def test_earthquakes_come_back_in_their_last_version() -> None:
    rows = made("earthquakes")
    last = {row["id"]: row for row in rows}
    for row in read("usgs", rows, "earthquakes"):
        was = last[row["id"]]
        for field in ("magnitude", "latitude", "longitude", "status", "tsunami", "felt", "place"):
            assert row[field] == was[field]
        assert row["depth"] == pytest.approx(was["depth"])
        assert row["updated"] == was["updated"] // 1000 * 1000


def test_quotes_come_back_exactly() -> None:
    rows = made("quotes")
    assert read("quotes", rows, "quotes") == rows


@pytest.mark.parametrize("name", ["ohlc", "klines"])
def test_bars_hold_the_range_of_the_quotes(name: str) -> None:
    rows = made("quotes")
    first = rows[0]["symbol"]
    prices = [(row["bid"] + row["ask"]) / 2 for row in rows if row["symbol"] == first]
    [bar] = read(name, rows, "quotes")
    assert bar["open"] == pytest.approx(prices[0], abs=0.001)
    assert bar["close"] == pytest.approx(prices[-1], abs=0.001)
    assert (bar["low"], bar["high"]) == pytest.approx((min(prices), max(prices)), abs=0.001)


@pytest.mark.parametrize(("name", "form"), [("jsonl", "json"), ("csv", "csv")])
def test_general_formats_hold_the_rows_exactly(name: str, form: str) -> None:
    rows = made("quotes") if name == "csv" else made("airspace")
    data = b"".join(written(name, "airspace", rows))
    if form == "json":
        decode = decoder("json", term(Aircraft))
        assert [row for line in data.splitlines() for row in decode(line).rows] == rows
    else:
        from liven.liveobjects.feeds.source.formats.format_table import cells_reader, table

        assert table(data, cells_reader("csv", term(Quote))).rows == rows


def test_a_format_of_other_rows_is_refused_with_those_that_fit() -> None:
    with pytest.raises(
        UnknownFormatError, match="quotes cannot be written as usgs; it can as jsonl, csv, quotes"
    ):
        written("usgs", "quotes", [])
