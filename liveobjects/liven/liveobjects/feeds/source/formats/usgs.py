"""Earthquakes as GeoJSON of the USGS: a FeatureCollection, or one Feature.

The same id comes again with a later `updated`; `newest` keeps the last of each.
"""

from __future__ import annotations

from typing import Any, Final

from liven.liveobjects.feeds.source.formats import fields
from liven.liveobjects.feeds.source.formats.decoded import Decoded, FieldError, Row, each, unusable
from liven.runtime.foreign_text import shown_value

_MILLISECOND: Final = 1_000


def decode(data: bytes) -> Decoded:
    """Return the rows of a document, each an `Earthquake`, the last one of each id."""
    try:
        whole = fields.document(data)
        kind = fields.entry(whole, "type")
        features = [whole] if kind == "Feature" else fields.entry(whole, "features")
        if not isinstance(features, list):
            raise FieldError(f"features is {shown_value(features)}, not a list")
    except FieldError as error:
        return unusable(str(error))
    found = each(features, _row)
    found.rows = newest(found.rows)
    return found


def newest(rows: list[Row]) -> list[Row]:
    """Return the row of each id that was updated last, in the order in which the ids came first. Of two that
    were updated at once, the later one counts."""
    last: dict[str, Row] = {}
    for row in rows:
        if row["id"] not in last or row["updated"] >= last[row["id"]]["updated"]:
            last[row["id"]] = row
    return list(last.values())


def _row(feature: Any) -> Row:
    id_ = fields.words(fields.needed(fields.entry(feature, "id"), "id"), "id", 100)
    about = fields.needed(fields.entry(feature, "properties"), "properties")
    at = fields.needed(fields.microseconds(fields.entry(about, "time"), "time", _MILLISECOND), "time")
    updated = fields.microseconds(about.get("updated"), "updated", _MILLISECOND)
    place = _place(feature.get("geometry"))
    return {
        "at": at,
        "id": fields.needed(id_, "id"),
        "updated": at if updated is None else updated,
        "latitude": fields.needed(fields.latitude(place[1]), "latitude"),
        "longitude": fields.needed(fields.longitude(place[0]), "longitude"),
        "depth": _kilometres(place[2]),
        "magnitude": fields.number(about.get("mag"), "mag", -20, 20),
        "magnitude_type": fields.words(about.get("magType"), "magType", 40),
        "place": fields.words(about.get("place"), "place"),
        "kind": fields.words(about.get("type"), "type", 100),
        "status": fields.words(about.get("status"), "status", 40),
        "alert": fields.words(about.get("alert"), "alert", 40),
        "tsunami": fields.truth(about.get("tsunami"), "tsunami"),
        "significance": fields.whole(about.get("sig"), "sig"),
        "felt": fields.whole(about.get("felt"), "felt", 0),
        "network": fields.words(about.get("net"), "net", 40),
        "stations": fields.whole(about.get("nst"), "nst", 0),
        "gap": fields.number(about.get("gap"), "gap", 0, 360),
        "rms": fields.number(about.get("rms"), "rms", 0, 1e6),
        "link": fields.words(about.get("url"), "url"),
    }


def _place(geometry: Any) -> tuple[float, float, float | None]:
    place = fields.entry(fields.needed(geometry, "geometry"), "coordinates")
    if not isinstance(place, list) or not 2 <= len(place) <= 3:
        raise FieldError(f"coordinates is {shown_value(place)}, not longitude, latitude and depth")
    east, north, *down = (fields.number(one, "coordinates") for one in place)
    return (
        fields.needed(east, "longitude"),
        fields.needed(north, "latitude"),
        down[0] if down else None,
    )


def _kilometres(depth: float | None) -> float | None:
    found = fields.number(depth, "depth", -100, 7_000)
    return None if found is None else found * 1_000
