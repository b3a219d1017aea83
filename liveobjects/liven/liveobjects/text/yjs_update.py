"""What an update of a text says, read before it is merged.

pycrdt merges what it can and keeps the rest aside until what that builds on comes; but what it keeps aside is
in no checkpoint, and an edit that cuts a character in two is written otherwise than it was read. Replicas
that began at different times would then differ for good. So an update is read here first, and refused by all
alike unless it is whole: characters and looks of the one text, built on nothing but what is there.

The form is the first one of Yjs: blocks by who wrote them, then what was removed. Whoever writes counts the
units of UTF-16 that they wrote, so a character beyond the first 65,536 counts twice.
"""

from __future__ import annotations

import json
from collections import deque
from dataclasses import dataclass
from typing import Final

ROOT: Final = "text"
LONGEST_LOOK: Final = 4_000
"""Bytes of one quality of a look, such as a link."""
_LAST: Final = 2**31
_KIND, _LEFT, _RIGHT, _NAMED = 0x1F, 0x80, 0x40, 0x20
_GONE, _REMOVED, _WRITTEN, _LOOK, _SKIPPED = 0, 1, 4, 6, 10
"""The kinds of blocks that a text is made of."""

Place = tuple[int, int]
"""Who wrote a unit, and how many they had written before it."""


class BrokenUpdateError(ValueError):
    """Bytes that are no change of a text."""


@dataclass(frozen=True, slots=True)
class Block:
    """Units that one writer wrote at one go."""

    writer: int
    start: int
    length: int
    left: Place | None = None
    """The unit that it was written behind."""
    right: Place | None = None
    """The unit that it was written before."""
    text: str = ""
    """What was written, where that is characters."""

    @property
    def end(self) -> int:
        """How much its writer has written with it."""
        return self.start + self.length


@dataclass(frozen=True, slots=True)
class Update:
    """What an update says."""

    blocks: tuple[Block, ...]
    removed: tuple[tuple[int, int, int], ...]
    """Who wrote it, from where, to where."""


class Known:
    """What was merged so far: how much of each writer, and where a character goes over two units."""

    def __init__(self, before: Known | None = None) -> None:
        """With what is known `before`, which stays as it is."""
        self.written: dict[int, int] = {} if before is None else dict(before.written)
        self._halves: set[Place] = set()
        """The second units of characters that have two."""
        self._earlier: set[Place] = set() if before is None else before._halves

    def learn(self, update: bytes) -> None:
        """Takes in what was written here."""
        if update:
            for block in read_update(update).blocks:
                self._take(block)

    def check(self, update: bytes) -> Update:
        """What an update says that can be merged now; BrokenUpdateError says why another cannot."""
        said = read_update(update)
        fresh = Known(self)
        fresh._build(said.blocks)
        for writer, start, end in said.removed:
            if end > fresh.written.get(writer, 0):
                raise BrokenUpdateError("it removes what is not there")
            fresh._check_cut((writer, start))
            fresh._check_cut((writer, end))
        return said

    def take(self, said: Update) -> None:
        """It was merged."""
        for block in said.blocks:
            self._take(block)

    def _take(self, block: Block) -> None:
        before = self.written.get(block.writer, 0)
        self._halves.update(one for one in _halves_of(block) if one[1] >= before)
        self.written[block.writer] = max(before, block.end)

    def _build(self, blocks: tuple[Block, ...]) -> None:
        """Puts blocks in, each when what it builds on is there; none may be left over."""
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
            raise BrokenUpdateError("it builds on an edit that is not here")

    def _advance(self, blocks: deque[Block]) -> int | None:
        """Puts in what can be of one writer's; whom the next waits for, if there is one."""
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
        """The writer of something that a block builds on and that is not there."""
        if block.start > self.written.get(block.writer, 0):
            return block.writer
        for beside in (block.left, block.right):
            if beside is not None and beside[1] >= self.written.get(beside[0], 0):
                return beside[0]
        return None

    def _check_block(self, block: Block) -> None:
        if block.end > _LAST:
            raise BrokenUpdateError("nobody has written so much")
        if block.left is not None:
            self._check_cut((block.left[0], block.left[1] + 1))
        if block.right is not None:
            self._check_cut(block.right)
        if (block.writer, self.written.get(block.writer, 0)) in _halves_of(block):
            raise BrokenUpdateError("it begins within a character")

    def _check_cut(self, place: Place) -> None:
        if place in self._halves or place in self._earlier:
            raise BrokenUpdateError("it cuts a character in two")


def read_update(update: bytes) -> Update:
    """What an update says; BrokenUpdateError for what is no update of a text."""
    reader = _Reader(update)
    try:
        blocks = tuple(block for _ in range(reader.number()) for block in reader.blocks())
        removed = tuple(one for _ in range(reader.number()) for one in reader.removed())
        if reader.at != len(update):
            raise BrokenUpdateError("it goes on behind its end")
    except (IndexError, UnicodeDecodeError, BrokenUpdateError) as error:
        why = str(error) if isinstance(error, BrokenUpdateError) else "it ends within a block"
        raise BrokenUpdateError(f"{len(update)} bytes that are no change of a text: {why}") from None
    return Update(blocks, removed)


class _Reader:
    """Goes through the bytes of an update."""

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
                raise BrokenUpdateError("a number that is too large")

    def text(self) -> str:
        size = self.number()
        if self.at + size > len(self._data):
            raise IndexError
        self.at += size
        return self._data[self.at - size : self.at].decode()

    def place(self) -> Place:
        return self.number(), self.number()

    def blocks(self) -> list[Block]:
        """All of one writer."""
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
                raise BrokenUpdateError("it writes nothing")
            made.append(block)
            at = block.end
        return made

    def removed(self) -> list[tuple[int, int, int]]:
        """All that was removed of one writer's."""
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
            self._parent()
        if about & _NAMED and left is None and right is None:
            raise BrokenUpdateError("it is of something else than the text")
        length, text = self._content(kind)
        return Block(writer, start, length, left, right, text)

    def _parent(self) -> None:
        if self.number() != 1 or self.text() != ROOT:
            raise BrokenUpdateError("it is of something else than the text")

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
        raise BrokenUpdateError("it writes what is no text")


def units(text: str) -> int:
    """How many units of UTF-16 a text has."""
    return len(text) if text.isascii() else len(text.encode("utf-16-le")) // 2


def _halves_of(block: Block) -> list[Place]:
    """The second units of the characters of a block that have two."""
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
    """BrokenUpdateError unless a quality of a look is one plain value, and not a long one."""
    if value is not None and not isinstance(value, bool | int | float | str):
        raise BrokenUpdateError("a look that is no plain value")
    if isinstance(value, str) and len(value.encode()) > LONGEST_LOOK:
        raise BrokenUpdateError(f"a look of {len(value):,} characters; {LONGEST_LOOK:,} bytes are the most")


def _value(told: str) -> object:
    try:
        return json.loads(told)
    except (ValueError, RecursionError):
        raise BrokenUpdateError("a look that cannot be read") from None
