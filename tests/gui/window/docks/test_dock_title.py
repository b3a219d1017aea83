"""The titles of panels: their words, their buttons, and another light."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QDockWidget, QLabel, QMainWindow, QToolButton
from pytestqt.qtbot import QtBot
from tests.gui.appearance.theme_reset import undress

from liven.app.appearance.settings import Appearance
from liven.app.appearance.theme import Theme
from liven.app.window.docks.dock_title import DockTitle
from liven.liveobjects.look.tokens import DUSK, SMALLEST_HIT


@pytest.fixture
def dock(qtbot: QtBot) -> Iterator[QDockWidget]:
    window = QMainWindow()
    qtbot.addWidget(window)
    made = QDockWidget("Problems")
    made.setTitleBarWidget(DockTitle(made))
    window.addDockWidget(Qt.DockWidgetArea.BottomDockWidgetArea, made)
    window.show()
    yield made
    made.setFloating(False)


def button(dock: QDockWidget, words: str) -> QToolButton:
    [found] = [one for one in dock.findChildren(QToolButton) if words in one.accessibleName()]
    return found


def test_a_title_follows_the_name_of_its_panel_literally(dock: QDockWidget) -> None:
    dock.setWindowTitle("<b>Network</b>")
    label = dock.titleBarWidget().findChild(QLabel)
    assert isinstance(label, QLabel)
    assert label.text() == "<b>Network</b>"
    assert label.textFormat() is Qt.TextFormat.PlainText


@pytest.mark.qt_log_ignore("does not support raise")
def test_a_click_closes_and_detaches_a_panel(dock: QDockWidget) -> None:
    for one in (button(dock, "Close"), button(dock, "Detach")):
        assert min(one.width(), one.height()) >= SMALLEST_HIT
    QTest.mouseClick(button(dock, "Detach"), Qt.MouseButton.LeftButton)
    assert dock.isFloating()
    QTest.mouseClick(button(dock, "Detach"), Qt.MouseButton.LeftButton)
    assert not dock.isFloating()
    QTest.mouseClick(button(dock, "Close"), Qt.MouseButton.LeftButton)
    assert dock.isHidden()


def test_the_signs_follow_the_light(dock: QDockWidget, qapp: QApplication, qtbot: QtBot) -> None:
    blinks = qapp.cursorFlashTime()
    theme = Theme(qapp, Appearance("normal", "full", "day"), {})
    try:
        theme.choose(Appearance("normal", "full", "dusk"))
        seen = button(dock, "Close").icon().pixmap(16).toImage()
        inks = {
            seen.pixelColor(x, y).name()
            for x in range(16)
            for y in range(16)
            if seen.pixelColor(x, y).alpha() == 255
        }
        assert inks == {DUSK.quiet}
    finally:
        theme.setParent(None)
        theme.deleteLater()
        undress(qapp, blinks)
