"""The saved state of windows: one file for each object, written atomically, and a limited number of them."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from liven.app.window.saved import saved_state
from liven.app.window.saved.saved_state import LARGEST, SavedState, SavedWindowStates

LEFT = SavedState(
    (10, 20, 300, 200), True, ("palette",), "QUJD", {"x": 1.5, "zoom": 2, "map": True, "of": "it"}
)


def memory(folder: Path) -> SavedWindowStates:
    def identity(recipe: object) -> str:
        if not recipe:
            raise ValueError("nothing")
        return str(recipe)

    return SavedWindowStates(folder / "left", identity)


def test_saved_state_is_read_by_another_program(tmp_path: Path) -> None:
    memory(tmp_path).keep("a", LEFT)
    assert memory(tmp_path).recall("a") == LEFT
    assert memory(tmp_path).recall("b") is None


def test_files_are_private_and_nothing_else_is_in_the_folder(tmp_path: Path) -> None:
    kept = memory(tmp_path)
    kept.keep("a", LEFT)
    kept.keep("a", SavedState((0, 0, 1, 1)))
    assert [one.name for one in (tmp_path / "left").iterdir()] == ["a"]
    assert (tmp_path / "left").stat().st_mode & 0o077 == 0


def test_unchanged_state_is_not_written(tmp_path: Path) -> None:
    kept = memory(tmp_path)
    kept.keep("a", LEFT)
    (tmp_path / "left" / "a").unlink()
    kept.keep("a", LEFT)
    assert kept.recall("a") is None


def test_an_object_without_identity_is_not_saved(tmp_path: Path) -> None:
    kept = memory(tmp_path)
    kept.keep("", LEFT)
    assert kept.recall("") is None
    assert not (tmp_path / "left").exists()


def test_an_unwritable_folder_stops_nothing(tmp_path: Path) -> None:
    (tmp_path / "left").write_text("in the way")
    kept = memory(tmp_path)
    kept.keep("a", LEFT)
    kept.forget_oldest()
    assert kept.recall("a") is None


def test_the_least_recently_used_are_forgotten(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
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
def test_invalid_files_are_ignored(tmp_path: Path, text: str) -> None:
    (tmp_path / "left").mkdir()
    (tmp_path / "left" / "a").write_text(text)
    assert memory(tmp_path).recall("a") is None


def test_impossible_numbers_and_endless_texts_are_left_out(tmp_path: Path) -> None:
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
def test_settings_of_a_view_are_saved_as_far_as_valid(tmp_path: Path, outlook: Any) -> None:
    SavedWindowStates(tmp_path, str).keep("a", SavedState((0, 0, 1, 1), outlook={**outlook, "zoom": 2.0}))
    found = SavedWindowStates(tmp_path, str).recall("a")
    assert found is not None
    assert found.outlook == {"zoom": 2.0}


def test_a_layout_with_a_wrong_checksum_is_left_out(tmp_path: Path) -> None:
    SavedWindowStates(tmp_path, str).keep("a", SavedState((0, 0, 1, 1), layout="AAAA"))
    path = tmp_path / "a"
    path.write_text(path.read_text().replace("AAAA", "AAAB"))
    found = SavedWindowStates(tmp_path, str).recall("a")
    assert found is not None
    assert found.layout == ""
