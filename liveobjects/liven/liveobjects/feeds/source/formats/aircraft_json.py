"""The file aircraft.json of readsb, dump1090-fa and tar1090: what a receiver hears now.

Keys that the receiver does not know are left out. Heights come in feet, speeds in knots, climbing in feet a
minute.
"""

from __future__ import annotations

from typing import Any, Final

from liven.liveobjects.feeds.source.formats import fields
from liven.liveobjects.feeds.source.formats.decoded import Decoded, FieldError, Row, each, unusable
from liven.liveobjects.feeds.source.formats.opensky import address
from liven.runtime.foreign_text import shown_value

_HIGHEST: Final = 400_000.0
_FASTEST: Final = 20_000.0
_STEEPEST: Final = 1_000_000.0
_LONGEST_AGE: Final = 86_400.0
_GROUND: Final = "ground"


def decode(data: bytes) -> Decoded:
    """Return the rows of a document, each an `AircraftReport`."""
    try:
        whole = fields.document(data)
        now = fields.needed(fields.microseconds(fields.entry(whole, "now"), "now"), "now")
        aircraft = fields.entry(whole, "aircraft")
        if not isinstance(aircraft, list):
            raise FieldError(f"aircraft is {shown_value(aircraft)}, not a list")
    except FieldError as error:
        return unusable(str(error))
    return each(aircraft, lambda one: _row(one, now))


def _row(one: Any, now: int) -> Row:
    icao = address(fields.entry(one, "hex"), "hex")
    height = one.get("alt_baro")
    ground = height == _GROUND if isinstance(height, str) else None
    seen = fields.number(one.get("seen"), "seen", 0, _LONGEST_AGE) or 0.0
    since = fields.number(one.get("seen_pos"), "seen_pos", 0, _LONGEST_AGE)
    return {
        "at": now - round(seen * 1e6),
        "icao": icao,
        "callsign": fields.words(one.get("flight"), "flight", 16),
        "latitude": fields.latitude(fields.number(one.get("lat"), "lat"), "lat"),
        "longitude": fields.longitude(fields.number(one.get("lon"), "lon"), "lon"),
        "altitude": None if ground else _scaled(height, "alt_baro", fields.FEET, _HIGHEST),
        "speed": _scaled(one.get("gs"), "gs", fields.KNOTS, _FASTEST),
        "track": fields.number(one.get("track"), "track", -360, 360),
        "climb": _scaled(one.get("baro_rate"), "baro_rate", fields.FEET_A_MINUTE, _STEEPEST),
        "on_ground": ground if ground is not None or height is None else False,
        "squawk": fields.words(one.get("squawk"), "squawk", 16),
        "kind": fields.words(one.get("type"), "type", 40),
        "registration": fields.words(one.get("r"), "r", 40),
        "model": fields.words(one.get("t"), "t", 40),
        "position_at": None if since is None else now - round(since * 1e6),
        "geometric_altitude": _scaled(one.get("alt_geom"), "alt_geom", fields.FEET, _HIGHEST),
        "air_speed": _scaled(one.get("tas"), "tas", fields.KNOTS, _FASTEST),
        "emergency": fields.words(one.get("emergency"), "emergency", 40),
        "category": fields.words(one.get("category"), "category", 40),
        "radius": fields.number(one.get("rc"), "rc", 0, 1e9),
        "signal": fields.number(one.get("rssi"), "rssi", -1_000, 1_000),
        "messages": fields.whole(one.get("messages"), "messages", 0),
        "alert": fields.truth(one.get("alert"), "alert"),
        "special": fields.truth(one.get("spi"), "spi"),
    }


def _scaled(value: Any, name: str, unit: float, most: float) -> float | None:
    found = fields.number(value, name, -most, most)
    return None if found is None else found * unit
