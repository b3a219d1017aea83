"""The files with the last pictures of items, for the cards of closed desktops and folders in a later run.

Pictures are encoded, written and read in workers, because there may be many. Pictures of encrypted
objects are never written."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from threading import Lock
from typing import Final

from liven.liveobjects.desktop.search.item_files import ItemFiles
from liven.runtime.errors import CallFailedError
from liven.runtime.objects.context import Context

MOST_FILES: Final = 2000
LARGEST: Final = 1024 * 1024
"""Bytes of one file. A picture has at most 400 pixels in each direction."""

Run = Callable[[Callable[[], None]], object]
"""Calls a function in another thread, or from another thread in that of the objects."""


class PictureStore(ItemFiles):
    """The files of one user."""

    def __init__(self, folder: Path, work: Run, post: Run) -> None:
        """`work` calls a function in a worker, and `post` in the thread of the objects."""
        super().__init__(folder, LARGEST, MOST_FILES)
        self._work = work
        self._post = post
        self._lock = Lock()
        self._unwritten: dict[str, Callable[[], bytes]] = {}
        self._writing = False

    def keep(self, name: str, encode: Callable[[], bytes]) -> None:
        """Write what `encode` returns, soon; of several pictures for one name, the last one."""
        with self._lock:
            self._unwritten[name] = encode
            begins, self._writing = not self._writing, True
        if begins:
            self._work(self.write_all)

    def load(self, name: str, had: Callable[[bytes], None]) -> None:
        """Read a picture in a worker, and pass its bytes on; nothing if there is none."""

        def read() -> None:
            data = self.read_bytes(name)
            if data:
                self._post(lambda: had(data))

        self._work(read)

    def drop(self, name: str) -> None:
        """Delete a picture, also one that is not written yet."""
        with self._lock:
            self._unwritten.pop(name, None)
        self.forget(name)

    def write_all(self) -> None:
        """Write everything that waits. The end of the program calls it, too."""
        while True:
            with self._lock:
                self._writing = bool(self._unwritten)
                if not self._unwritten:
                    return
                name, encode = self._unwritten.popitem()
            self.write_bytes(name, encode())


def picture_store(context: Context) -> PictureStore | None:
    """Return the store for pictures across restarts; None if the program provides none."""
    try:
        return context.service(PictureStore)
    except CallFailedError:
        return None
