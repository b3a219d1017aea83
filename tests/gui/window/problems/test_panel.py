from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QListWidget, QPushButton
from pytestqt.qtbot import QtBot

from liven.app.window.floating.problem_sign import ProblemSign
from liven.app.window.object_window import ObjectWindow
from liven.app.window.problems.panel import MOST
from liven.runtime.problems import Kind, Problem, Remedy

RAISED = Problem(Kind.RAISED, ("desk", "note"), "it raised", "tell its author", "the stack")
UNBUILT = Problem(Kind.UNBUILT, ("desk", "x"), "nothing is known of it")


@pytest.fixture
def window(qtbot: QtBot) -> ObjectWindow:
    made = ObjectWindow("desk")
    qtbot.addWidget(made)
    made.show()
    return made


def rows(window: ObjectWindow) -> list[str]:
    listed = window.problems.findChild(QListWidget)
    assert isinstance(listed, QListWidget)
    return [listed.item(row).text() for row in range(listed.count())]


def badge(window: ObjectWindow) -> ProblemSign:
    return window._problem_counter


def press(window: ObjectWindow, words: str) -> None:
    [button] = [one for one in window.problems.findChildren(QPushButton) if words in one.text()]
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)


def test_repeated_problems_are_counted_and_the_newest_is_first(window: ObjectWindow) -> None:
    for problem in (RAISED, UNBUILT, RAISED):
        window.problems.add(problem)
    assert rows(window) == [
        "desk / note: it raised (tell its author)  (×2)",
        "desk / x: nothing is known of it",
    ]


def test_the_badge_counts_unseen_problems_and_opens_the_list(window: ObjectWindow) -> None:
    assert badge(window).shown == 0
    window.problems.add(RAISED)
    window.problems.add(UNBUILT)
    assert badge(window).shown == 2
    QTest.mouseClick(badge(window), Qt.MouseButton.LeftButton)
    assert window.problems.isVisible()
    assert badge(window).shown == 2, "to see problems is not to solve them"
    window.problems.add(RAISED)
    assert badge(window).shown == 2
    press(window, "C&lear")
    assert badge(window).shown == 0


def test_the_diagnosis_of_one_or_all_problems_is_copied(window: ObjectWindow) -> None:
    window.problems.add(RAISED)
    window.problems.add(UNBUILT)
    window.show_problems()
    press(window, "diagnosis")
    whole = QGuiApplication.clipboard().text()
    assert "tell its author" in whole
    assert "the stack" in whole
    assert "nothing is known of it" in whole
    listed = window.problems.findChild(QListWidget)
    assert isinstance(listed, QListWidget)
    listed.setCurrentRow(0)
    QTest.keyClick(listed, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    one = QGuiApplication.clipboard().text()
    assert "nothing is known of it" in one
    assert "the stack" not in one


def test_the_list_is_bounded_and_can_be_cleared(window: ObjectWindow) -> None:
    for number in range(MOST + 5):
        window.problems.add(Problem(Kind.RAISED, (str(number),), "it raised"))
    assert len(rows(window)) == MOST
    window.show_problems()
    press(window, "C&lear")
    assert rows(window) == []


def test_remedies_for_the_selected_problem_are_buttons(window: ObjectWindow) -> None:
    done: list[str] = []
    remedies = tuple(
        Remedy(name, lambda name=name: done.append(name))  # type: ignore[misc]
        for name in ("open", "merge its 2 operations", "discard")
    )
    window.problems.add(UNBUILT)
    window.problems.add(Problem(Kind.BRANCH, ("channels", "notes"), "another goes on", remedies=remedies))
    window.show_problems()
    listed = window.problems.findChild(QListWidget)
    assert isinstance(listed, QListWidget)
    QTest.keyClick(listed, Qt.Key.Key_Home)
    for words in ("Merge its 2 operations", "Discard", "Open"):
        press(window, words)
    assert done == ["merge its 2 operations", "discard", "open"]
    QTest.keyClick(listed, Qt.Key.Key_End)
    offered = [one.text() for one in window.problems.findChildren(QPushButton) if one.isVisible()]
    assert offered == ["Copy &diagnosis", "C&lear"]


def test_removing_a_problem_removes_its_buttons(window: ObjectWindow) -> None:
    window.problems.add(Problem(Kind.BRANCH, (), "x", remedies=(Remedy("discard", lambda: None),)))
    window.show_problems()
    listed = window.problems.findChild(QListWidget)
    assert isinstance(listed, QListWidget)
    QTest.keyClick(listed, Qt.Key.Key_Home)
    assert any(one.text() == "Discard" for one in window.problems.findChildren(QPushButton))
    press(window, "C&lear")
    offered = [one for one in window.problems.findChildren(QPushButton) if one.text() == "Discard"]
    assert not any(one.isVisible() for one in offered)
