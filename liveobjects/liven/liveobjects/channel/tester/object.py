"""The channel tester, under its original id: it sends numbered messages and checks those of everyone."""

from __future__ import annotations

from collections.abc import Callable
from secrets import token_hex
from typing import Final, Protocol

from liven.liveobjects.channel.api.endpoints import ChannelService, CheckpointedClient
from liven.liveobjects.channel.tester.model import SequenceCheck
from liven.runtime.objects.context import Context
from liven.types.declare import Dual, ExportedUI, Int32, UInt64, interface, proxy

_AT_ONCE: Final = 256
"""Messages sent in one turn if there is no delay."""


@interface
class Test(Protocol):
    """The events that a client sends to a tester."""

    def summary(self) -> str:
        """Return the result as text."""


@interface
class TestClient(Protocol):
    """The events that a tester sends."""

    def fault(self, text: str) -> None:
        """Receive a fault of the channel."""

    def sent(self, count: UInt64) -> None:
        """Receive that the tester has sent all its messages."""


@proxy(
    id="9DF66193B7E548F098FD42A2DFC707BE",
    alias="liven:channel-tester",
    view="liven.liveobjects.channel.tester.view:make",
    names={
        "connect_delay": "connect delay",
        "message_delay": "message delay",
        "message_count": "message count",
        "disconnect_interval": "disconnect interval",
    },
)
class ChannelTester:
    """Sends `message count` messages, one every `message delay` ms (0: as fast as the channel returns them),
    after `connect delay` ms. It pauses for the same time after each `disconnect interval` messages."""

    UI: ExportedUI
    results: Dual[Test, TestClient]
    channel: Dual[CheckpointedClient[str, str], ChannelService[str]]

    def __init__(
        self,
        context: Context,
        id: str = "",  # noqa: A002  the original's name
        connect_delay: Int32 = 0,
        message_delay: Int32 = 10,
        message_count: Int32 = 100,
        disconnect_interval: Int32 = 0,
    ) -> None:
        self.context = context
        self.name = f"{id or 'tester'}-{token_hex(4)}"
        self.tally = SequenceCheck()
        self.sent_count = 0
        self.returned = 0
        self._connect_delay = max(0, connect_delay) / 1000
        self._message_delay = max(0, message_delay) / 1000
        self._count = max(0, message_count)
        self._pause = max(0, disconnect_interval)
        self._ready = False
        self._watchers: list[Callable[[], object]] = []

    def watch(self, watcher: Callable[[], object]) -> None:
        """Call a view at each change."""
        self._watchers.append(watcher)

    def unwatch(self, watcher: Callable[[], object]) -> None:
        """Stop calling it."""
        self._watchers.remove(watcher)

    def summary(self) -> str:
        """Return the result as text."""
        return self.tally.summary()

    def initialize(self, checkpoint: str | None) -> None:
        """Begin with the others' state."""
        self.tally = SequenceCheck.begun(checkpoint)
        if not self._ready:
            self._ready = True
            self.context.call_later(self._connect_delay, self._send)

    def receive(self, message: str) -> None:
        """Check a message."""
        fault = self.tally.take(message)
        if fault is not None:
            self.context.report(fault, "the channel broke its guarantee, or another program uses it")
            if self.context.connected("results"):
                self.results.peer.fault(fault)
        if message.startswith(f"{self.name} "):
            self.returned += 1
            if not self._message_delay and self.returned == self.sent_count:
                self._send()
        for watcher in tuple(self._watchers):
            watcher()

    def checkpoint(self) -> str:
        """Return the state of the test."""
        return self.tally.checkpoint()

    def channel_disconnected(self) -> None:
        """End the test, because there is no channel."""
        self._ready = False

    def _send(self) -> None:
        for _ in range(1 if self._message_delay else _AT_ONCE):
            if not self._ready or self.sent_count >= self._count:
                break
            self.sent_count += 1
            self.channel.peer.send(f"{self.name} {self.sent_count}")
        if not self._ready:
            return
        if self.sent_count >= self._count:
            if self.context.connected("results"):
                self.results.peer.sent(self.sent_count)
        elif self._message_delay:
            paused = self._pause and self.sent_count % self._pause == 0
            self.context.call_later(self._message_delay + (self._connect_delay if paused else 0), self._send)
