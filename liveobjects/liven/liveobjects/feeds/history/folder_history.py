"""The differences between two states of a folder, and the changes that lead from one to the other."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from liven.liveobjects.feeds.history.difference import Act, Difference
from liven.liveobjects.folder.state import Change, Content, Put, Rename, Take
from liven.liveobjects.icons.object_kind import kind_of

ENTRY: Final = "entry:"


def differences(before: Content, after: Content) -> tuple[Difference, ...]:
    """Return the entries that came, went, or became another object, by name."""
    found = []
    for name in sorted(after.items.changed_since(before.items)):
        told = f"“{name}”"
        if name not in before.items:
            found.append(Difference(ENTRY + name, Act.ADDED, told, kind_of(after.items[name])))
        elif name not in after.items:
            found.append(Difference(ENTRY + name, Act.REMOVED, told, kind_of(before.items[name])))
        else:
            found.append(Difference(ENTRY + name, Act.CHANGED, told, "another object has this name"))
    return tuple(found)


def touched(change: Change, state: Content) -> tuple[str, ...]:
    """Return the keys of the differences that a change of this state may make."""
    match change:
        case Put(name, _):
            return (ENTRY + state.free_name(name),)
        case Take(name):
            return (ENTRY + name,)
        case Rename(name, to):
            return ENTRY + name, ENTRY + to


def restoration(now: Content, then: Content, keys: Iterable[str] | None = None) -> tuple[Change, ...]:
    """Return the changes after which these entries are as they were `then`; without keys, all are."""
    chosen = None if keys is None else frozenset(keys)
    differing = sorted(then.items.changed_since(now.items))
    names = [name for name in differing if chosen is None or ENTRY + name in chosen]
    return (
        *(Take(name) for name in names if name in now.items),
        *(Put(name, then.items[name]) for name in names if name in then.items),
    )
