"""A window that opens again shows its last picture in its first frame, until the contents are complete."""

from __future__ import annotations

from typing import Any

import pytest
from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtGui import QColor, QImage, QPalette
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from liven.app.window.pages import last_picture
from liven.app.window.pages.last_picture import LastPicture
from liven.liveobjects.desktop.object import DesktopObject
from liven.runtime.reference.xml import write

_LEAST = 700
"""Pixels of a window's width that are enough to see the whole desktop."""


@pytest.fixture
def closed(desk: Any, local_recipe: Any) -> tuple[Any, QImage]:
    """The file of a desktop with a note on it whose window was closed, and the picture that it showed."""
    thing = local_recipe("liven:desktop", "Table")
    window = desk.open(thing, "table")
    window.view.insert(write(local_recipe("liven:text", "note")).decode(), "Milk")
    desk.wait(window.contents_complete)
    picture = window.centralWidget().grab().toImage()
    window.close()
    return desk.folder / "table.liveobject", picture


def _never_begins(model: DesktopObject, checkpoint: object) -> None:
    del model, checkpoint


def shows(cover: LastPicture, picture: QImage) -> bool:
    """Return True if a cover shows a picture, as far as it is as large: the screen of a test is small."""
    size = cover.size().boundedTo(picture.size())
    return bool(cover.grab().toImage().copy(QRect(QPoint(), size)) == picture.copy(QRect(QPoint(), size)))


def covers(window: Any) -> list[LastPicture]:
    return [one for one in window.findChildren(LastPicture) if one.isVisible()]


def test_the_first_frame_shows_the_last_picture(desk: Any, closed: tuple[Any, QImage]) -> None:
    path, picture = closed
    window = desk.windows.open_file(path)
    assert window.view is None
    [cover] = covers(window)
    assert cover.geometry() == window.centralWidget().geometry()
    assert cover.width() > _LEAST
    assert shows(cover, picture)
    desk.wait(lambda: window.view is not None and window.contents_complete())
    desk.wait(lambda: not covers(window))


def test_the_picture_stays_until_the_contents_are_complete(
    desk: Any, closed: tuple[Any, QImage], monkeypatch: pytest.MonkeyPatch
) -> None:
    path, picture = closed
    begin = DesktopObject.initialize
    late: list[Any] = []

    def begin_later(model: DesktopObject, checkpoint: Any) -> None:
        late.append((model, checkpoint))

    monkeypatch.setattr(DesktopObject, "initialize", begin_later)
    window = desk.windows.open_file(path)
    desk.wait(lambda: window.view is not None and late)
    QTest.qWait(3 * last_picture._LOOK_MS)
    [cover] = covers(window)
    assert shows(cover, picture)
    for model, state in late:
        begin(model, state)
    desk.wait(lambda: not covers(window))


@pytest.mark.parametrize("by", ["key", "mouse", "time"])
def test_a_press_or_some_seconds_end_the_picture(
    desk: Any, closed: tuple[Any, QImage], monkeypatch: pytest.MonkeyPatch, by: str
) -> None:
    monkeypatch.setattr(DesktopObject, "initialize", _never_begins)
    if by == "time":
        monkeypatch.setattr(last_picture, "LONGEST_MS", 10)
    window = desk.windows.open_file(closed[0])
    desk.wait(lambda: window.view is not None)
    if by != "time":
        [cover] = covers(window)
        desk.wait(lambda: cover._watched is window.view.widget())
        if by == "key":
            QTest.keyClick(window.view.widget(), Qt.Key.Key_Tab)
        else:
            QTest.mouseClick(window.view.widget(), Qt.MouseButton.LeftButton)
    desk.wait(lambda: not covers(window))
    assert not window.contents_complete()


def test_a_picture_in_other_colours_is_not_shown(desk: Any, closed: tuple[Any, QImage]) -> None:
    before = QApplication.palette()
    dark = QPalette(before)
    dark.setColor(QPalette.ColorRole.Base, QColor("#101010"))
    QApplication.setPalette(dark)
    try:
        assert covers(desk.windows.open_file(closed[0])) == []
    finally:
        QApplication.setPalette(before)


def test_no_picture_is_kept_of_a_desktop_that_was_still_loading(
    desk: Any, local_recipe: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(DesktopObject, "initialize", _never_begins)
    window = desk.open(local_recipe("liven:desktop", "Table"))
    window.close()
    assert list((desk.folders.cache / "pictures").glob("*")) == []


def test_the_past_is_not_covered(
    desk: Any, closed: tuple[Any, QImage], monkeypatch: pytest.MonkeyPatch
) -> None:
    path, _ = closed
    monkeypatch.setattr(DesktopObject, "initialize", _never_begins)
    window = desk.windows.open_file(path)
    desk.wait(lambda: window.view is not None)
    assert covers(window)
    monkeypatch.setattr(type(window.past), "view", object())  # as when a recording is shown
    desk.wait(lambda: not covers(window))
