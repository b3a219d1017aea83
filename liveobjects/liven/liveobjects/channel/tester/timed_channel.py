"""The timed channel, under its original id: texts with a time stamp, and their delays at each receiver.

The original program only says that messages have a number, a time stamp, a sender and a text. Here a time
stamp is in seconds since 1970, by the clock of the sender's computer. Delays between two computers include
the difference of their clocks.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from secrets import token_hex
from typing import Final, Protocol

from liven.liveobjects.channel.adapters.base import Adapter, UnfitError
from liven.liveobjects.channel.api.endpoints import ChannelService, CheckpointedClient
from liven.runtime.objects.context import Context
from liven.types.declare import Dual, Exports, UInt32, interface, proxy, value

_SENDERS_MOST: Final = 1000
_REST: Final = "all others"
_NUMBERS: Final = 1 << 32


@value(id="A936CED0B34B85672DEE74F486BBEC8C", alias="liven:timed-message")
@dataclass(frozen=True)
class TimedMessage:
    """A text with a time stamp."""

    sequence: UInt32
    """The number of the message, counting from 1 for each sender."""
    timestamp: float
    """The time of sending, in seconds since 1970."""
    from_id: str
    payload: str


@interface
class Delays(Protocol):
    """The events that a client sends to a timed channel."""

    def summary(self) -> str:
        """Return the delays as text."""


@dataclass(slots=True)
class Delay:
    """The delays of one sender's messages, in seconds."""

    count: int = 0
    total: float = 0.0
    least: float = 0.0
    most: float = 0.0

    def add(self, seconds: float) -> None:
        """Add the delay of a message."""
        self.least = min(self.least, seconds) if self.count else seconds
        self.most = max(self.most, seconds) if self.count else seconds
        self.count += 1
        self.total += seconds

    def words(self) -> str:
        """Return the delays in milliseconds, for people."""
        mean = 1000 * self.total / max(1, self.count)
        return f"{self.count}, {1000 * self.least:.1f} to {1000 * self.most:.1f} ms, {mean:.1f} ms on average"


@proxy(id="BB7AD27E888163364133F2C091DADD05", alias="liven:timed-channel")
class TimedChannel(Adapter):
    """A channel of texts over one of timed messages. It measures the delay of each sender's messages."""

    Channel: Dual[ChannelService[str], CheckpointedClient[str, str]]
    channel: Dual[CheckpointedClient[TimedMessage, str], ChannelService[TimedMessage]]
    delays: Exports[Delays]

    below_name = "channel"

    def __init__(self, context: Context) -> None:
        self.begin(context)
        self.name = token_hex(4)
        self.heard: dict[str, Delay] = {}
        """The delays by sender."""
        self._sent = 0

    def lower(self, message: str) -> TimedMessage:
        self._sent = self._sent % (_NUMBERS - 1) + 1
        return TimedMessage(self._sent, time.time(), self.name, message)

    def lift(self, message: TimedMessage) -> str:
        delay = time.time() - message.timestamp
        if not abs(delay) < _NUMBERS:
            raise UnfitError(f"its time stamp {message.timestamp} is invalid")
        self._of(message.from_id).add(delay)
        return message.payload

    def summary(self) -> str:
        """Return the delays as text."""
        rows = [f"{sender}: {delay.words()}" for sender, delay in sorted(self.heard.items())]
        return "\n".join(rows) or "no message has come"

    def Channel_connected(self) -> None:
        """Deliver queued messages to the client."""
        self.connected_above()

    def channel_connected(self) -> None:
        """Send queued messages to the channel."""
        self.connected_below()

    def _of(self, sender: str) -> Delay:
        if sender not in self.heard and len(self.heard) >= _SENDERS_MOST:
            sender = _REST
        return self.heard.setdefault(sender, Delay())
