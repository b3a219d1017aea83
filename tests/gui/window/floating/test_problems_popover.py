"""The sign of problems over a desktop, and its popover."""

from __future__ import annotations

from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel, QPlainTextEdit

from liven.app.window.floating.problem_sign import ProblemSign
from liven.app.window.floating.problems_popover import ProblemsPopover
from liven.liveobjects.look.view.buttons import ToolButton, WordButton
from liven.runtime.problems import Kind, Problem


@pytest.fixture
def window(desk: Any, local_recipe: Any) -> Any:
    made = desk.open(local_recipe("liven:desktop", "Board"))
    made.activateWindow()
    desk.wait(made.isActiveWindow)
    return made


def sign(window: Any) -> Any:
    [found] = window.centralWidget().findChildren(ProblemSign)
    return found


def report(window: Any, what: str) -> None:
    window.add_problem(
        Problem(Kind.RAISED, (window.step,), what, "tell its author", detail="line 7\nin read")
    )


def popovers(window: Any) -> list[ProblemsPopover]:
    return [one for one in window.findChildren(ProblemsPopover) if one.isVisible()]


def opened(window: Any) -> Any:
    QTest.mouseClick(sign(window), Qt.MouseButton.LeftButton)
    [found] = popovers(window)
    return found


def press(popover: ProblemsPopover, words: str) -> None:
    buttons = [*popover.findChildren(WordButton), *popover.findChildren(ToolButton)]
    [button] = [one for one in buttons if words in (one.text(), one.accessibleName()) and one.isVisible()]
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)


def texts(popover: ProblemsPopover) -> str:
    return "\n".join(one.text() for one in popover.findChildren(QLabel) if one.isVisible())


def test_the_sign_is_there_only_while_there_are_problems(window: Any) -> None:
    assert not sign(window).isVisible()
    report(window, "it raised")
    assert sign(window).isVisible()
    assert sign(window).shown == 1
    people = window.centralWidget().islands.people
    assert people.geometry().right() + 1 == window.centralWidget().width() - 16, (
        "the island has grown inwards"
    )
    window.problems.clear()
    assert not sign(window).isVisible()


def test_it_says_what_happened_and_offers_what_helps(window: Any) -> None:
    report(window, "row 18 has no number")
    popover = opened(window)
    assert popover.parentWidget().rect().contains(popover.geometry())
    assert "1 problem" in texts(popover)
    assert "Row 18 has no number. Tell its author." in texts(popover)
    asked: list[object] = []
    window.problems.pause_requested.disconnect()
    window.problems.pause_requested.connect(asked.append)
    press(popover, "Pause")
    assert asked == [(window.step,)]


def test_details_open_and_close_in_place(window: Any) -> None:
    report(window, "it raised")
    popover = opened(window)
    press(popover, "Details")
    [shown] = [one for one in popover.findChildren(QPlainTextEdit) if one.isVisible()]
    assert "line 7" in shown.toPlainText()
    press(popover, "Hide details")
    assert not [one for one in popover.findChildren(QPlainTextEdit) if one.isVisible()]


def test_it_follows_the_list_and_closes_with_the_last_problem(window: Any) -> None:
    for number in range(5):
        report(window, f"fault {number}")
    popover = opened(window)
    assert "Fault 4" in texts(popover)
    assert "Fault 0" not in texts(popover)
    window.problems.clear()
    assert not popovers(window)


def test_the_rest_is_in_the_panel_and_all_can_be_copied(window: Any) -> None:
    for number in range(5):
        report(window, f"fault {number}")
    press(opened(window), "Copy all details")
    assert "fault 0" in QGuiApplication.clipboard().text()
    [popover] = popovers(window)
    press(popover, "2 more in the panel")
    assert window.problems.isVisible()
    assert not popovers(window)


def test_the_sign_closes_what_it_opened(window: Any) -> None:
    report(window, "it raised")
    opened(window)
    QTest.mouseClick(sign(window), Qt.MouseButton.LeftButton)
    assert not popovers(window)
