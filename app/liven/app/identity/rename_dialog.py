"""How the person is called: asked, kept, and shown to the others."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QInputDialog

from liven.app.identity.person import PersonError

if TYPE_CHECKING:
    from liven.app.program.composition import House
    from liven.app.window.object_window import ObjectWindow

_WORDS = "What others read on your disc and beside your pointer, in all that this program has open:"


def ask_for_name(house: House, window: ObjectWindow) -> None:
    """Over the window; nothing changes when the person thinks better of it."""
    dialog = QInputDialog(window)
    dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    dialog.setWindowTitle("Change your name")
    dialog.setLabelText(_WORDS)
    dialog.setTextValue(house.person.name)
    dialog.textValueSelected.connect(lambda name: _change(house, window, name))
    dialog.open()


def _change(house: House, window: ObjectWindow, name: str) -> None:
    if name.strip() == house.person.name:
        return
    try:
        house.rename_person(name)
    except PersonError as why:
        window.show_message(f"Your name was not changed: {why}.")
    else:
        window.show_message(
            f"You are called {house.person.name} from now on. Other programs of yours that run know it "
            "when they are started again."
        )
