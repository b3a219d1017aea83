"""What things that do not run said when they last ran here: they can be searched without starting them.

Kept by recipe: in memory, up to a bound, and, where whoever runs the desktop gave a folder for it, in one
small file for each thing, which goes when the thing is emptied or taken off. What is said on a channel that
is locked with a key is never written down, since the log of that channel is not readable either.
"""

from __future__ import annotations

import contextlib
import hashlib
from collections import OrderedDict
from collections.abc import Callable
from pathlib import Path
from typing import Final

from liven.liveobjects.channel.api.recipes import COMMUNICATION, SYSTEMS
from liven.runtime.errors import CallFailedError
from liven.runtime.files import read_start, write_file
from liven.runtime.objects.context import Context
from liven.runtime.reference.errors import ReadError
from liven.runtime.reference.ids import parse
from liven.runtime.reference.model import Composite, Object, Reference, parts
from liven.runtime.reference.xml import read

MOST_LETTERS: Final = 20_000
"""Of what one thing says, so many letters are kept, the first."""
MOST_IN_MEMORY: Final = 4_000_000
"""Letters; those of what was asked for least lately go, and are read again."""
MOST_FILES: Final = 5000
_LOOK_AGAIN: Final = 500
"""After so many files it is looked whether they are too many."""


def component(spelled: str) -> int | str:
    """What an id means, whatever the namespace and the versions; an alias as it is."""
    found = parse(spelled)
    return spelled.strip() if found is None else found.component


_OPEN: Final = frozenset(
    component(one)
    for one in (COMMUNICATION, SYSTEMS, "liven:communication", "E8C9D312C27649F39812B8E99AA67CBC")
)
"""Where channels come from that have no lock: the folder of channels, and what that comes from."""
# What may stand within a thing whose words are written, by id and alias: channels of ours without a lock, and
# folders. Anything else may be a lock; the modules of these load much that few desktops need.
_WITHIN: Final = _OPEN | frozenset(
    component(one)
    for pair in (
        ("8D2A6C0F4B5E4C1F9E0B7A31D6C95E24", "liven:shared-channel"),
        ("55C16D652529A71518F37CCCE6BF35F4", "liven:ordered-group-channel"),
        ("6D0C87273C74D7CDB7FCD65B17823F1B", "liven:group-channel"),
        ("E986DBC39CAF7ECE4ABC4E8A2CD0F65E", "liven:presence-channel"),
        ("4FF15AA1A8BD458BA3847691DF96D289", "liven:local-communication-channel"),
        ("A23A3D5432FB40BAB87181FD0943299A", "liven:shared-folder"),
    )
    for one in pair
)


class TextStore:
    """The files, and how they are told apart. What cannot be written is not, and nobody is bothered."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._written = 0

    def read(self, name: str) -> str:
        """What was written; empty if that is nothing."""
        try:
            data = read_start(self._folder / name, 4 * MOST_LETTERS, follow_links=False)
        except OSError:
            return ""
        return data.decode(errors="ignore")

    def write(self, name: str, words: str) -> None:
        """Whole or not at all."""
        with contextlib.suppress(OSError):
            self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            data = words.encode(errors="replace")
            write_file(self._folder / name, data, 0o600, sync=False, follow_links=False)
        self._written += 1
        if self._written % _LOOK_AGAIN == 0:
            self.forget_oldest()

    def forget(self, name: str) -> None:
        """What was written is not to be known any more."""
        with contextlib.suppress(OSError):
            (self._folder / name).unlink(missing_ok=True)

    def forget_oldest(self) -> None:
        """Keeps the folder small."""
        with contextlib.suppress(OSError):
            found = sorted((one.lstat().st_mtime, one) for one in self._folder.iterdir())
            for _, path in found[: max(0, len(found) - MOST_FILES)]:
                self.forget(path.name)


class TextCache:
    """What the things of one desktop are known to say, without regard to capitals: to be searched alone."""

    def __init__(self, memory: TextStore | None, soon: Callable[[Callable[[], None]], object]) -> None:
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
        if words and words != self._kept.get(name):
            self._know(name, recipe, words)

    def forget(self, recipe: str) -> None:
        """It was emptied, or taken off: what it said is known no more, here or in a later run."""
        if self.of(recipe):
            self._know(_name(recipe), recipe, "")

    def of(self, recipe: str) -> str:
        """What it said last; empty if nobody here knows."""
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
        words = self._kept.get(name, "")
        if self._memory is None:
            return
        if not words:
            self._memory.forget(name)
        elif is_open(recipe):
            self._memory.write(name, words)

    def _put(self, name: str, words: str) -> None:
        self._letters += len(words) - len(self._kept.pop(name, ""))
        self._kept[name] = words
        while self._letters > MOST_IN_MEMORY and len(self._kept) > 1:
            oldest = next(iter(self._kept))
            if oldest in self._unwritten:
                break
            self._letters -= len(self._kept.pop(oldest))


def word_memory(context: Context) -> TextStore | None:
    """Where the words of things are kept over a restart; not where the program keeps none."""
    try:
        return context.service(TextStore)
    except CallFailedError:
        return None


def is_open(recipe: str) -> bool:
    """Whether a recipe leads to channels without a lock; not so where it cannot be told."""
    try:
        thing = read(recipe.encode()).object
    except (ReadError, UnicodeError):
        return False
    return thing is not None and _is_open(thing)


def _is_open(thing: Object) -> bool:
    return _comes_openly(thing) and all(_may_stand_within(part) for _, part in parts(thing))


def _may_stand_within(thing: Object) -> bool:
    if isinstance(thing, Composite):
        return False
    named = thing.source is not None  # in a folder of channels, by whatever name
    return (named or component(thing.id) in _WITHIN) and _is_open(thing)


def _comes_openly(thing: Object) -> bool:
    if isinstance(thing, Composite):
        return False
    source = thing.source
    return source is None or (isinstance(source, Reference) and component(source.id) in _OPEN)


def _name(recipe: str) -> str:
    return hashlib.blake2b(recipe.encode(errors="replace"), digest_size=16).hexdigest()
