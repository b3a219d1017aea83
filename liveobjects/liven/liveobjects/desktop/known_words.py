"""What things that do not run said when they last ran here: they can be searched without starting them.

Kept by recipe: in memory, up to a bound, and, where whoever runs the desktop gave a folder for it, in one
small file for each thing. What is said on a channel that is locked with a key is never written down, since
the log of that channel is not readable either.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
from collections import OrderedDict
from collections.abc import Callable
from pathlib import Path
from typing import Final

from liven.liveobjects.channel.folder import COMMUNICATION, SYSTEMS
from liven.runtime.reference.errors import ReadError
from liven.runtime.reference.ids import normal
from liven.runtime.reference.model import Composite, Object, Reference, parts
from liven.runtime.reference.xml import read

MOST_LETTERS: Final = 20_000
"""Of what one thing says, so many letters are kept, the first."""
MOST_IN_MEMORY: Final = 4_000_000
"""Letters; those of what was asked for least lately go, and are read again."""
MOST_FILES: Final = 5000
# The adapters that lock, by their ids: their modules load the library of ciphers, which few desktops need.
_LOCKS: Final = frozenset(
    normal(one)
    for one in (
        "1A2D6868E7BDE0F650AF42E3C1074905",
        "2E878791C0BAE550AB20A27EC81EA408",
        "89BC5908C9724040399C132CB4E94D4E",
        "liven:guard",
        "liven:encrypt",
        "liven:encrypt-replicated",
    )
)
_OPEN: Final = frozenset(
    normal(one) for one in (COMMUNICATION, SYSTEMS, "liven:communication", "E8C9D312C27649F39812B8E99AA67CBC")
)
"""Where channels come from that have no lock: the folder of channels, and what that comes from."""


class WordMemory:
    """The files, and how they are told apart. What cannot be written is not, and nobody is bothered."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def read(self, name: str) -> str:
        """What was written; empty if that is nothing."""
        try:
            with (self._folder / name).open("rb") as stream:
                return stream.read(4 * MOST_LETTERS).decode(errors="ignore")
        except OSError:
            return ""

    def write(self, name: str, words: str) -> None:
        """Whole or not at all."""
        fresh = self._folder / f"{name}.{os.getpid()}"
        try:
            self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            fresh.write_bytes(words.encode(errors="replace"))
            fresh.replace(self._folder / name)
        except OSError:
            with contextlib.suppress(OSError):
                fresh.unlink()

    def forget_oldest(self) -> None:
        """Keeps the folder small."""
        with contextlib.suppress(OSError):
            found = sorted((one.stat().st_mtime, one) for one in self._folder.iterdir())
            for _, path in found[: max(0, len(found) - MOST_FILES)]:
                path.unlink(missing_ok=True)


class KnownWords:
    """What the things of one desktop are known to say, without regard to capitals: to be searched alone."""

    def __init__(self, memory: WordMemory | None, soon: Callable[[Callable[[], None]], object]) -> None:
        """`soon` calls a function in one of the next turns: files are written one a turn, since many things
        go out of view at one time."""
        self._memory = memory
        self._soon = soon
        self._unwritten: dict[str, str] = {}
        """Recipes, by the names of their files."""
        self._kept: OrderedDict[str, str] = OrderedDict()
        self._letters = 0

    def keep(self, recipe: str, words: str) -> None:
        """It says that now. One that says nothing may not have begun: what it said before is kept."""
        words = words.strip()[:MOST_LETTERS].casefold()
        name = _name(recipe)
        if not words or words == self._kept.get(name):
            return
        self._put(name, words)
        if self._memory is not None:
            first = not self._unwritten
            self._unwritten[name] = recipe
            if first:
                self._soon(self._turn)

    def of(self, recipe: str) -> str:
        """What it said last; empty if nobody here knows."""
        name = _name(recipe)
        if name in self._kept:
            self._kept.move_to_end(name)
        else:
            self._put(name, "" if self._memory is None else self._memory.read(name))
        return self._kept[name]

    def write(self) -> None:
        """Writes what is not written yet."""
        while self._unwritten:
            self._write_one()

    def _turn(self) -> None:
        if self._unwritten:
            self._write_one()
        if self._unwritten:
            self._soon(self._turn)

    def _write_one(self) -> None:
        name, recipe = self._unwritten.popitem()
        if self._memory is not None and is_open(recipe):
            self._memory.write(name, self._kept.get(name, ""))

    def _put(self, name: str, words: str) -> None:
        self._letters += len(words) - len(self._kept.pop(name, ""))
        self._kept[name] = words
        while self._letters > MOST_IN_MEMORY and len(self._kept) > 1:
            oldest = next(iter(self._kept))
            if oldest in self._unwritten:
                break
            self._letters -= len(self._kept.pop(oldest))


def is_open(recipe: str) -> bool:
    """Whether a recipe leads to channels without a lock; not so where it cannot be told."""
    try:
        thing = read(recipe.encode()).object
    except (ReadError, UnicodeError):
        return False
    return thing is not None and _is_open(thing)


def _is_open(thing: Object) -> bool:
    if isinstance(thing, Composite) or normal(thing.id) in _LOCKS:
        return False
    source = thing.source
    if source is not None and not (isinstance(source, Reference) and normal(source.id) in _OPEN):
        return False
    return all(_is_open(part) for _, part in parts(thing))


def _name(recipe: str) -> str:
    return hashlib.blake2b(recipe.encode(errors="replace"), digest_size=16).hexdigest()
