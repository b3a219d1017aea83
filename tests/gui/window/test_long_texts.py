"""Very long names, messages and problems of others do not spoil a window."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QDialog, QLabel

from liven.app.opening.link_url import LONGEST, read_link
from liven.liveobjects.look.view.labels import brief, plain_tip
from liven.runtime.problems import Kind, Problem
from liven.runtime.reference.model import NAME, Attribute

FAR = 100_000


def test_a_shortened_text_keeps_both_ends() -> None:
    assert brief("abc", 3) == "abc"
    assert brief("a" * 50 + "b" * 50, 10) == "aaaaa … bbbbb"
    assert len(plain_tip("x" * FAR)) < 1100


def test_an_object_with_an_endless_name_opens_in_a_window_that_fits_the_screen(
    desk: Any, local_recipe: Any
) -> None:
    thing = replace(local_recipe("liven:text", "n"), attributes=(Attribute(NAME, "n" * 65_536),))
    window = desk.windows.open_file(desk.file("x", thing))
    window.show_loading_step("w" * FAR)
    assert window.minimumSizeHint().width() < 1200
    desk.wait(lambda: window.view is not None)
    assert window.width() <= 900
    window.handle.proxy().fail()
    desk.wait(lambda: "stopped because of an error" in desk.words(window))
    assert window.minimumSizeHint().height() < 900
    window.show_words("x" * FAR)
    assert len(desk.words(window)) < 2100


def test_an_endless_problem_is_listed_and_copied_completely(desk: Any, local_recipe: Any) -> None:
    desk.problems.listen(desk.windows.show_problem)
    window = desk.open(local_recipe("liven:text", "n"))
    desk.problems.report(Problem(Kind.RAISED, ("n",), "word " * FAR, detail="line\n" * FAR))
    notice = window.findChild(QLabel, "toast")
    assert notice.isVisible()
    assert len(notice.text()) < 700
    window.show_problems()
    window.problems.choose(("n",))
    assert len(window.problems._list.item(0).text()) < 500
    assert len(window.problems._detail.toPlainText()) < 21_000
    window.problems.copy()
    assert len(QGuiApplication.clipboard().text()) > 5 * FAR


@pytest.mark.parametrize("words", ["Keys", "Command palette…"])
def test_closed_dialogs_are_deleted(desk: Any, local_recipe: Any, words: str) -> None:
    window = desk.open(local_recipe("liven:text", "n"))
    for _ in range(3):
        desk.press(window, words)
        [dialog] = window.findChildren(QDialog)
        QTest.keyClick(dialog, Qt.Key.Key_Escape)
        desk.wait(lambda: window.findChildren(QDialog) == [])


def test_a_link_that_would_be_too_long_is_refused(
    desk: Any, local_recipe: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    window = desk.open(local_recipe("liven:text", "n"))
    QGuiApplication.clipboard().setText("before")
    with monkeypatch.context() as large:
        large.setattr("liven.app.window.menus.menu_bar.link_to", lambda _: "liven:object," + "x" * LONGEST)
        desk.press(window, "Copy link to this object")
    assert QGuiApplication.clipboard().text() == "before"
    assert "too large for a link" in window._message.text()
    desk.press(window, "Copy link to this object")
    assert read_link(QGuiApplication.clipboard().text())
