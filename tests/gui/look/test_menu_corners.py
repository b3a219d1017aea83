"""Round corners of menus, with and without a ground that shines through."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QGuiApplication, QResizeEvent
from PySide6.QtWidgets import QApplication, QMenu
from pytestqt.qtbot import QtBot

from liven.liveobjects.look.view.menu_corners import round_corners


def test_corners_are_seen_through_where_that_is_possible(qtbot: QtBot) -> None:
    menu = round_corners(QMenu())
    qtbot.addWidget(menu)
    assert menu.testAttribute(Qt.WidgetAttribute.WA_TranslucentBackground)
    assert menu.mask().isEmpty()


def test_under_x_they_are_cut_off_at_every_size(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(QGuiApplication, "platformName", staticmethod(lambda: "xcb"))
    menu = round_corners(QMenu())
    qtbot.addWidget(menu)
    assert not menu.testAttribute(Qt.WidgetAttribute.WA_TranslucentBackground)
    for height in (200, 300):
        before = menu.size()
        menu.resize(150, height)
        QApplication.sendEvent(menu, QResizeEvent(menu.size(), before))
        mask = menu.mask()
        assert not mask.contains(QPoint(0, 0))
        assert not mask.contains(QPoint(menu.width() - 1, menu.height() - 1))
        assert mask.contains(QPoint(menu.width() // 2, menu.height() // 2))
