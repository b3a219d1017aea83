"""Copies of items: objects of their own, on new channels, that begin with the contents of the originals.

The contents of items that run are known at once; the others are opened for it, unseen. An item that cannot be
copied is not added, and a message says why.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from typing import Final, Protocol

from liven.liveobjects.channel.api.recipes import LONGEST_REFERENCE
from liven.liveobjects.copying.deep_copy import DeepCopy, things_of
from liven.liveobjects.copying.portable_copy import picture_in
from liven.liveobjects.copying.recipe import (
    CopyError,
    has_channels_inside,
    name_of_channel,
    own_channel,
    with_copies,
)
from liven.liveobjects.copying.state_collector import ContextOpener, StateCollector
from liven.liveobjects.copying.states import State, has_begun, state_of
from liven.liveobjects.desktop import commands
from liven.liveobjects.desktop.commands import OFFSET, Command
from liven.liveobjects.desktop.object import DesktopObject
from liven.liveobjects.desktop.state import Desktop, Item
from liven.liveobjects.desktop.view.items.item_views import ItemViews
from liven.liveobjects.image.view.uploads import DroppedPicture, UploadQueue
from liven.liveobjects.look.view.labels import brief
from liven.liveobjects.view.contract import ViewHost
from liven.runtime.dispatcher.dispatcher import Entry
from liven.runtime.objects.reply import Reply
from liven.runtime.reference.errors import ReadError
from liven.runtime.reference.model import Object, Reference, name_of
from liven.runtime.reference.xml import compact, read_object

SAID_AFTER: Final = 1.0
"""Seconds after which a message says that a copy is still being made."""
_MAKING: Final = "Copying with all contents… Esc cancels it."
_STOPPED: Final = "Copying was cancelled."
_LONGEST, _MOST_NAMES = 60, 3
_APART: Final = 100_000
"""Bytes of a picture that goes apart: each level of nesting makes it a third longer in a recipe."""
_HELD: Final = 32
"""New images that are held open at most: those out of view run nowhere else."""
_INSTEAD: Final = "Ctrl+Shift+D places the same object again."


class CopyCanvas(Protocol):
    """The part of the canvas that copies need."""

    @property
    def model(self) -> DesktopObject: ...

    @property
    def state(self) -> Desktop: ...

    @property
    def selected(self) -> frozenset[str]: ...

    @property
    def item_views(self) -> ItemViews: ...

    @property
    def host(self) -> ViewHost: ...

    def do(self, command: Command) -> bool: ...

    def select(self, keys: Iterable[str]) -> None: ...


@dataclass(frozen=True, slots=True)
class Original:
    """An object to copy: its recipe, and its name for messages."""

    reference: str
    name: str


Made = Callable[[Sequence[str | None]], object]
"""A function that gets a recipe for each original; None for one that cannot be copied."""


class SeparateCopies:
    """The copies that one canvas makes, one lot at a time."""

    def __init__(self, canvas: CopyCanvas) -> None:
        self._canvas = canvas
        self._collector: StateCollector | None = None
        self._said: Entry | None = None
        self._uploads = UploadQueue(canvas.model.context, canvas.host, keep=_HELD)

    def duplicate(self, keys: Iterable[str], dx: float = OFFSET, dy: float = OFFSET) -> None:
        """Add a copy of each item at a distance from it, and select the copies."""
        items = [self._canvas.state.items[key] for key in sorted(keys)]
        originals = [self.original(item) for item in items]
        self.make(originals, self.known_states(items), partial(self._add, items, dx, dy))

    def place_again(self, keys: Iterable[str]) -> None:
        """Add another item for the same object beside each item."""
        added, command = commands.duplicate(self._canvas.state, keys, {}, name="Place again")
        if self._canvas.do(command):
            self._canvas.select(added)

    def original(self, item: Item) -> Original:
        """Return an item as an original."""
        return Original(item.reference, self._canvas.item_views.title(item) or "An item")

    def known_states(self, items: Iterable[Item]) -> dict[str, State]:
        """Return the states of the objects of items that run, by the names of their channels."""
        found: dict[str, State] = {}
        for item in items:
            handle = self._canvas.item_views.running_items.handle(item.key)
            thing = _read(item.reference)
            own = None if thing is None or handle is None else own_channel(thing)
            if own is None or handle is None or handle.ended:
                continue
            with suppress(Exception):  # of its author's code: it is opened anew, and named if that fails
                if has_begun(handle):
                    found[name_of_channel(own)] = state_of(handle, self.original(item).name)
        return found

    def make(self, originals: Sequence[Original], known: Mapping[str, State], made: Made) -> None:
        """Make copies and pass their recipes to `made`, at once if all states are `known`."""
        self.stop()
        things = [_read(one.reference) for one in originals]
        collector = self._collector = StateCollector(
            ContextOpener(self._canvas.model.context), _ignore, is_large_picture
        )
        collector.begin_all([one for one in things if one is not None], known)
        if not collector.done.settled:
            self._said = self._canvas.model.context.call_later(SAID_AFTER, self._say_making)
        collector.done.then(partial(self._collected, collector, originals, things, made))

    def stop(self) -> bool:
        """Stop a copy that is being made. Return False if there is none."""
        collector, self._collector = self._collector, None
        if self._said is not None:
            self._said.cancel()
            self._said = None
            self._canvas.host.withdraw_message(_MAKING)
        if collector is None or collector.done.settled:
            return False
        collector.cancel()
        self._canvas.host.show_message(_STOPPED)
        return True

    def close(self) -> None:
        """Stop without a message: the canvas is closed."""
        collector, self._collector = self._collector, None
        if self._said is not None:
            self._said.cancel()
        self._uploads.close()
        if collector is not None:
            collector.cancel()

    def _say_making(self) -> None:
        self._canvas.host.show_message(_MAKING)

    def _collected(
        self,
        collector: StateCollector,
        originals: Sequence[Original],
        things: Sequence[Object | None],
        made: Made,
        done: Reply[StateCollector],
    ) -> None:
        if self._collector is not collector:
            return
        self.stop()
        if done.error is not None:
            self._canvas.host.show_message(f"It cannot be copied: {done.error}. {_INSTEAD}")
            return
        copy = DeepCopy(collector.states, collector.apart)
        recipes, why = list[str | None](), dict[str, str]()
        for one, thing in zip(originals, things, strict=True):
            try:
                recipes.append(_copied(one.reference, thing, copy, {**collector.states, **collector.apart}))
            except CopyError as error:
                recipes.append(None)
                why[one.name] = str(error)
        made(recipes)
        self._send_pictures(collector, copy)
        inner = [name for name in collector.lacking if name not in why and name not in _names(things)]
        self._tell(why, inner)

    def _send_pictures(self, collector: StateCollector, copy: DeepCopy) -> None:
        """Send large pictures into the copies of their images, in parts, as if dropped there."""
        found = [
            DroppedPicture(picture[1], picture[0], compact(copy.empty[key]))
            for key, state in collector.apart.items()
            if key in copy.empty and (picture := picture_in(state)) is not None
        ]
        if found:
            self._uploads.take(found, lambda *_: True)

    def _tell(self, why: Mapping[str, str], inner: Sequence[str]) -> None:
        """Say what was not copied, and what inside the copies is shared with the originals."""
        told = [f"“{brief(name, _LONGEST)}” was not copied: {reason}." for name, reason in why.items()]
        if why:
            told = [*told[:_MOST_NAMES], _INSTEAD]
        if inner:
            names = ", ".join(f"“{brief(name, _LONGEST)}”" for name in inner[:_MOST_NAMES])
            more = f" and {len(inner) - _MOST_NAMES} more" if len(inner) > _MOST_NAMES else ""
            told.append(f"Not copied, but shared by both: {names}{more}.")
        if told:
            self._canvas.host.show_message(" ".join(told))

    def _add(self, items: Sequence[Item], dx: float, dy: float, recipes: Sequence[str | None]) -> None:
        made = {item.key: recipe for item, recipe in zip(items, recipes, strict=True) if recipe is not None}
        present = [key for key in made if key in self._canvas.state.items]
        added, command = commands.duplicate(self._canvas.state, present, made, dx, dy)
        if self._canvas.do(command):
            self._canvas.select(added)


def is_large_picture(state: State) -> bool:
    """Return True for the state of an image whose picture goes apart from the recipes of a copy."""
    picture = picture_in(state)
    return picture is not None and len(picture[1]) > _APART


def _copied(text: str, thing: Object | None, copy: DeepCopy, states: Mapping[str, State]) -> str:
    """Return the recipe of a copy. An object without channels needs no other recipe."""
    if thing is None or not has_channels_inside(thing):
        return text
    for one in things_of(thing):
        own = own_channel(one.recipe) if isinstance(one.recipe, Reference) else None
        if own is not None and name_of_channel(own) not in states:
            raise CopyError("its contents have not arrived")
    made = with_copies(thing, copy.of)
    if made == thing:
        raise CopyError("its channel cannot begin with a state")
    recipe = compact(made)
    if len(recipe) > LONGEST_REFERENCE:
        size, limit = len(recipe) / 1e6, LONGEST_REFERENCE / 1e6
        raise CopyError(f"it would have {size:.1f} MB with its contents; the limit is {limit:.1f} MB")
    return recipe


def _names(things: Iterable[Object | None]) -> set[str]:
    return {name_of(one) for one in things if one is not None}


def _read(text: str) -> Object | None:
    try:
        return read_object(text)
    except ReadError:
        return None


def _ignore(had: int, of: int) -> None:
    del had, of
