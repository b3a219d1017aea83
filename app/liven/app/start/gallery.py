"""The list of the gallery: what the person began, what they opened lately, and what has a star."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from liven.app.begun.begun_objects import BegunObjects
from liven.app.opening.recent_files import RecentFiles
from liven.runtime.files import PRIVATE, read_json, write_file
from liven.runtime.folder.item_files import SUFFIX

STARS: Final = "starred.json"
"""The file of the stars, in the data folder."""
_MOST_STARS: Final = 1000
_LARGEST: Final = 1024 * 1024


@dataclass(frozen=True, slots=True)
class Board:
    """One entry of the gallery."""

    path: Path
    title: str
    used: float
    """The last use, in seconds since 1970."""
    begun: bool = True
    """False for a file of the person elsewhere: it is never deleted, only taken off the list."""
    starred: bool = False


class Gallery:
    """The list. Methods that write raise OSError and then change nothing."""

    def __init__(self, data: Path, begun: BegunObjects, recent: RecentFiles) -> None:
        self.begun = begun
        self.recent = recent
        self._stars = data / STARS

    def boards(self) -> tuple[Board, ...]:
        """Return everything in the list, the last used first."""
        stars = self._starred()
        own = [Board(one.path, one.title, one.used, True, one.path in stars) for one in self.begun.all()]
        there = {one.path for one in own}
        others = [
            Board(path, path.name.removesuffix(SUFFIX), _date(path), False, path in stars)
            for path in self.recent.files()
            if path not in there
        ]
        return tuple(sorted((*own, *others), key=lambda one: -one.used))

    def deleted(self) -> tuple[Board, ...]:
        """Return what was deleted and can be restored."""
        return tuple(Board(one.path, one.title, one.used) for one in self.begun.deleted())

    def set_star(self, path: Path, *, starred: bool) -> None:
        """Give a star to an entry, or take it."""
        stars = [one for one in self._starred() if one != path]
        self._write_stars((path, *stars) if starred else stars)

    def remove(self, board: Board) -> Callable[[], Path]:
        """Delete what the person began, or take a file elsewhere off the list. Return a function that undoes
        it and returns the path then."""
        if not board.begun:
            self.recent.remove(board.path)
            return lambda: self._list_again(board.path)
        deleted = self.begun.delete(board.path)

        def undo() -> Path:
            path = self.begun.restore(deleted)
            if board.starred and path != board.path:
                self.set_star(path, starred=True)
            return path

        return undo

    def _list_again(self, path: Path) -> Path:
        self.recent.add(path)
        return path

    def _starred(self) -> tuple[Path, ...]:
        try:
            found = read_json(self._stars, _LARGEST)
            return tuple(Path(str(one)) for one in found)[:_MOST_STARS]
        except (OSError, ValueError, TypeError):
            return ()

    def _write_stars(self, stars: Iterable[Path]) -> None:
        self._stars.parent.mkdir(parents=True, exist_ok=True)
        data = json.dumps([str(one) for one in stars][:_MOST_STARS]).encode()
        write_file(self._stars, data, PRIVATE)


def _date(path: Path) -> float:
    with contextlib.suppress(OSError):
        return path.stat().st_mtime
    return 0.0
