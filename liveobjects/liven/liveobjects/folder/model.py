"""The rules of a shared folder: a fold over changes.

If two people add something under the same name at the same time, both keep it: the later one gets a number.
Every name is also a valid file name, so that the content fits into a folder on a disk."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable
from typing import Any, Final

from liven.liveobjects.channel.api.recipes import LONGEST_REFERENCE
from liven.liveobjects.folder.state import Change, Content, Put, Rename, Take
from liven.runtime.fold import RefusedError

MOST_ITEMS: Final = 10_000
LONGEST_NAME: Final = 180
MOST_BYTES: Final = 230
"""The longest name in bytes: file systems allow 255, and a number and a suffix are added."""
_UNSEEN: Final = re.compile(
    "[\x00-\x1f\x7f-\xa0\xad\u0600-\u0605\u061c\u06dd\u070f\u1680\u180e\u2000-\u200f\u2028-\u202f\u205f-\u206f"
    "\u3000\ud800-\uf8ff\ufeff\ufff9-\ufffb\U000e0000-\U000e0fff\U000f0000-\U0010ffff]"
)
"""Invisible characters and those that change the writing direction. The list is explicit because each version
of Python knows more characters, and all replicas must refuse the same names."""


class FolderModel:
    """The model of a folder."""

    replacing = (Take,)  # of an item that somebody else added under this name

    def empty(self) -> Content:
        return Content()

    def apply(self, state: Content, change: Change) -> Content:
        if type(change) not in _APPLY:
            raise RefusedError(f"{type(change).__name__} is not a change of a folder")
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
        """Return a hash of the visible state in an order that is the same at every replica."""
        seen = hashlib.blake2b(digest_size=16)
        for name in sorted(state.items):
            seen.update(ascii((name, state.items[name])).encode())
        return seen.digest()


def check_name(name: str) -> None:
    """Raise RefusedError for a name that is not a valid file name on every system."""
    if not name or len(name) > LONGEST_NAME:
        raise RefusedError(f"a name has 1 to {LONGEST_NAME} characters")
    if len(name.encode(errors="replace")) > MOST_BYTES:
        raise RefusedError(f"{name[:40]!r} is too long for a file name")
    if name.startswith(".") or any(sign in name for sign in "/\\") or _UNSEEN.search(name):
        raise RefusedError(f"{name[:40]!r} is not a valid name; use letters, digits, spaces and dashes")


def fitting_name(name: str) -> str:
    """Return the nearest valid name."""
    plain = _UNSEEN.sub(" ", name.replace("/", " ").replace("\\", " ")).lstrip(". ")[:LONGEST_NAME]
    return plain.encode()[:MOST_BYTES].decode(errors="ignore").strip() or "Object"


def _put(state: Content, change: Put) -> Content:
    check_name(change.name)
    if state.items.get(change.name) == change.reference:
        raise RefusedError(f"“{change.name}” is in the folder already")
    if len(change.reference) > LONGEST_REFERENCE:
        raise RefusedError(f"its recipe is too long: {len(change.reference):,} characters")
    if len(state.items) >= MOST_ITEMS:
        raise RefusedError(f"the folder is full: the limit is {MOST_ITEMS:,} items")
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
