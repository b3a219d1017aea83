"""The keys that run the actions of a desktop."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QWidget

from liven.liveobjects.desktop.view.actions.shortcut import ShortcutCanvas
from liven.liveobjects.desktop.view.actions.shortcuts import ESCAPE, SHORTCUTS


def bind_shortcuts(widget: QWidget, canvas: ShortcutCanvas) -> None:
    """Run each action by its keys while the widget has the keyboard."""
    for shortcut in SHORTCUTS:
        for sequence in () if shortcut is ESCAPE else shortcut.keys:  # a shortcut would swallow Esc
            key = QShortcut(QKeySequence(sequence), widget)
            key.setContext(Qt.ShortcutContext.WidgetShortcut)
            key.activated.connect(partial(shortcut.run, canvas))
