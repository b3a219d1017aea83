"""CSV files as a table: the recipe holds the rows, so everybody sees the same ones."""

from __future__ import annotations

import csv
import io
from pathlib import PurePath
from typing import Final

from liven.liveobjects.channel.api.recipes import LONGEST_REFERENCE
from liven.liveobjects.desktop.foreign.board import Board, Card, ForeignError
from liven.liveobjects.desktop.foreign.json_reading import clean
from liven.liveobjects.desktop.state import Place
from liven.runtime.reference.model import NAME, Attribute, Parameter, Plain, Reference
from liven.runtime.reference.xml import compact

MOST_ROWS: Final = 5_000
MOST_COLUMNS: Final = 100
_LARGEST: Final = 32 * 1024 * 1024
_MOST_TEXT: Final = 400_000
"""The most characters of rows in a recipe, which grow where they are quoted for XML."""
_WIDE, _HIGH, _ROW, _COLUMN = 720.0, 480.0, 28.0, 130.0


def table_card(data: bytes, name: str) -> Board:
    """Return a board with one table. Rows beyond the limit are left out, and counted."""
    if len(data) > _LARGEST:
        limit = _LARGEST / 1e6
        raise ForeignError(f"it has {len(data) / 1e6:.1f} MB; the limit of a table is {limit:.0f} MB")
    rows, left = _rows(_decoded(data), name)
    title = PurePath(name).stem or "Table"
    made = io.StringIO()
    writer = csv.writer(made, lineterminator="\n")
    writer.writerows(rows)
    source = Reference("liven:rows", (Parameter("text", Plain("string", made.getvalue())),))
    recipe = compact(
        Reference(
            "liven:table",
            (Parameter("rows", source), Parameter("title", Plain("string", title))),
            attributes=(Attribute(NAME, title),),
        )
    )
    if len(recipe) > LONGEST_REFERENCE:
        raise ForeignError("its cells are too long for a table on a desktop; divide it")
    columns = max(map(len, rows))
    place = Place(0, 0, min(_WIDE, 80 + columns * _COLUMN), min(_HIGH, 80 + len(rows) * _ROW))
    board = Board([Card("table", place, title, recipe)])
    if left:
        board.left_out["rows beyond the limit"] = left
    return board


def _decoded(data: bytes) -> str:
    """Return the text of a file. Tables of spreadsheets often have the letters of Windows."""
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        if data[:2] in (b"\xff\xfe", b"\xfe\xff"):
            return data.decode("utf-16", errors="replace")
        return data.decode("cp1252", errors="replace")


def _rows(text: str, name: str) -> tuple[list[list[str]], int]:
    """Return the rows that fit, and the number of others."""
    if "\0" in text:
        raise ForeignError("it is not a table of text")
    rows: list[list[str]] = []
    left, room = 0, _MOST_TEXT
    try:
        for row in csv.reader(io.StringIO(clean(text), newline=""), _dialect(text, name)):
            if not any(cell.strip() for cell in row):
                continue
            cells = row[:MOST_COLUMNS]
            room -= sum(map(len, cells)) + len(cells)
            if len(rows) >= MOST_ROWS or room < 0:
                left += 1
            else:
                rows.append(cells)
    except csv.Error as error:
        raise ForeignError(f"it is not a table: {error}") from None
    if not rows:
        raise ForeignError("it has no rows" if not left else "its first row is too long for a table")
    return rows, left


def _dialect(text: str, name: str) -> type[csv.Dialect]:
    """Return how cells are divided: by tabs, or by what is most frequent in the first line."""
    first = text.lstrip("\ufeff\r\n").partition("\n")[0]
    signs = "\t" if name.lower().endswith(".tsv") else max(",;\t|", key=first.count)

    class Found(csv.excel):
        delimiter = signs

    return Found
