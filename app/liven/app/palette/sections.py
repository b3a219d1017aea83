"""The sections of the palette: new objects, the user's files, samples and the registry."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from liven.app.palette.new_objects import FRAME, FROM_FILE, KINDS, PLAIN_TEXT, Kind
from liven.runtime.dispatcher.workers import Workers
from liven.runtime.files import read_regular
from liven.runtime.folder.item_files import SUFFIX
from liven.runtime.reference.errors import ReadError
from liven.runtime.reference.model import Object, name_of
from liven.runtime.reference.well_known_keys import find_key
from liven.runtime.reference.xml import read
from liven.runtime.registry.store import Entry, RegistryStore, StoredEntry

MOST_FILES = 200
"""Most files that are read when a palette opens, and most registry entries that are listed."""
LARGEST = 1024 * 1024
SAMPLES = ("desk", "objects", "feeds", "channels")
"""The folders of samples, those with visible objects first."""


@dataclass(frozen=True, slots=True)
class Section:
    """A heading and the entries below it."""

    title: str
    kinds: tuple[Kind, ...]


@dataclass(frozen=True, slots=True)
class ExistingObject:
    """An entry for an existing object, as opposed to a new one."""

    thing: Object

    def __call__(self, name: str) -> Object:
        """Return the object with its own name; the suggested one is ignored."""
        del name
        return self.thing


_NEW = {kind.name: kind for kind in (*KINDS, PLAIN_TEXT, FRAME, FROM_FILE)}
NEW = (
    Section("Write and show", tuple(_NEW[one] for one in ("Note", "Text", "Image", "Frame"))),
    Section("Talk and decide", tuple(_NEW[one] for one in ("Chat", "Vote", "Counter", "Roster"))),
    Section(
        "Keep together",
        tuple(_NEW[one] for one in ("Desktop", "Folder", "Colour", "Caption window", "From a file…")),
    ),
)
"""The sections of new objects."""
Offers = Callable[[Callable[[tuple[Section, ...]], object]], object]
"""A function that reads the sections below the new objects and passes them to its argument later."""


def nothing_else(got: Callable[[tuple[Section, ...]], object]) -> None:
    """Offer nothing beside new objects."""
    del got


class PaletteSections:
    """A reader of the sections. Files are read in a worker thread; registry entries are judged on the main
    thread, as the registry requires."""

    def __init__(
        self,
        files: Path,
        samples: Path | None,
        book: RegistryStore | None,
        workers: Workers,
        post: Callable[[Callable[[], object]], object],
    ) -> None:
        """Read the user's objects in the folder `files`. `samples` and `book` are None if there are none."""
        self._files = files
        self._samples = samples
        self._book = book
        self._workers = workers
        self._post = post

    def ask(self, got: Callable[[tuple[Section, ...]], object]) -> None:
        """Read everything again and pass the sections to `got` soon."""
        self._workers.run(lambda: self._read(got))

    def _read(self, got: Callable[[tuple[Section, ...]], object]) -> None:
        own = kinds_in(self._files)
        samples = samples_in(self._samples, MOST_FILES - len(own))
        entries = self._look()
        sections = (Section("Your objects", tuple(own)), Section("Samples", tuple(samples)))
        self._post(lambda: got((*sections, Section("Registry", self._judged(entries)))))

    def _look(self) -> tuple[StoredEntry, ...]:
        try:
            return () if self._book is None else self._book.look()
        except OSError:
            return ()  # using the registry reports the error

    def _judged(self, found: tuple[StoredEntry, ...]) -> tuple[Kind, ...]:
        return () if self._book is None else registered(self._book.judged(found).values())


def kinds_in(folder: Path, words: str = "", most: int = MOST_FILES) -> list[Kind]:
    """Return entries for the objects in the files of a folder, leaving out files that hold none."""
    found: list[Kind] = []
    for path in sorted(folder.glob(f"*{SUFFIX}"))[:most]:
        try:
            thing = read(read_regular(path, LARGEST)).object
        except (OSError, ReadError):
            continue
        if thing is not None:
            found.append(
                Kind(name_of(thing) or path.stem, words or f"from {folder.name}", ExistingObject(thing))
            )
    return found


def samples_in(folder: Path | None, most: int = MOST_FILES) -> list[Kind]:
    """Return entries for the samples of the source checkout."""
    found: list[Kind] = []
    if folder is None:
        return found
    for name in SAMPLES:
        found += kinds_in(folder / name, f"a sample, from samples/{name}", most - len(found))
    return found


def find_samples(sources: Path) -> Path | None:
    """Return the folder of samples in the checkout that contains `sources`; None if there is none. Samples
    are not part of the installed package."""
    places = (parent / "samples" for parent in sources.resolve().parents)
    return next((one for one in places if (one / "desk" / f"welcome{SUFFIX}").is_file()), None)


def registered(entries: Iterable[Entry]) -> tuple[Kind, ...]:
    """Return entries for the usable objects in the registry."""
    usable = (one for one in sorted(entries, key=lambda one: one.key) if one.usable)
    return tuple(_entry(one.key, one.object) for one in islice(usable, MOST_FILES) if one.object is not None)


def _entry(key: str, thing: Object) -> Kind:
    known = find_key(key)
    name = known.name if known is not None else name_of(thing) or key
    words = f"registry: {known.meaning if known is not None else key}"
    return Kind(name, words, ExistingObject(thing))


def is_new(kind: Kind) -> bool:
    """Return True for an entry that makes a new object."""
    return kind.name in _NEW and _NEW[kind.name] is kind
