"""Living examples of new objects: each runs on a channel inside this process, and holds something to look at.

An example is the object itself with its own view, so what is seen is what is put. Nothing of it is stored or
sent, and pressing its zones is as safe as looking.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from itertools import count
from typing import Final

from PySide6.QtCore import QObject, Signal

from liven.app.palette.new_objects import Kind, note
from liven.liveobjects.chat.model import Line, Say
from liven.liveobjects.chat.object import ChatObject
from liven.liveobjects.colour.object import Colour, ColourObject
from liven.liveobjects.counter.object import CounterObject
from liven.liveobjects.desktop.object import DesktopObject
from liven.liveobjects.desktop.state import Add, Item, Place
from liven.liveobjects.folder.object import SharedFolder
from liven.liveobjects.folder.state import Put
from liven.liveobjects.text.document import Insert, Look
from liven.liveobjects.text.object import TextObject
from liven.liveobjects.view.contract import NoViewError, View, view_of
from liven.liveobjects.vote.model import Ask, Cast, Offer
from liven.liveobjects.vote.object import VoteObject
from liven.runtime.fold import RefusedError
from liven.runtime.objects.proxy import ProxyHandle
from liven.runtime.objects.reply import Reply
from liven.runtime.objects.ui_endpoint import NothingToShowError, OpenInterface
from liven.runtime.reference.model import Object, OtherClass, Parameter, Plain, Reference
from liven.runtime.reference.xml import write

OpenExample = Callable[[Object], Reply[ProxyHandle]]
"""Loads the object of an example."""
_LOCAL: Final = "liven:local-communication-channel"
_numbers = count()


class LivingExample(QObject):
    """The running example of one kind. `close` ends it."""

    changed = Signal()
    """It looks different now."""

    def __init__(self, kind: Kind, load: OpenExample, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.view: View | None = None
        """None until it runs, and for a kind that has no example."""
        self._handle: ProxyHandle | None = None
        self._showing: OpenInterface | None = None
        self._closed = False
        thing = on_local_channel(kind.make(kind.name))
        if thing is not None:
            load(thing).then(self._loaded)

    def close(self) -> None:
        """End the example."""
        self._closed = True
        self._end_view()
        handle, self._handle = self._handle, None
        if handle is not None:
            handle.close()

    def _loaded(self, done: Reply[ProxyHandle]) -> None:
        if done.error is not None:
            return  # the problem is reported; the pane shows the sign
        if self._closed:
            done.value().close()
            return
        handle = self._handle = done.value()
        try:
            self._showing = OpenInterface.of(handle.proxy().node, handle, self._end_view)
            model = self._showing.shown.model
            with suppress(RefusedError):
                fill(model)
            self.view = view_of(self._showing.shown, _QuietHost())
        except (NothingToShowError, NoViewError):
            self._end_view()
            return
        self.view.on_plane = True
        self.view.changed.connect(self.changed)
        self.changed.emit()

    def _end_view(self) -> None:
        view, self.view = self.view, None
        showing, self._showing = self._showing, None
        if view is not None:
            view.close()
        if showing is not None:
            showing.close()


class _QuietHost:
    """The host of an example: it has nothing to say, and opens nothing."""

    def show_message(self, message: str) -> None:
        """Show nothing."""

    def withdraw_message(self, message: str) -> None:
        """Do nothing: nothing is shown."""

    def open_object(self, recipe: str, name: str) -> None:
        """Open nothing."""


def on_local_channel(thing: Object) -> Object | None:
    """Return an object of the same class on a fresh channel inside this process; None for an object that is
    not on a checkpointed channel."""
    if not isinstance(thing, Reference):
        return None
    if not thing.parameters:
        return thing
    places = {one.id: at for at, one in enumerate(thing.parameters)}
    on = thing.parameters[places["channel"]].value if "channel" in places else None
    if not isinstance(on, Reference):
        return None
    there = (*(on.object_class.parameters if on.object_class is not None else ()), *on.parameters)
    classes = tuple(one for one in there if isinstance(one.value, OtherClass))
    address = Parameter("address", Plain("string", f"example {next(_numbers)}"))
    local = Parameter("channel", Reference(_LOCAL, (*classes, address)))
    parameters = tuple(local if one.id == "channel" else one for one in thing.parameters)
    return replace(thing, parameters=parameters)


def fill(model: object) -> None:
    """Put something to look at into a new object."""
    for kind, make in _FILLS:
        if isinstance(model, kind):
            make(model)


def _fill_note(model: TextObject) -> None:
    lines: tuple[tuple[str, Look], ...]
    ticks: tuple[tuple[str, Look], ...]
    lines = (("Programme", {"heading": 3}), ("10:00 doors, coffee", {"list": "bullet"}))
    ticks = (("Order the buns", {"list": "check", "checked": True}), ("Print the posters", {"list": "check"}))
    parts = [part for words, look in (*lines, *ticks) for part in (Insert(words, {}), Insert("\n", look))]
    model.note.edit("Example", tuple(parts))


def _fill_vote(model: VoteObject) -> None:
    editor = model.editor
    editor.edit("Example", Ask("Which one?"))
    editor.edit("Example", Offer("this", "This"), Offer("that", "That"))
    for person, answer in (("Ada", "this"), ("Bo", "this"), ("Mira", "that")):
        editor.edit("Example", Cast(person, answer))


def _fill_chat(model: ChatObject) -> None:
    said = (("Ada", "#0f7a5d", "The tent is ours until Sunday."), ("Bo", "#c04f1d", "I fetch it."))
    for at, (name, colour, words) in enumerate(said):
        model.editor.edit("Example", Say(Line(str(at), name, name, colour, 0, words)))


def _fill_counter(model: CounterObject) -> None:
    model.add(27)


def _fill_colour(model: ColourObject) -> None:
    model.choose(Colour(214, 95, 43, 255))


def _fill_desktop(model: DesktopObject) -> None:
    places = (Place(0, 0, 200, 130), Place(240, 0, 200, 130), Place(0, 170, 200, 130))
    items = [
        Item(str(at), name, place, write(note(name)).decode(), at)
        for at, (name, place) in enumerate(zip(("Idea", "Sketch", "Build"), places, strict=True))
    ]
    model.editor.edit("Example", *(Add(one) for one in items))


def _fill_folder(model: SharedFolder) -> None:
    names = ("Menu", "Rota", "Route")
    model.editor.edit("Example", *(Put(name, write(note(name)).decode()) for name in names))


_FILLS: Final[tuple[tuple[type, Callable[..., None]], ...]] = (
    (TextObject, _fill_note),
    (VoteObject, _fill_vote),
    (ChatObject, _fill_chat),
    (CounterObject, _fill_counter),
    (ColourObject, _fill_colour),
    (DesktopObject, _fill_desktop),
    (SharedFolder, _fill_folder),
)
