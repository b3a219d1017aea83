"""Decoded records in words."""

from __future__ import annotations

from datetime import UTC, datetime

from liven.liveobjects.feeds.history.moment_text import date_text
from liven.liveobjects.feeds.view.value.record_summary import MOST_ROWS, RecordSummary, summary_of

AT = round(datetime(2026, 11, 5, 12, 3, 23, tzinfo=UTC).timestamp() * 1e6)
QUAKE = {
    "at": AT,
    "id": "lv00002789",
    "updated": AT + 3_600_000_000,
    "latitude": -6.25,
    "longitude": 130.125,
    "depth": 35_000.0,
    "magnitude": 4.7,
    "magnitude_type": "mb",
    "place": "120 km S of Ambon",
    "alert": None,
    "reviewed": True,
    "stations": 12_345,
}


def test_an_earthquake_has_place_magnitude_time_and_a_table() -> None:
    found = summary_of(QUAKE)
    assert (found.title, found.figure, found.figure_name) == ("120 km S of Ambon", "4.7", "magnitude mb")
    assert found.moment == date_text(AT)
    assert found.rows == (
        ("Id", "lv00002789"),
        ("Updated", date_text(AT + 3_600_000_000)),
        ("Position", "6.250° S, 130.125° E"),
        ("Depth", "35,000 m"),
        ("Reviewed", "yes"),
        ("Stations", "12,345"),
    )
    assert found.text.startswith("120 km S of Ambon\nmagnitude mb 4.7\n")


def test_a_quote_and_an_aircraft_need_no_face_of_their_own() -> None:
    quote = summary_of({"at": AT, "symbol": "XY", "bid": 101.25, "ask": 101.5, "last": None})
    assert (quote.title, quote.figure, quote.figure_name) == ("XY", "101.25", "bid")
    aircraft = summary_of({"icao": "42eaba", "callsign": " CIR534 ", "altitude": 8839.2})
    assert (aircraft.title, aircraft.figure) == ("CIR534", "8,839.2")
    assert aircraft.rows == (("Icao", "42eaba"),)
    placed = summary_of({"altitude": 8839.2, "speed": 210.0, "latitude": 48.5, "longitude": 10.0})
    assert (placed.figure, placed.rows[0]) == ("8,839.2 m", ("Speed", "210 m/s"))


def test_a_record_without_known_names_is_a_table() -> None:
    found = summary_of({"x": 1, "deep": {"y": 2}, "raw": b"123", "none": None})
    assert found == RecordSummary(rows=(("X", "1"), ("Deep", "y 2"), ("Raw", "3 bytes")))


def test_a_number_that_is_no_moment_stays_a_number() -> None:
    assert summary_of({"time": 5}).rows == (("Time", "5"),)
    assert summary_of({"latitude": 5.0}).rows == (("Latitude", "5"),)


def test_a_list_and_a_long_record_are_cut() -> None:
    found = summary_of([{"n": 1}, {"n": 2}])
    assert (found.title, found.rows) == ("2 entries", (("1", "n 1"), ("2", "n 2")))
    long = summary_of({f"f{number}": number for number in range(MOST_ROWS + 5)})
    assert len(long.rows) == MOST_ROWS + 1
    assert long.rows[-1] == ("…", "and 5 more")
    assert summary_of([0] * 100).rows[-1] == ("…", "and 76 more")
