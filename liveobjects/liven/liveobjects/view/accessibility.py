"""Settings and announcements for people who see, hear or move differently."""

from __future__ import annotations

from PySide6.QtGui import QAccessible, QAccessibleAnnouncementEvent
from PySide6.QtWidgets import QApplication, QWidget

HIGH_CONTRAST, REDUCED_MOTION = "liven_high_contrast", "liven_reduced_motion"
"""Properties of the application object that hold the settings of the program."""


def is_high_contrast() -> bool:
    """Return true if views must use only the colours of the palette."""
    return _setting(HIGH_CONTRAST)


def is_motion_reduced() -> bool:
    """Return true if nothing may move by itself."""
    return _setting(REDUCED_MOTION)


def announce(widget: QWidget, words: str) -> None:
    """Let a screen reader, if one is running, say something now."""
    if QAccessible.isActive():
        QAccessible.updateAccessibility(QAccessibleAnnouncementEvent(widget, words))


def _setting(name: str) -> bool:
    running = QApplication.instance()
    return running is not None and bool(running.property(name))
