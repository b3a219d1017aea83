"""The page that is shown while an object loads."""

from __future__ import annotations

from PySide6.QtCore import Qt, QTimer
from PySide6.QtGui import QFontMetrics
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QDialog, QLabel, QPushButton
from pytestqt.qtbot import QtBot

from liven.app.window.object_window import ObjectWindow
from liven.app.window.pages.loading_page import LoadingPage
from liven.app.window.pages.stopped_page import StoppedPage
from liven.runtime.reference.model import Reference


def test_the_text_of_the_page_is_readable(qtbot: QtBot) -> None:
    """A label with wrapped text may get almost no width."""
    window = ObjectWindow("Sign")
    qtbot.addWidget(window)
    window.show()
    window.show_loading("finding its code")
    page = window.centralWidget()
    assert page is not None
    qtbot.waitUntil(page.isVisible)
    [said] = page.findChildren(QLabel)
    metrics = QFontMetrics(said.font())
    needed = metrics.boundingRect(said.rect(), said.alignment() | Qt.TextFlag.TextWordWrap, said.text())
    assert said.width() >= 300
    assert said.height() >= needed.height()


def press(button: QPushButton) -> None:
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)


def opening(qtbot: QtBot) -> tuple[ObjectWindow, QPushButton]:
    window = ObjectWindow("Sign")
    qtbot.addWidget(window)
    window.show_loading("finding its code")
    window.show()
    page = window.centralWidget()
    assert page is not None
    qtbot.waitUntil(page.isVisible)
    [cancel] = page.findChildren(QPushButton)
    return window, cancel


def is_opening(window: ObjectWindow) -> bool:
    return isinstance(window.centralWidget(), LoadingPage)


def test_a_click_begun_before_the_page_appeared_cancels_nothing(qtbot: QtBot) -> None:
    """It is the second click of a double-click on a dialog above."""
    window, cancel = opening(qtbot)
    press(cancel)
    assert is_opening(window)
    question = QDialog(window)
    question.setModal(True)
    question.open()
    question.accept()
    press(cancel)
    assert is_opening(window)


def test_cancelling_keeps_the_window_and_loading_can_be_repeated(qtbot: QtBot) -> None:
    """The click may have been a mistake, and closing the last window would end the program."""
    window, cancel = opening(qtbot)
    window.recipe = Reference("liven:text")
    again: list[bool] = []
    window.restart_requested.connect(lambda: again.append(True))
    closed: list[bool] = []
    window.closed.connect(lambda: closed.append(True))
    meant = QTimer(window, singleShot=True, interval=QApplication.doubleClickInterval() + 50)
    with qtbot.waitSignal(meant.timeout):
        meant.start()
    press(cancel)
    page = window.centralWidget()
    assert isinstance(page, StoppedPage)
    assert closed == []
    [label] = page.findChildren(QLabel)
    assert label.text() == "“Sign” is not open because you cancelled it."
    press(page.findChildren(QPushButton)[0])
    assert again == [True]
