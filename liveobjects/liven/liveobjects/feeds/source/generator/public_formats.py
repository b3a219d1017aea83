"""Writes made-up rows in the public formats that `formats` reads: the samples are made so."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any, Final

from liven.liveobjects.feeds.source.formats.decoded import Row
from liven.liveobjects.feeds.source.formats.fields import FEET, FEET_A_MINUTE, KNOTS
from liven.liveobjects.feeds.source.generator.invention import SECOND

_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_MINUTE: Final = 60 * SECOND
_IDENTIFIED: Final = 5
"""A BaseStation tells the callsign with every fifth position."""
Write = Callable[[Iterable[Row]], Iterator[str]]


class UnknownFormatError(ValueError):
    """A generator's rows cannot be written in a format."""


@dataclass(frozen=True, slots=True)
class Writing:
    """One format."""

    generator: str
    """The generator whose rows it takes; empty for all."""
    write: Write


def written(name: str, generator: str, rows: Iterable[Row]) -> Iterator[bytes]:
    """Yield a file of rows in a format; raise UnknownFormatError."""
    found = WRITINGS.get(name)
    if found is None or found.generator not in ("", generator):
        known = ", ".join(key for key, one in WRITINGS.items() if one.generator in ("", generator))
        raise UnknownFormatError(
            f"{generator} cannot be written as {name or 'a file without ending'}; it can as {known}"
        )
    return (text.encode() for text in found.write(rows))


def _latest(rows: Iterable[Row], key: str) -> list[Row]:
    """Return the last row of each thing."""
    found: dict[str, Row] = {}
    for row in rows:
        found[row[key]] = row
    return list(found.values())


def _json_lines(rows: Iterable[Row]) -> Iterator[str]:
    for row in rows:
        yield json.dumps(row, separators=(",", ":")) + "\n"


def _table(rows: Iterable[Row]) -> Iterator[str]:
    for number, row in enumerate(rows):
        if not number:
            yield ",".join(row) + "\n"
        yield ",".join("" if value is None else _cell(value) for value in row.values()) + "\n"


def _cell(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return f'"{value}"' if isinstance(value, str) and "," in value else str(value)


def _opensky(rows: Iterable[Row]) -> Iterator[str]:
    states = [
        [
            row["icao"],
            f"{row['callsign']:<8}",
            "Nowhere",
            row["at"] // SECOND,
            row["at"] // SECOND,
            row["longitude"],
            row["latitude"],
            row["altitude"],
            row["on_ground"],
            row["speed"],
            row["track"],
            row["climb"],
            None,
            row["altitude"],
            row["squawk"],
            False,
            0,
        ]
        for row in _latest(rows, "icao")
    ]
    now = max((state[3] for state in states), default=0)
    yield json.dumps({"time": now, "states": states}, indent=0) + "\n"


def _aircraft_json(rows: Iterable[Row]) -> Iterator[str]:
    found = _latest(rows, "icao")
    now = max((row["at"] for row in found), default=0)
    aircraft = [
        {
            "hex": row["icao"],
            "type": "adsb_icao",
            "flight": f"{row['callsign']:<8}",
            "alt_baro": "ground" if row["on_ground"] else round(row["altitude"] / FEET),
            "gs": round(row["speed"] / KNOTS, 1),
            "track": row["track"],
            "baro_rate": round(row["climb"] / FEET_A_MINUTE),
            "squawk": row["squawk"],
            "category": "A3",
            "lat": row["latitude"],
            "lon": row["longitude"],
            "seen_pos": round((now - row["at"]) / SECOND, 1),
            "seen": round((now - row["at"]) / SECOND, 1),
            "rssi": -20.0,
        }
        for row in found
    ]
    yield json.dumps({"now": now / SECOND, "messages": len(aircraft), "aircraft": aircraft}, indent=0) + "\n"


def _basestation(rows: Iterable[Row]) -> Iterator[str]:
    for number, row in enumerate(rows):
        at = _time(row["at"])
        stamp = f"{at:%Y/%m/%d,%H:%M:%S}.{at.microsecond // 1000:03d}"
        head = f"1,1,{row['icao'].upper()},1,{stamp},{stamp}"
        ground = -1 if row["on_ground"] else 0
        if number % _IDENTIFIED == 0:
            yield f"MSG,1,{head},{row['callsign']},,,,,,,,,,,\n"
        height, place = round(row["altitude"] / FEET), f"{row['latitude']:.5f},{row['longitude']:.5f}"
        yield f"MSG,3,{head},,{height},,,{place},,,0,0,0,{ground}\n"
        knots, climb = round(row["speed"] / KNOTS, 1), round(row["climb"] / FEET_A_MINUTE)
        yield f"MSG,4,{head},,,{knots},{row['track']:.1f},,,{climb},,,,,\n"


def _usgs(rows: Iterable[Row]) -> Iterator[str]:
    features = [
        {
            "type": "Feature",
            "properties": {
                "mag": row["magnitude"],
                "place": row["place"],
                "time": row["at"] // 1000,
                "updated": row["updated"] // 1000,
                "tz": None,
                "url": None,
                "felt": row["felt"],
                "alert": row["alert"],
                "status": row["status"],
                "tsunami": int(row["tsunami"]),
                "sig": row["significance"],
                "net": row["network"],
                "code": row["id"][2:],
                "nst": row["stations"],
                "rms": row["rms"],
                "gap": row["gap"],
                "magType": row["magnitude_type"],
                "type": row["kind"],
                "title": f"M {row['magnitude']} - {row['place']}",
            },
            "geometry": {
                "type": "Point",
                "coordinates": [row["longitude"], row["latitude"], row["depth"] / 1000],
            },
            "id": row["id"],
        }
        for row in _latest(rows, "id")
    ]
    about = {"title": "Made-up earthquakes", "count": len(features)}
    yield json.dumps({"type": "FeatureCollection", "metadata": about, "features": features}, indent=0) + "\n"


def _bars(rows: Iterable[Row]) -> list[dict[str, Any]]:
    """Return the bars of a minute of the first symbol, by the middle of its quotes."""
    found: dict[int, dict[str, Any]] = {}
    symbol = ""
    for row in rows:
        symbol = symbol or row["symbol"]
        if row["symbol"] != symbol:
            continue
        price, traded = round((row["bid"] + row["ask"]) / 2, 3), row["last_size"] or 0.0
        at = row["at"] // _MINUTE * _MINUTE
        new = {"at": at, "open": price, "high": price, "low": price, "volume": 0.0, "worth": 0.0, "trades": 0}
        bar = found.setdefault(at, new)
        bar["high"], bar["low"] = max(bar["high"], price), min(bar["low"], price)
        bar["close"] = price
        bar["volume"] += traded
        bar["worth"] += traded * price
        bar["trades"] += bool(traded)
    return list(found.values())


def _ohlc(rows: Iterable[Row]) -> Iterator[str]:
    yield "Date,Open,High,Low,Close,Adj Close,Volume\n"
    for bar in _bars(rows):
        prices = ",".join(f"{bar[name]:.3f}" for name in ("open", "high", "low", "close", "close"))
        yield f"{_time(bar['at']):%Y-%m-%dT%H:%M:%SZ},{prices},{bar['volume']:.0f}\n"


def _klines(rows: Iterable[Row]) -> Iterator[str]:
    found = []
    for bar in _bars(rows):
        opened = bar["at"] // 1000
        prices = [f"{bar[name]:.3f}" for name in ("open", "high", "low", "close")]
        half = [f"{bar['volume'] / 2:.1f}", f"{bar['worth'] / 2:.3f}"]
        worth = f"{bar['worth']:.3f}"
        found.append(
            [opened, *prices, f"{bar['volume']:.1f}", opened + 59_999, worth, bar["trades"], *half, "0"]
        )
    yield json.dumps(found, indent=0) + "\n"


def _quotes(rows: Iterable[Row]) -> Iterator[str]:
    yield "time,symbol,bid,bid_size,ask,ask_size,last,last_size\n"
    for row in rows:
        at = _time(row["at"])
        sizes = {name: "" if row[name] is None else f"{row[name]:.0f}" for name in _SIZES}
        last = "" if row["last"] is None else f"{row['last']:.2f}"
        yield (
            f"{at:%Y-%m-%dT%H:%M:%S.%f}Z,{row['symbol']},{row['bid']:.2f},{sizes['bid_size']},"
            f"{row['ask']:.2f},{sizes['ask_size']},{last},{sizes['last_size']}\n"
        )


_SIZES: Final = ("bid_size", "ask_size", "last_size")


def _time(micros: int) -> datetime:
    return _EPOCH + timedelta(microseconds=micros)


WRITINGS: Final[Mapping[str, Writing]] = {
    "jsonl": Writing("", _json_lines),
    "csv": Writing("", _table),
    "opensky": Writing("airspace", _opensky),
    "aircraft.json": Writing("airspace", _aircraft_json),
    "basestation": Writing("airspace", _basestation),
    "usgs": Writing("earthquakes", _usgs),
    "quotes": Writing("quotes", _quotes),
    "ohlc": Writing("quotes", _ohlc),
    "klines": Writing("quotes", _klines),
}
