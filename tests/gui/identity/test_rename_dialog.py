"""Changing the name that others see."""

from __future__ import annotations

from typing import Any

import pytest
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QInputDialog, QLineEdit, QPushButton

from liven.app.identity.person import person


def answer(desk: Any, window: Any, name: str, words: str) -> None:
    """Open the dialog and type a name."""
    desk.press(window, "Change your name…")
    [dialog] = [one for one in window.findChildren(QInputDialog) if one.isVisible()]
    [line] = dialog.findChildren(QLineEdit)
    assert line.text() == desk.program.person.name
    line.selectAll()
    QTest.keyClicks(line, name)
    [button] = [one for one in dialog.findChildren(QPushButton) if words in one.text().replace("&", "")]
    desk.click(button)
    desk.wait(lambda: not any(one.isVisible() for one in window.findChildren(QInputDialog)))


@pytest.mark.parametrize("name", ["Anna", "Anna B."])
def test_a_new_name_is_shown_to_others_and_saved(desk: Any, local_recipe: Any, name: str) -> None:
    window = desk.open(local_recipe("liven:desktop", "Table"))
    answer(desk, window, name, "OK")
    assert window.centralWidget().collaborators._own_presence().name == name
    assert f"Your name is now {name}." in window._message.text()
    assert person(desk.folders.config).name == name


def test_cancelling_keeps_the_old_name(desk: Any, local_recipe: Any) -> None:
    window = desk.open(local_recipe("liven:desktop", "Table"))
    before = desk.program.person
    answer(desk, window, "Anna", "Cancel")
    assert "called Anna" not in window._message.text()
    answer(desk, window, " ", "OK")
    assert "Your name was not changed: a name needs at least one letter" in window._message.text()
    assert desk.program.person == before
    assert person(desk.folders.config).name == before.name
