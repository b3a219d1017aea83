"""The commands of a desktop: each computes the changes for the selected items, and a name for undo.

Nothing here changes a state; the caller passes the changes to the editor as one gesture. Locked items are
skipped where a change would be refused, so that a command on many items does as much as it can."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from itertools import pairwise

from liven.liveobjects.desktop.model import HIGHEST, LONGEST_TIMER, LONGEST_TITLE
from liven.liveobjects.desktop.state import (
    USUAL,
    Add,
    Change,
    Desktop,
    Item,
    Join,
    Link,
    Lock,
    Move,
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

OFFSET = 24.0
"""Offset of a copy from the original."""


@dataclass(frozen=True, slots=True)
class Command:
    """A gesture to be made: its name in the undo list, and its changes. Without changes there is nothing
    to do."""

    name: str
    changes: tuple[Change, ...]


def with_groups(state: Desktop, keys: Iterable[str]) -> frozenset[str]:
    """Return the selected items together with all members of their groups."""
    selected = {key for key in keys if key in state.items}
    groups = {state.items[key].group for key in selected} - {""}
    if groups:
        selected |= {key for key, item in state.items.items() if item.group in groups}
    return frozenset(selected)


def in_reading_order(items: Iterable[Item]) -> list[Item]:
    """Sort items as you read: row by row, from left to right."""
    return sorted(items, key=lambda one: (one.place.y, one.place.x, one.key))


def add(
    state: Desktop, reference: str, label: str, place: Place, *, above: int = 0, name: str = ""
) -> tuple[str, Command]:
    """Add an item on top of all others; return its key as well. When several are added at once, `above`
    counts those added before. `name` is that of the step, by default with the label."""
    key = uuid.uuid4().hex
    item = Item(key, label, place, reference, min(state.top + 1 + above, HIGHEST))
    return key, Command(name or (f"Add {label}" if label else "Add"), (Add(item),))


def remove(state: Desktop, keys: Iterable[str]) -> Command:
    """Remove items."""
    return Command("Remove", tuple(Remove(item.key) for item in _free(state, keys)))


def move(state: Desktop, keys: Iterable[str], dx: float, dy: float) -> Command:
    """Move items together."""
    changes = tuple(Move(item.key, _shifted(item.place, dx, dy)) for item in _free(state, keys))
    return Command("Move", changes if dx or dy else ())


def drop(state: Desktop, keys: Iterable[str], dx: float, dy: float) -> Command:
    """Move items that were dragged by hand, and raise them above all others, as they were shown."""
    moved = move(state, keys, dx, dy)
    carried = {change.key for change in moved.changes if isinstance(change, Move)}
    lowest = min((state.items[key].z for key in carried), default=0)
    if not any(item.z >= lowest and item.key not in carried for item in state.items.values()):
        return moved
    return Command("Move", (*moved.changes, *_stacked(state, carried, state.top + 1)))


def place(state: Desktop, places: dict[str, Place], name: str) -> Command:
    """Give items the places in `places`."""
    changes = [
        Move(item.key, places[item.key]) for item in _free(state, places) if item.place != places[item.key]
    ]
    return Command(name, tuple(changes))


SHORTEST = 24.0
"""Smallest width and height that keys or dragging a side can give an item."""


def grow(state: Desktop, keys: Iterable[str], wide: float, high: float) -> Command:
    """Make items wider and higher (or smaller), each from its upper left corner."""
    places = {item.key: _grown(item.place, wide, high) for item in _free(state, keys)}
    return place(state, places, "Resize")


def turn(state: Desktop, keys: Iterable[str], degrees: float) -> Command:
    """Rotate each item around its own centre."""
    places = {
        item.key: replace(item.place, degrees=(item.place.degrees + degrees) % 360)
        for item in _free(state, keys)
    }
    return place(state, places, "Turn")


def rename(state: Desktop, key: str, label: str) -> Command:
    """Rename an item."""
    same = state.items[key].label == label
    return Command("Rename", () if same else (Rename(key, label),))


def retitle(state: Desktop, title: str) -> Command:
    """Name the desktop itself."""
    title = " ".join(title.split())[:LONGEST_TITLE]
    return Command("Rename the desktop", () if title == state.title else (Retitle(title),))


def start_timer(state: Desktop, now: float, seconds: float) -> Command:
    """Start a timer, in place of the one that there may be. `now` is in seconds since 1970."""
    del state
    return Command("Start the timer", (SetTimer(Timer(now + seconds, seconds)),))


def lengthen_timer(state: Desktop, now: float, seconds: float) -> Command:
    """Give more time; a timer that is over goes on with it."""
    timer = state.timer
    if timer is None:
        return Command("Lengthen the timer", ())
    longer = Timer(max(now, timer.ends) + seconds, min(timer.seconds + seconds, LONGEST_TIMER))
    return Command("Lengthen the timer", (SetTimer(longer),))


def end_timer(state: Desktop) -> Command:
    """End the timer."""
    return Command("End the timer", () if state.timer is None else (SetTimer(None),))


def to_front(state: Desktop, keys: Iterable[str]) -> Command:
    """Raise items above all others, keeping their order."""
    return Command("Bring to front", _stacked(state, keys, state.top + 1))


def to_back(state: Desktop, keys: Iterable[str]) -> Command:
    """Lower items below all others, keeping their order."""
    count = sum(1 for _ in _selected(state, keys))
    return Command("Send to back", _stacked(state, keys, state.bottom - count))


def forward(state: Desktop, keys: Iterable[str]) -> Command:
    """Raise items above the next item that lies over them."""
    selected = set(keys)
    order = state.stacked()
    top = max((at for at, item in enumerate(order) if item.key in selected), default=len(order))
    over = next((item for item in order[top:] if item.key not in selected), None)
    return Command("Bring forward", () if over is None else _beside(state, selected, over, above=True))


def backward(state: Desktop, keys: Iterable[str]) -> Command:
    """Lower items below the next item that lies under them."""
    selected = set(keys)
    order = state.stacked()
    bottom = min((at for at, item in enumerate(order) if item.key in selected), default=0)
    under = next((item for item in reversed(order[:bottom]) if item.key not in selected), None)
    return Command("Send backward", () if under is None else _beside(state, selected, under, above=False))


def group(state: Desktop, keys: Iterable[str]) -> Command:
    """Put the items into one group."""
    items = list(_selected(state, keys))
    name = uuid.uuid4().hex
    return Command("Group", tuple(Regroup(item.key, name) for item in items) if len(items) > 1 else ())


def ungroup(state: Desktop, keys: Iterable[str]) -> Command:
    """Dissolve the groups of these items."""
    members = with_groups(state, keys)
    return Command("Ungroup", tuple(Regroup(key, "") for key in sorted(members) if state.items[key].group))


def lock(state: Desktop, keys: Iterable[str]) -> Command:
    """Lock the items, or unlock them if all are locked."""
    items = list(_selected(state, keys))
    locked = not items or not all(item.locked for item in items)
    changes = tuple(Lock(item.key, locked) for item in items if item.locked != locked)
    return Command("Lock" if locked else "Unlock", changes)


def duplicate(
    state: Desktop,
    keys: Iterable[str],
    recipes: Mapping[str, str],
    dx: float = OFFSET,
    dy: float = OFFSET,
    name: str = "Duplicate",
) -> tuple[tuple[str, ...], Command]:
    """Add another item beside each, with the recipe that `recipes` gives for its key; return the keys of the
    new items as well. Groups, and connectors between the items, are copied too."""
    items = [item for item in state.stacked() if item.key in set(keys)]
    names = {item.key: uuid.uuid4().hex for item in items}
    groups = {item.group: uuid.uuid4().hex if item.group else "" for item in items}
    top = state.top + 1
    changes: list[Change] = [
        Add(
            replace(
                item,
                key=names[item.key],
                reference=recipes.get(item.key, item.reference),
                place=_shifted(item.place, dx, dy),
                z=top + at,
                group=groups[item.group],
                locked=False,
            )
        )
        for at, item in enumerate(items)
    ]
    for _, link in sorted(state.links.items()):
        if link.source in names and link.target in names:
            copy = Link(uuid.uuid4().hex, names[link.source], names[link.target], link.label)
            style = state.style_of(link)
            changes += [Join(copy)] if style == USUAL else [Join(copy), Restyle(copy.key, style)]
    return tuple(names.values()), Command(name, tuple(changes))


def connect(state: Desktop, source: str, target: str) -> Command:
    """Draw a connector, unless there is one already."""
    there = connector(state, source, target)
    if there is not None or source == target or not {source, target} <= state.items.keys():
        return Command("Connect", ())
    return Command("Connect", (Join(Link(uuid.uuid4().hex, source, target)),))


def connector(state: Desktop, source: str, target: str) -> Link | None:
    """Return the connector from one item to another, if there is one."""
    links = state.links.values()
    return next((link for link in links if (link.source, link.target) == (source, target)), None)


def connect_all(state: Desktop, keys: Iterable[str]) -> Command:
    """Connect each item to the next in reading order. If all those connectors exist, remove all
    connectors between the items instead."""
    order = [item.key for item in in_reading_order(_selected(state, keys))]
    drawn = [
        change for source, target in pairwise(order) for change in connect(state, source, target).changes
    ]
    if drawn:
        return Command("Connect", tuple(drawn))
    there = {*order}
    between = (link for _, link in sorted(state.links.items()) if {link.source, link.target} <= there)
    return Command("Disconnect", tuple(Part(link.key) for link in between))


def disconnect(state: Desktop, key: str) -> Command:
    """Remove a connector, if it exists."""
    return Command("Remove connector", (Part(key),) if key in state.links else ())


def rename_link(state: Desktop, key: str, label: str) -> Command:
    """Rename a connector."""
    link = state.links.get(key)
    if link is None or link.label == label:
        return Command("Rename connector", ())
    return Command("Rename connector", (Rename(key, label),))


def restyle(state: Desktop, key: str, style: Style) -> Command:
    """Give a connector another look."""
    link = state.links.get(key)
    changes = () if link is None or state.style_of(link) == style else (Restyle(key, style),)
    return Command("Connector's look", changes)


def redraw(state: Desktop, recipes: Mapping[str, str], name: str = "Look") -> Command:
    """Give drawings other recipes."""
    there = (state.items[key] for key in sorted(recipes) if key in state.items)
    changed = (item for item in there if item.reference != recipes[item.key])
    return Command(name, tuple(Redraw(item.key, recipes[item.key]) for item in changed))


def remove_through(state: Desktop, keys: Iterable[str]) -> Command:
    """Remove items and connect their predecessors to their successors."""
    gone = {item.key for item in _free(state, keys)}
    after: dict[str, set[str]] = {}
    for link in state.links.values():
        after.setdefault(link.source, set()).add(link.target)
    sources = {link.source for link in state.links.values() if link.target in gone} - gone
    drawn = [
        change
        for source in sorted(sources)
        for target in sorted(_beyond(after, source, gone))
        for change in connect(state, source, target).changes
    ]
    return Command("Remove and reconnect", (*drawn, *(Remove(key) for key in sorted(gone))))


def _beyond(after: dict[str, set[str]], source: str, gone: set[str]) -> set[str]:
    """Return the items that can be reached from `source` through removed items only."""
    found: set[str] = set()
    ways, seen = list(after.get(source, set()) & gone), set[str]()
    while ways:
        through = ways.pop()
        seen.add(through)
        for target in after.get(through, ()):
            if target not in gone:
                found.add(target)
            elif target not in seen:
                ways.append(target)
    return found


SIDES = ("left", "right", "top", "bottom", "centre", "middle")


def align(state: Desktop, keys: Iterable[str], side: str) -> Command:
    """Align items with the outermost of them, or with the centre of all."""
    items = list(_free(state, keys))
    if len(items) < 2:
        return Command("Align", ())
    left, top, right, bottom = bounds(items)
    moved: dict[str, Callable[[Place], Place]] = {
        "left": lambda p: replace(p, x=left),
        "right": lambda p: replace(p, x=right - p.width),
        "top": lambda p: replace(p, y=top),
        "bottom": lambda p: replace(p, y=bottom - p.height),
        "centre": lambda p: replace(p, x=(left + right - p.width) / 2),
        "middle": lambda p: replace(p, y=(top + bottom - p.height) / 2),
    }
    return place(state, {item.key: moved[side](item.place) for item in items}, f"Align {side}")


def distribute(state: Desktop, keys: Iterable[str], *, across: bool) -> Command:
    """Make the gaps between items equal, horizontally (`across`) or vertically; the outermost two stay."""
    items = sorted(_free(state, keys), key=lambda one: (one.place.x if across else one.place.y, one.key))
    if len(items) < 3:
        return Command("Distribute", ())
    first, last = items[0].place, items[-1].place
    size = sum((one.place.width if across else one.place.height) for one in items[:-1])
    span = last.x - first.x if across else last.y - first.y
    gap = (span - size) / (len(items) - 1)
    at = first.x if across else first.y
    places: dict[str, Place] = {}
    for item, _ in pairwise(items):
        places[item.key] = replace(item.place, x=at) if across else replace(item.place, y=at)
        at += (item.place.width if across else item.place.height) + gap
    return place(state, places, "Distribute")


def bounds(items: Iterable[Item]) -> tuple[float, float, float, float]:
    """Return left, top, right and bottom of the area that items cover, ignoring rotation; zeros if there
    are none."""
    places = [item.place for item in items]
    if not places:
        return 0.0, 0.0, 0.0, 0.0
    return (
        min(one.x for one in places),
        min(one.y for one in places),
        max(one.x + one.width for one in places),
        max(one.y + one.height for one in places),
    )


def _selected(state: Desktop, keys: Iterable[str]) -> Iterable[Item]:
    return (state.items[key] for key in sorted(set(keys)) if key in state.items)


def _free(state: Desktop, keys: Iterable[str]) -> Iterable[Item]:
    return (item for item in _selected(state, keys) if not item.locked)


def _stacked(state: Desktop, keys: Iterable[str], z: int) -> tuple[Change, ...]:
    selected = set(keys)
    order = state.stacked()
    items = [item for item in order if item.key in selected]
    if abs(z) + len(items) > HIGHEST:  # somebody used the highest number: renumber all
        rest = [item for item in order if item.key not in selected]
        items, z = ([*rest, *items] if z > 0 else [*items, *rest]), 0
    return tuple(Restack(item.key, z + at) for at, item in enumerate(items) if item.z != z + at)


def _beside(state: Desktop, selected: set[str], other: Item, *, above: bool) -> tuple[Change, ...]:
    """Place items just above or just below `other`; items further up make room if necessary."""
    rest = [item for item in state.stacked() if item.key not in selected]
    at = rest.index(other) + above
    moved = [item for item in state.stacked() if item.key in selected]
    changes: list[Change] = []
    last = rest[at - 1].z if at else rest[0].z - len(moved) - 1
    for item in [*moved, *rest[at:]]:
        fits = item.key not in selected and item.z > last
        z = item.z if fits else last + 1
        if z != item.z:
            changes.append(Restack(item.key, z))
        last = z
    return tuple(changes)


def _grown(old: Place, wide: float, high: float) -> Place:
    width, height = (
        old.width if not wide else max(min(old.width, SHORTEST), old.width + wide),
        old.height if not high else max(min(old.height, SHORTEST), old.height + high),
    )
    return replace(old, width=width, height=height)


def _shifted(old: Place, dx: float, dy: float) -> Place:
    return replace(old, x=old.x + dx, y=old.y + dy)
