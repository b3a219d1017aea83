"""The text of items that do not run, as it was when they last ran, so that their cards show it and Find
searches it without starting them.

Texts are stored by recipe: in memory up to a limit, and, if the program provides a folder, in one small file
per item. The file is deleted when the item is emptied or removed. Text from an encrypted channel is never
written to disk, because that channel's log is not readable either."""

from __future__ import annotations

import contextlib
import hashlib
from collections import OrderedDict
from collections.abc import Callable
from pathlib import Path
from typing import Final

from liven.liveobjects.channel.api.encryption import is_unencrypted
from liven.runtime.errors import CallFailedError
from liven.runtime.files import read_start, write_file
from liven.runtime.objects.context import Context

MOST_LETTERS: Final = 20_000
"""Letters kept of the beginning of each text."""
MOST_IN_MEMORY: Final = 4_000_000
"""Letters kept in memory; the least recently used texts are dropped and read again from disk."""
MOST_FILES: Final = 5000
_LOOK_AGAIN: Final = 500
"""Files written between two checks of their number."""


class TextStore:
    """The files with texts. Failure to write one is ignored: the text is only lost for the next run."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._written = 0

    def read(self, name: str) -> str:
        """Return the stored text; empty if there is none."""
        try:
            data = read_start(self._folder / name, 4 * MOST_LETTERS, follow_links=False)
        except OSError:
            return ""
        return data.decode(errors="ignore")

    def write(self, name: str, words: str) -> None:
        """Write a text completely or not at all."""
        with contextlib.suppress(OSError):
            self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            data = words.encode(errors="replace")
            write_file(self._folder / name, data, 0o600, sync=False, follow_links=False)
        self._written += 1
        if self._written % _LOOK_AGAIN == 0:
            self.forget_oldest()

    def forget(self, name: str) -> None:
        """Delete a stored text."""
        with contextlib.suppress(OSError):
            (self._folder / name).unlink(missing_ok=True)

    def forget_oldest(self) -> None:
        """Delete the oldest files beyond the limit."""
        with contextlib.suppress(OSError):
            found = sorted((one.lstat().st_mtime, one) for one in self._folder.iterdir())
            for _, path in found[: max(0, len(found) - MOST_FILES)]:
                self.forget(path.name)


class TextCache:
    """The known texts of one desktop's items, as they were written."""

    def __init__(self, memory: TextStore | None, soon: Callable[[Callable[[], None]], object]) -> None:
        """`soon` calls a function in a later turn of the event loop: files are written one per turn,
        because many items go out of view at once."""
        self._memory = memory
        self._soon = soon
        self._unwritten: dict[str, str] = {}
        """Recipes with an unwritten text, by file name."""
        self._kept: OrderedDict[str, str] = OrderedDict()
        self._letters = 0

    def keep(self, recipe: str, words: str) -> None:
        """Remember the current text of an item. An empty text is ignored, because the item may not have
        loaded yet."""
        words = words.strip()[:MOST_LETTERS]
        name = _name(recipe)
        if words and words != self._kept.get(name):
            self._know(name, recipe, words)

    def forget(self, recipe: str) -> None:
        """Forget the text of an item that was emptied or removed, now and for later runs."""
        if self.of(recipe):
            self._know(_name(recipe), recipe, "")

    def of(self, recipe: str) -> str:
        """Return the last known text of an item; empty if none is known."""
        name = _name(recipe)
        if name in self._kept:
            self._kept.move_to_end(name)
        else:
            self._put(name, "" if self._memory is None else self._memory.read(name))
        return self._kept[name]

    def _know(self, name: str, recipe: str, words: str) -> None:
        self._put(name, words)
        if self._memory is not None:
            first = not self._unwritten
            self._unwritten[name] = recipe
            if first:
                self._soon(self._turn)

    def write(self) -> None:
        """Write all pending texts."""
        while self._unwritten:
            self._write_one()

    def _turn(self) -> None:
        if self._unwritten:
            self._write_one()
        if self._unwritten:
            self._soon(self._turn)

    def _write_one(self) -> None:
        name, recipe = self._unwritten.popitem()
        words = self._kept.get(name, "")
        if self._memory is None:
            return
        if not words:
            self._memory.forget(name)
        elif is_unencrypted(recipe):
            self._memory.write(name, words)

    def _put(self, name: str, words: str) -> None:
        self._letters += len(words) - len(self._kept.pop(name, ""))
        self._kept[name] = words
        while self._letters > MOST_IN_MEMORY and len(self._kept) > 1:
            oldest = next(iter(self._kept))
            if oldest in self._unwritten:
                break
            self._letters -= len(self._kept.pop(oldest))


def text_store(context: Context) -> TextStore | None:
    """Return the store for texts across restarts; None if the program provides none."""
    try:
        return context.service(TextStore)
    except CallFailedError:
        return None


def _name(recipe: str) -> str:
    return hashlib.blake2b(recipe.encode(errors="replace"), digest_size=16).hexdigest()
