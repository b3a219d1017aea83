"""The measurement of the desktop: its content, the way over it, and programs that fail."""

from __future__ import annotations

import importlib
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest


@pytest.fixture
def part(root: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[str], ModuleType]]:
    """Load a part of the measurement by its name, and forget it after the test."""
    monkeypatch.syspath_prepend(str(root / "bench"))
    before = set(sys.modules)
    yield lambda name: importlib.import_module(f"desktop_figures.{name}")
    for name in set(sys.modules) - before:
        if name.startswith("desktop_figures"):
            del sys.modules[name]


Part = Callable[[str], Any]


def test_of_a_thousand_things_six_hundred_are_notes_three_hundred_images_a_hundred_folders(
    part: Part,
) -> None:
    content = part("content")
    kinds = Counter(content.kind_of(number) for number in range(content.THINGS))
    assert kinds == {"n": 600, "i": 300, "f": 100}
    made = list(islice(content.things("L"), 10))
    recipes = {"n": "liven:text", "i": "liven:image-2d", "f": "liven:shared-folder"}
    assert all(recipes[content.kind_of(number)] in item.reference for number, item in enumerate(made))
    assert len({item.reference for item in made}) == 10, "each has a channel of its own"


def test_sixty_things_are_in_view_and_none_covers_another(part: Part) -> None:
    content = part("content")
    places = [content.place(number) for number in range(content.THINGS)]
    assert sum(one.x < content.WIDE and one.y < content.HIGH for one in places) == 60
    corners = {(one.x, one.y) for one in places}
    assert len(corners) == content.THINGS
    assert all(one.width < content.CELL[0] and one.height < content.CELL[1] for one in places)


def test_the_faces_of_a_board_are_notes_and_devices_side_by_side(part: Part) -> None:
    content = part("content")
    made = list(content.faces(200))
    kinds = Counter(one.reference.partition('id="')[2].partition('"')[0] for one in made)
    assert kinds["liven:text"] == 120
    assert kinds["liven:vote"] == kinds["liven:shared-counter"] == kinds["liven:chat-room"] == 20
    assert len({(one.place.x, one.place.y) for one in made}) == 200
    zoom = part("crowded_board").NEAR
    right, low = (max(getattr(one.place, side) for one in made) for side in ("x", "y"))
    assert (right + 320) * zoom <= content.WIDE
    assert (low + 240) * zoom <= content.HIGH
    dragged = made[part("crowded_board").DRAGGED]
    assert "liven:text" in dragged.reference


def test_a_time_with_a_target_is_also_a_multiple_of_the_yardstick(part: Part) -> None:
    from figure_report import Figure

    given = [Figure("a", 10.0, "ms", 20), Figure("b", 10.0, "ms"), Figure("c", 1.0, "s", 2)]
    made = list(part("yardstick").beside(0.002, given))
    assert [one.id for one in made] == ["a", "a: of the yardstick", "b", "c"]
    assert made[1].value == pytest.approx(5)


def test_a_part_that_does_not_exist_is_refused(root: Path) -> None:
    words = [sys.executable, str(root / "bench" / "desktop.py"), "--only", "faces,tables"]
    said = subprocess.run(words, capture_output=True, text=True, check=False)
    assert said.returncode == 2
    assert "'tables' is none of window, hand-over" in said.stderr


def test_the_way_over_the_desktop_goes_to_the_right_down_and_back(part: Part) -> None:
    desktop = part("large_desktop")
    across = int(desktop._TURNS[0] / desktop._STEP)
    steps = list(islice(desktop.way(), 2 * across))
    assert {(one.x(), one.y()) for one in steps[:across]} == {(-desktop._STEP, 0.0)}
    assert any(one.y() < 0 for one in steps)
    assert (steps[-1].x(), steps[-1].y()) == (desktop._STEP, 0.0)


def test_a_picture_has_a_million_pixels_and_is_another_for_each(part: Part) -> None:
    from liven.liveobjects.image.picture_header import measure

    one, other = part("large_desktop").picture(1), part("large_desktop").picture(2)
    assert one != other
    assert measure(one).width * measure(one).height == 1_000_000


def test_a_program_that_ends_early_is_reported(part: Part, tmp_path: Path) -> None:
    process = part("process")
    with (
        process.running(tmp_path, "--new-process", str(tmp_path / "absent")) as program,
        pytest.raises(RuntimeError, match="before it reported 'painted'"),
    ):
        program.wait("painted")


def test_a_failing_command_is_not_a_measurement(part: Part, tmp_path: Path) -> None:
    with pytest.raises(RuntimeError, match="ended with 2"):
        part("process").command(tmp_path, "open", str(tmp_path / "absent"))
