"""CSV files become a table card, in the letters and with the signs that programs write."""

from __future__ import annotations

import pytest

from liven.liveobjects.desktop.foreign.board import Board, Card, ForeignError
from liven.liveobjects.desktop.foreign.csv_table import MOST_ROWS, table_card
from liven.liveobjects.table.object import TableObject
from liven.liveobjects.table.value import Table, kind_of
from liven.liveobjects.table.written_rows import table_of
from liven.runtime.reference.model import Plain, Reference, name_of
from liven.runtime.reference.xml import read_object

TOO_LONG = "field larger|too long"
"""The limit of a field belongs to the process: another reader of tables may have raised it."""


def written(board: Board) -> str:
    """Return the rows in the recipe of a table, as they come out of the file format."""
    [card] = board.parts
    assert isinstance(card, Card)
    thing = read_object(card.recipe)
    source = next(one.value for one in thing.parameters if one.id == "rows")
    assert isinstance(source, Reference)
    [rows] = source.parameters
    assert isinstance(rows.value, Plain)
    return rows.value.text


@pytest.mark.parametrize("sign", [",", ";", "\t", "|"])
def test_cells_may_be_divided_by_any_usual_sign(sign: str) -> None:
    text = sign.join(("name", "height")) + "\r\n" + sign.join(('"Eiger"', "3967")) + "\r\n"
    assert written(table_card(text.encode(), "a.csv")) == "name,height\nEiger,3967\n"


@pytest.mark.parametrize("letters", ["utf-8", "utf-8-sig", "utf-16", "cp1252"])
def test_the_letters_of_spreadsheets_are_read(letters: str) -> None:
    assert written(table_card("Höhe;m\nMönch;1\n".encode(letters), "a.csv")) == "Höhe,m\nMönch,1\n"


def test_quotes_commas_line_breaks_and_marks_of_xml_survive_the_recipe() -> None:
    data = b'a,b\n"x, ""y""","<z> & \ntwo lines"\n  lead,\ttab\n'
    assert table_of(written(table_card(data, "a.csv"))) == table_of(data.decode())


def test_the_table_is_named_like_its_file() -> None:
    [card] = table_card(b"a\n1\n", "peaks.csv").parts
    assert isinstance(card, Card)
    assert (card.name, name_of(read_object(card.recipe))) == ("peaks", "peaks")


def test_rows_beyond_the_limit_are_counted() -> None:
    board = table_card(b"n\n" + b"".join(b"%d\n" % number for number in range(MOST_ROWS + 9)), "a.csv")
    assert board.left_out["rows beyond the limit"] == 10
    long = table_card(b"n\n" + b"".join(b"x" * 10_000 + b"\n" for _ in range(100)), "a.csv")
    assert long.left_out["rows beyond the limit"] == 61


@pytest.mark.parametrize(
    ("data", "why"),
    [
        (b"", "no rows"),
        (b"\n\n", "no rows"),
        (b"a\0b", "not a table"),
        (b"x" * 500_000, TOO_LONG),
        (b'"' + b"x,\n" * 140_000 + b'"', TOO_LONG),
    ],
)
def test_files_without_a_table_are_refused(data: bytes, why: str) -> None:
    with pytest.raises(ForeignError, match=why):
        table_card(data, "a.csv")


def kinds(table: Table) -> list[str]:
    return [kind_of(column) for column in table.columns]


def test_columns_have_the_narrowest_kind_that_fits() -> None:
    table = table_of("n,share,done,name,code\n1,0.5,yes,Ann,007\n,1e3,no,,012\n")
    assert kinds(table) == ["whole", "real", "truth", "text", "text"]
    assert [column.values[1] for column in table.columns] == [None, 1000.0, False, None, "012"]


def test_ragged_rows_and_columns_without_a_name() -> None:
    table = table_of("a\n1,2\n3\n")
    assert [column.name for column in table.columns] == ["a", "Column 2"]
    assert [column.values for column in table.columns] == [[1, 3], [2, None]]


def test_numbers_that_are_too_large_stay_text() -> None:
    assert kinds(table_of("n\n99999999999999999999999\n")) in (["real"], ["text"])
    assert kinds(table_of("n\n1e999\n")) == ["text"]
    assert kinds(table_of("")) == []
    assert TableObject.__doc__
