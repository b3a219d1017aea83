"""The differences between two states of a desktop, and the changes that lead from one to the other."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Final

from liven.liveobjects.desktop.drawings.recipes import is_redrawn
from liven.liveobjects.desktop.model import joined, links_of
from liven.liveobjects.desktop.state import (
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
)
from liven.liveobjects.feeds.history.difference import Act, Difference
from liven.liveobjects.icons.object_kind import kind_of

ITEM: Final = "item:"
LINK: Final = "link:"
BACKGROUND: Final = "background"
TITLE: Final = "title"
_LONGEST_NAME: Final = 80


def differences(before: Desktop, after: Desktop) -> tuple[Difference, ...]:
    """Return the differences in reading order of the things: items, connectors, background,
    name."""
    items = after.items.changed_since(before.items)
    found = [_item_difference(before.items.get(key), after.items.get(key)) for key in sorted(items)]
    links = {*after.links.changed_since(before.links), *after.styles.changed_since(before.styles)}
    found += [_link_difference(key, before, after) for key in sorted(links)]
    if before.background != after.background:
        words = after.background or "your own colour"
        found.append(Difference(BACKGROUND, Act.CHANGED, "Background", f"now {words}"))
    if before.title != after.title:
        words = f"now “{_short(after.title)}”" if after.title else "no longer has one of its own"
        found.append(Difference(TITLE, Act.CHANGED, "Name of the desktop", words))
    return tuple(found)


def touched(change: Change, state: Desktop) -> tuple[str, ...]:
    """Return the keys of the differences that a change of this state may make."""
    match change:
        case Add(item):
            return (ITEM + item.key,)
        case Remove(key):
            return (ITEM + key, *(LINK + link.key for link in links_of(state, key)))
        case Rename(key, _):
            return ((ITEM if key in state.items else LINK) + key,)
        case Move(key, _) | Restack(key, _) | Regroup(key, _) | Lock(key, _) | Redraw(key, _):
            return (ITEM + key,)
        case Join(link):
            return (LINK + link.key,)
        case Part(key) | Restyle(key, _):
            return (LINK + key,)
        case Paint(_):
            return (BACKGROUND,)
        case Retitle(_):
            return (TITLE,)
        case SetTimer(_):
            return ()  # it is over soon, and nobody goes back to it


def restoration(now: Desktop, then: Desktop, keys: Iterable[str] | None = None) -> tuple[Change, ...]:
    """Return the changes after which these things are as they were `then`; without keys, everything is.

    Items are unlocked where a lock would refuse a change, and locked last. Connectors go first and come last,
    because each needs both of its items."""
    chosen = None if keys is None else frozenset(keys)

    def is_chosen(key: str) -> bool:
        return chosen is None or key in chosen

    items = [key for key in sorted(then.items.changed_since(now.items)) if is_chosen(ITEM + key)]
    gone = [key for key in items if key in now.items and not _stays(now, then, key)]
    put = [key for key in items if key in then.items and not _stays(now, then, key)]
    kept = [key for key in items if _stays(now, then, key)]
    moved = [key for key in kept if now.items[key].place != then.items[key].place]
    unlocked = [key for key in (*gone, *moved) if now.items[key].locked]
    links = _links_to_restore(now, then, is_chosen, put)
    background = is_chosen(BACKGROUND) and now.background != then.background
    title = is_chosen(TITLE) and now.title != then.title
    return (
        *(Lock(key, False) for key in unlocked),
        *(Part(key) for key in links if key in now.links),
        *(Remove(key) for key in gone),
        *(Add(then.items[key]) for key in put),
        *(change for key in kept for change in _item_changes(now.items[key], then.items[key])),
        *(
            Lock(key, then.items[key].locked)
            for key in kept
            if then.items[key].locked != (now.items[key].locked and key not in unlocked)
        ),
        *_joins(now, then, links, (set(now.items) - set(gone)) | set(put), set(gone) & set(put)),
        *((Paint(then.background),) if background else ()),
        *((Retitle(then.title),) if title else ()),
    )


def _stays(now: Desktop, then: Desktop, key: str) -> bool:
    """Return True if the same object, or a drawing of the same kind, is there at both moments."""
    if key not in now.items or key not in then.items:
        return False
    here, there = now.items[key].reference, then.items[key].reference
    return here == there or is_redrawn(here, there)


def _links_to_restore(
    now: Desktop, then: Desktop, is_chosen: Callable[[str], bool], put: Iterable[str]
) -> list[str]:
    """Return the chosen connectors that differ, and those that come back with an item."""
    changed = {*then.links.changed_since(now.links), *then.styles.changed_since(now.styles)}
    wanted = {key for key in changed if is_chosen(LINK + key)}
    for item in put:
        wanted |= {link.key for link in links_of(then, item) if link.key not in now.links}
    return sorted(wanted)


def _joins(
    now: Desktop, then: Desktop, links: Iterable[str], there: set[str], replaced: set[str]
) -> Iterator[Change]:
    """Yield the connectors to draw between the items that are there: those to restore, and those that left
    with an item that another object of the same key replaces."""
    drawn = dict.fromkeys(links)
    lost = {link.key: link for key in replaced for link in links_of(now, key) if link.key not in drawn}
    found = [then.links[key] for key in drawn if key in then.links] + [lost[key] for key in sorted(lost)]
    for link in found:
        if {link.source, link.target} <= there:
            yield from joined(then if link.key in then.links else now, link)


def _item_changes(now: Item, then: Item) -> Iterator[Change]:
    if now.reference != then.reference:
        yield Redraw(then.key, then.reference)
    if now.place != then.place:
        yield Move(then.key, then.place)
    if now.label != then.label:
        yield Rename(then.key, then.label)
    if now.z != then.z:
        yield Restack(then.key, then.z)
    if now.group != then.group:
        yield Regroup(then.key, then.group)


def _item_difference(before: Item | None, after: Item | None) -> Difference:
    item = after or before
    assert item is not None
    key, name = ITEM + item.key, item_name(item)
    if before is None:
        return Difference(key, Act.ADDED, name)
    if after is None:
        return Difference(key, Act.REMOVED, name)
    details = tuple(_item_details(before, after))
    moved = before.place != after.place
    return Difference(key, Act.MOVED if moved else Act.CHANGED, name, "; ".join(details))


def _item_details(before: Item, after: Item) -> Iterator[str]:
    if before.reference != after.reference:
        redrawn = is_redrawn(before.reference, after.reference)
        yield "another look" if redrawn else "another object stands there"
    if before.place != after.place:
        yield _move_text(before.place, after.place)
    if before.label != after.label:
        yield f"renamed from “{_short(before.label) or 'no name'}”"
    if before.z != after.z:
        yield "raised" if after.z > before.z else "lowered"
    if before.group != after.group:
        yield "grouped" if after.group else "taken out of its group"
    if before.locked != after.locked:
        yield "locked" if after.locked else "unlocked"


def _move_text(before: Place, after: Place) -> str:
    said = []
    right, down = after.x - before.x, after.y - before.y
    if round(right):
        said.append(f"{abs(right):.0f} to the {'right' if right > 0 else 'left'}")
    if round(down):
        said.append(f"{abs(down):.0f} {'down' if down > 0 else 'up'}")
    if (before.width, before.height) != (after.width, after.height):
        said.append(f"now {after.width:.0f} × {after.height:.0f}")
    if before.degrees != after.degrees:
        said.append(f"turned to {after.degrees:.0f}°")
    return ", ".join(said) or "a little"


def _link_difference(key: str, before: Desktop, after: Desktop) -> Difference:
    old, new = before.links.get(key), after.links.get(key)
    link = new or old
    assert link is not None
    state = after if new is not None else before
    name = f"Connector {_ends(state, link)}"
    if old is None:
        return Difference(LINK + key, Act.ADDED, name)
    if new is None:
        return Difference(LINK + key, Act.REMOVED, name)
    if old.label != new.label:
        return Difference(LINK + key, Act.CHANGED, name, f"renamed from “{_short(old.label) or 'no name'}”")
    return Difference(LINK + key, Act.CHANGED, name, f"it led {_ends(before, old)}")


def _ends(state: Desktop, link: Link) -> str:
    ends = [state.items.get(key) for key in (link.source, link.target)]
    source, target = (item_name(one) if one is not None else "?" for one in ends)
    return f"from {source} to {target}"


def item_name(item: Item) -> str:
    """Return the name by which people know an item: its label, or its kind."""
    return f"“{_short(item.label)}”" if item.label else kind_of(item.reference)


def _short(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= _LONGEST_NAME else f"{line[: _LONGEST_NAME - 1]}…"
