"""The loading label of an item: after a moment, and until its state is there."""

from __future__ import annotations

from typing import Any

import pytest
from PySide6.QtCore import QRectF
from PySide6.QtGui import QFont, QImage, QPainter

from liven.liveobjects.text.object import TextObject
from liven.liveobjects.view.loading import AFTER, LOADING, LoadingIndicators, paint_loading


class Clock:
    def __init__(self) -> None:
        self.time = 0.0

    def __call__(self) -> float:
        return self.time


def test_label_appears_after_a_moment_and_stays_until_the_state_is_there(qtbot: Any) -> None:
    del qtbot
    clock, told, here = Clock(), list[str](), set[str]()
    arrivals = LoadingIndicators(told.append, clock)
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


def test_removed_item_no_longer_waits(qtbot: Any) -> None:
    del qtbot
    clock, told = Clock(), list[str]()
    arrivals = LoadingIndicators(told.append, clock)
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


def test_note_on_a_desktop_shows_the_label_until_it_has_loaded(table: Any, monkeypatch: Any) -> None:
    begin = TextObject.initialize
    held: list[Any] = []
    monkeypatch.setattr(TextObject, "initialize", lambda note, checkpoint: held.append((note, checkpoint)))
    key = table.lay("Note", 100, 100, 300, 200)
    actors = table.canvas.item_views
    table.bot.waitUntil(lambda: actors.view(key) is not None and bool(held), timeout=60_000)
    empty = picture(table)
    table.bot.waitUntil(lambda: actors.arrivals.is_late(key), timeout=60_000)
    said = picture(table)
    assert said != empty
    [(note, checkpoint)] = held
    begin(note, checkpoint)
    table.bot.waitUntil(lambda: not actors.arrivals.is_late(key), timeout=60_000)
    assert picture(table) != said


def test_queued_item_shows_the_label_too(table: Any, monkeypatch: Any) -> None:
    actors = table.canvas.item_views
    monkeypatch.setattr(actors.running_items, "_admit", lambda: None)
    key = table.lay("Note", 100, 100, 300, 200)
    before = picture(table)
    table.bot.waitUntil(lambda: actors.arrivals.is_late(key), timeout=60_000)
    assert picture(table) != before
    assert LOADING.startswith("Loading")


@pytest.mark.parametrize(("width", "height"), [(220, 90), (120, 60), (80, 40)])
def test_label_fits_even_if_the_view_changed_the_painter(qtbot: Any, width: int, height: int) -> None:
    """A counter paints its number in a huge font, in which the label was cut to pieces."""
    del qtbot

    def painted(font: QFont | None) -> QImage:
        image = QImage(width, height, QImage.Format.Format_RGB32)
        image.fill(0)
        painter = QPainter(image)
        if font is not None:
            painter.setFont(font)
        paint_loading(painter, QRectF(image.rect()))
        painter.end()
        return image

    giant = QFont()
    giant.setPixelSize(45)
    image = painted(giant)
    assert image == painted(None)
    ground = image.pixel(1, height - 1)
    for x in (0, 1, 2, width - 3, width - 2, width - 1):  # no letter is cut by an edge
        assert {image.pixel(x, y) for y in range(height)} <= {ground, image.pixel(0, 0)}
