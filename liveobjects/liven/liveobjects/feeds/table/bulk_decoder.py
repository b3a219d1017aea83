"""Decoding many payloads of one plain type at once, column by column.

Most recorded values are records of numbers, texts and truth values, and all encoders write their fields in
one order. numpy then walks through all payloads of a block in step: one operation for each part of the form,
not for each value, which is several times faster than decoding them one by one. A payload that differs in any
way (another order, a text that is not ASCII, a value out of its bounds, damage) is left to the codec, whose
verdict counts."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

import msgpack  # type: ignore[import-untyped]
import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from liven.types.terms.value_types import Float, Integer, OptionalOf, Record, Scalar, ValueType

Mask: TypeAlias = npt.NDArray[np.bool_]
Places: TypeAlias = npt.NDArray[np.int64]
_LONGEST_KEY: Final = 256
_PAD: Final = _LONGEST_KEY + 32
"""Zero bytes behind the payloads, so that nothing is read beyond the end."""
_NIL, _FALSE, _TRUE, _FLOAT32, _FLOAT64 = 0xC0, 0xC2, 0xC3, 0xCA, 0xCB
_UNSIGNED: Final = ((0xCC, ">u1", 1), (0xCD, ">u2", 2), (0xCE, ">u4", 4), (0xCF, ">u8", 8))
_SIGNED: Final = ((0xD0, ">i1", 1), (0xD1, ">i2", 2), (0xD2, ">i4", 4), (0xD3, ">i8", 8))
_TEXT_SIZES: Final = ((0xD9, ">u1", 1), (0xDA, ">u2", 2), (0xDB, ">u4", 4))
_BYTES_SIZES: Final = ((0xC4, ">u1", 1), (0xC5, ">u2", 2), (0xC6, ">u4", 4))
_MOST_FIELDS: Final = 15
_ID: Final = 16
_SIGNED_MOST: Final = 2**63 - 1


@dataclass(slots=True)
class _Cursor:
    """A place in each of the payloads, and which of them are as expected so far."""

    data: npt.NDArray[np.uint8]
    at: Places
    stops: Places
    good: Mask
    high: npt.NDArray[np.int64] | None = None
    """For each place, the number of bytes before it that are not ASCII; made when it is needed."""

    def view(self, kind: str, offset: int = 0) -> npt.NDArray[Any]:
        """Return the number of this kind at each place, whatever its alignment."""
        size = np.dtype(kind).itemsize
        every = np.ndarray((len(self.data) - size + 1,), kind, self.data, strides=(1,))
        return every[self.at + offset]

    def move(self, steps: Places | int) -> None:
        """Go on in the payloads that are good; a step beyond the end makes one bad."""
        there = self.at + steps
        self.good &= there <= self.stops
        self.at = np.where(self.good, there, self.at)

    def demand(self, mask: Mask) -> None:
        self.good &= mask

    def ascii(self, starts: Places, lengths: Places) -> Mask:
        """Return for each payload whether the bytes there are ASCII."""
        if self.high is None:
            self.high = np.concatenate(([0], np.cumsum(self.data >= 0x80)))
        found: Mask = self.high[starts + lengths] == self.high[starts]
        return found


Reader: TypeAlias = Callable[[_Cursor], pa.Array]


@dataclass(frozen=True, slots=True)
class BulkDecoder:
    """Decodes payloads of one type."""

    parts: tuple[tuple[str, bytes, Reader], ...]
    """The name of each field, the bytes of its key, and the function for its value."""
    head: bytes

    @classmethod
    def of(cls, type_: ValueType) -> BulkDecoder | None:
        """Return a decoder, or None if values of the type have no fixed form."""
        fields = type_.fields if isinstance(type_, Record) else (("", type_),)
        readers = [(name, _reader(part)) for name, part in fields]
        if not readers or len(readers) > _MOST_FIELDS:
            return None
        found = []
        for name, reader in readers:
            if reader is None:
                return None
            key = msgpack.packb(name) if isinstance(type_, Record) else b""
            if len(key) > _LONGEST_KEY:
                return None
            found.append((name, key, reader))
        return cls(tuple(found), bytes([0x80 | len(readers)]) if isinstance(type_, Record) else b"")

    def decode(self, payload: memoryview, starts: Places, stops: Places) -> tuple[Mask, dict[str, pa.Array]]:
        """Return which of the payloads between these places were decoded, and the parts of all. The parts of
        the others are without meaning."""
        data = np.zeros(len(payload) + _PAD, np.uint8)
        data[: len(payload)] = np.frombuffer(payload, np.uint8)
        cursor = _Cursor(data, starts, stops, np.ones(len(starts), np.bool_))
        _skip(cursor, self.head)
        found = {}
        for name, key, read in self.parts:
            _skip(cursor, key)
            found[name] = read(cursor)
        cursor.demand(cursor.at == cursor.stops)
        return cursor.good, found


def _skip(cursor: _Cursor, expected: bytes) -> None:
    """Go over bytes that are the same in every payload."""
    for start in range(0, len(expected), 8):
        part = expected[start : start + 8]
        mask = np.uint64((1 << 8 * len(part)) - 1)
        cursor.demand(cursor.view("<u8", start) & mask == np.uint64(int.from_bytes(part, "little")))
    cursor.move(len(expected))


def _reader(type_: ValueType) -> Reader | None:
    match type_:
        case OptionalOf(item):
            inner = _plain_reader(item)
            return None if inner is None else lambda cursor: _optional(cursor, inner)
        case _:
            return _plain_reader(type_)


def _plain_reader(type_: ValueType) -> Reader | None:
    match type_:
        case Float(64):
            return lambda cursor: _float(cursor, _FLOAT64, ">f8")
        case Float(32):
            return lambda cursor: _float(cursor, _FLOAT32, ">f4")
        case Integer(low, high) if low >= -_SIGNED_MOST - 1 and high <= _SIGNED_MOST:
            return lambda cursor: _integer(cursor, low, high)
        case Scalar("bool"):
            return _truth
        case Scalar("text"):
            return _text
        case Scalar("bytes"):
            return lambda cursor: _bytes(cursor, None)
        case Scalar("id"):
            return lambda cursor: _bytes(cursor, _ID)
        case _:
            return None


def _optional(cursor: _Cursor, read: Reader) -> pa.Array:
    """Read values of which some are nil."""
    nil = (cursor.data[cursor.at] == _NIL) & (cursor.at < cursor.stops)
    if not nil.any():
        return read(cursor)
    good, at = cursor.good, cursor.at
    cursor.good = good & ~nil
    column = read(cursor)
    cursor.at = np.where(nil & good, at + 1, cursor.at)
    cursor.good = np.where(nil, good, cursor.good)
    return pc.if_else(pa.array(nil), pa.scalar(None, column.type), column)


def _float(cursor: _Cursor, tag: int, kind: str) -> pa.Array:
    cursor.demand(cursor.data[cursor.at] == tag)
    with np.errstate(invalid="ignore"):  # a garbled number may be a signalling NaN
        values = cursor.view(kind, 1).astype(np.float64)
    cursor.move(1 + np.dtype(kind).itemsize)
    return pa.array(values)


def _truth(cursor: _Cursor) -> pa.Array:
    tags = cursor.data[cursor.at]
    cursor.demand((tags == _TRUE) | (tags == _FALSE))
    cursor.move(1)
    return pa.array(tags == _TRUE)


def _integer(cursor: _Cursor, low: int, high: int) -> pa.Array:
    tags = cursor.data[cursor.at]
    small = (tags < 0x80) | (tags >= 0xE0)
    values = tags.view(np.int8).astype(np.int64)
    steps = np.ones(len(tags), np.int64)
    known = small
    if not small.all():
        for tag, kind, size in (*_UNSIGNED, *_SIGNED):
            mask = tags == tag
            if mask.any():
                found = cursor.view(kind, 1)
                if tag == 0xCF:
                    mask &= found <= _SIGNED_MOST
                values = np.where(mask, found.astype(np.int64), values)
                steps[mask] = 1 + size
                known = known | mask
    cursor.demand(known & (values >= low) & (values <= high))
    cursor.move(steps)
    return pa.array(values)


def _text(cursor: _Cursor) -> pa.Array:
    tags = cursor.data[cursor.at]
    short = (tags & 0xE0) == 0xA0
    lengths = np.where(short, tags & 0x1F, 0).astype(np.int64)
    starts, lengths = _sized(cursor, tags, short, lengths, _TEXT_SIZES)
    safe = np.where(cursor.good, lengths, 0)
    cursor.demand(cursor.ascii(np.where(cursor.good, starts, 0), safe))
    return _gathered(cursor, starts, np.where(cursor.good, lengths, 0), pa.string())


def _bytes(cursor: _Cursor, size: int | None) -> pa.Array:
    tags = cursor.data[cursor.at]
    none = np.zeros(len(tags), np.bool_)
    starts, lengths = _sized(cursor, tags, none, np.zeros(len(tags), np.int64), _BYTES_SIZES)
    if size is not None:
        cursor.demand(lengths == size)
    return _gathered(cursor, starts, np.where(cursor.good, lengths, 0), pa.binary())


def _sized(
    cursor: _Cursor,
    tags: npt.NDArray[np.uint8],
    known: Mask,
    lengths: Places,
    sizes: Sequence[tuple[int, str, int]],
) -> tuple[Places, Places]:
    """Return where texts or bytes begin and their lengths, and go behind them."""
    heads = np.ones(len(tags), np.int64)
    for tag, kind, size in sizes:
        mask = tags == tag
        if mask.any():
            lengths = np.where(mask, cursor.view(kind, 1).astype(np.int64), lengths)
            heads[mask] = 1 + size
            known = known | mask
    cursor.demand(known)
    starts = cursor.at + heads
    cursor.move(heads + lengths)
    return starts, lengths


def _gathered(cursor: _Cursor, starts: Places, lengths: Places, kind: pa.DataType) -> pa.Array:
    """Return the bytes at these places as an array of texts or bytes."""
    ends = np.zeros(len(lengths) + 1, np.int32)
    np.cumsum(lengths, out=ends[1:])
    sources = np.repeat(starts - ends[:-1], lengths) + np.arange(int(ends[-1]), dtype=np.int64)
    return pa.Array.from_buffers(
        kind, len(lengths), [None, pa.py_buffer(ends), pa.py_buffer(cursor.data[sources])]
    )
