"""The commands that choose the light of all windows: day, dusk, or that of the system."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Final, Protocol

from liven.liveobjects.view.contract import Action
from liven.runtime.user_folders import UserFolders

_WORDS: Final = {"day": "Light: day", "dusk": "Light: dusk", "system": "Light: follow the system"}
_SAID: Final = {
    "day": "It is day in all windows.",
    "dusk": "It is dusk in all windows.",
    "system": "All windows follow the light of the system.",
}
_TIP: Final = "In all windows, now and at the next start"


class MessageWindow(Protocol):
    """The part of a window that these commands need."""

    @property
    def show_message(self) -> Callable[[str], None]: ...


def light_actions(window: MessageWindow) -> tuple[Action, ...]:
    """Return the commands of the View menu."""
    return tuple(
        Action(words, (), partial(choose_light, window, light), "View", _TIP, "look")
        for light, words in _WORDS.items()
    )


def choose_light(window: MessageWindow, light: str) -> None:
    """Change the light of all windows and save the choice. Say so if it cannot be saved."""
    from liven.app.appearance.config_writer import remember  # rarely needed
    from liven.app.appearance.settings import AppearanceError
    from liven.app.appearance.theme import Theme
    from liven.app.qt_application import application

    theme = Theme.of(application(), os.environ)
    theme.choose(replace(theme.chosen, light=light))
    try:
        remember(UserFolders.of_user(os.environ).config, "light", light)
    except AppearanceError as why:
        window.show_message(f"{_SAID[light]} This lasts until the program ends: {why}.")
    else:
        window.show_message(_SAID[light])
