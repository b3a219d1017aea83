"""Counters, colours and images as history sees them: each is one value."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import partial
from typing import Any, Final

from liven.liveobjects.colour.object import Colour, ColourFold
from liven.liveobjects.counter.object import CounterFold
from liven.liveobjects.feeds.history.difference import Act, Authors, Authorship, Difference, note_author
from liven.liveobjects.feeds.history.kind import (
    CannotRestoreError,
    Kind,
    SharedFollower,
    conversion,
    editor_restoration,
    editor_state,
    term,
)
from liven.liveobjects.image.model import ImageModel
from liven.liveobjects.image.state import Album, Show
from liven.liveobjects.image.wire import WIRE as IMAGE_WIRE
from liven.liveobjects.image.wire import Frame
from liven.types.declare import Int64
from liven.types.terms.value_types import Integer

VALUE: Final = "value"


class _ValueFollower:
    """The follower of an object that is one value."""

    def __init__(self, fold: Any, name: str, annotation: Any) -> None:
        self._fold = fold
        self._name = name
        self._conversion = conversion(annotation)
        self._authors: Authors = {}

    def begin(self, checkpoint: Any | None) -> None:
        self._fold.initialize(None if checkpoint is None else self._conversion.inward(checkpoint))

    def take(self, message: Any, author: str, when: int) -> None:
        before = self.state()
        self._fold.receive(self._conversion.inward(message))
        if self.state() != before:
            note_author(self._authors, (VALUE,), author, when)

    def state(self) -> Any:
        return getattr(self._fold, self._name)

    def checkpoint(self) -> Any:
        return self._conversion.outward(self.state())

    def mark(self) -> None:
        self._authors = {}

    def authors(self, before: Any, after: Any) -> Mapping[str, Authorship]:
        del before, after
        return self._authors


def _value_differences(shown: Callable[[Any], str], before: Any, after: Any) -> tuple[Difference, ...]:
    if before == after:
        return ()
    return (Difference(VALUE, Act.CHANGED, shown(after), f"it was {shown(before)}"),)


def _restore_counter(model: Any, name: str, then: int, keys: Iterable[str] | None) -> int:
    del name, keys
    if model.number != then:
        model.add(then - model.number)
    return int(model.number != then)


def _restore_colour(model: Any, name: str, then: Colour, keys: Iterable[str] | None) -> int:
    del name, keys
    differs = model.colour != then
    model.choose(then)
    return int(differs)


COUNTER: Final = Kind(
    "counter",
    lambda: Integer(-(2**63), 2**63 - 1),
    lambda: Integer(-(2**63), 2**63 - 1),
    lambda: _ValueFollower(CounterFold(), "number", Int64),
    partial(_value_differences, lambda number: f"{number:,}"),
    lambda model: model.number,
    _restore_counter,
)
COLOUR: Final = Kind(
    "colour",
    term(Colour),
    term(Colour),
    lambda: _ValueFollower(ColourFold(), "colour", Colour),
    partial(_value_differences, lambda colour: colour.text),
    lambda model: model.colour,
    _restore_colour,
)


def _album_differences(before: Album, after: Album) -> tuple[Difference, ...]:
    if before.shown == after.shown:
        return ()
    return (Difference(VALUE, Act.CHANGED, _picture(after), f"it was {_picture(before)}"),)


def _picture(state: Album) -> str:
    seen = state.seen
    return f"the picture “{seen.about.name}”" if seen is not None else "no picture"


def _album_restoration(now: Album, then: Album, keys: frozenset[str] | None) -> tuple[Show, ...]:
    del keys
    if now.shown == then.shown:
        return ()
    if then.shown and then.shown not in now.pictures:
        raise CannotRestoreError(
            f"{_picture(then)} is no longer kept in this image; make a copy of this moment instead"
        )
    return (Show(then.shown),)


IMAGE: Final = Kind(
    "image",
    term(Frame),
    term(Frame),
    lambda: SharedFollower(ImageModel(), IMAGE_WIRE, Frame, Frame, lambda change, _: _shows(change)),
    _album_differences,
    editor_state,
    editor_restoration(_album_restoration),
)


def _shows(change: Any) -> tuple[str, ...]:
    return (VALUE,) if isinstance(change, Show) else ()
