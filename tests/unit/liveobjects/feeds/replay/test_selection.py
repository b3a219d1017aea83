from __future__ import annotations

import pytest
from tests.unit.liveobjects.feeds.replay.recordings import numbered, record

from liven.liveobjects.feeds.author_names import AuthorNames
from liven.liveobjects.feeds.replay.errors import ReplayError
from liven.liveobjects.feeds.replay.remap import Remap
from liven.liveobjects.feeds.replay.rows import rows_of
from liven.liveobjects.feeds.replay.selection import Selection

RECORDS = numbered(
    [
        record(0, channel="home/f/air", object="plane 1", author="ann", type="position"),
        record(1, channel="home/f/air", object="plane 2", author="ben", type="position"),
        record(2, channel="home/f/quotes", object="ACME", author="ann", type="quote"),
        record(3, channel="home/f/talk", object="chat", author="", type="line"),
    ]
)
NAMES = AuthorNames({"ann": "Ann Lee"})


@pytest.mark.parametrize(
    ("selection", "chosen"),
    [
        (Selection(), [0, 1, 2, 3]),
        (Selection(objects=("plane*",)), [0, 1]),
        (Selection(objects=("plane ?", "ACME")), [0, 1, 2]),
        (Selection(channels=("*/air",)), [0, 1]),
        (Selection(channels=("!*/air",)), [2, 3]),
        (Selection(channels=("home/*", "!*/talk")), [0, 1, 2]),
        (Selection(authors=("ann",), types=("position",)), [0]),
        (Selection(authors=("",)), [3]),
        (Selection(types=("quo",)), []),
        (Selection(types=("quo",), regex=True), [2]),
        (Selection(objects=(r"^plane [2-9]$",), regex=True), [1]),
        (Selection(objects=(r"!\d",), regex=True), [2, 3]),
        (Selection(channels=("nothing",)), []),
        (Selection(authors=("Ann*",), author_names=NAMES), [0, 2]),
        (Selection(authors=("ann",), author_names=NAMES), [0, 2]),
        (Selection(authors=("!Ann Lee",), author_names=NAMES), [1, 3]),
        (Selection(authors=("Lee$",), author_names=NAMES, regex=True), [0, 2]),
    ],
)
def test_patterns_choose_records(selection: Selection, chosen: list[int]) -> None:
    rows = selection.filter().chosen(rows_of(RECORDS))
    assert [event.sequence for event in rows.events()] == chosen
    assert rows.events() == [RECORDS[number] for number in chosen]


def test_wrong_expression_is_named() -> None:
    with pytest.raises(ReplayError, match=r"--author '\(' is not a regular expression"):
        Selection(authors=("(",), regex=True).filter()


def test_part_of_a_channel_may_be_chosen_only_by_other_columns() -> None:
    assert not Selection(channels=("x",)).is_partial
    assert Selection(authors=("x",)).is_partial


def test_remap_renames_channels_and_objects() -> None:
    remap = Remap.parse(["home/f/air=home/f/copy", "ACME=OTHER"])
    found = remap.applied(rows_of(RECORDS)).events()
    assert [event.record.channel for event in found] == ["home/f/copy"] * 2 + ["home/f/quotes", "home/f/talk"]
    assert found[2].record.object == "OTHER"
    assert remap.name("home/f/air") == "home/f/copy"
    assert Remap().applied(rows_of(RECORDS)).events() == RECORDS


def test_names_with_equal_signs_are_doubled() -> None:
    assert Remap.parse(["a==1=b==2"]).names == (("a=1", "b=2"),)


@pytest.mark.parametrize("text", ["", "a", "=b", "a=", "a=b=c"])
def test_other_remaps_are_refused(text: str) -> None:
    with pytest.raises(ReplayError, match="is not OLD=NEW"):
        Remap.parse([text])


def test_one_name_is_replaced_once() -> None:
    with pytest.raises(ReplayError, match="twice"):
        Remap.parse(["a=b", "a=c"])
