"""The search of the gallery."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from liven.app.start.board_search import BoardSearch, snippet_of
from liven.app.start.gallery import Board


class Looks:
    """Words by recipe, and how often each was read."""

    def __init__(self, words: dict[bytes, str]) -> None:
        self.known, self.read = words, 0

    def words(self, recipe: bytes) -> str:
        self.read += 1
        return self.known.get(recipe, "")


@pytest.fixture
def boards(tmp_path: Path) -> list[Board]:
    found = []
    for name in ("Harbour", "Reading circle", "Summer"):
        path = tmp_path / f"{name}.liveobject"
        path.write_bytes(name.encode())
        found.append(Board(path, name, 0.0))
    return found


def test_names_come_before_words_and_all_words_must_be_there(boards: list[Board]) -> None:
    looks: Any = Looks({b"Summer": "a boat in the harbour\nat nine", b"Reading circle": "nine books"})
    search = BoardSearch(looks)
    found = search.find(boards, "harbour", {})
    assert [one.board.title for one in found] == ["Harbour", "Summer"]
    assert [one.snippet for one in found] == ["", "a boat in the harbour at nine"]
    assert [one.board.title for one in search.find(boards, "NINE boat", {})] == ["Summer"]
    assert search.find(boards, "nine harbours", {}) == []


def test_a_board_is_found_by_the_people_in_it(boards: list[Board]) -> None:
    looks: Any = Looks({})
    found = BoardSearch(looks).find(boards, "ida", {boards[1].path: "Ida Bo"})
    assert [one.board.title for one in found] == ["Reading circle"]


def test_words_are_read_once_until_they_may_have_changed(boards: list[Board]) -> None:
    looks: Any = Looks({})
    search = BoardSearch(looks)
    for words in ("x", "xy"):
        search.find(boards, words, {})
    assert looks.read == len(boards)
    search.forget()
    search.find(boards, "x", {})
    assert looks.read == 2 * len(boards)


def test_a_board_whose_file_is_gone_is_found_by_its_name_only(boards: list[Board]) -> None:
    looks: Any = Looks({b"Summer": "boat"})
    boards[2].path.unlink()
    search = BoardSearch(looks)
    assert search.find(boards, "boat", {}) == []
    assert [one.board.title for one in search.find(boards, "summer", {})] == ["Summer"]


def test_a_snippet_shows_where_the_word_stands() -> None:
    assert snippet_of("one\ntwo three", ["two"]) == "one two three"
    long = "a " * 40 + "needle " + "b " * 60
    assert snippet_of(long, ["needle"]).startswith("…")
    assert "needle" in snippet_of(long, ["needle"])
    assert snippet_of("", ["x"]) == ""
