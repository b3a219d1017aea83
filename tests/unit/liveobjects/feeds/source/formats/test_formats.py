"""Each format, field by field: units, variants and the rows that are refused."""

from __future__ import annotations

import json
from typing import Any

import pytest

from liven.liveobjects.feeds.source.formats import aircraft_json, basestation, opensky, prices, usgs
from liven.liveobjects.feeds.source.formats.decoded import Decoded, FieldError
from liven.liveobjects.feeds.source.formats.fields import moment_in
from liven.liveobjects.feeds.source.formats.format_table import (
    FormatError,
    cells_reader,
    decoder,
    table,
    term,
)
from liven.liveobjects.feeds.source.formats.records import (
    Aircraft,
    AircraftReport,
    AircraftState,
    Bar,
    BaseStationMessage,
    Earthquake,
    Kline,
    Quote,
)
from liven.liveobjects.feeds.source.formats.table_lines import Heading
from liven.types.formalism.registry import Formalisms
from liven.types.matching.matcher import Matcher
from liven.types.terms.value_types import BYTES, FLOAT64, INT32, TEXT, ListOf, optional, record

STATE = ["4B1814", "SWR7    ", "Swiss", 1.5, 2, 8.5, 47.1, 9000, False, 200.5, 12.0, -2, None, 9100.0, "1000"]


def states(*tails: list[Any]) -> list[Any]:
    rows = [[*STATE, *tail] for tail in tails]
    found = opensky.decode(json.dumps({"time": 2, "states": rows}).encode())
    assert not found.faults
    return found.rows


def only(found: Decoded) -> str:
    [fault] = found.faults
    assert not found.rows
    return str(fault)


def test_every_report_of_an_aircraft_is_an_aircraft_and_a_kline_is_a_bar() -> None:
    matcher = Matcher(Formalisms())
    for cls in (AircraftState, AircraftReport, BaseStationMessage):
        assert matcher.value_subtype(term(cls), term(Aircraft))
    assert matcher.value_subtype(term(Kline), term(Bar))
    assert not matcher.value_subtype(term(Aircraft), term(AircraftState))


def test_opensky_rows_have_units_of_the_system_and_times_in_microseconds() -> None:
    [row] = states([False, 2])
    assert row["icao"] == "4b1814"
    assert row["callsign"] == "SWR7"
    assert (row["at"], row["position_at"]) == (2_000_000, 1_500_000)
    assert (row["latitude"], row["longitude"]) == (47.1, 8.5)
    assert (row["altitude"], row["geometric_altitude"], row["climb"]) == (9000.0, 9100.0, -2.0)
    assert (row["special"], row["alert"], row["position_source"], row["category"]) == (
        False,
        None,
        "mlat",
        None,
    )


def test_opensky_tells_rows_of_17_and_18_and_old_ones_with_alert_apart() -> None:
    new, extended, old = states([True, 0], [False, 1, 4], [False, True, 2])
    told = [
        (one["alert"], one["special"], one["position_source"], one["category"])
        for one in (new, extended, old)
    ]
    assert told == [(None, True, "ads-b", None), (None, False, "asterix", 4), (False, True, "mlat", None)]


def test_an_answer_of_opensky_without_states_has_no_rows() -> None:
    assert opensky.decode(b'{"time": 1, "states": null}') == Decoded()


@pytest.mark.parametrize(
    ("place", "value", "told"),
    [
        (0, "XYZ", "row 1: icao24 is 'XYZ', not six hexadecimal digits"),
        (4, None, "row 1: last_contact is missing"),
        (5, 181, "row 1: longitude is 181, not between -180 and 180"),
        (6, "47", "row 1: latitude is '47', not a number"),
        (9, -1, "row 1: velocity is -1, not between 0 and 10000"),
        (8, "no", "row 1: on_ground is 'no', not a truth value"),
    ],
)
def test_a_wrong_field_refuses_its_row_with_the_reason(place: int, value: object, told: str) -> None:
    state = [*STATE, False, 0]
    state[place] = value
    good = [*STATE, False, 0]
    found = opensky.decode(json.dumps({"time": 2, "states": [state, good]}).encode())
    assert [str(one) for one in found.faults] == [told]
    assert len(found.rows) == 1


def test_a_number_that_is_none_in_json_is_refused() -> None:
    text = json.dumps({"time": 2, "states": [[*STATE, False, 0]]}).replace("47.1", "NaN")
    assert only(opensky.decode(text.encode())) == "row 1: latitude is nan, not a finite number"


def test_aircraft_json_converts_feet_knots_and_ages() -> None:
    one = {
        "hex": "~abc123",
        "flight": "N1 ",
        "alt_baro": 1000,
        "gs": 100,
        "baro_rate": 600,
        "seen": 0.5,
        "seen_pos": 2,
        "lat": 1.5,
        "lon": -2.5,
        "spi": 1,
    }
    found = aircraft_json.decode(json.dumps({"now": 10, "messages": 3, "aircraft": [one]}).encode())
    [row] = found.rows
    assert row["icao"] == "~abc123"
    assert row["altitude"] == pytest.approx(304.8)
    assert row["speed"] == pytest.approx(51.444, abs=0.001)
    assert row["climb"] == pytest.approx(3.048)
    assert (row["at"], row["position_at"]) == (9_500_000, 8_000_000)
    assert (row["on_ground"], row["special"], row["alert"]) == (False, True, None)


def test_an_aircraft_on_the_ground_has_no_altitude() -> None:
    found = aircraft_json.decode(b'{"now": 1, "aircraft": [{"hex": "abc123", "alt_baro": "ground"}]}')
    assert (found.rows[0]["on_ground"], found.rows[0]["altitude"]) == (True, None)
    assert only(aircraft_json.decode(b'{"now": 1, "aircraft": [{"hex": "abc123", "alt_baro": "high"}]}')) == (
        "row 1: alt_baro is 'high', not a number"
    )


def test_a_basestation_line_may_have_most_fields_empty_or_missing() -> None:
    long = "MSG,3,1,1,4B1814,1,2026/01/31,12:00:00.500,,,,1000,,,47.1,8.5,,,0,-1,0,0"
    short = "MSG,8,1,1,4b1814,1,2026/01/31,12:00:01.000,2026/01/31,12:00:01.000"
    found = basestation.decode(f"{long}\nAIR,,1,1,4B1814\n\n{short}\n".encode())
    assert not found.faults
    first, second = found.rows
    assert (first["transmission"], first["latitude"], first["emergency"], first["on_ground"]) == (
        3,
        47.1,
        True,
        False,
    )
    assert first["altitude"] == pytest.approx(304.8)
    assert second["at"] - first["at"] == 500_000
    assert (second["altitude"], second["alert"]) == (None, None)


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("HELLO", "row 1: it begins with 'HELLO', not with MSG"),
        ("MSG,3,1", "row 1: it has 3 fields, not 10 to 22"),
        (
            "MSG,9,1,1,4b1814,1,2026/01/31,12:00:01.000,,",
            "row 1: transmission type is 9, not between 1 and 8",
        ),
        ("MSG,8,1,1,4b1814,1,yesterday,12:00,,", "row 1: date and time generated are 'yesterday 12:00'"),
    ],
)
def test_a_bad_basestation_line_is_refused(line: str, told: str) -> None:
    assert only(basestation.decode(line.encode())).startswith(told)


def quake(id_: str, updated: int, mag: float | None = 1.0) -> dict[str, Any]:
    about = {"time": 1000, "updated": updated, "mag": mag, "tsunami": 1, "type": "earthquake"}
    return {"type": "Feature", "id": id_, "geometry": {"coordinates": [10, -20, 3.5]}, "properties": about}


def test_the_last_update_of_an_earthquake_wins_wherever_it_stands() -> None:
    features = [quake("a", 3000, 3.0), quake("b", 1000, None), quake("a", 2000, 2.0)]
    found = usgs.decode(json.dumps({"type": "FeatureCollection", "features": features}).encode())
    assert [(row["id"], row["magnitude"]) for row in found.rows] == [("a", 3.0), ("b", None)]
    assert (found.rows[0]["depth"], found.rows[0]["latitude"], found.rows[0]["tsunami"]) == (
        3500.0,
        -20.0,
        True,
    )
    assert usgs.decode(json.dumps(quake("a", 1)).encode()).rows[0]["updated"] == 1000


def test_an_earthquake_without_a_place_is_refused() -> None:
    assert only(usgs.decode(json.dumps({**quake("a", 1), "geometry": None}).encode())) == (
        "row 1: geometry is missing"
    )


def bars(text: str) -> Decoded:
    return table(text.encode(), cells_reader("ohlc", term(Bar)))


def test_bars_of_yahoo_have_an_adjusted_close_and_days_without_trade() -> None:
    found = bars(
        "Date,Open,High,Low,Close,Adj Close,Volume\n"
        "2026-01-30,1,3,0.5,2,1.9,700\n"
        "2026-01-31,null,null,null,null,null,null\n"
    )
    assert [(row["adjusted_close"], row["volume"]) for row in found.rows] == [(1.9, 700.0)]
    assert [str(one) for one in found.faults] == ["row 2: open is missing"]
    assert found.rows[0]["at"] == 1769731200 * 1_000_000


def test_bars_need_no_volume_and_may_have_other_separators_and_orders() -> None:
    found = bars("\ufeffClose;Low;High;Open;Time\n2;1;3;1.5;1769731200\n2;3;1;1.5;1769731200\n2;1\n")
    assert found.rows == [
        {
            "at": 1769731200_000_000,
            "open": 1.5,
            "high": 3.0,
            "low": 1.0,
            "close": 2.0,
            "volume": None,
            "adjusted_close": None,
        }
    ]
    assert [str(one) for one in found.faults] == [
        "row 2: its low of 3 is above its high of 1",
        "row 3: it has 2 cells, and the heading has 5",
    ]


def test_klines_hold_prices_as_texts() -> None:
    found = prices.klines(
        json.dumps([[1000, "1", "3", "0.5", "2", "7", 1999, "8", 5, "1", "2", "0"]]).encode()
    )
    [row] = found.rows
    assert (row["at"], row["closed_at"], row["high"], row["trades"]) == (1_000_000, 1_999_000, 3.0, 5)
    assert only(prices.klines(b'[[2000, "1", "3", "0.5", "2", "7", 1999]]')) == (
        "row 1: its close time is before its open time"
    )


def test_quotes_come_as_lines_and_as_json() -> None:
    read = cells_reader("quotes", term(Quote))
    head = Heading("time,symbol,bid,bid_size,ask,ask_size,last,last_size")
    row = read(head.cells("2026-01-30T00:00:00.000001+01:00,ABC,1.5,100,1.6,,,"))
    assert (row["at"], row["bid"], row["ask"], row["last"]) == (1769727600_000_001, 1.5, 1.6, None)
    found = decoder("quotes", term(Quote))(
        b'{"time": 1769727600000, "symbol": "ABC", "bid": "1.5", "ask": 2}'
    )
    assert found.rows[0]["at"] == 1769727600_000_000


@pytest.mark.parametrize(
    ("text", "micros"),
    [
        ("1769727600", 1769727600_000_000),
        ("1769727600.25", 1769727600_250_000),
        ("1769727600123", 1769727600_123_000),
        ("1769727600123456", 1769727600_123_456),
        (1769727600123456789, 1769727600_123_457),
        ("1970-01-01", 0),
        ("", None),
    ],
)
def test_a_time_is_read_by_its_form_and_size(text: object, micros: int | None) -> None:
    assert moment_in(text, "time") == micros


@pytest.mark.parametrize("text", ["noon", "2026-13-01", "1e30", True, [1]])
def test_what_is_no_time_is_refused(text: object) -> None:
    with pytest.raises(FieldError, match="time is"):
        moment_in(text, "time")


def test_json_gives_any_type_that_a_recipe_asks_for() -> None:
    kind = record(a=INT32, b=optional(FLOAT64), c=ListOf(TEXT))
    decode = decoder("", kind)
    assert decode(b'[{"a": 1.0, "c": ["x"], "more": 1}, {"a": 2, "b": 3, "c": []}]').rows == [
        {"a": 1, "b": None, "c": ["x"]},
        {"a": 2, "b": 3.0, "c": []},
    ]
    assert only(decode(b'{"a": 3000000000, "c": []}')) == (
        "row 1: a is 3000000000, not between -2147483648 and 2147483647"
    )
    assert only(decode(b'{"a": 1, "c": [1]}')) == "row 1: c[0] is 1, not a text"
    assert decoder("", TEXT)("Zürich".encode()).rows == ["Zürich"]
    assert decoder("", BYTES)(b"\xff").rows == [b"\xff"]
    assert decoder("json", FLOAT64)(b"3").rows == [3.0]


def test_a_format_that_does_not_give_what_is_asked_for_is_refused_by_name() -> None:
    with pytest.raises(FormatError, match="no format called 'opensy'; the formats are opensky, "):
        decoder("opensy", term(Aircraft))
    with pytest.raises(
        FormatError, match="the rows of usgs are liven:earthquake, which do not fit liven:aircraft"
    ):
        decoder("usgs", term(Aircraft))
    with pytest.raises(FormatError, match="JSON cannot give bytes"):
        decoder("json", record(a=BYTES))
    with pytest.raises(FormatError, match="no cell for a: list<text>"):
        cells_reader("csv", record(a=ListOf(TEXT)))
    assert decoder("opensky", term(Aircraft))(b"{}").rows == []
    assert decoder("usgs", term(Earthquake))(b"[]").faults[0].reason == "[] is not an object"


def test_cells_are_read_by_the_type_of_their_field() -> None:
    read = cells_reader("", record(Amount=FLOAT64, n=optional(INT32), note=TEXT, ok=TEXT))
    assert read({"amount": " 1.5 ", "n": "", "note": "a b", "ok": ""}) == {
        "Amount": 1.5,
        "n": None,
        "note": "a b",
        "ok": "",
    }
    with pytest.raises(FieldError, match="Amount is 'x', not a number"):
        read({"amount": "x", "note": "", "ok": ""})
    with pytest.raises(FieldError, match="note is missing"):
        read({"amount": "1", "ok": ""})


@pytest.mark.parametrize(
    ("line", "told"),
    [("", "the heading is empty"), ("a,A", "two columns are called 'a'"), ('"a', "not a line")],
)
def test_a_heading_that_names_no_columns_is_refused(line: str, told: str) -> None:
    with pytest.raises(FieldError, match=told):
        Heading(line)
