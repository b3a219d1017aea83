"""Updates of a text in Yjs's format, checked before they are merged.

pycrdt merges what it can and sets the rest aside until its context arrives. But no checkpoint contains what
is set aside, and an edit that splits a character is written differently from how it was read, so replicas
that started at different times would differ for good. Therefore every replica reads an update here first, and
refuses it unless it is complete: characters and looks of this text, or settings of the note, based only on
what is present.

The format is version 1 of Yjs: blocks by writer, then deletions. Each writer counts the UTF-16 units that it
wrote, so a character beyond the first 65,536 counts twice.
https://github.com/yjs/yjs/blob/main/INTERNALS.md"""

from __future__ import annotations

import json
from collections import deque
from dataclasses import dataclass
from typing import Final

ROOT: Final = "text"
SETTINGS: Final = "note"
"""The name of the map that holds the note's settings."""
SETTING_NAMES: Final = frozenset({"paper", "size"})
LONGEST_SETTING: Final = 100
"""The most bytes of a setting's value."""
LONGEST_LOOK: Final = 4_000
"""The most bytes of one attribute, such as a link."""
_LAST: Final = 2**31
_A_TEXT: Final = 119
"""The mark of a text among the values of a map."""
_KIND, _LEFT, _RIGHT, _NAMED = 0x1F, 0x80, 0x40, 0x20
_GONE, _REMOVED, _WRITTEN, _LOOK, _SETTING, _SKIPPED = 0, 1, 4, 6, 8, 10
"""The kinds of blocks in an update."""

Place = tuple[int, int]
"""A unit: its writer, and the number of units by that writer before it."""


class BrokenUpdateError(ValueError):
    """Bytes that are not a valid change of a text."""


@dataclass(frozen=True, slots=True)
class Block:
    """Units that one writer wrote in one step."""

    writer: int
    start: int
    length: int
    left: Place | None = None
    """The unit before it when it was written."""
    right: Place | None = None
    """The unit after it when it was written."""
    text: str = ""
    """The text, for a block of characters."""
    is_setting: bool = False
    """True for the value of a setting, which is no part of the text."""

    @property
    def end(self) -> int:
        """The number of units that its writer has written after it."""
        return self.start + self.length


@dataclass(frozen=True, slots=True)
class Update:
    """The content of an update."""

    blocks: tuple[Block, ...]
    removed: tuple[tuple[int, int, int], ...]
    """Ranges: the writer, the first unit and the unit after the last."""


class Known:
    """The merged units of each writer, and the places where a character takes two units."""

    def __init__(self, before: Known | None = None) -> None:
        """Begin with a copy of `before`."""
        self.written: dict[int, int] = {} if before is None else dict(before.written)
        self._halves: set[Place] = set()
        """The second units of two-unit characters."""
        self._earlier: set[Place] = set() if before is None else before._halves
        self._settings: set[Place] = set() if before is None else set(before._settings)
        """The units that are values of settings."""

    def learn(self, update: bytes) -> None:
        """Add what was written here."""
        if update:
            for block in read_update(update).blocks:
                self._take(block)

    def check(self, update: bytes) -> Update:
        """Return the content of an update that can be merged now. Raise BrokenUpdateError otherwise."""
        said = read_update(update)
        fresh = Known(self)
        fresh._build(said.blocks)
        for writer, start, end in said.removed:
            if end > fresh.written.get(writer, 0):
                raise BrokenUpdateError("it deletes unknown characters")
            fresh._check_cut((writer, start))
            fresh._check_cut((writer, end))
        return said

    def take(self, said: Update) -> None:
        """Add a merged update."""
        for block in said.blocks:
            self._take(block)

    def _take(self, block: Block) -> None:
        before = self.written.get(block.writer, 0)
        self._halves.update(one for one in _halves_of(block) if one[1] >= before)
        if block.is_setting:
            self._settings.add((block.writer, block.start))
        self.written[block.writer] = max(before, block.end)

    def _build(self, blocks: tuple[Block, ...]) -> None:
        """Add blocks, each after its context; none may remain."""
        waiting: dict[int, deque[Block]] = {}
        for block in blocks:
            waiting.setdefault(block.writer, deque()).append(block)
        asked: dict[int, set[int]] = {}
        ready = deque(waiting)
        while ready:
            writer = ready.popleft()
            left = len(waiting[writer])
            wants = self._advance(waiting[writer])
            if wants is not None:
                asked.setdefault(wants, set()).add(writer)
            if len(waiting[writer]) < left:
                ready.extend(sorted(asked.pop(writer, ())))
        if any(waiting.values()):
            raise BrokenUpdateError("it is based on a missing edit")

    def _advance(self, blocks: deque[Block]) -> int | None:
        """Add the possible blocks of one writer. Return the writer that the next block waits for, if any."""
        while blocks:
            block = blocks[0]
            if block.end > self.written.get(block.writer, 0):
                wants = self._missing(block)
                if wants is not None:
                    return wants
                self._check_block(block)
            self._take(blocks.popleft())
        return None

    def _missing(self, block: Block) -> int | None:
        """Return the writer of something missing that a block is based on."""
        if block.start > self.written.get(block.writer, 0):
            return block.writer
        for beside in (block.left, block.right):
            if beside is not None and beside[1] >= self.written.get(beside[0], 0):
                return beside[0]
        return None

    def _check_block(self, block: Block) -> None:
        if block.end > _LAST:
            raise BrokenUpdateError("it refers to text that was never written")
        for beside in (block.left, block.right):
            if beside is not None and (beside in self._settings) is not block.is_setting:
                raise BrokenUpdateError("it mixes settings and text")
        if block.left is not None:
            self._check_cut((block.left[0], block.left[1] + 1))
        if block.right is not None:
            self._check_cut(block.right)
        if (block.writer, self.written.get(block.writer, 0)) in _halves_of(block):
            raise BrokenUpdateError("it starts inside a character")

    def _check_cut(self, place: Place) -> None:
        if place in self._halves or place in self._earlier:
            raise BrokenUpdateError("it splits a character")


def read_update(update: bytes) -> Update:
    """Decode an update. Raise BrokenUpdateError if it is invalid."""
    reader = _Reader(update)
    try:
        blocks = tuple(block for _ in range(reader.number()) for block in reader.blocks())
        removed = tuple(one for _ in range(reader.number()) for one in reader.removed())
        if reader.at != len(update):
            raise BrokenUpdateError("it continues after its end")
    except (IndexError, UnicodeDecodeError, BrokenUpdateError) as error:
        why = str(error) if isinstance(error, BrokenUpdateError) else "it ends inside a block"
        raise BrokenUpdateError(f"{len(update)} bytes that are not a change of a text: {why}") from None
    return Update(blocks, removed)


class _Reader:
    """A reader over the bytes of an update."""

    def __init__(self, data: bytes) -> None:
        self._data = data
        self.at = 0

    def number(self) -> int:
        value = shift = 0
        while True:
            byte = self._data[self.at]
            self.at += 1
            value |= (byte & 0x7F) << shift
            if byte < 0x80:
                return value
            shift += 7
            if shift > 63:
                raise BrokenUpdateError("a number is too large")

    def text(self) -> str:
        size = self.number()
        if self.at + size > len(self._data):
            raise IndexError
        self.at += size
        return self._data[self.at - size : self.at].decode()

    def place(self) -> Place:
        return self.number(), self.number()

    def blocks(self) -> list[Block]:
        """Read all blocks of one writer."""
        count, writer, at = self.number(), self.number(), self.number()
        made: list[Block] = []
        for _ in range(count):
            kind = self._data[self.at] & _KIND
            if kind == _SKIPPED:
                self.at += 1
                at += self.number()
                continue
            block = self._block(writer, at)
            if block.length < 1:
                raise BrokenUpdateError("it inserts nothing")
            made.append(block)
            at = block.end
        return made

    def removed(self) -> list[tuple[int, int, int]]:
        """Read all deletions from one writer."""
        writer, found = self.number(), []
        for _ in range(self.number()):
            start, length = self.number(), self.number()
            found.append((writer, start, start + length))
        return found

    def _block(self, writer: int, start: int) -> Block:
        about = self._data[self.at]
        self.at += 1
        kind = about & _KIND
        if kind == _GONE:
            return Block(writer, start, self.number())
        left = self.place() if about & _LEFT else None
        right = self.place() if about & _RIGHT else None
        if left is None and right is None:
            self._parent(is_setting=kind == _SETTING, named=bool(about & _NAMED))
        if kind == _SETTING:
            self._setting()
            return Block(writer, start, 1, left, right, is_setting=True)
        length, text = self._content(kind)
        return Block(writer, start, length, left, right, text)

    def _parent(self, *, is_setting: bool, named: bool) -> None:
        root = SETTINGS if is_setting else ROOT
        if self.number() != 1 or self.text() != root or named is not is_setting:
            raise BrokenUpdateError("it changes something other than the text")
        if named and self.text() not in SETTING_NAMES:
            raise BrokenUpdateError("it changes an unknown setting")

    def _setting(self) -> None:
        """Read the value of a setting, one short text."""
        if self.number() != 1 or self.number() != _A_TEXT:
            raise BrokenUpdateError("a setting that is not one text")
        if len(self.text().encode()) > LONGEST_SETTING:
            raise BrokenUpdateError("a setting that is too long")

    def _content(self, kind: int) -> tuple[int, str]:
        if kind == _WRITTEN:
            text = self.text()
            return units(text), text
        if kind == _REMOVED:
            return self.number(), ""
        if kind == _LOOK:
            self.text()
            check_look(_value(self.text()))
            return 1, ""
        raise BrokenUpdateError("it inserts something other than text")


def units(text: str) -> int:
    """Return the number of UTF-16 units of a text."""
    return len(text) if text.isascii() else len(text.encode("utf-16-le")) // 2


def _halves_of(block: Block) -> list[Place]:
    """Return the places of the second units of a block's two-unit characters."""
    if block.text.isascii() or max(block.text) < "\U00010000":
        return []
    found, at = [], block.start
    for letter in block.text:
        at += 1
        if letter >= "\U00010000":
            found.append((block.writer, at))
            at += 1
    return found


def check_look(value: object) -> None:
    """Raise BrokenUpdateError unless an attribute of a look is one short plain value."""
    if value is not None and not isinstance(value, bool | int | float | str):
        raise BrokenUpdateError("a look that is not a plain value")
    if isinstance(value, str) and len(value.encode()) > LONGEST_LOOK:
        raise BrokenUpdateError(f"a look of {len(value):,} characters; the limit is {LONGEST_LOOK:,} bytes")


def _value(told: str) -> object:
    try:
        return json.loads(told)
    except (ValueError, RecursionError):
        raise BrokenUpdateError("an unreadable look") from None
