"""Settings and announcements for people who see, hear or move differently."""

from __future__ import annotations

from PySide6.QtGui import QAccessible, QAccessibleAnnouncementEvent
from PySide6.QtWidgets import QWidget

from liven.liveobjects.look.view.light import HIGH_CONTRAST, REDUCED_MOTION, setting

__all__ = ["HIGH_CONTRAST", "REDUCED_MOTION", "announce", "is_high_contrast", "is_motion_reduced"]


def is_high_contrast() -> bool:
    """Return true if views must use only the colours of the palette."""
    return setting(HIGH_CONTRAST)


def is_motion_reduced() -> bool:
    """Return true if nothing may move by itself."""
    return setting(REDUCED_MOTION)


def announce(widget: QWidget, words: str) -> None:
    """Let a screen reader, if one is running, say something now."""
    if QAccessible.isActive():
        QAccessible.updateAccessibility(QAccessibleAnnouncementEvent(widget, words))
