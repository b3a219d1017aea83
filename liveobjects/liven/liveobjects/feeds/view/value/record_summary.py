"""A decoded record in words: what it is about, its figure, its moment, and its other fields. No Qt."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

from liven.liveobjects.feeds.history.field_history import shown
from liven.liveobjects.feeds.history.moment_text import SECOND, date_text

MOST_ROWS: Final = 24
_TITLES: Final = (
    "title", "name", "place", "label", "callsign", "symbol", "station", "city", "subject", "topic", "text",
    "registration", "icao", "id",
)  # fmt: skip
"""Fields that say what a record is about, the best first."""
_FIGURES: Final = (
    "magnitude", "price", "last", "close", "value", "temperature", "count", "total", "bid", "altitude",
    "speed",
)  # fmt: skip
_MOMENTS: Final = ("at", "time", "when", "sent", "received", "date", "begin", "updated")
_MOMENT_ENDINGS: Final = ("_at", "_time")
_EARLIEST, _LATEST = 315_532_800 * SECOND, 4_102_444_800 * SECOND
"""1980 and 2100: a number of microseconds outside is no moment of a record."""
_LATITUDE, _LONGITUDE = "latitude", "longitude"
_UNITS: Final = {"depth": "m", "altitude": "m", "height": "m", "speed": "m/s", "climb": "m/s"}
"""The units of fields beside a position: sources bring lengths in metres and speeds in metres a second."""


@dataclass(frozen=True, slots=True)
class RecordSummary:
    """The parts of a card. Each is empty if the record has none."""

    title: str = ""
    figure: str = ""
    figure_name: str = ""
    moment: str = ""
    rows: tuple[tuple[str, str], ...] = ()
    """The name and the value of each other field."""

    @property
    def text(self) -> str:
        """All of it, a line each."""
        figure = f"{self.figure_name} {self.figure}".strip()
        rows = [f"{name}: {value}" for name, value in self.rows]
        return "\n".join(filter(None, (self.title, figure, self.moment, *rows)))


def summary_of(value: dict[Any, Any] | list[Any]) -> RecordSummary:
    """Return the summary of a record, or of a list."""
    if isinstance(value, list):
        rows = [(f"{number}", shown(one)) for number, one in enumerate(value[:MOST_ROWS], 1)]
        return RecordSummary(
            f"{len(value):,} {'entry' if len(value) == 1 else 'entries'}", rows=_all(rows, value)
        )
    fields = {str(name): one for name, one in value.items() if one is not None}
    title = _first(_TITLES, fields, _is_words)
    figure = _first(_FIGURES, fields, _is_number)
    moment = _first(
        (*_MOMENTS, *fields), {name: one for name, one in fields.items() if _is_moment(name, one)}
    )
    used = {title, figure, moment}
    kind = f"{figure}_type"
    if _is_words(fields.get(kind)):
        used.add(kind)
    rows = _rows(fields, used)
    return RecordSummary(
        " ".join(str(fields[title]).split()) if title else "",
        _measured(figure, fields[figure], fields) if figure else "",
        " ".join(filter(None, (_words(figure), fields[kind] if kind in used else ""))),
        date_text(fields[moment]) if moment else "",
        _all(rows[:MOST_ROWS], rows),
    )


def _all(rows: list[tuple[str, str]], of: list[Any]) -> tuple[tuple[str, str], ...]:
    more = len(of) - len(rows)
    return (*rows, ("…", f"and {more:,} more")) if more > 0 else tuple(rows)


def _rows(fields: dict[str, Any], used: set[str]) -> list[tuple[str, str]]:
    """Return the fields that are not used elsewhere, each with its value in words."""
    rows = []
    latitude, longitude = fields.get(_LATITUDE), fields.get(_LONGITUDE)
    has_place = _is_number(latitude) and _is_number(longitude)
    for name, one in fields.items():
        if name in used:
            continue
        if has_place and name in (_LATITUDE, _LONGITUDE):
            if name == _LATITUDE:
                rows.append(("Position", _position(latitude, longitude)))
        elif _is_moment(name, one):
            rows.append((_name(name), date_text(one)))
        else:
            rows.append((_name(name), _field(name, one, fields)))
    return rows


def _field(name: str, value: Any, fields: dict[str, Any]) -> str:
    if isinstance(value, str):
        return " ".join(value.split())
    return _measured(name, value, fields) if _is_number(value) else shown(value)


def _measured(name: str, value: Any, fields: dict[str, Any]) -> str:
    """Return a number, with its unit if the record has a position, so that the unit is known."""
    unit = _UNITS.get(name, "") if _LATITUDE in fields and _LONGITUDE in fields else ""
    return f"{_number(value)} {unit}".rstrip()


def _number(value: Any) -> str:
    return f"{value:,}" if isinstance(value, int) else f"{value:,.6g}"


def _position(latitude: Any, longitude: Any) -> str:
    north, east = "N" if latitude >= 0 else "S", "E" if longitude >= 0 else "W"
    return f"{abs(latitude):.3f}° {north}, {abs(longitude):.3f}° {east}"


def _first(wanted: tuple[str, ...], fields: dict[str, Any], fits: Any = lambda _: True) -> str:
    return next((name for name in wanted if name in fields and fits(fields[name])), "")


def _words(name: str) -> str:
    return name.replace("_", " ")


def _name(name: str) -> str:
    words = _words(name)
    return words[:1].upper() + words[1:]


def _is_words(value: Any) -> bool:
    return isinstance(value, str) and bool(value.strip())


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _is_moment(name: str, value: Any) -> bool:
    named = name in _MOMENTS or name.endswith(_MOMENT_ENDINGS)
    return named and isinstance(value, int) and _EARLIEST <= value < _LATEST
