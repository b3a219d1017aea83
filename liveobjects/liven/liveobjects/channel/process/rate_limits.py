"""The most that one object may send: token buckets for bytes and messages, where its messages are submitted.

An object may send a burst at once. Then it sends at a steady rate: what exceeds it waits, up to a bound, and
what exceeds that is refused. Objects that ask for room first (`api/backpressure`) refuse the edit and say
why.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final
from weakref import WeakSet

from liven.liveobjects.channel.ordering import ChannelBusyError
from liven.runtime.files import readable_size
from liven.runtime.token_bucket import TokenBucket

_WAITING_MOST: Final = 1_000
"""Messages of one object that may wait for their turn."""
_WAITING_BYTES: Final = 4_000_000
"""Bytes of them."""
_SOONEST: Final = 0.02
"""Seconds between two attempts, so that many small messages share one."""
_LATEST: Final = 60.0
"""Seconds between two attempts at most: a timer has no room for a rate of almost nothing."""
_SHOWN: Final = 5.0
"""Seconds after the last delayed message in which an object still counts as limited."""


@dataclass(frozen=True, slots=True)
class RateLimits:
    """The limits of each object. A rate of 0 means that there is none."""

    bytes_per_second: float = 1e6
    burst_bytes: float = 32e6
    """More than the largest picture, which is sent as one burst."""
    messages_per_second: float = 1_000.0
    burst_messages: float = 10_000.0

    def __str__(self) -> str:
        found = []
        if self.bytes_per_second:
            found.append(f"{readable_size(round(self.bytes_per_second))} a second")
        if self.messages_per_second:
            found.append(f"{self.messages_per_second:,.0f} messages a second")
        return " and ".join(found)


DEFAULT: Final = RateLimits()


class RateGate:
    """The gate of one object on one channel: everything that it sends goes through."""

    __slots__ = (
        "__weakref__",
        "_bytes",
        "_late",
        "_limits",
        "_messages",
        "_now",
        "_size",
        "_waiting",
        "channel",
    )

    def __init__(self, channel: str, limits: RateLimits, now: Callable[[], float]) -> None:
        self.channel = channel
        self._limits = limits
        self._now = now
        self._bytes = TokenBucket(limits.bytes_per_second, limits.burst_bytes, now())
        self._messages = TokenBucket(limits.messages_per_second, limits.burst_messages, now())
        self._waiting: deque[bytes] = deque()
        self._size = 0
        self._late = float("-inf")
        """When a message last had to wait."""

    @property
    def full(self) -> str:
        """The reason why the object should begin nothing new; empty while there is room to wait.

        Whoever sends as fast as its messages come back, such as a picture, is slowed down and never refused.
        """
        many = 2 * len(self._waiting) >= _WAITING_MOST or 2 * self._size >= _WAITING_BYTES
        return self._why() if many else ""

    @property
    def limited(self) -> str:
        """The reason why the object sends less than it wants to; empty if it does not."""
        return self._why() if self._waiting or self._now() - self._late < _SHOWN else ""

    def admit(self, data: bytes) -> bool:
        """Return True if a message may be sent now; else it waits. Raise ChannelBusyError if too many do."""
        if not self._waiting and self._wait() <= 0:
            self._spend(data)
            return True
        self._late = self._now()
        if len(self._waiting) >= _WAITING_MOST or self._size + len(data) > _WAITING_BYTES:
            raise ChannelBusyError(self._why())
        self._waiting.append(data)
        self._size += len(data)
        return False

    def due(self) -> list[bytes]:
        """Take out the waiting messages that may be sent now."""
        found = []
        while self._waiting and self._wait() <= 0:
            found.append(self._next())
        return found

    def rest(self) -> list[bytes]:
        """Take out all waiting messages: the object ends, and nothing that it sent is lost."""
        found = []
        while self._waiting:
            found.append(self._next())
        return found

    def delay(self) -> float | None:
        """Return the seconds until the next waiting message may be sent; None if none waits."""
        return min(max(self._wait(), _SOONEST), _LATEST) if self._waiting else None

    def _wait(self) -> float:
        now = self._now()
        empty = [one.delay(now) for one in (self._bytes, self._messages) if one.is_empty(now)]
        return max(empty) + _SOONEST if empty else 0.0

    def _next(self) -> bytes:
        data = self._waiting.popleft()
        self._size -= len(data)
        self._spend(data)
        return data

    def _spend(self, data: bytes) -> None:
        self._bytes.take(len(data))
        self._messages.take(1)

    def _why(self) -> str:
        return f"it sends more than {self._limits}, the limit for one object; wait a moment"


class ObjectRates:
    """The gates of all objects of a process."""

    def __init__(self, limits: RateLimits, now: Callable[[], float]) -> None:
        self._limits = limits
        self._now = now
        self._gates: WeakSet[RateGate] = WeakSet()

    def gate(self, channel: str) -> RateGate:
        """Return a gate for one object on a channel."""
        made = RateGate(channel, self._limits, self._now)
        self._gates.add(made)
        return made

    def limited(self, channel: str) -> str:
        """Return the reason why an object of this process on a channel is limited; empty if none is."""
        return next((why for gate in self._gates if gate.channel == channel and (why := gate.limited)), "")
