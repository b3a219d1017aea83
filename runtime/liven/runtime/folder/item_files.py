"""Items of a folder as files: `NAME.liveobject`, each with one reference.

The objects themselves are elsewhere.
"""

from __future__ import annotations

import errno
import os
from collections.abc import Iterator
from pathlib import Path

from liven.runtime.files import create_file, read_start, refuse_system_file
from liven.runtime.reference.errors import ReadError
from liven.runtime.reference.model import Document
from liven.runtime.reference.xml import LIMITS, compact, read, read_object, write

SUFFIX = ".liveobject"
MIME = "application/x-liveobject+xml"
"""The MIME type of an object's file, for desktops, clipboards and drags."""
MOST_ENTRIES = 20_000
"""The most entries of a folder that is shown; each is looked at, and the whole again every second."""
_LONGEST = 200


class ItemError(ValueError):
    """An item that cannot be read, named or written; the text says which and why."""


def names(folder: Path) -> list[str]:
    """Return the names of the items, in order; none if there is no such folder. Raise ItemError."""
    try:
        return sorted(_names(folder))
    except OSError as error:
        looped = error.errno == errno.ELOOP
        reason = "it is a link that leads to itself" if looped else error.strerror or error
        raise ItemError(f"{folder} cannot be read: {reason}") from error


def _names(folder: Path) -> Iterator[str]:
    try:
        refuse_system_file(folder)
        with os.scandir(folder) as entries:
            for count, entry in enumerate(entries):
                if count >= MOST_ENTRIES:
                    raise ItemError(f"{folder} has more than {MOST_ENTRIES:,} entries; choose another")
                if entry.name.endswith(SUFFIX) and not entry.name.startswith(".") and _may_be_file(entry):
                    yield entry.name.removesuffix(SUFFIX)
    except FileNotFoundError:
        return


def _may_be_file(entry: os.DirEntry[str]) -> bool:
    """Return True for a file, and for a link that leads to itself: reading it says so."""
    try:
        return entry.is_file()
    except OSError:
        return True


def load(folder: Path, name: str) -> str | None:
    """Return the text of the reference; None if there is no such item. Raise ItemError."""
    path = path_of(folder, name)
    try:
        data = read_start(path, LIMITS.size + 1)
    except FileNotFoundError:
        return None
    except OSError as error:
        raise ItemError(f"{path}: {error.strerror or error}") from error
    try:
        thing = read(data).object
    except ReadError as error:
        raise ItemError(f"{path}: {error}") from error
    if thing is None:
        raise ItemError(f"{path}: it holds no object")
    return compact(thing)


def store(folder: Path, name: str, text: str) -> None:
    """Write a new item in one step. Raise ItemError if the name is taken or invalid."""
    path = path_of(folder, name)
    if path.exists():
        raise ItemError(f"{name!r} is in {folder} already; remove it first")
    try:
        data = write(Document(read_object(text)))
    except ReadError as error:
        raise ItemError(f"{name!r} is not given a reference: {error}") from error
    try:
        folder.mkdir(parents=True, exist_ok=True)
        create_file(path, data, 0o600)
    except OSError as error:
        raise ItemError(f"{path}: {error.strerror or error}; nothing was changed") from error


def delete(folder: Path, name: str) -> None:
    """Remove an item. Raise ItemError if there is none."""
    try:
        path_of(folder, name).unlink()
    except OSError as error:
        raise ItemError(f"{name!r} in {folder}: {error.strerror or error}; nothing was removed") from error


def path_of(folder: Path, name: str) -> Path:
    """Return the file of an item; raise ItemError for a name that would lead elsewhere."""
    odd = not name or name.startswith(".") or len(name) > _LONGEST or any(sign in name for sign in "/\\\0")
    if odd or not name.isprintable():
        raise ItemError(f"{name!r} is not a valid file name; use letters, digits, spaces and dashes")
    return folder / f"{name}{SUFFIX}"
