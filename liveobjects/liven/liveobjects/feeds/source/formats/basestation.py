"""SBS BaseStation lines, port 30003 of most receivers: comma-separated, 22 fields, most of them empty.

Times have no zone; they are taken for UTC. Lines that are not of aircraft (SEL, ID, AIR, STA, CLK) have no
row.
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Final

from liven.liveobjects.feeds.source.formats import fields
from liven.liveobjects.feeds.source.formats.decoded import Decoded, FieldError, Row, each
from liven.liveobjects.feeds.source.formats.opensky import address
from liven.runtime.foreign_text import shown_value

_FIELDS: Final = 22
_FEWEST: Final = 10
_OTHERS: Final = frozenset({"SEL", "ID", "AIR", "STA", "CLK"})
_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND: Final = timedelta(microseconds=1)
_FORMATS: Final = ("%Y/%m/%d %H:%M:%S.%f", "%Y/%m/%d %H:%M:%S", "%Y-%m-%d %H:%M:%S.%f")


def decode(data: bytes) -> Decoded:
    """Return the rows of a document of lines, each a `BaseStationMessage`."""
    return each(data.decode("utf-8", "replace").splitlines(), row)


def row(line: str) -> Row | None:
    """Return the row of one line, None for one that has none; raise FieldError."""
    parts = [part.strip() for part in line.split(",", _FIELDS + 1)]
    if not line.strip() or parts[0] in _OTHERS:
        return None
    if parts[0] != "MSG":
        raise FieldError(f"it begins with {shown_value(parts[0])}, not with MSG")
    if not _FEWEST <= len(parts) <= _FIELDS:
        raise FieldError(f"it has {len(parts)} fields, not {_FEWEST} to {_FIELDS}")
    parts += [""] * (_FIELDS - len(parts))
    return {
        "at": _time(parts[6], parts[7]),
        "icao": address(parts[4], "hex"),
        "callsign": fields.words(parts[10], "callsign", 16),
        "latitude": fields.latitude(parts[14]),
        "longitude": fields.longitude(parts[15]),
        "altitude": _scaled(parts[11], "altitude", fields.FEET),
        "speed": _scaled(parts[12], "ground speed", fields.KNOTS),
        "track": fields.number_in(parts[13], "track", -360, 360),
        "climb": _scaled(parts[16], "vertical rate", fields.FEET_A_MINUTE),
        "on_ground": _flag(parts[21], "on ground"),
        "squawk": fields.words(parts[17], "squawk", 16),
        "transmission": fields.needed(
            fields.whole_in(parts[1], "transmission type", 1, 8), "transmission type"
        ),
        "alert": _flag(parts[18], "alert"),
        "emergency": _flag(parts[19], "emergency"),
        "special": _flag(parts[20], "spi"),
    }


def _time(day: str, hour: str) -> int:
    text = fields.needed(f"{day} {hour}".strip(), "date generated")[:64]
    for form in _FORMATS:
        try:
            return (datetime.strptime(text, form).replace(tzinfo=UTC) - _EPOCH) // _MICROSECOND
        except ValueError:
            continue
    raise FieldError(f"date and time generated are {shown_value(text)}, not as 2026/01/31 12:00:00.000")


def _scaled(text: str, name: str, unit: float) -> float | None:
    found = fields.number_in(text, name, -1e6, 1e6)
    return None if found is None else found * unit


def _flag(text: str, name: str) -> bool | None:
    if text not in ("", "0", "1", "-1"):
        raise FieldError(f"{name} is {shown_value(text)}, not 0, 1 or -1")
    return None if not text else text != "0"
