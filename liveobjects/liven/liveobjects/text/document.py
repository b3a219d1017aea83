"""A text that merges character by character and counts in characters.

pycrdt counts in bytes of UTF-8, and an index inside a character inserts at the end of the text, so every
index is converted here. The look of a paragraph is an attribute of the line break that ends it: `heading` (1
to 3), `list` ("bullet", "number" or "check") and `checked`. Characters carry `bold`, `italic` and `link`. The
note as a whole has settings, such as its paper."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, TypeAlias

from pycrdt import (
    Assoc,
    Doc,
    IdSet,
    Map,
    StackItem,
    StickyIndex,
    Subscription,
    Text,
    TextEvent,
    UndoManager,
    merge_updates,
)

from liven.liveobjects.text.yjs_update import SETTINGS, BrokenUpdateError, Known, check_look

Look: TypeAlias = dict[str, Any]
_NAME = "text"
OWN = "own"
"""The origin of changes made here, by which undo recognises them."""
_END = b""
"""The pinned position of the end, which pycrdt cannot express."""


@dataclass(frozen=True, slots=True)
class Run:
    """Adjacent characters with the same look."""

    text: str
    look: Look


@dataclass(frozen=True, slots=True)
class Keep:
    """A part of a delta: keep this many characters and change their look; None removes an attribute."""

    length: int
    look: Look


@dataclass(frozen=True, slots=True)
class Insert:
    """A part of a delta: insert characters."""

    text: str
    look: Look


@dataclass(frozen=True, slots=True)
class Delete:
    """A part of a delta: delete this many characters."""

    length: int


Delta: TypeAlias = tuple[Keep | Insert | Delete, ...]


@dataclass(frozen=True, slots=True)
class Marks:
    """The characters that a step deleted and inserted, as bytes."""

    removed: bytes
    wrote: bytes


@contextmanager
def refusing(what: str) -> Iterator[None]:
    """Turn a failure on foreign bytes into BrokenUpdateError, including a panic of pycrdt's native part,
    which is not an Exception."""
    try:
        yield
    except BaseException as error:
        if isinstance(error, Exception) or type(error).__name__ == "PanicException":
            raise BrokenUpdateError(f"{what}: {str(error)[:200]}") from None
        raise


class Document:
    """One replica of a text."""

    def __init__(self, update: bytes | None = None, writer: int | None = None) -> None:
        """Begin with `state`. `writer` is the replica's number, random by default. Replicas that write at
        the same time must differ in it."""
        # Keep deleted text, so that undo can restore it after a restart from anybody's checkpoint.
        self._doc: Doc[Any] = Doc(skip_gc=True, client_id=writer)
        self._text = self._doc.get(_NAME, type=Text)
        self._settings = self._doc.get(SETTINGS, type=Map)
        self._characters = ""
        self._known = Known()
        self._heard: Callable[[Delta], None] | None = None
        self._set: Callable[[], None] | None = None
        self._watch: Subscription = self._text.observe(self._changed)
        self._watch_settings: Subscription = self._settings.observe(self._setting_changed)
        if update is not None:
            self.merge(update)

    def __str__(self) -> str:
        return self._characters

    def __len__(self) -> int:
        return len(self._characters)

    def runs(self) -> tuple[Run, ...]:
        """The text, split where its look changes."""
        return tuple(Run(text, look or {}) for text, look in self._text.diff() if isinstance(text, str))

    def hear(self, heard: Callable[[Delta], None] | None, setting: Callable[[], None] | None = None) -> None:
        """Call `heard` with every change of the text from now on, and `setting` after each of a setting; None
        stops that."""
        self._heard, self._set = heard, setting

    def setting(self, name: str) -> str:
        """Return a setting of the note; empty if it was never set."""
        found = self._settings.get(name)
        return found if isinstance(found, str) else ""

    def set(self, name: str, value: str) -> bytes:
        """Change a setting and return the change as bytes; empty bytes if it has this value already."""
        if self.setting(name) == value:
            return b""
        with self._recorded() as made, self._doc.transaction(origin=OWN):
            self._settings[name] = value
        return made()

    def edit(self, delta: Delta) -> bytes:
        """Apply a delta and return it as bytes for other replicas to merge. The delta must not reach beyond
        the end."""
        reach = sum(part.length for part in delta if not isinstance(part, Insert))
        if reach > len(self):
            raise IndexError(f"the change ends at character {reach}; the text has {len(self)}")
        _check_writable(delta)
        with self._recorded() as made, self._doc.transaction(origin=OWN):
            self._write(delta)
        return made()

    def merge(self, update: bytes) -> None:
        """Apply a change of another replica. A change that is known already has no effect."""
        said = self._known.check(update)
        with refusing(f"{len(update)} bytes that are not a change of a text"):
            self._doc.apply_update(update)
        self._known.take(said)

    def replaced(self, text: str, writer: int) -> bytes:
        """Return the change that replaces the whole text by `text`, in the name of `writer`. Equal documents
        return equal changes. This document stays as it is."""
        copy = Document(self.whole(), writer)
        return copy.edit((Delete(len(copy)), Insert(text, {}))) if text else copy.edit((Delete(len(copy)),))

    def whole(self) -> bytes:
        """Return the whole document as bytes."""
        made: bytes = self._doc.get_update()
        return made

    def digest(self) -> bytes:
        """Return a hash of characters and looks. Replicas that merged the same changes have the same
        digest."""
        seen = hashlib.blake2b(digest_size=16)
        for run in self.runs():
            seen.update(ascii((run.text, _told(run.look))).encode())  # the same in every version of Python
        settings = sorted((name, value) for name, value in dict(self._settings).items())
        if settings:
            seen.update(ascii(settings).encode())
        return seen.digest()

    def is_like(self, other: Document) -> bool:
        """Return true if both documents have the same characters by the same writers."""
        return self._characters == other._characters and self._known.written == other._known.written

    def merged(self) -> list[tuple[int, int]]:
        """Return the writers in order with the amount merged from each. It is equal for replicas that merged
        the same changes, although their bytes may differ."""
        numbers = _varints(self._doc.get_state())
        return sorted((next(numbers), next(numbers)) for _ in range(next(numbers)))

    def pin(self, at: int, *, after: bool = True) -> bytes:
        """Return a position that moves with the text when others edit: before the character `after` it, or
        behind the character before it."""
        side = Assoc.AFTER if after else Assoc.BEFORE
        if after and at >= len(self):
            return _END
        pinned: bytes = self._text.sticky_index(self._byte(at), side).encode()
        return pinned

    def find(self, pinned: bytes) -> int:
        """Return the current index of a pinned position; raise BrokenUpdateError if this text has none."""
        if pinned == _END:
            return len(self)
        with refusing("a position outside this text"):
            place = StickyIndex.decode(pinned, self._text)
            if not self._has(place.to_json()):  # pycrdt panics, and writes so to standard error
                raise BrokenUpdateError("its character is not in this text")
            return self._character(place.get_index())

    def undoing(self, undo: tuple[Marks, ...], redo: tuple[Marks, ...], clock: Callable[[], int]) -> Undoing:
        """Return the undo of the changes that `edit` makes from now on, and of the given ones."""
        return Undoing(self, (self._text, self._settings), self._doc, undo, redo, clock)

    @contextmanager
    def _recorded(self) -> Iterator[Callable[[], bytes]]:
        """Collect the changes that are made meanwhile, as bytes."""
        made: list[bytes] = []
        watch = self._doc.observe(lambda event: made.append(event.update))
        try:
            yield lambda: merge_updates(*made) if made else b""
        finally:
            self._doc.unobserve(watch)
            for update in made:
                self._known.learn(update)

    def _write(self, delta: Delta) -> None:
        """Apply a delta. Characters count in the text before the change, bytes in the text so far."""
        read, at = 0, 0
        for part in delta:
            if isinstance(part, Insert):
                self._text.insert(at, part.text, part.look)
                at += len(part.text.encode())
                continue
            size = len(self._characters[read : read + part.length].encode())
            read += part.length
            if isinstance(part, Delete):
                if size:
                    del self._text[at : at + size]
            else:
                if size and part.look:
                    self._text.format(at, at + size, part.look)
                at += size

    def _changed(self, event: TextEvent) -> None:
        delta = self._in_characters(event.delta)  # type: ignore[attr-defined]  # its stub leaves it out
        self._characters = str(self._text)
        if self._heard is not None and delta:
            self._heard(delta)

    def _setting_changed(self, _event: object) -> None:
        if self._set is not None:
            self._set()

    def _in_characters(self, parts: list[dict[str, Any]]) -> Delta:
        read = 0
        old = self._characters.encode()
        made: list[Keep | Insert | Delete] = []
        for part in parts:
            look = part.get("attributes") or {}
            if "insert" in part:
                made.append(Insert(str(part["insert"]), look))
                continue
            size = int(part["retain"] if "retain" in part else part["delete"])
            length = len(old[read : read + size].decode())
            read += size
            made.append(Keep(length, look) if "retain" in part else Delete(length))
        return tuple(made)

    def _has(self, place: dict[str, Any]) -> bool:
        """Return True if a pinned position is at a character of this document, or at an end of the text."""
        character = place.get("item")
        if character is None:
            return bool(place.get("tname") == _NAME)
        return bool(character["clock"] < self._known.written.get(character["client"], 0))

    def _byte(self, at: int) -> int:
        return at if self._characters.isascii() else len(self._characters[:at].encode())

    def _character(self, at: int) -> int:
        return at if self._characters.isascii() else len(self._characters.encode()[:at].decode())


class Undoing:
    """The undo of one replica: it takes back only what this replica did, as far as it is still there."""

    def __init__(
        self,
        document: Document,
        scopes: tuple[Text, Map[Any]],
        doc: Doc[Any],
        undo: tuple[Marks, ...],
        redo: tuple[Marks, ...],
        clock: Callable[[], int],
    ) -> None:
        self._document = document
        self._manager = UndoManager(
            scopes=list(scopes),
            capture_timeout_millis=1,  # two edits at the same time by `clock` become one step
            timestamp=clock,
            undo_stack=[_stacked(doc, marks) for marks in undo],
            redo_stack=[_stacked(doc, marks) for marks in redo],
        )
        self._manager.include_origin(OWN)

    @property
    def depth(self) -> tuple[int, int]:
        """The number of steps to undo and to redo."""
        return len(self._manager.undo_stack), len(self._manager.redo_stack)

    def marks(self) -> tuple[tuple[Marks, ...], tuple[Marks, ...]]:
        """Both lists, for the undo file."""
        undo, redo = self._manager.undo_stack, self._manager.redo_stack
        return tuple(map(_marks, undo)), tuple(map(_marks, redo))

    def undo(self) -> bytes:
        """Undo the newest step that has something left. Return the change, or empty bytes if there is
        none."""
        with self._document._recorded() as made:
            self._manager.undo()
        return made()

    def redo(self) -> bytes:
        """Redo the step that was undone last."""
        with self._document._recorded() as made:
            self._manager.redo()
        return made()


def _check_writable(delta: Delta) -> None:
    """Raise ValueError before writing anything that no other replica would accept: half a character, or a
    look that is not a plain value."""
    for part in delta:
        if isinstance(part, Insert):
            part.text.encode()
        if not isinstance(part, Delete):
            for value in part.look.values():
                check_look(value)


def _told(look: Look) -> list[tuple[str, str]]:
    """Return a look in an order that is the same everywhere. pycrdt returns whole numbers as int or
    float."""
    plain = {key: float(value) if type(value) is int else value for key, value in look.items()}
    return sorted((key, ascii(value)) for key, value in plain.items())


def _stacked(doc: Doc[Any], marks: Marks) -> StackItem[None]:
    return StackItem(doc._doc, IdSet.decode(marks.removed), IdSet.decode(marks.wrote))


def _marks(item: StackItem[Any]) -> Marks:
    return Marks(item.deletions.encode(), item.insertions.encode())


def _varints(data: bytes) -> Iterator[int]:
    number = shift = 0
    for byte in data:
        number |= (byte & 0x7F) << shift
        shift += 7
        if byte < 0x80:
            yield number
            number = shift = 0
