"""The content of a window as Markdown: a desktop with the contents of its notes, or one object."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from liven.app.export.board_markdown import board_markdown
from liven.liveobjects.copying.recipe import CopyError, name_of_channel, own_channel
from liven.liveobjects.copying.state_collector import Opener, StateCollector
from liven.liveobjects.copying.states import State, has_begun, state_of
from liven.liveobjects.desktop.frames import is_frame, with_contents
from liven.liveobjects.desktop.state import Item
from liven.liveobjects.desktop.view import Canvas
from liven.liveobjects.text.document import Document
from liven.liveobjects.text.markdown import markdown_of
from liven.liveobjects.text.object import note_state
from liven.liveobjects.text.view.text_view import TextView
from liven.liveobjects.view.contract import View, summary_of
from liven.runtime.reference.errors import ReadError
from liven.runtime.reference.ids import normal
from liven.runtime.reference.model import Object
from liven.runtime.reference.xml import read_object

_NOTES: Final = ("liven:text", normal("E3EA16F4ECC84B3B998E01F3B78E9AC9"))


def keys_of(canvas: Canvas, *, selection: bool) -> list[str]:
    """Return the items to export: all, or the selected ones with what lies in frames among them."""
    return sorted(with_contents(canvas.state, canvas.selected) if selection else canvas.state.items)


def collect(
    canvas: Canvas, keys: list[str], opener: Opener, told: Callable[[int, int], object]
) -> StateCollector:
    """Begin to read the notes among these items; `done` of the collector says when they are here."""
    notes = [canvas.state.items[key] for key in keys if _is_note(canvas.state.items[key])]
    collector = StateCollector(opener, told)
    things = [thing for item in notes if (thing := _read(item)) is not None]
    collector.begin_all(things, canvas.copies.known_states(notes))
    return collector


def desktop_markdown(canvas: Canvas, keys: list[str], title: str, states: Mapping[str, State]) -> str:
    """Return items of a desktop as Markdown. Of anything but notes it has the title and the words."""

    def body(item: Item) -> str:
        if is_frame(item.reference):
            return ""
        thing = _read(item)
        own = None if thing is None else own_channel(thing)
        state = _running_state(canvas, item) or (None if own is None else states.get(name_of_channel(own)))
        if _is_note(item) and state is not None:
            return _note(state)
        return _titled(canvas.item_views.title(item), canvas.item_views.words(item))

    return board_markdown(title, canvas.state, keys, body)


def view_markdown(view: View, state: State | None, title: str) -> str:
    """Return one object as Markdown: a note with its looks, or the words of anything else."""
    found = _note(state) if isinstance(view, TextView) and state is not None else ""
    return (found or _titled(title, summary_of(view))).rstrip("\n") + "\n"


def _note(state: State) -> str:
    """Return the state of a note as Markdown."""
    return markdown_of(Document(note_state(state.value)).runs()) if isinstance(state.value, str) else ""


def _running_state(canvas: Canvas, item: Item) -> State | None:
    """Return the state of an item that runs, whatever channel it has."""
    handle = canvas.item_views.running_items.handle(item.key)
    if handle is None or handle.ended or not _is_note(item):
        return None
    try:
        return state_of(handle, item.label) if has_begun(handle) else None
    except CopyError:
        return None


def _titled(title: str, words: str) -> str:
    """Return the words of an object below its title, line by line."""
    lines = [line for line in words.splitlines() if line.strip() and line.strip() != title]
    return "\n".join([f"**{title}**", "", *(f"- {line.strip()}" for line in lines)]) if title else words


def _is_note(item: Item) -> bool:
    thing = _read(item)
    return thing is not None and (thing.id in _NOTES or normal(thing.id) in _NOTES)


def _read(item: Item) -> Object | None:
    try:
        return read_object(item.reference)
    except ReadError:
        return None
