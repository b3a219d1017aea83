"""The formats by name: the type of their rows, and how documents and lines of them are decoded.

Besides the named formats there are `json` and `csv`, whose rows have whatever type a recipe asks for, and
`text` and `bytes`, whose row is the document itself.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

from liven.liveobjects.feeds.source.formats import (
    aircraft_json,
    basestation,
    fields,
    opensky,
    prices,
    structured,
    usgs,
)
from liven.liveobjects.feeds.source.formats.decoded import Decode, Decoded, FieldError, Row, each, unusable
from liven.liveobjects.feeds.source.formats.records import (
    AircraftReport,
    AircraftState,
    Bar,
    BaseStationMessage,
    Earthquake,
    Kline,
    Quote,
)
from liven.liveobjects.feeds.source.formats.table_lines import Heading
from liven.types.declare import TermBuilder
from liven.types.formalism.registry import Formalisms
from liven.types.matching.matcher import Matcher
from liven.types.terms.type_text import brief
from liven.types.terms.value_types import BYTES, TEXT, Record, ValueType

Cells: TypeAlias = Callable[[Mapping[str, str]], Row]
"""Makes a row of the cells of a line."""


class FormatError(ValueError):
    """A recipe asks for a format that does not exist, or that does not give what it wants."""


@dataclass(frozen=True, slots=True)
class Format:
    """One format."""

    record: type | None
    """The class of its rows; None if a recipe chooses."""
    decode: Decode | None
    """Decodes a whole document; None for a format of lines with a heading."""
    cells: Cells | None = None
    """Makes a row of a line with a heading."""
    key: tuple[str, ...] = ()
    """The fields that say which thing a row is about; a later row of it replaces the earlier one."""


def _quotes(data: bytes) -> Decoded:
    """Return the quotes in a document of JSON, or in a CSV with a heading."""
    if not data.lstrip().startswith((b"[", b"{")):
        return table(data, prices.quote)
    try:
        found = fields.document(data)
    except FieldError as error:
        return unusable(str(error))
    return each(found if isinstance(found, list) else [found], prices.quote)


FORMATS: Final[Mapping[str, Format]] = {
    "opensky": Format(AircraftState, opensky.decode, key=("icao",)),
    "aircraft.json": Format(AircraftReport, aircraft_json.decode, key=("icao",)),
    "basestation": Format(BaseStationMessage, basestation.decode),
    "usgs": Format(Earthquake, usgs.decode, key=("id",)),
    "ohlc": Format(Bar, None, prices.bar, key=("at",)),
    "klines": Format(Kline, prices.klines, key=("at",)),
    "quotes": Format(Quote, _quotes, prices.quote),
}
BY_TYPE: Final = ("json", "csv", "text", "bytes")


def term(cls: type) -> ValueType:
    """Return the type of a declared class of rows."""
    return TermBuilder(Formalisms()).value_of(cls)


def decoder(name: str, kind: ValueType) -> Decode:
    """Return the function that decodes documents into values of a type; raise FormatError.

    An empty name means text or bytes for those types, else JSON.
    """
    name = name or ("text" if kind == TEXT else "bytes" if kind == BYTES else "json")
    if name in ("text", "bytes"):
        return _plain(name, kind)
    if name == "json":
        part = structured.unreadable(kind)
        if part:
            raise FormatError(f"JSON cannot give {part}, which is a part of {brief(kind)}")
        return lambda data: _json(data, kind)
    found = _named(name, kind)
    if found.decode is not None:
        return found.decode
    cells = found.cells
    assert cells is not None
    return lambda data: table(data, cells)


def cells_reader(name: str, kind: ValueType) -> Cells:
    """Return the function that makes a value of a type of the cells of a line with a heading; raise
    FormatError. An empty name means `csv`."""
    if name in ("", "csv"):
        part = structured.no_cell(kind)
        if part or not isinstance(kind, Record):
            raise FormatError(f"a line of a CSV has no cell for {part}; use a record of simple fields")
        return structured.from_cells(kind)
    found = _named(name, kind)
    if found.cells is None:
        raise FormatError(
            f"{name} is not a format of lines with a heading; leave the format out, or use ohlc"
        )
    return found.cells


def key_of(name: str) -> tuple[str, ...]:
    """Return the fields that identify a thing in the rows of a format."""
    return FORMATS[name].key if name in FORMATS else ()


def table(data: bytes, cells: Cells) -> Decoded:
    """Return the rows of a whole CSV with a heading."""
    lines = data.decode("utf-8", "replace").splitlines()
    try:
        heading = Heading(lines[0] if lines else "")
    except FieldError as error:
        return unusable(str(error))
    return each(lines[1:], lambda line: cells(heading.cells(line)) if line.strip() else None)


def _named(name: str, kind: ValueType) -> Format:
    if name not in FORMATS:
        known = ", ".join((*FORMATS, *BY_TYPE))
        raise FormatError(f"there is no format called {name[:60]!r}; the formats are {known}")
    found = FORMATS[name]
    assert found.record is not None
    given = term(found.record)
    if not Matcher(Formalisms()).value_subtype(given, kind):
        raise FormatError(f"the rows of {name} are {brief(given)}, which do not fit {brief(kind)}")
    return found


def _plain(name: str, kind: ValueType) -> Decode:
    wanted = TEXT if name == "text" else BYTES
    if kind != wanted:
        raise FormatError(f"the format {name} gives {brief(wanted)}, which is not {brief(kind)}")

    def decode(data: bytes) -> Decoded:
        try:
            return Decoded([data.decode() if wanted == TEXT else data])
        except UnicodeDecodeError:
            return unusable("it is not text in UTF-8")

    return decode


def _json(data: bytes, kind: ValueType) -> Decoded:
    """Return the value in a JSON document, or those in a list of values."""
    try:
        found: Any = fields.document(data)
    except FieldError as error:
        return unusable(str(error))
    many = isinstance(found, list) and isinstance(kind, Record)
    return each(found if many else [found], lambda one: structured.fitted(one, kind))
