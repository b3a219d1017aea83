"""Round corners of menus: seen through where the screen can, else cut off.

Under X a menu that lets the ground through has black corners unless a compositor runs, and Qt does not tell.
"""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, QRectF, Qt
from PySide6.QtGui import QGuiApplication, QPainterPath, QRegion
from PySide6.QtWidgets import QMenu

from liven.liveobjects.look.tokens import CARD_RADIUS

_X = "xcb"


def round_corners(menu: QMenu) -> QMenu:
    """Give a menu round corners, before it is shown for the first time, and return it."""
    flags = Qt.WindowType.FramelessWindowHint | Qt.WindowType.NoDropShadowWindowHint
    menu.setWindowFlags(menu.windowFlags() | flags)
    if QGuiApplication.platformName() == _X:
        menu.installEventFilter(_CornerMask(menu))
    else:
        menu.setAttribute(Qt.WidgetAttribute.WA_TranslucentBackground)
    return menu


class _CornerMask(QObject):
    """Cuts off the corners whenever the menu has another size."""

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Resize and isinstance(watched, QMenu):
            path = QPainterPath()
            path.addRoundedRect(QRectF(watched.rect()), CARD_RADIUS, CARD_RADIUS)
            watched.setMask(QRegion(path.toFillPolygon().toPolygon()))
        return False
