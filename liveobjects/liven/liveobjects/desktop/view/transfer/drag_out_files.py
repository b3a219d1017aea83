"""Temporary files for items that are dragged to another program, such as a file manager.

For us a drag ends when the mouse is released, but the other program may read the files any time later. So
they are deleted only when the program ends."""

from __future__ import annotations

import atexit
import shutil
import tempfile
from collections.abc import Iterable
from pathlib import Path

from liven.liveobjects.desktop.state import Item
from liven.runtime.folder.item_files import SUFFIX


def as_files(items: Iterable[Item]) -> list[Path]:
    """Write a file for each item, named after it, into a new temporary folder."""
    folder = Path(tempfile.mkdtemp(prefix="liven-drag-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return [_as_file(folder, item) for item in items]


def _as_file(folder: Path, item: Item) -> Path:
    name = _plain(item.label)[:50].strip() or "object"
    path = folder / f"{name}{SUFFIX}"
    if path.exists():
        path = folder / f"{name} {_plain(item.key)[:8]}{SUFFIX}"
    path.write_text(item.reference, encoding="utf-8")
    return path


def _plain(text: str) -> str:
    """Replace characters that are not allowed in file names on some system."""
    return "".join(letter if letter.isalnum() or letter in " -_" else "_" for letter in text)
