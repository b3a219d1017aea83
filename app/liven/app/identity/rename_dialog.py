"""The dialog in which users change the name that others see."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QInputDialog, QWidget

from liven.app.identity.person import Person, PersonError

_WORDS = "The name that others see on your badge and beside your pointer:"


class Renamed(Protocol):
    """A program whose user can be renamed."""

    @property
    def person(self) -> Person:
        """The user, with the current name."""

    def rename_person(self, name: str) -> None:
        """Rename the user; raise PersonError if the name cannot be saved."""


def ask_for_name(program: Renamed, window: QWidget, say: Callable[[str], object]) -> None:
    """Ask for a new name over a window and `say` the result. Nothing changes if the user cancels."""
    dialog = QInputDialog(window)
    dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    dialog.setWindowTitle("Change your name")
    dialog.setLabelText(_WORDS)
    dialog.setTextValue(program.person.name)
    dialog.textValueSelected.connect(lambda name: _change(program, say, name))
    dialog.open()


def _change(program: Renamed, say: Callable[[str], object], name: str) -> None:
    if name.strip() == program.person.name:
        return
    try:
        program.rename_person(name)
    except PersonError as why:
        say(f"Your name was not changed: {why}.")
    else:
        say(
            f"Your name is now {program.person.name}. "
            "Other Liven programs that are running use it after a restart."
        )
