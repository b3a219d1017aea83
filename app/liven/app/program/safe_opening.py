"""Safe opening: an object is shown without running anything, so that a bad part of it can be removed.

A desktop of the program's own classes shows cards in place of its items. Of anything else, its last picture
and its recipe are shown.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QMainWindow

from liven.app.window.pages.prompt_bar import PromptBar
from liven.liveobjects.desktop.object import DesktopObject
from liven.runtime.checking.type_knowledge import TypeKnowledge
from liven.runtime.loader.classes import Class, Installed
from liven.runtime.reference.model import Object, Reference, parts

CRASHES = 2
"""Crashes in a row while an object was opened, after which it is opened safely."""
CRASHES_OF_CARDS = 4
"""Crashes after which not even cards are shown."""
LIVED_MS = 8_000
"""Milliseconds that an object must run until opening it counts as survived."""
_OURS = "liven."
_BAR = "safe opening"
_HIDE = "Hide this bar"
_NO_CARDS = "You see its last picture and its recipe."


def is_asked_for() -> bool:
    """Return True while the user holds Shift alone: Ctrl+Shift+N and the like open normally."""
    return QGuiApplication.queryKeyboardModifiers() == Qt.KeyboardModifier.ShiftModifier


def has_cards(thing: Object, known: TypeKnowledge) -> bool:
    """Return True for a desktop that runs no code but the program's own, apart from its items."""
    classes = Installed(known)
    if not isinstance(thing, Reference) or _class(thing, classes) is not DesktopObject:
        return False
    return all(_is_ours(one, classes) for one in _all(thing))


def tell(window: QMainWindow, crashes: int, open_normally: Callable[[], object], *, cards: bool) -> None:
    """Say in a bar that the object does not run, and offer to open it normally. `cards` tells if its items
    are shown."""
    for old in window.findChildren(PromptBar, _BAR):
        old.deleteLater()
    if crashes:
        why = f"Liven ended {crashes} times while it opened this. It is open safely: nothing in it runs."
    else:
        why = "This is open safely: nothing in it runs."
    what = "You can remove items, or drag them to another window." if cards else _NO_CARDS
    PromptBar(window, f"{why} {what}", "Open normally", open_normally, no=_HIDE).setObjectName(_BAR)


def _all(thing: Object) -> Iterator[Object]:
    yield thing
    for _, part in parts(thing):
        yield from _all(part)


def _is_ours(thing: Object, classes: Installed) -> bool:
    if thing.requires:
        return False
    if not isinstance(thing, Reference) or thing.source is not None or thing.null:
        return True
    found = _class(thing, classes)
    return found is not None and found.__module__.startswith(_OURS)


def _class(thing: Reference, classes: Installed) -> type | None:
    found: Class | None = classes.component(thing) if thing.source is None else None
    return None if found is None else found.declaration.cls
