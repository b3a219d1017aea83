"""Message batches: messages of one group that are delivered together, without copying.

They are for applications that receive more messages than one call for each allows. Numbers and lengths are
read without a loop, and native code (numpy, C) gets addresses; payloads are copied only on request.
"""

from __future__ import annotations

import ctypes
from array import array
from collections.abc import Callable, Iterator, Sequence

from liven.multicast.group import Delivery

ROW = 10
"""The count of numbers of a message in a batch."""
_GROUP, _SENDER, _NUMBER, _LENGTH = 3, 4, 5, 9
MANY_MOST, BLOCK_MOST = 8192, 32 * 1024 * 1024
"""The most messages, and the most bytes, that one call may send."""


class Batch:
    """Messages of one group, oldest first. Invalid when the function that received it returns."""

    __slots__ = ("_addresses", "_kept", "_words", "size")

    def __init__(
        self, words: memoryview, addresses: memoryview, size: int, kept: Sequence[bytes] = ()
    ) -> None:
        self._words = words
        self._addresses = addresses
        self._kept = kept
        self.size = size
        """The size of all of them together, in bytes."""

    @classmethod
    def of(cls, deliveries: Sequence[Delivery]) -> Batch:
        """Make a batch of messages that were delivered one by one."""
        words, addresses = array("Q"), array("Q")
        for each in deliveries:
            words.extend((1, 0, 0, 0, each.sender, each.number, 0, 0, 0, len(each.payload)))
            addresses.append(ctypes.cast(ctypes.c_char_p(each.payload), ctypes.c_void_p).value or 0)
        kept = [each.payload for each in deliveries]
        return cls(memoryview(words), memoryview(addresses), sum(map(len, kept)), kept)

    @property
    def group(self) -> int:
        """The number that the engine gave the group."""
        return int(self._words[_GROUP])

    def __len__(self) -> int:
        return len(self._addresses)

    @property
    def senders(self) -> memoryview:
        """The short name of the sender of each message."""
        return self._words[_SENDER::ROW]

    @property
    def numbers(self) -> memoryview:
        """The number of each message. Those of one sender in one group are consecutive."""
        return self._words[_NUMBER::ROW]

    @property
    def lengths(self) -> memoryview:
        """The size of each message in bytes."""
        return self._words[_LENGTH::ROW]

    @property
    def addresses(self) -> memoryview:
        """The address of the bytes of each message, for native code; valid until the batch ends."""
        return self._addresses[:]

    def payload(self, index: int) -> bytes:
        """Return a copy of one payload. Raise ValueError if the batch has ended."""
        return ctypes.string_at(self._addresses[index], self._words[index * ROW + _LENGTH])

    def payloads(self) -> Iterator[bytes]:
        """Yield a copy of each payload."""
        return map(ctypes.string_at, self._addresses, self.lengths)

    def end(self) -> None:
        """End the batch; called by the engine that delivered it."""
        self._words.release()
        self._addresses.release()
        self._kept = ()


def check_block(block: bytes | bytearray | memoryview, lengths: array[int]) -> None:
    """Check that the block can be cut into messages of these lengths. Raise TypeError or ValueError."""
    if lengths.typecode != "I":
        raise TypeError(f"lengths are an array of typecode 'I', not {lengths.typecode!r}")
    size = memoryview(block).nbytes
    if not 1 <= len(lengths) <= MANY_MOST or size > BLOCK_MOST:
        raise ValueError(
            f"one call sends from 1 to {MANY_MOST} messages, at most {BLOCK_MOST} bytes together"
        )
    if sum(lengths) != size:
        raise ValueError(f"the lengths are {sum(lengths)} together, and the block has {size} bytes")


TakeBatch = Callable[[Batch], None]
