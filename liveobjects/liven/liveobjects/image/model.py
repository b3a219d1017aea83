"""The rules of an image: a fold over changes.

A picture arrives in slices and shows once it is complete. A few earlier pictures are kept for undo; beyond
the limit all replicas drop the same oldest one."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import replace
from typing import Any, Final
from zlib import crc32

from liven.liveobjects.image.picture_header import LARGEST, NoPictureError, check_size
from liven.liveobjects.image.state import Abandon, Album, Begin, Change, Picture, Show, Slice
from liven.runtime.fold import RefusedError

SLICE: Final = 64 * 1024
"""The most bytes in one slice."""
MOST_SLICES: Final = 1024
"""The most slices of one picture, roughly: each costs time in proportion to those before it."""
MOST_KEPT: Final = 6
MOST_BYTES: Final = 64 * 1024 * 1024
"""The most bytes of all stored pictures together, by their declared sizes."""
LONGEST_NAME: Final = 1_000


class ImageModel:
    """The model of an image."""

    replacing = (Show,)

    def empty(self) -> Album:
        return Album()

    def apply(self, state: Album, change: Change) -> Album:
        if type(change) not in _APPLY:
            raise RefusedError(f"{type(change).__name__} is not a change of an image")
        return _APPLY[type(change)](state, change)

    def inverse(self, state: Album, change: Change) -> tuple[Change, ...]:
        """Return the change that shows the earlier picture. Received bytes cannot be undone."""
        return (Show(state.shown),) if isinstance(change, Show) else ()

    def digest(self, state: Album) -> bytes:
        """Return a hash of the shown picture and the progress of the others. It covers checksums, since the
        bytes may be very many."""
        seen = hashlib.blake2b(digest_size=16)
        for key in state.order:
            picture = state.pictures[key]
            about = (picture.about, picture.got, picture.check, key == state.shown)
            seen.update(ascii(about).encode())
        return seen.digest()


def _begin(state: Album, change: Begin) -> Album:
    if not change.picture or max(map(len, (change.picture, change.name, change.kind))) > LONGEST_NAME:
        raise RefusedError(f"the key and the name of a picture have 1 to {LONGEST_NAME:,} characters")
    if change.picture in state.pictures:
        raise RefusedError("that picture was added already")
    if not change.size:
        raise RefusedError("its file is empty")
    if change.size > LARGEST:
        raise RefusedError(f"{change.size / 1e6:.1f} MB; the limit is {LARGEST // 10**6} MB")
    try:
        check_size(change.width, change.height)
    except NoPictureError as why:
        raise RefusedError(str(why)) from None
    pictures = state.pictures.with_(change.picture, Picture(change))
    return _thinned(Album(pictures, (*state.order, change.picture), state.shown))


def _thinned(state: Album) -> Album:
    """Drop the oldest pictures beyond the limit, except the shown one and the newest."""
    for key in state.order[:-1]:
        size = sum(picture.about.size for picture in state.pictures.values())
        if len(state.order) <= MOST_KEPT and size <= MOST_BYTES:
            break
        if key != state.shown:
            state = _without(state, key)
    return state


def _without(state: Album, key: str) -> Album:
    order = tuple(one for one in state.order if one != key)
    return Album(state.pictures.without(key), order, state.shown)


def _slice(state: Album, change: Slice) -> Album:
    picture = _coming(state, change.picture)
    if change.offset != picture.got:
        raise RefusedError(f"its next byte is {picture.got:,}, not {change.offset:,}")
    least = min(picture.about.size // MOST_SLICES, picture.about.size - picture.got)
    if not max(1, least) <= len(change.data) <= SLICE or picture.got + len(change.data) > picture.about.size:
        raise RefusedError(f"{len(change.data):,} bytes are not a valid slice")
    got = picture.got + len(change.data)
    check = crc32(change.data, picture.check)
    more = replace(picture, parts=(*picture.parts, change.data), got=got, check=check)
    return replace(state, pictures=state.pictures.with_(change.picture, more))


def _abandon(state: Album, change: Abandon) -> Album:
    _coming(state, change.picture)
    return _without(state, change.picture)


def _coming(state: Album, key: str) -> Picture:
    picture = state.pictures.get(key)
    if picture is None or picture.whole:
        raise RefusedError("that picture is no longer being sent")
    return picture


def _show(state: Album, change: Show) -> Album:
    if change.picture:
        picture = state.pictures.get(change.picture)
        if picture is None:
            raise RefusedError("that picture is no longer stored")
        if not picture.whole:
            raise RefusedError("that picture is not complete yet")
    return replace(state, shown=change.picture)


_APPLY: dict[type, Callable[[Album, Any], Album]] = {
    Begin: _begin,
    Slice: _slice,
    Abandon: _abandon,
    Show: _show,
}
