"""The rules of a desktop: how each change turns one state into the next.

A change to an item that somebody else has already removed is refused, by all replicas alike. A locked item
can be neither moved nor removed until it is unlocked, even when the lock and the move crossed on the network.
Numbers that cannot be drawn are refused as well, so no replica ever holds them."""

from __future__ import annotations

import hashlib
import math
import re
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from liven.liveobjects.channel.api.recipes import LONGEST_REFERENCE
from liven.liveobjects.desktop.drawings.recipes import is_redrawn
from liven.liveobjects.desktop.state import (
    HEADS,
    HUES,
    SHAPES,
    USUAL,
    Add,
    Change,
    Desktop,
    Item,
    Join,
    Link,
    Lock,
    Move,
    Paint,
    Part,
    Place,
    Redraw,
    Regroup,
    Remove,
    Rename,
    Restack,
    Restyle,
    Retitle,
    SetTimer,
    Style,
    Timer,
)
from liven.runtime.fold import MapDigest, PersistentMap, RefusedError

FARTHEST = 1e7
"""Largest coordinate and size of an item."""
SMALLEST = 1.0
MOST_ITEMS = 100_000
LONGEST_LABEL = 1_000
LONGEST_TITLE = 120
LONGEST_TIMER = 86_400.0
"""Seconds of a timer."""
LAST_MOMENT = 1e11
"""Seconds since 1970 that no clock shows."""
HIGHEST = 2**31
_COLOUR = re.compile(r"(#[0-9a-fA-F]{6})?")


class DesktopModel:
    """The fold of a desktop: apply a change, invert it, and hash the state."""

    replacing = (Move, Rename, Restack, Regroup, Lock, Restyle, Redraw, Paint, Retitle, SetTimer)

    def __init__(self) -> None:
        self._items: MapDigest[str, Item] = MapDigest()
        self._links: MapDigest[str, Link] = MapDigest()
        self._styles: MapDigest[str, Style] = MapDigest()

    def empty(self) -> Desktop:
        return Desktop()

    def apply(self, state: Desktop, change: Change) -> Desktop:
        if type(change) not in _APPLY:
            raise RefusedError(f"{type(change).__name__} is not a change of a desktop")
        return _APPLY[type(change)](state, change)

    def inverse(self, state: Desktop, change: Change) -> tuple[Change, ...]:
        match change:
            case Add(item):
                return (Remove(item.key),)
            case Remove(key):
                return (
                    Add(state.items[key]),
                    *(one for link in links_of(state, key) for one in joined(state, link)),
                )
            case Move(key, _):
                return (Move(key, state.items[key].place),)
            case Rename(key, _):
                return (Rename(key, _named(state, key).label),)
            case Restack(key, _):
                return (Restack(key, state.items[key].z),)
            case Regroup(key, _):
                return (Regroup(key, state.items[key].group),)
            case Lock(key, _):
                return (Lock(key, state.items[key].locked),)
            case Join(link):
                return (Part(link.key),)
            case Restyle(key, _):
                return (Restyle(key, state.style_of(state.links[key])),)
            case Redraw(key, _):
                return (Redraw(key, state.items[key].reference),)
            case Part(key):
                return joined(state, state.links[key])
            case Paint(_):
                return (Paint(state.background),)
            case Retitle(_):
                return (Retitle(state.title),)
            case SetTimer(_):
                return (SetTimer(state.timer),)

    def digest(self, state: Desktop) -> bytes:
        """Hash everything visible. Fast for a state that differs little from the previous one."""
        items, links = self._items.of(state.items), self._links.of(state.links)
        styles = (self._styles.of(state.styles),) if state.styles else ()
        title = (state.title,) if state.title else ()
        timer = ((state.timer.ends, state.timer.seconds),) if state.timer is not None else ()
        seen = ascii((state.background, items, links, *styles, *title, *timer))
        return hashlib.blake2b(seen.encode(), digest_size=16).digest()  # without both, that of older programs


def check_state(state: Desktop) -> None:
    """Raise RefusedError for a state that no sequence of changes can produce, such as a forged
    checkpoint."""
    if max(len(state.items), len(state.links)) > MOST_ITEMS:
        raise RefusedError(f"a desktop holds up to {MOST_ITEMS:,} items and as many connectors")
    _check_colour(state.background)
    _check_text(state.title, LONGEST_TITLE, "name")
    _check_timer(state.timer)
    for item in state.items.values():
        _check_item(item)
    for link in state.links.values():
        _check_link(state, link)
    for key, style in state.styles.items():
        _check_style(style)
        if key not in state.links or style == USUAL:
            raise RefusedError("a look belongs to no connector")


def joined(state: Desktop, link: Link) -> tuple[Change, ...]:
    """Return the changes that draw a connector again with its look."""
    style = state.styles.get(link.key)
    return (Join(link),) if style is None else (Join(link), Restyle(link.key, style))


def links_of(state: Desktop, key: str) -> tuple[Link, ...]:
    """Return the connectors that start or end at an item, ordered by key."""
    found = [link for link in state.links.values() if key in (link.source, link.target)]
    return tuple(sorted(found, key=lambda link: link.key))


def _item(state: Desktop, key: str) -> Item:
    if key not in state.items:
        raise RefusedError("it is no longer on the desktop")
    return state.items[key]


def _named(state: Desktop, key: str) -> Item | Link:
    """Return the item or the connector with this key; if somebody used the key for both, the item."""
    link = state.links.get(key)
    return link if link is not None and key not in state.items else _item(state, key)


def _free(state: Desktop, key: str) -> Item:
    item = _item(state, key)
    if item.locked:
        raise RefusedError(f"“{item.label}” is locked")
    return item


def _put(state: Desktop, item: Item) -> Desktop:
    return replace(state, items=state.items.with_(item.key, item))


def _check_place(place: Place) -> None:
    numbers = (place.x, place.y, place.width, place.height, place.degrees)
    if not all(math.isfinite(number) and abs(number) <= FARTHEST for number in numbers):
        raise RefusedError("that place is outside the desktop")
    if min(place.width, place.height) < SMALLEST:
        raise RefusedError("it would be too small to see")


def _check_text(text: str, longest: int, what: str) -> None:
    if len(text) > longest:
        raise RefusedError(f"the {what} has {len(text):,} characters; the limit is {longest:,}")


def _check_height(z: int) -> None:
    if abs(z) > HIGHEST:
        raise RefusedError("it cannot go further up or down")


def _add(state: Desktop, change: Add) -> Desktop:
    item = change.item
    if item.key in state.items:
        raise RefusedError("it is already on the desktop")
    if len(state.items) >= MOST_ITEMS:
        raise RefusedError(f"the desktop is full: it holds {MOST_ITEMS:,} items")
    _check_item(item)
    return _put(state, item)


def _check_item(item: Item) -> None:
    _check_place(item.place)
    _check_height(item.z)
    _check_text(item.key, LONGEST_LABEL, "key")
    _check_text(item.group, LONGEST_LABEL, "group's name")
    _check_text(item.label, LONGEST_LABEL, "name")
    _check_text(item.reference, LONGEST_REFERENCE, "recipe")


def _remove(state: Desktop, change: Remove) -> Desktop:
    _free(state, change.key)
    for link in links_of(state, change.key):
        state = _without_link(state, link.key)
    return replace(state, items=state.items.without(change.key))


def _move(state: Desktop, change: Move) -> Desktop:
    item = _free(state, change.key)
    _check_place(change.place)
    return _put(state, replace(item, place=change.place))


def _rename(state: Desktop, change: Rename) -> Desktop:
    _check_text(change.label, LONGEST_LABEL, "name")
    found = _named(state, change.key)
    if isinstance(found, Item):
        return _put(state, replace(found, label=change.label))
    return replace(state, links=state.links.with_(found.key, replace(found, label=change.label)))


def _restack(state: Desktop, change: Restack) -> Desktop:
    _check_height(change.z)
    return _put(state, replace(_item(state, change.key), z=change.z))


def _regroup(state: Desktop, change: Regroup) -> Desktop:
    _check_text(change.group, LONGEST_LABEL, "group's name")
    return _put(state, replace(_item(state, change.key), group=change.group))


def _redraw(state: Desktop, change: Redraw) -> Desktop:
    item = _item(state, change.key)
    _check_text(change.reference, LONGEST_REFERENCE, "recipe")
    if not is_redrawn(item.reference, change.reference):
        raise RefusedError("only a drawing gets another look")
    return _put(state, replace(item, reference=change.reference))


def _lock(state: Desktop, change: Lock) -> Desktop:
    return _put(state, replace(_item(state, change.key), locked=change.locked))


def _join(state: Desktop, change: Join) -> Desktop:
    link = change.link
    if link.key in state.links:
        raise RefusedError("that connector already exists")
    if len(state.links) >= MOST_ITEMS:
        raise RefusedError(f"the desktop is full: it holds {MOST_ITEMS:,} connectors")
    _check_link(state, link)
    return replace(state, links=state.links.with_(link.key, link))


def _check_link(state: Desktop, link: Link) -> None:
    if link.source == link.target:
        raise RefusedError("a connector needs two different items")
    _item(state, link.source)
    _item(state, link.target)
    _check_text(link.key, LONGEST_LABEL, "key")
    _check_text(link.label, LONGEST_LABEL, "name")


def _restyle(state: Desktop, change: Restyle) -> Desktop:
    if change.key not in state.links:
        raise RefusedError("that connector is already gone")
    _check_style(change.style)
    if change.style == USUAL:
        return replace(state, styles=_without(state.styles, change.key))
    return replace(state, styles=state.styles.with_(change.key, change.style))


def _check_style(style: Style) -> None:
    if style.shape not in SHAPES or {style.start, style.end} - {*HEADS} or style.hue not in ("", *HUES):
        raise RefusedError("that is not a look of a connector")


def _part(state: Desktop, change: Part) -> Desktop:
    if change.key not in state.links:
        raise RefusedError("that connector is already gone")
    return _without_link(state, change.key)


def _without_link(state: Desktop, key: str) -> Desktop:
    return replace(state, links=state.links.without(key), styles=_without(state.styles, key))


def _without(styles: PersistentMap[str, Style], key: str) -> PersistentMap[str, Style]:
    return styles.without(key) if key in styles else styles


def _paint(state: Desktop, change: Paint) -> Desktop:
    _check_colour(change.background)
    return replace(state, background=change.background)


def _set_timer(state: Desktop, change: SetTimer) -> Desktop:
    _check_timer(change.timer)
    return replace(state, timer=change.timer)


def _check_timer(timer: Timer | None) -> None:
    if timer is None:
        return
    if not 0 < timer.seconds <= LONGEST_TIMER or not 0 <= timer.ends <= LAST_MOMENT:
        raise RefusedError(f"a timer of {timer.seconds:g} seconds; it may have up to {LONGEST_TIMER:,.0f}")


def _retitle(state: Desktop, change: Retitle) -> Desktop:
    _check_text(change.title, LONGEST_TITLE, "name")
    return replace(state, title=change.title)


def _check_colour(colour: str) -> None:
    if not _COLOUR.fullmatch(colour):
        raise RefusedError(f"“{colour[:20]}” is not a colour; use #rrggbb")


_APPLY: dict[type, Callable[[Desktop, Any], Desktop]] = {
    Add: _add,
    Remove: _remove,
    Move: _move,
    Rename: _rename,
    Restack: _restack,
    Regroup: _regroup,
    Lock: _lock,
    Join: _join,
    Restyle: _restyle,
    Part: _part,
    Redraw: _redraw,
    Paint: _paint,
    Retitle: _retitle,
    SetTimer: _set_timer,
}
