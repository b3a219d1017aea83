"""The messages between the sender and the receivers of files. Anything else on the group is ignored."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from msgpack import UnpackException, packb, unpackb  # type: ignore[import-untyped]  # it has no stubs

CHUNK = 32 * 1024
RANGES_MOST = 1000
FILES_MOST = 10_000
_SIZE_MOST = 2**50


@dataclass(frozen=True, slots=True)
class Offered:
    """A file in an offer."""

    name: str
    size: int
    digest: bytes


@dataclass(frozen=True, slots=True)
class Offer:
    """The sender's list of files, repeated for every newcomer and after every pass."""

    transfer: bytes
    files: tuple[Offered, ...]
    passed: int
    """The number of finished passes; receivers answer each of them."""


@dataclass(frozen=True, slots=True)
class Need:
    """A receiver's list of missing parts of one file; empty, with a `problem`, if it refuses the file."""

    transfer: bytes
    receiver: bytes
    passed: int
    file: int
    missing: tuple[tuple[int, int], ...]
    problem: str


@dataclass(frozen=True, slots=True)
class Data:
    """A part of a file."""

    transfer: bytes
    file: int
    offset: int
    content: bytes


Message = Offer | Need | Data


def is_plain(name: str) -> bool:
    """Return True if a receiver accepts a file of this name: not hidden, and without a path."""
    if not name.isprintable() or "/" in name or name.startswith("."):
        return False
    return 0 < len(name.encode()) <= 255


def pack(message: Message) -> bytes:
    """Return the bytes of a message."""
    match message:
        case Offer(transfer, files, passed):
            rows = [[each.name, each.size, each.digest] for each in files]
            return bytes(packb([1, transfer, rows, passed]))
        case Need(transfer, receiver, passed, file, missing, problem):
            words = problem.encode(errors="replace").decode()  # it may contain a path that is not valid text
            return bytes(packb([2, transfer, receiver, passed, file, missing, words]))
        case Data(transfer, file, offset, content):
            return bytes(packb([3, transfer, file, offset, content]))


def unpack(payload: bytes) -> Message | None:
    """Return the message; None for other bytes."""
    try:
        kind, *rest = unpackb(payload, use_list=False)
        return _READERS[kind](*rest)
    except (ValueError, TypeError, KeyError, UnpackException):
        return None


def _expect(true: bool) -> None:
    if not true:
        raise ValueError("not a message of a file transfer")


def _number(value: Any, most: int = _SIZE_MOST) -> int:
    _expect(isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= most)
    return int(value)


def _bytes(value: Any, most: int) -> bytes:
    _expect(isinstance(value, bytes) and len(value) <= most)
    return bytes(value)


def _offer(transfer: Any, rows: Any, passed: Any) -> Offer:
    _expect(isinstance(rows, tuple) and len(rows) <= FILES_MOST)
    files = tuple(Offered(_name(name), _number(size), _bytes(digest, 64)) for name, size, digest in rows)
    _expect(len({each.name for each in files}) == len(files))
    return Offer(_bytes(transfer, 16), files, _number(passed))


def _name(value: Any) -> str:
    """Check a file name."""
    _expect(isinstance(value, str) and is_plain(value))
    return str(value)


def _need(transfer: Any, receiver: Any, passed: Any, file: Any, missing: Any, problem: Any) -> Need:
    _expect(isinstance(missing, tuple) and len(missing) <= RANGES_MOST and isinstance(problem, str))
    ranges = tuple((_number(first), _number(end)) for first, end in missing)
    _expect(all(first < end for first, end in ranges))
    return Need(
        _bytes(transfer, 16), _bytes(receiver, 16), _number(passed), _number(file), ranges, problem[:500]
    )


def _data(transfer: Any, file: Any, offset: Any, content: Any) -> Data:
    return Data(_bytes(transfer, 16), _number(file), _number(offset), _bytes(content, CHUNK))


_READERS: dict[object, Callable[..., Message]] = {1: _offer, 2: _need, 3: _data}
