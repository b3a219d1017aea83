"""The drawing of the house: rows follow the imports, and only imports that say something are drawn."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import pytest

IMPORTS = {
    "app.window": {"app.trust", "app.icon"},
    "app.trust": {"app.icon", "app.network"},
    "app.network": {"app.trust"},
    "app.icon": set[str](),
}


@pytest.fixture
def tool(script: Callable[[str], ModuleType], root: Path, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    return script("tools/pictures/house_drawing.py")


def test_a_part_stands_below_all_that_import_it(tool: ModuleType) -> None:
    assert tool.levels(IMPORTS, IMPORTS) == [["app.window"], ["app.network", "app.trust"], ["app.icon"]]


def test_an_import_that_a_longer_way_stands_for_is_not_drawn(tool: ModuleType) -> None:
    assert ("app.window", "app.trust") in tool.shortest_edges(IMPORTS, IMPORTS)
    assert ("app.window", "app.icon") not in tool.shortest_edges(IMPORTS, IMPORTS)


def test_modules_of_a_rooms_root_are_parts_of_their_own(tool: ModuleType) -> None:
    assert tool.part_of("liven.app.main") == "app.main"
    assert tool.part_of("liven.app.window.menus") == "app.window"


def test_folders_of_the_core_are_counted(tool: ModuleType) -> None:
    assert {"multicast.core/base", "multicast.core/service", "multicast.driver/judges"} <= set(
        tool.c_folders()
    )
