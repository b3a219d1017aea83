"""Resetting the appearance after a test."""

from __future__ import annotations

from PySide6.QtCore import QEvent
from PySide6.QtGui import QFont, QPalette
from PySide6.QtWidgets import QApplication

from liven.liveobjects.look.view.light import HIGH_CONTRAST, LIGHT, REDUCED_MOTION

_plain: list[QFont] = []
"""The font of the program before any test dressed it. A new QFont is the present one."""


def remember_plain(qapp: QApplication) -> None:
    """Remember the font of the program; called before the first test."""
    if not _plain:
        _plain.append(QFont(qapp.font()))


def undress(qapp: QApplication, blinks: int) -> None:
    """Remove an applied theme; `blinks` is the original caret flash time."""
    for name in (HIGH_CONTRAST, LIGHT, REDUCED_MOTION):
        qapp.setProperty(name, None)
    qapp.setFont(_plain[0])
    qapp.setPalette(QPalette())
    qapp.setStyleSheet("")
    qapp.setCursorFlashTime(blinks)
    QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
