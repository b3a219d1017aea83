"""OpenSky states: `{"time": s, "states": [[…], …]}`, each row an array of 17 or 18 fields.

Field 17, the category, is there on request only. Documents of before 2016 have `alert` in place 15, before
`spi`; the types of the last fields tell them apart.
"""

from __future__ import annotations

import re
from typing import Any, Final

from liven.liveobjects.feeds.source.formats import fields
from liven.liveobjects.feeds.source.formats.decoded import Decoded, FieldError, Row, each, unusable
from liven.runtime.foreign_text import shown_value

ADDRESS: Final = re.compile(r"~?[0-9a-f]{6}")
_SHORTEST: Final = 15
_LONGEST: Final = 18
_MOST_SENSORS: Final = 1_000
_HIGHEST: Final = 100_000.0
_FASTEST: Final = 10_000.0
_SOURCES: Final = ("ads-b", "asterix", "mlat", "flarm")


def decode(data: bytes) -> Decoded:
    """Return the rows of a document, each an `AircraftState`."""
    try:
        whole = fields.document(data)
        states = fields.entry(whole, "states")
        fields.microseconds(fields.entry(whole, "time"), "time")
        if states is None:  # nothing flies, or nothing was asked for
            return Decoded()
        if not isinstance(states, list):
            raise FieldError(f"states is {shown_value(states)}, not a list")
    except FieldError as error:
        return unusable(str(error))
    return each(states, _row)


def address(value: Any, name: str) -> str:
    """Return the address of an aircraft in small letters."""
    found = (fields.words(fields.needed(value, name), name, 16) or "").lower()
    if not ADDRESS.fullmatch(found):
        raise FieldError(f"{name} is {shown_value(value)}, not six hexadecimal digits")
    return found


def _row(state: Any) -> Row:
    if not isinstance(state, list) or not _SHORTEST <= len(state) <= _LONGEST:
        raise FieldError(f"it is {shown_value(state)}, not a list of {_SHORTEST} to {_LONGEST} fields")
    alert, special, source, category = _tail(state[15:])
    return {
        "at": fields.needed(fields.microseconds(state[4], "last_contact"), "last_contact"),
        "icao": address(state[0], "icao24"),
        "callsign": fields.words(state[1], "callsign", 16),
        "latitude": fields.latitude(fields.number(state[6], "latitude")),
        "longitude": fields.longitude(fields.number(state[5], "longitude")),
        "altitude": fields.number(state[7], "baro_altitude", -_HIGHEST, _HIGHEST),
        "speed": fields.number(state[9], "velocity", 0, _FASTEST),
        "track": fields.number(state[10], "true_track", -360, 360),
        "climb": fields.number(state[11], "vertical_rate", -_FASTEST, _FASTEST),
        "on_ground": fields.truth(state[8], "on_ground"),
        "squawk": fields.words(state[14], "squawk", 16),
        "country": fields.words(state[2], "origin_country", 200),
        "position_at": fields.microseconds(state[3], "time_position"),
        "geometric_altitude": fields.number(state[13], "geo_altitude", -_HIGHEST, _HIGHEST),
        "sensors": _sensors(state[12]),
        "alert": alert,
        "special": special,
        "position_source": source,
        "category": category,
    }


def _tail(rest: list[Any]) -> tuple[bool | None, bool | None, str, int | None]:
    """Return alert, spi, position source and category of the fields from 15 on."""
    if len(rest) > 1 and isinstance(rest[1], bool):
        alert, special, rest = fields.truth(rest[0], "alert"), fields.truth(rest[1], "spi"), rest[2:]
    else:
        alert, special, rest = None, fields.truth(rest[0] if rest else None, "spi"), rest[1:]
    number = fields.whole(rest[0] if rest else None, "position_source", 0, 1_000)
    source = _SOURCES[number] if number is not None and number < len(_SOURCES) else str(number or 0)
    category = fields.whole(rest[1] if len(rest) > 1 else None, "category", 0, 1_000)
    return alert, special, _SOURCES[0] if number is None else source, category


def _sensors(value: Any) -> list[int] | None:
    if value is None:
        return None
    if not isinstance(value, list) or len(value) > _MOST_SENSORS:
        raise FieldError(f"sensors is {shown_value(value)}, not a list of up to {_MOST_SENSORS:,} numbers")
    return [fields.needed(fields.whole(one, "sensors"), "sensors") for one in value]
