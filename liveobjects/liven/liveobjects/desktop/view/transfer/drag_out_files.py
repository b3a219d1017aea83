"""Files that are given to other programs, such as a file manager into which things are dragged.

A drag is over for us when the mouse is let go of; whoever was given the files reads them when it comes to it.
So they stay until the program ends.
"""

from __future__ import annotations

import atexit
import shutil
import tempfile
from collections.abc import Iterable
from pathlib import Path

from liven.liveobjects.desktop.state import Item
from liven.runtime.folder.item_files import SUFFIX


def as_files(items: Iterable[Item]) -> list[Path]:
    """A file for each thing, in a folder of its own, called as the thing is."""
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
    """What may stand in the name of a file everywhere."""
    return "".join(letter if letter.isalnum() or letter in " -_" else "_" for letter in text)
