"""A thing whose state is not there yet says so, not at once, and until it is there."""

from __future__ import annotations

from typing import Any

from PySide6.QtGui import QImage

from liven.liveobjects.arrivals.view import AFTER, LOOKING, Arrivals
from liven.liveobjects.text.object import TextObject


class Clock:
    def __init__(self) -> None:
        self.time = 0.0

    def __call__(self) -> float:
        return self.time


def test_it_is_said_after_a_moment_and_until_the_state_is_there(qtbot: Any) -> None:
    del qtbot
    clock, told, here = Clock(), list[str](), set[str]()
    arrivals = Arrivals(told.append, clock)
    for key in ("a", "b"):
        arrivals.expect(key, lambda key=key: key not in here)  # type: ignore[misc]  # each its own key
    arrivals.look()
    assert told == []
    here.add("a")
    clock.time = AFTER / 2
    arrivals.look()
    clock.time = AFTER
    arrivals.look()
    assert told == ["b"], "what comes soon says nothing"
    assert arrivals.is_late("b")
    arrivals.expect("b", lambda: "b" not in here)
    assert arrivals.is_late("b"), "it is another step of the same waiting"
    here.add("b")
    arrivals.look()
    assert told == ["b", "b"]
    assert not arrivals.is_late("b")
    arrivals.close()


def test_who_is_taken_away_waits_no_longer(qtbot: Any) -> None:
    del qtbot
    clock, told = Clock(), list[str]()
    arrivals = Arrivals(told.append, clock)
    arrivals.expect("a", lambda: True)
    clock.time = 1.0
    arrivals.look()
    arrivals.end("a")
    arrivals.look()
    assert told == ["a", "a"]
    assert not arrivals.is_late("a")
    arrivals.expect("b", lambda: False)
    arrivals.look()
    assert told == ["a", "a"]


def picture(table: Any) -> QImage:
    image: QImage = table.canvas.grab().toImage()
    return image


def test_a_note_on_a_desktop_says_it_until_it_has_begun(table: Any, monkeypatch: Any) -> None:
    begin = TextObject.initialize
    held: list[Any] = []
    monkeypatch.setattr(TextObject, "initialize", lambda note, checkpoint: held.append((note, checkpoint)))
    key = table.lay("Note", 100, 100, 300, 200)
    actors = table.canvas.actors
    table.bot.waitUntil(lambda: actors.view(key) is not None and bool(held), timeout=60_000)
    empty = picture(table)
    table.bot.waitUntil(lambda: actors.arrivals.is_late(key), timeout=60_000)
    said = picture(table)
    assert said != empty
    [(note, checkpoint)] = held
    begin(note, checkpoint)
    table.bot.waitUntil(lambda: not actors.arrivals.is_late(key), timeout=60_000)
    assert picture(table) != said


def test_a_thing_that_waits_for_its_turn_says_it_too(table: Any, monkeypatch: Any) -> None:
    actors = table.canvas.actors
    monkeypatch.setattr(actors.stage, "_admit", lambda: None)
    key = table.lay("Note", 100, 100, 300, 200)
    before = picture(table)
    table.bot.waitUntil(lambda: actors.arrivals.is_late(key), timeout=60_000)
    assert picture(table) != before
    assert LOOKING.startswith("Looking for")
