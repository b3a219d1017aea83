"""A view that does its worst is shown as broken in its place; the desktop and its other items go on."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

import pytest
from PySide6.QtCore import QRectF
from PySide6.QtGui import QPainter, QTransform
from PySide6.QtWidgets import QWidget

from liven.liveobjects.desktop import commands
from liven.liveobjects.view.contract import Searchable, View


class NamelessError(Exception):
    """An error whose text fails."""

    def __str__(self) -> str:
        raise ValueError("no text")


def without_end(depth: int = 0) -> int:
    return without_end(depth + 1) + 1


def _raise(error: BaseException) -> Any:
    raise error


DEEDS: dict[str, Callable[[], Any]] = {
    "error": lambda: _raise(RuntimeError("planted")),
    "exit": lambda: sys.exit(3),
    "base": lambda: _raise(BaseException("planted")),
    "generator": lambda: _raise(GeneratorExit()),
    "memory": lambda: _raise(MemoryError()),
    "recursion": without_end,
    "nameless": lambda: _raise(NamelessError()),
    "long": lambda: _raise(RuntimeError("x" * 10_000_000)),
    "nothing": lambda: None,
    "number": lambda: float("nan"),
    "class": lambda: QWidget,
}


class Hostile(View, Searchable):
    """A view whose every method does the same."""

    def __init__(self, deed: Callable[[], Any]) -> None:
        super().__init__()
        self.deed = deed

    def paint(self, painter: QPainter, area: QRectF) -> None:
        self.deed()

    def make_widget(self) -> QWidget:
        return self.deed()  # type: ignore[no-any-return]

    def title(self) -> str:
        return self.deed()  # type: ignore[no-any-return]

    def summary(self) -> str:
        return self.deed()  # type: ignore[no-any-return]

    def is_empty(self) -> bool:
        return self.deed()  # type: ignore[no-any-return]

    def is_loading(self) -> bool:
        return self.deed()  # type: ignore[no-any-return]


@pytest.mark.parametrize("name", DEEDS)
def test_every_answer_of_a_view_may_be_wrong(table: Any, name: str) -> None:
    bad, good = table.lay("", 0, 0), table.lay("", 300, 0)
    views = table.canvas.item_views
    views._views[bad] = Hostile(DEEDS[name])
    views.pictures.clear()
    table.canvas.grab()
    item = table.item(bad)
    assert isinstance(views.title(item), str)
    assert isinstance(views.words(item), str)
    table.double_click(bad)
    assert table.canvas.editing is None
    table.canvas.open_find_bar()
    table.canvas.find_bar._words.setText("x")
    table.canvas.find_bar.results()
    assert views.why_not_shown(bad)
    assert len(views.why_not_shown(bad)) < 500
    table.canvas.do(commands.remove(table.canvas.state, [bad]))
    table.settle()
    assert views.view(bad) is None
    assert views.view(good) is not None
    table.canvas.grab()


def ended(painter: QPainter) -> None:
    painter.end()


def saved(painter: QPainter) -> None:
    for _ in range(1000):
        painter.save()


def transformed(painter: QPainter) -> None:
    painter.setWorldTransform(QTransform(0, 0, 0, 0, 0, 0))


def far(painter: QPainter) -> None:
    painter.drawRect(QRectF(-1e300, -1e300, 1e308, 1e308))
    painter.drawRect(QRectF(float("nan"), 0, float("inf"), 1))


@pytest.mark.parametrize("deed", [ended, saved, transformed, far])
def test_a_painter_that_is_left_in_any_state_does_not_spoil_the_others(
    table: Any, deed: Callable[[QPainter], None], qtlog: Any
) -> None:
    bad, good = table.lay("", 0, 0), table.lay("", 300, 0)
    views = table.canvas.item_views
    before = table.canvas.grab().toImage().pixelColor(table.middle(good).toPoint())

    class Spoiling(Hostile):
        def paint(self, painter: QPainter, area: QRectF) -> None:
            deed(painter)

    with qtlog.disabled():  # Qt warns of what the view did
        views._views[bad] = Spoiling(lambda: None)
        views.pictures.clear()
        assert table.canvas.grab().toImage().pixelColor(table.middle(good).toPoint()) == before
        assert table.canvas.grab().toImage().pixelColor(table.middle(good).toPoint()) == before
        table.canvas.do(commands.remove(table.canvas.state, [bad]))
        table.settle()
