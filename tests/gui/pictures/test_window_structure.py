"""The structure of a real window: an island that moves, another colour and a missing text are found."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from liven.liveobjects.desktop import commands
from liven.liveobjects.desktop.state import Place
from liven.liveobjects.look.tokens import DAY
from liven.liveobjects.look.view import island
from liven.runtime.reference.xml import write
from tools.pictures.screens.reading import read_screen
from tools.pictures.screens.structure import Screen, differences


@pytest.fixture
def window(desk: Any, local_recipe: Callable[[str, str], Any]) -> Any:
    made = desk.open(local_recipe("liven:desktop", "Plans"), "Plans")
    made.resize(1100, 700)
    canvas = made.centralWidget()
    recipe = write(local_recipe("liven:text", "Programme")).decode()
    _, command = commands.add(canvas.state, recipe, "Programme", Place(300, 200, 240, 180))
    assert canvas.do(command)
    desk.wait(lambda: canvas.islands is not None and canvas.item_views.is_settled and not canvas.is_moving)
    return made


def seen(window: Any) -> Screen:
    return read_screen(window, window.grab().toImage())


def test_a_window_is_like_itself_and_has_its_islands_cards_and_words(window: Any) -> None:
    before = seen(window)
    assert differences(before, seen(window)) == []
    names = {(one.kind, one.name) for one in before.parts}
    assert names >= {("Island", "Tools"), ("Island", "Board"), ("Button", "Share"), ("Card", "Programme")}
    [tools] = [one for one in before.parts if (one.kind, one.name) == ("Island", "Tools")]
    assert tools.ground == "island"


def test_a_moved_island_is_found_with_what_is_on_it(window: Any) -> None:
    before = seen(window)
    toolbar = window.centralWidget().islands.toolbar
    toolbar.move(toolbar.x() + 20, toolbar.y())
    told = differences(before, seen(window))
    assert any(one.startswith("the Island “Tools” is at") for one in told)


def test_another_token_is_found(window: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    before = seen(window)
    monkeypatch.setattr(island, "current_look", lambda: replace(DAY, island=DAY.warn_soft))
    told = differences(before, seen(window))
    assert "the Island “Tools” has the colour warn_soft, and not island" in told


def test_a_missing_text_and_a_missing_control_are_found(desk: Any, window: Any) -> None:
    before = seen(window)
    canvas = window.centralWidget()
    [key] = canvas.state.items
    assert canvas.do(commands.rename(canvas.state, key, "Crew"))
    canvas.islands.zoom.hide()
    told = differences(before, seen(window))
    assert any("the Card “Programme” is missing" in one for one in told)
    assert any("the Island “Zoom” is missing" in one for one in told)
