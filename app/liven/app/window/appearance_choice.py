"""The dialog for contrast, motion and light, over any window."""

from __future__ import annotations

import os

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget

from liven.app.appearance.dialog import AppearanceDialog
from liven.app.appearance.theme import Theme
from liven.app.qt_application import application
from liven.runtime.user_folders import UserFolders


def choose_appearance(window: QWidget) -> None:
    """Show the dialog."""
    look, config = Theme.of(application(), os.environ), UserFolders.of_user(os.environ).config
    dialog = AppearanceDialog(window, look, config, os.environ)
    dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    dialog.open()
