"""The popover of the button Share."""

from __future__ import annotations

from typing import Any

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QFileDialog, QLabel

from liven.app.window.floating.share_popover import SharePopover
from liven.liveobjects.look.view.buttons import WordButton


@pytest.fixture
def window(desk: Any, local_recipe: Any) -> Any:
    made = desk.open(local_recipe("liven:desktop", "Board"))
    made.activateWindow()
    desk.wait(made.isActiveWindow)
    return made


def share(window: Any) -> Any:
    [found] = [one for one in window.findChildren(WordButton) if one.text() == "Share"]
    return found


def opened(window: Any) -> Any:
    QTest.mouseClick(share(window), Qt.MouseButton.LeftButton)
    [found] = [one for one in window.findChildren(SharePopover) if one.isVisible()]
    return found


def press(popover: SharePopover, words: str) -> None:
    [button] = [one for one in popover.findChildren(WordButton) if one.text() == words]
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)


def test_it_offers_three_ways_and_a_sentence_for_each(window: Any) -> None:
    popover = opened(window)
    assert popover.parentWidget().rect().contains(popover.geometry())
    shown = "\n".join(one.text() for one in popover.findChildren(QLabel))
    for words in ("edits the same object with you", "A double-click on the file", "The invitation says"):
        assert words in shown


def test_the_link_is_on_the_clipboard(window: Any) -> None:
    press(opened(window), "Copy the link")
    assert QGuiApplication.clipboard().text().startswith("liven:object,")
    assert "Link copied" in window._message.text()
    assert not [one for one in window.findChildren(SharePopover) if one.isVisible()]


def test_the_file_is_asked_for(window: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []

    def ask(*given: Any) -> tuple[str, str]:
        asked.append(given[1])
        return "", ""

    monkeypatch.setattr(QFileDialog, "getSaveFileName", ask)
    press(opened(window), "Save as a file…")
    assert asked == ["Save"]


def test_the_invitation_says_what_the_other_does(window: Any) -> None:
    press(opened(window), "Copy the invitation")
    text = QGuiApplication.clipboard().text()
    assert "On the other computer, once:" in text
    assert "cluster.key" in text


def test_esc_closes_it_and_the_button_has_the_focus(window: Any) -> None:
    opened(window)
    focused: Any = QApplication.focusWidget()
    QTest.keyClick(focused, Qt.Key.Key_Escape)
    assert not [one for one in window.findChildren(SharePopover) if one.isVisible()]
    assert share(window).hasFocus()


def test_a_press_elsewhere_closes_it(window: Any) -> None:
    opened(window)
    QTest.mouseClick(window.centralWidget(), Qt.MouseButton.LeftButton, pos=QPoint(60, 300))
    assert not [one for one in window.findChildren(SharePopover) if one.isVisible()]
