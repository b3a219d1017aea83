"""Items of a folder as files: `NAME.liveobject`, each with one reference.

The objects themselves are elsewhere.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

from liven.runtime.files import create_file, read_start
from liven.runtime.reference.errors import ReadError
from liven.runtime.reference.model import Document
from liven.runtime.reference.xml import LIMITS, compact, read, read_object, write

SUFFIX = ".liveobject"
MIME = "application/x-liveobject+xml"
"""The MIME type of an object's file, for desktops, clipboards and drags."""
_LONGEST = 200


class ItemError(ValueError):
    """An item that cannot be read, named or written; the text says which and why."""


def names(folder: Path) -> list[str]:
    """Return the names of the items, in order; none if there is no such folder."""
    return sorted(_names(folder))


def _names(folder: Path) -> Iterator[str]:
    try:
        entries = list(os.scandir(folder))
    except FileNotFoundError:
        return
    for entry in entries:
        if entry.name.endswith(SUFFIX) and not entry.name.startswith(".") and entry.is_file():
            yield entry.name.removesuffix(SUFFIX)


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
