"""Each main screen, in each light, has the structure that is kept beside its picture in the docs.

If a change is meant, `make pictures` makes picture and structure anew; look at the picture before you commit.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from tools.pictures.screens.scenes import PICTURES, SCENES, shoot
from tools.pictures.screens.structure import differences, read

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("scene", SCENES)
def test_a_screen_has_the_structure_that_was_kept(scene: str, tmp_path: Path) -> None:
    for name in shoot(scene, tmp_path):
        kept, found = (read(folder / f"{name}.json") for folder in (PICTURES, tmp_path))
        assert differences(kept, found) == [], f"{name}: see {tmp_path / name}.png"


def test_each_picture_has_a_structure_and_each_structure_a_scene() -> None:
    made = {f"{scene.screen or name}-{light}" for name, scene in SCENES.items() for light in scene.lights}
    assert {one.stem for one in PICTURES.glob("*.png")} == made
    assert {one.stem for one in PICTURES.glob("*.json")} == made
