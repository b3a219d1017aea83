"""After a test of how the program looks, it looks as before."""

from __future__ import annotations

from PySide6.QtCore import QEvent
from PySide6.QtGui import QPalette
from PySide6.QtWidgets import QApplication

from liven.liveobjects.view.accessibility import HIGH_CONTRAST, REDUCED_MOTION


def undress(qapp: QApplication, blinks: int) -> None:
    """Takes back what a look put on; `blinks` is how fast the caret did."""
    for name in (HIGH_CONTRAST, REDUCED_MOTION):
        qapp.setProperty(name, None)
    qapp.setPalette(QPalette())
    qapp.setStyleSheet("")
    qapp.setCursorFlashTime(blinks)
    QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
