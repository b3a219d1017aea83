"""Desktops, folders and notes as history sees them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final

from liven.liveobjects.desktop.model import DesktopModel
from liven.liveobjects.desktop.state import Desktop
from liven.liveobjects.desktop.wire import WIRE as DESKTOP_WIRE
from liven.liveobjects.desktop.wire import DesktopOperation, DesktopState
from liven.liveobjects.feeds.history import desktop_history, folder_history, note_history
from liven.liveobjects.feeds.history.kind import (
    Kind,
    SharedFollower,
    editor_restoration,
    editor_state,
    term,
)
from liven.liveobjects.feeds.history.note_follower import NoteFollower
from liven.liveobjects.folder.model import FolderModel
from liven.liveobjects.folder.state import Content
from liven.liveobjects.folder.wire import WIRE as FOLDER_WIRE
from liven.liveobjects.folder.wire import FolderOperation, FolderState
from liven.types.terms.value_types import TEXT


def _desktop_recipes(state: Desktop) -> Mapping[str, tuple[str, str]]:
    return {
        desktop_history.ITEM + item.key: (desktop_history.item_name(item), item.reference)
        for item in state.stacked()
    }


def _folder_recipes(state: Content) -> Mapping[str, tuple[str, str]]:
    return {folder_history.ENTRY + name: (f"“{name}”", state.items[name]) for name in sorted(state.items)}


DESKTOP: Final = Kind(
    "desktop",
    term(DesktopState),
    term(DesktopOperation),
    lambda: SharedFollower(
        DesktopModel(), DESKTOP_WIRE, DesktopOperation, DesktopState, desktop_history.touched
    ),
    desktop_history.differences,
    editor_state,
    editor_restoration(desktop_history.restoration),
    _desktop_recipes,
)
FOLDER: Final = Kind(
    "folder",
    term(FolderState),
    term(FolderOperation),
    lambda: SharedFollower(FolderModel(), FOLDER_WIRE, FolderOperation, FolderState, folder_history.touched),
    folder_history.differences,
    editor_state,
    editor_restoration(folder_history.restoration),
    _folder_recipes,
)


def _restore_note(model: Any, name: str, then: Any, keys: Iterable[str] | None) -> int:
    edit = note_history.restoration(model.note.shown.runs(), then, keys)
    if edit:
        model.note.edit(name, edit)
    return len(edit)


NOTE: Final = Kind(
    "note",
    lambda: TEXT,
    lambda: TEXT,
    NoteFollower,
    note_history.differences,
    lambda model: model.note.shown.runs(),
    _restore_note,
)
