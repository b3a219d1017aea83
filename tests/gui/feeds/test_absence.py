"""Changes while a person was away: told when the window opens again, and marked until they are seen."""

from __future__ import annotations

from typing import Any

import pytest
from PySide6.QtWidgets import QApplication
from tests.gui.feeds.recorded import note
from tests.gui.feeds.test_history import PLAN, history_of, opened, settled

from liven.app.palette.new_objects import desktop
from liven.app.window.recordings import absence
from liven.liveobjects.desktop.state import Add, Item, Move, Place, Remove
from liven.liveobjects.presence.participant import Participant

CREW = Item("crew", "Crew", Place(420, 300, 260, 160), note("crew"), 1)
BOARD = desktop("Board", "board")


@pytest.fixture(autouse=True)
def _hurry(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(absence, "LOOKS_MS", (50, 500, 500, 500))
    monkeypatch.setattr(absence, "_UNKNOWN_MS", 50)


def left(desk: Any) -> None:
    """Open the board, place two things, and close it when its history has them."""
    window = opened(desk, BOARD, "board")
    for item in (PLAN, CREW):
        settled(desk, window).edit("Add", Add(item))
    settled(desk, window)
    history_of(desk, window, 3)  # its first state, and both
    window.close()
    desk.wait(lambda: not desk.program.histories._kept)


def changed_meanwhile(desk: Any, *changes: Any) -> None:
    """Change the board without a window, as somebody else would."""
    asked = desk.program.session.loader.dereference(BOARD, at=("elsewhere",))
    desk.wait(lambda: asked.settled)
    handle = asked.value()
    model = handle.proxy().instance
    desk.wait(lambda: model.ready)
    for change in changes:
        model.editor.edit("Change", change)
        desk.wait(lambda: not model.editor.pending)
    handle.close()
    person = Participant("0" * 32, "Bea", "#225588")  # so that the changes are of another person
    desk.program.session.node.services[Participant] = lambda: person


def back(desk: Any) -> Any:
    window = opened(desk, BOARD, "board")
    desk.program.histories.hasten(BOARD)
    return window


def test_what_others_did_is_told_and_marked_until_it_is_selected(desk: Any) -> None:
    left(desk)
    changed_meanwhile(desk, Move("plan", Place(200, 40, 320, 200)), Remove("crew"))
    window = back(desk)
    desk.wait(lambda: window.past.absence.news is not None)
    news = window.past.absence.news
    assert news.sentence == "While you were away: 1 thing changed and 1 removed."  # nobody knows by whom
    canvas = window.view.widget()
    assert canvas.news.keys == ("plan",)
    assert "moved while you were away" in canvas.news.words(PLAN)
    canvas.select(["plan"])
    assert canvas.news.keys == ()
    desk.press(window, "What changed while I was away")
    assert canvas.news.keys == ()  # it is selected, so it is seen
    canvas.select([])
    desk.press(window, "What changed while I was away")
    assert canvas.news.keys == ("plan",)


def test_a_mark_is_painted_around_its_item(desk: Any) -> None:
    window = opened(desk, BOARD, "board")
    settled(desk, window).edit("Add", Add(PLAN))
    settled(desk, window)
    canvas = window.view.widget()
    desk.wait(window.contents_complete)
    canvas.news.show({"plan": "moved while you were away"})
    corner = canvas.news.area(PLAN).topLeft().toPoint()
    marked = canvas.grab().toImage()
    canvas.news.show({})
    plain = canvas.grab().toImage()
    across = [corner + type(corner)(off, 0) for off in range(20, 60)]
    assert any(marked.pixel(point) != plain.pixel(point) for point in across)


def test_without_news_nothing_is_said(desk: Any) -> None:
    left(desk)
    window = back(desk)
    desk.wait(lambda: window.past.absence._looks == len(absence.LOOKS_MS))
    QApplication.processEvents()
    assert window.past.absence.news is None
    desk.press(window, "What changed while I was away")
    assert "Nothing has changed here" in window._message.text()
