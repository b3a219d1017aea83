"""The actions by which people who have a desktop open together show each other something."""

from __future__ import annotations

from functools import partial
from typing import Final

from liven.liveobjects.desktop.view.actions.shortcut import Shortcut, ShortcutCanvas
from liven.liveobjects.desktop.view.people.reactions import REACTIONS

_ON = "Your pointer is a laser pointer for everybody. Press L or Esc to stop."
_OFF = "Your pointer is no laser pointer any more."


def _toggle_laser(canvas: ShortcutCanvas) -> None:
    canvas.host.show_message(_ON if canvas.collaborators.toggle_laser() else _OFF)


def _react(name: str, canvas: ShortcutCanvas) -> None:
    canvas.collaborators.react(name)


LASER: Final = Shortcut(
    _toggle_laser,
    ("L",),
    "Laser pointer",
    group="View",
    part="meeting",
    ticked=lambda canvas: canvas.collaborators.laser,
)
MEETING: Final = (
    Shortcut(
        lambda canvas: canvas.collaborators.say_something(),
        ("S",),
        "Say something at your pointer",
        group="View",
        part="meeting",
    ),
    LASER,
    Shortcut(
        lambda canvas: canvas.timer_menu.open(), ("Alt+Shift+T",), "Timer…", group="View", part="meeting"
    ),
    *(
        Shortcut(partial(_react, name), (f"Alt+{number}",), f"React: {name}", group="View", part="meeting")
        for number, name in enumerate(REACTIONS, start=1)
    ),
)
