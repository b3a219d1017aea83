"""What is seen while an object is opened."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QFontMetrics
from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

from liven.app.desk.object_window import ObjectWindow


def test_its_words_can_be_read(qtbot: QtBot) -> None:
    """They are wrapped, and such words take as little room as they are given."""
    window = ObjectWindow("Sign")
    qtbot.addWidget(window)
    window.show()
    window.show_opening("looking for its classes")
    page = window.centralWidget()
    assert page is not None
    qtbot.waitUntil(page.isVisible)
    [said] = page.findChildren(QLabel)
    metrics = QFontMetrics(said.font())
    needed = metrics.boundingRect(said.rect(), said.alignment() | Qt.TextFlag.TextWordWrap, said.text())
    assert said.width() >= 300
    assert said.height() >= needed.height()
