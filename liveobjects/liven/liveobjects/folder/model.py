"""The rules of a shared folder: a fold over changes.

Two who put something in under one name at one time both find theirs: the later gets a number. Names are such
that a file can be called so, so that whatever is in a shared folder fits into one on a disk.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from typing import Any, Final

from liven.liveobjects.fold import RefusedError
from liven.liveobjects.folder.state import Change, Content, Put, Rename, Take

MOST_ITEMS: Final = 10_000
LONGEST_NAME: Final = 180
LONGEST_REFERENCE: Final = 1_000_000


class FolderModel:
    """The fold."""

    def empty(self) -> Content:
        return Content()

    def apply(self, state: Content, change: Change) -> Content:
        if type(change) not in _APPLY:
            raise RefusedError(f"{type(change).__name__} is no change of a folder")
        return _APPLY[type(change)](state, change)

    def inverse(self, state: Content, change: Change) -> tuple[Change, ...]:
        match change:
            case Put(name, _):
                return (Take(state.free_name(name)),)
            case Take(name):
                return (Put(name, state.items[name]),)
            case Rename(name, to):
                return (Rename(to, name),)

    def digest(self, state: Content) -> bytes:
        """A hash of all that can be seen, in an order that is the same everywhere."""
        seen = hashlib.blake2b(digest_size=16)
        for name in sorted(state.items):
            seen.update(repr((name, state.items[name])).encode())
        return seen.digest()


def check_name(name: str) -> None:
    """RefusedError for what cannot be called so on every disk."""
    if not name or len(name) > LONGEST_NAME:
        raise RefusedError(f"a name has 1 to {LONGEST_NAME} characters")
    if name.startswith(".") or any(sign in name for sign in "/\\") or not name.isprintable():
        raise RefusedError(f"{name[:40]!r} cannot be a name; use letters, digits, spaces and dashes")


def fitting_name(name: str) -> str:
    """The nearest name that is one."""
    plain = "".join(" " if sign in "/\\" or not sign.isprintable() else sign for sign in name)
    return plain.strip().lstrip(".")[:LONGEST_NAME].strip() or "Object"


def _put(state: Content, change: Put) -> Content:
    check_name(change.name)
    if state.items.get(change.name) == change.reference:
        raise RefusedError(f"“{change.name}” is in the folder already")
    if len(change.reference) > LONGEST_REFERENCE:
        raise RefusedError(f"its recipe has {len(change.reference):,} characters; it is too long")
    if len(state.items) >= MOST_ITEMS:
        raise RefusedError(f"the folder is full: it holds {MOST_ITEMS:,} things")
    return Content(state.items.with_(state.free_name(change.name), change.reference))


def _take(state: Content, change: Take) -> Content:
    _check_there(state, change.name)
    return Content(state.items.without(change.name))


def _rename(state: Content, change: Rename) -> Content:
    _check_there(state, change.name)
    check_name(change.to)
    if change.to in state.items:
        raise RefusedError(f"“{change.to}” is in the folder already")
    return Content(state.items.without(change.name).with_(change.to, state.items[change.name]))


def _check_there(state: Content, name: str) -> None:
    if name not in state.items:
        raise RefusedError(f"“{name}” is no longer in the folder")


_APPLY: dict[type, Callable[[Content, Any], Content]] = {Put: _put, Take: _take, Rename: _rename}
