"""The last look of each object in the gallery: a small picture by light, and the words that it held.

Both are files in the cache folder, named by the hash of the recipe. Objects on encrypted channels have
neither: their logs are not readable there either.
"""

from __future__ import annotations

import contextlib
import hashlib
from pathlib import Path
from typing import Final

from PySide6.QtCore import QBuffer
from PySide6.QtGui import QImage, QPixmap

from liven.liveobjects.look.tokens import LOOKS
from liven.runtime.files import PRIVATE, read_start, write_file

FOLDER: Final = "gallery"
MOST: Final = 1000
"""Most objects whose looks are kept; the oldest are deleted."""
MOST_LETTERS: Final = 50_000
_WORDS: Final = ".txt"


class LastLooks:
    """The folder of looks. Failure to write one is ignored: only a picture is lost."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def keep(self, recipe: bytes, light: str, picture: QImage, words: str) -> None:
        """Keep the picture and the words of an object."""
        written = QBuffer()
        # a stub of Qt wants bytes for the format
        if not picture.save(written, "PNG"):  # type: ignore[call-overload]
            return
        name = name_of_looks(recipe)
        with contextlib.suppress(OSError):
            self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            self._write(f"{name}-{light}.png", bytes(written.data().data()))
            self._write(f"{name}{_WORDS}", words[:MOST_LETTERS].encode(errors="replace"))

    def forget(self, recipe: bytes) -> None:
        """Delete what is kept of an object."""
        name = name_of_looks(recipe)
        with contextlib.suppress(OSError):
            for suffix in (*(f"-{light}.png" for light in LOOKS), _WORDS):
                (self._folder / f"{name}{suffix}").unlink(missing_ok=True)

    def picture(self, recipe: bytes, light: str) -> QPixmap | None:
        """Return the picture of an object, in this light if there is one; None if there is none."""
        name = name_of_looks(recipe)
        for one in (light, *LOOKS):
            found = QPixmap(str(self._folder / f"{name}-{one}.png"))
            if not found.isNull():
                return found
        return None

    def words(self, recipe: bytes) -> str:
        """Return the words of an object; empty if none are known."""
        try:
            data = read_start(self._folder / f"{name_of_looks(recipe)}{_WORDS}", 4 * MOST_LETTERS)
        except OSError:
            return ""
        return data.decode(errors="ignore")

    def forget_oldest(self) -> None:
        """Delete the oldest files beyond the limit."""
        with contextlib.suppress(OSError):
            found = sorted((one.stat().st_mtime, one) for one in self._folder.iterdir())
            for _, path in found[: max(0, len(found) - MOST * 2)]:
                path.unlink(missing_ok=True)

    def _write(self, name: str, data: bytes) -> None:
        write_file(self._folder / name, data, PRIVATE, sync=False)


def name_of_looks(recipe: bytes) -> str:
    """Return the beginning of the names of an object's files."""
    return hashlib.sha256(recipe).hexdigest()
