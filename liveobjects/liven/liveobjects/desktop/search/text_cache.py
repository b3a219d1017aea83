"""The text of items that do not run, as it was when they last ran, so that their cards show it and Find
searches it without starting them.

Texts are stored by recipe: in memory up to a limit, and, if the program provides a folder, in one small file
per item. The file is deleted when the item is emptied or removed. Text from an encrypted channel is never
written to disk, because that channel's log is not readable either."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from pathlib import Path
from typing import Final

from liven.liveobjects.channel.api.encryption import is_unencrypted
from liven.liveobjects.desktop.search.item_files import ItemFiles, file_name
from liven.runtime.errors import CallFailedError
from liven.runtime.objects.context import Context

MOST_LETTERS: Final = 20_000
"""Letters kept of the beginning of each text."""
MOST_IN_MEMORY: Final = 4_000_000
"""Letters kept in memory; the least recently used texts are dropped and read again from disk."""
MOST_FILES: Final = 5000


class TextStore(ItemFiles):
    """The files with texts."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder, 4 * MOST_LETTERS, MOST_FILES)

    def read(self, name: str) -> str:
        """Return the stored text; empty if there is none."""
        return self.read_bytes(name).decode(errors="ignore")

    def write(self, name: str, words: str) -> None:
        """Write a text completely or not at all."""
        self.write_bytes(name, words.encode(errors="replace"))


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
        name = file_name(recipe)
        if words and words != self._kept.get(name):
            self._know(name, recipe, words)

    def forget(self, recipe: str) -> None:
        """Forget the text of an item that was emptied or removed, now and for later runs."""
        if self.of(recipe):
            self._know(file_name(recipe), recipe, "")

    def of(self, recipe: str) -> str:
        """Return the last known text of an item; empty if none is known."""
        name = file_name(recipe)
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
