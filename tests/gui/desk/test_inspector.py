"""The inspector: what runs is listed with what it is joined to, and the list follows."""

from __future__ import annotations

from typing import Any

from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QLabel, QPushButton

from liven.app.desk.inspector import Inspector
from liven.app.desk.object_window import ObjectWindow


def text(inspector: Inspector) -> str:
    inspector.refresh()
    inspector.copy()
    return QGuiApplication.clipboard().text()


def test_it_lists_what_runs_and_what_it_is_joined_to_and_follows(desk: Any, local_recipe: Any) -> None:
    window = desk.open(local_recipe("liven:text", "List"))
    desk.press(window, "Show what runs")
    inspector = window.findChild(Inspector)
    said = text(inspector)
    assert "TextObject" in said
    assert "channel → List/Parameter[channel]" in said
    other = desk.open(local_recipe("liven:text", "Other"))
    assert "Other" in text(inspector)
    other.close()
    desk.wait(lambda: "Other" not in text(inspector))
    desk.click(next(one for one in inspector.findChildren(QPushButton) if "Copy" in one.text()))
    assert "objects with" in inspector.findChild(QLabel).text()


def test_it_is_hidden_and_shown_and_rests_while_it_is_hidden(desk: Any, local_recipe: Any) -> None:
    window = desk.open(local_recipe("liven:text", "List"))
    desk.press(window, "Show what runs")
    inspector = window.findChild(Inspector)
    desk.wait(inspector._timer.isActive)
    desk.press(window, "Show what runs")
    desk.wait(lambda: not inspector._timer.isActive())
    desk.press(window, "Show what runs")
    assert inspector.isVisible()


def test_where_nothing_runs_it_says_so(qtbot: Any) -> None:
    window = ObjectWindow("empty")
    qtbot.addWidget(window)
    window.show_inspector()
    assert "Nothing runs here" in window._notice.text()
