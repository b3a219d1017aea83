"""The looks of open boards for the gallery: a small picture, the words, and who is there.

It loads the views of desktops, so the start of the program does without it.
"""

from __future__ import annotations

from liven.app.export.thumbnail import HEIGHT, WIDTH, thumbnail
from liven.app.start.start_window import Here
from liven.app.start.welcome_look import welcome_picture, welcome_words
from liven.app.window.object_window import ObjectWindow
from liven.liveobjects.desktop.object import DesktopObject
from liven.liveobjects.desktop.view import Canvas
from liven.liveobjects.view.contract import summary_of

__all__ = ["HEIGHT", "WIDTH", "people_in", "thumbnail", "welcome_picture", "welcome_words", "words_of"]


def people_in(window: ObjectWindow) -> tuple[Here, ...]:
    """Return the other people on the desktop of a window, each once."""
    canvas = window.view.widget() if window.view is not None else None
    if not isinstance(canvas, Canvas) or not isinstance(canvas.model, DesktopObject):
        return ()
    found = {one.name: Here(one.name, one.colour) for one in canvas.model.gazes}
    return tuple(found[name] for name in sorted(found))


def words_of(window: ObjectWindow) -> str:
    """Return the words of the object of a window, and of everything on a desktop."""
    view = window.view
    canvas = view.widget() if view is not None else None
    if isinstance(canvas, Canvas):
        items = canvas.state.items.values()
        return "\n".join(_labelled(one.label, canvas.item_views.words(one)) for one in items)
    return summary_of(view) if view is not None else ""


def _labelled(label: str, words: str) -> str:
    """Return the words of an item with its label, unless they begin with it."""
    return words if words.startswith(label) else f"{label}\n{words}"
