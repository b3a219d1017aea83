"""Frames: messages on a stream of bytes, each its length in four bytes and a MessagePack list."""

from __future__ import annotations

import struct
from collections.abc import Iterator
from typing import Any

import msgpack  # type: ignore[import-untyped]  # it has no stubs

from liven.runtime.files import size_and_limit
from liven.types.codec.prescan import demand_few_items

LARGEST = 16 * 2**20
"""The most bytes in one frame."""
MOST_ITEMS = 1 << 16
"""The most items in the lists of one message. Values travel as bytes, so a message has few, and the form of a
type some hundreds."""
_LENGTH = struct.Struct(">I")


class FrameError(ValueError):
    """Bytes that are not a frame; the stream cannot go on after them."""


def pack(*message: object) -> bytes:
    """Return the frame of a message; raise FrameError if it is too large."""
    body: bytes = msgpack.packb(message)
    if len(body) > LARGEST:
        raise FrameError(f"a message has {size_and_limit(len(body), LARGEST)}")
    return _LENGTH.pack(len(body)) + body


class Parser:
    """Collects bytes and returns complete messages."""

    def __init__(self, largest: int = LARGEST) -> None:
        self._largest = largest
        self._buffer = bytearray()

    def feed(self, data: bytes) -> Iterator[list[Any]]:
        """Return the messages that `data` completes; raise FrameError."""
        self._buffer += data
        while len(self._buffer) >= _LENGTH.size:
            (length,) = _LENGTH.unpack_from(self._buffer)
            if length > self._largest:
                raise FrameError(f"a frame has {size_and_limit(length, self._largest)}")
            end = _LENGTH.size + length
            if len(self._buffer) < end:
                return
            body = bytes(self._buffer[_LENGTH.size : end])
            del self._buffer[:end]
            yield _message(body)


def _message(body: bytes) -> list[Any]:
    try:
        demand_few_items(body, MOST_ITEMS)
        message = msgpack.unpackb(body)
    except Exception as error:  # msgpack raises several kinds of errors
        raise FrameError(f"a frame is not MessagePack: {error}") from error
    if not isinstance(message, list) or not message or not isinstance(message[0], str):
        raise FrameError("a frame is not a message, which is a list that begins with a name")
    return message
