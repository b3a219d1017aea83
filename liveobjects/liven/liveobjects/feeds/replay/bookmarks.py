"""Bookmarks: named places of a feed, kept in its folder for whoever replays it next."""

from __future__ import annotations

import fcntl
import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final

from liven.liveobjects.feeds.errors import FutureVersionError
from liven.liveobjects.feeds.replay.errors import BadChoiceError, ReplayError
from liven.liveobjects.feeds.replay.place import Place
from liven.liveobjects.feeds.replay.source.merged_logs import MergedLogs, Origin
from liven.liveobjects.feeds.replay.source.source import Source
from liven.runtime.files import PRIVATE, read_json, write_file
from liven.runtime.foreign_text import shown_line

NAME: Final = "bookmarks.json"
FORMAT: Final = 1
BOOKMARK: Final = "@"
"""The sign before the name of a bookmark where a place is written."""
MOST: Final = 1000
LONGEST: Final = 100
"""Characters of a name."""
_BYTES_MOST: Final = 1 << 20


@dataclass(frozen=True, slots=True)
class Bookmark:
    """A named place in the log of one recorder."""

    name: str
    recorder: str
    sequence: int
    time: int

    @property
    def place(self) -> Place:
        """The place that it names."""
        return Place(self.sequence, self.time)


class Bookmarks:
    """The bookmarks of one feed. Several programs may add some; each change is written at once."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / NAME

    def all(self) -> list[Bookmark]:
        """Return the bookmarks in the order of time; raise ReplayError, FutureVersionError or OSError."""
        try:
            found = read_json(self.path, _BYTES_MOST)
        except FileNotFoundError:
            return []
        except ValueError as error:
            raise self._bad(f"it is not JSON ({error})") from None
        if not isinstance(found, dict) or not isinstance(found.get("bookmarks"), list):
            raise self._bad("it has no list of bookmarks")
        if isinstance(version := found.get("format"), int) and version > FORMAT:
            raise FutureVersionError(self.path, version)
        return sorted(
            map(self._bookmark, found["bookmarks"][:MOST]), key=lambda one: (one.time, one.sequence)
        )

    def find(self, name: str, *recorders: str) -> Bookmark:
        """Return a bookmark by name; raise ReplayError if there is none for these recorders."""
        known = [one for one in self.all() if one.recorder in recorders]
        for one in known:
            if one.name == name:
                return one
        names = ", ".join(shown_line(one.name) for one in known) or "none"
        raise BadChoiceError(f"there is no bookmark {name!r} here", f"there are: {names}")

    def add(self, bookmark: Bookmark) -> None:
        """Add a bookmark, in place of one with its name; raise ReplayError or OSError."""
        name = bookmark.name
        if not name.strip() or len(name) > LONGEST or not name.isprintable():
            raise ReplayError(
                f"{name[:LONGEST]!r} cannot name a bookmark", f"use 1 to {LONGEST} visible characters"
            )
        with self._locked():
            others = [one for one in self.all() if (one.name, one.recorder) != (name, bookmark.recorder)]
            if len(others) >= MOST:
                raise ReplayError(f"there are {MOST} bookmarks already", "remove some first")
            self._write([*others, bookmark])

    def remove(self, name: str, recorder: str) -> None:
        """Remove a bookmark; raise ReplayError if there is none."""
        with self._locked():
            gone = self.find(name, recorder)
            self._write([one for one in self.all() if one != gone])

    def fresh_name(self, recorder: str) -> str:
        """Return the first name of the form `bookmark 1` that is free."""
        taken = {one.name for one in self.all() if one.recorder == recorder}
        return next(name for number in range(1, MOST + 2) if (name := f"bookmark {number}") not in taken)

    def _write(self, bookmarks: list[Bookmark]) -> None:
        content = {"format": FORMAT, "bookmarks": [asdict(one) for one in bookmarks]}
        data = json.dumps(content, indent=1, ensure_ascii=False).encode() + b"\n"
        write_file(self.path, data, PRIVATE)

    @contextmanager
    def _locked(self) -> Iterator[None]:
        handle = os.open(self.path.parent, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        try:
            fcntl.flock(handle, fcntl.LOCK_EX)
            yield
        finally:
            os.close(handle)

    def _bookmark(self, found: Any) -> Bookmark:
        if (
            not isinstance(found, dict)
            or not all(isinstance(found.get(key), str) for key in ("name", "recorder"))
            or not all(type(found.get(key)) is int for key in ("sequence", "time"))
        ):
            raise self._bad("a bookmark in it lacks its name, recorder, sequence or time")
        return Bookmark(found["name"], found["recorder"], found["sequence"], found["time"])

    def _bad(self, what: str) -> ReplayError:
        return ReplayError(f"{self.path}: {what}", "correct it, or remove it; the records need none of it")


@dataclass(frozen=True, slots=True)
class Bookmarked:
    """A source with the bookmarks of its feed; None for one that is no recorded feed."""

    source: Source
    bookmarks: Bookmarks | None
    recorders: tuple[str, ...]

    def place(self, text: str) -> str:
        """Return a place as a person writes it, with a number for a bookmark; raise BadChoiceError."""
        if not text.startswith(BOOKMARK):
            return text
        return f"#{self.sequence(text)}"

    def sequence(self, text: str) -> int:
        """Return the sequence of a bookmark that a person wrote; raise BadChoiceError."""
        if self.bookmarks is None:
            raise BadChoiceError(f"{text!r}: only recorded feeds have bookmarks", "write a time or a number")
        found = self.bookmarks.find(text.removeprefix(BOOKMARK), *self.recorders)
        if isinstance(self.source, MergedLogs):
            return self.source.sequence_of(Origin(found.recorder, found.sequence))
        return found.sequence
