"""What is remembered of windows: a file for each object, whole or not at all, and never too many."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from liven.app.window import saved_state
from liven.app.window.saved_state import LARGEST, SavedState, SavedWindowStates

LEFT = SavedState(
    (10, 20, 300, 200), True, ("palette",), "QUJD", {"x": 1.5, "zoom": 2, "map": True, "of": "it"}
)


def memory(folder: Path) -> SavedWindowStates:
    def identity(recipe: object) -> str:
        if not recipe:
            raise ValueError("nothing")
        return str(recipe)

    return SavedWindowStates(folder / "left", identity)


def test_what_was_kept_is_recalled_by_another_program(tmp_path: Path) -> None:
    memory(tmp_path).keep("a", LEFT)
    assert memory(tmp_path).recall("a") == LEFT
    assert memory(tmp_path).recall("b") is None


def test_it_is_the_users_own_and_nothing_else_lies_there(tmp_path: Path) -> None:
    kept = memory(tmp_path)
    kept.keep("a", LEFT)
    kept.keep("a", SavedState((0, 0, 1, 1)))
    assert [one.name for one in (tmp_path / "left").iterdir()] == ["a"]
    assert (tmp_path / "left").stat().st_mode & 0o077 == 0


def test_what_did_not_change_is_not_written(tmp_path: Path) -> None:
    kept = memory(tmp_path)
    kept.keep("a", LEFT)
    (tmp_path / "left" / "a").unlink()
    kept.keep("a", LEFT)
    assert kept.recall("a") is None


def test_an_object_that_cannot_be_told_apart_is_not_remembered(tmp_path: Path) -> None:
    kept = memory(tmp_path)
    kept.keep("", LEFT)
    assert kept.recall("") is None
    assert not (tmp_path / "left").exists()


def test_a_folder_that_cannot_be_written_stops_nobody(tmp_path: Path) -> None:
    (tmp_path / "left").write_text("in the way")
    kept = memory(tmp_path)
    kept.keep("a", LEFT)
    kept.forget_oldest()
    assert kept.recall("a") is None


def test_those_not_looked_at_for_the_longest_time_are_forgotten(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(saved_state, "MOST_FILES", 2)
    kept = memory(tmp_path)
    for age, name in enumerate(("newest", "newer", "oldest")):
        kept.keep(name, LEFT)
        os.utime(tmp_path / "left" / name, (1000 - age, 1000 - age))
    kept.forget_oldest()
    assert {one.name for one in (tmp_path / "left").iterdir()} == {"newest", "newer"}


GOOD = {"area": [1, 2, 3, 4], "maximized": False, "panels": [], "layout": "", "outlook": {}}


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        "null",
        "{",
        "[" * 5000,
        json.dumps({**GOOD, "area": [1, 2, 3]}),
        json.dumps({**GOOD, "area": "wide"}),
        json.dumps({**GOOD, "area": [1e400, 0, 0, 0]}),
        json.dumps({**GOOD, "outlook": [1]}),
        json.dumps({**GOOD, "panels": 3}),
        " " * (LARGEST + 1),
    ],
    ids=lambda text: text[:30].strip() or "nothing",
)
def test_what_no_program_of_ours_wrote_is_as_if_it_were_not_there(tmp_path: Path, text: str) -> None:
    (tmp_path / "left").mkdir()
    (tmp_path / "left" / "a").write_text(text)
    assert memory(tmp_path).recall("a") is None


def test_numbers_out_of_this_world_and_words_without_end_are_left_out(tmp_path: Path) -> None:
    (tmp_path / "left").mkdir()
    odd: dict[str, Any] = {"x": float("nan"), "y": float("inf"), "of": "x" * 9999, "in": [1], "zoom": 2}
    found = {**GOOD, "area": [-(10**12), 0, 10**12, 5], "outlook": odd}
    (tmp_path / "left" / "a").write_text(json.dumps(found))
    left = memory(tmp_path).recall("a")
    assert left is not None
    assert left.area == (-100_000, 0, 100_000, 5)
    assert left.outlook == {"zoom": 2}


@pytest.mark.parametrize(
    "outlook", [{"x": object()}, {"x": {1}}, {(1, 2): 3.0}, {"x": "y" * 300_000}, {"x": 10**400}]
)
def test_what_a_views_author_tells_is_kept_as_far_as_it_can_be(tmp_path: Path, outlook: Any) -> None:
    SavedWindowStates(tmp_path, str).keep("a", SavedState((0, 0, 1, 1), outlook={**outlook, "zoom": 2.0}))
    found = SavedWindowStates(tmp_path, str).recall("a")
    assert found is not None
    assert found.outlook == {"zoom": 2.0}


def test_a_layout_that_is_not_as_it_was_written_is_left_out(tmp_path: Path) -> None:
    SavedWindowStates(tmp_path, str).keep("a", SavedState((0, 0, 1, 1), layout="AAAA"))
    path = tmp_path / "a"
    path.write_text(path.read_text().replace("AAAA", "AAAB"))
    found = SavedWindowStates(tmp_path, str).recall("a")
    assert found is not None
    assert found.layout == ""
