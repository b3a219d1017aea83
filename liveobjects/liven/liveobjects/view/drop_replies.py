"""Replies to a drag or drop: they decide whether the source keeps what was dropped."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QDropEvent


def take_copy(event: QDropEvent) -> None:
    """Accept a drag or drop as a copy, whatever is proposed: after a move the source would delete its file,
    of which we keep only the content."""
    event.setDropAction(Qt.DropAction.CopyAction)
    event.accept()


def refuse(event: QDropEvent) -> None:
    """Refuse a drop, so that the source keeps its data."""
    event.setDropAction(Qt.DropAction.IgnoreAction)
    event.ignore()
