"""The shared counter. Everything except its view is in this file."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from liven.liveobjects.channel.api.backpressure import why_full
from liven.liveobjects.channel.api.endpoints import ChannelService, CheckpointedClient
from liven.runtime.fold.state_proof import Proof
from liven.runtime.objects.context import Context
from liven.types.declare import Dual, ExportedUI, Int64, interface, proxy

MOST = 2**53
"""Beyond it, numbers are not exact in every program: 2^53 is the limit of a 64-bit float."""


@interface
class Counter(Protocol):
    """The commands of a counter."""

    def add(self, amount: Int64) -> None:
        """Add `amount`, which may be negative."""

    def value(self) -> Int64:
        """Return the number."""


@interface
class CounterClient(Protocol):
    """The events of a counter."""

    def counted(self, value: Int64) -> None:
        """Receive the new number."""


class CounterFold:
    """The number alone, as the channel orders the changes."""

    def __init__(self) -> None:
        self.number = 0

    def initialize(self, checkpoint: int | None) -> None:
        self.number = checkpoint or 0

    def receive(self, message: int) -> None:
        """Add an amount. Every replica ignores an amount that would exceed the limits."""
        if abs(self.number + message) <= MOST:
            self.number += message

    def digest(self) -> bytes:
        """Return the number itself: it is short enough."""
        return str(self.number).encode()


@proxy(
    id="5D8E4B3B0C0B4C0E9BC4A3E0F1D2C6A7",
    alias="liven:shared-counter",
    view="liven.liveobjects.counter.view:make",
)
class CounterObject:
    """A shared number. A message on its channel is an amount to add; a checkpoint is the number."""

    UI: ExportedUI
    counter: Dual[Counter, CounterClient]
    channel: Dual[CheckpointedClient[Int64, Int64], ChannelService[Int64]]

    def __init__(self, context: Context) -> None:
        self.context = context
        self.tally = CounterFold()
        self.ready = False
        self._waiting: list[int] = []
        self._watchers: list[Callable[[], object]] = []

    def watch(self, watcher: Callable[[], object]) -> None:
        """Call a view after each change."""
        self._watchers.append(watcher)

    def unwatch(self, watcher: Callable[[], object]) -> None:
        """Stop calling a view."""
        self._watchers.remove(watcher)

    def add(self, amount: int) -> None:
        """Send an amount. Amounts given before the channel is ready are sent later."""
        if self.ready and (why := why_full(self.context, "channel")):
            self.context.report(f"{amount} was not added: {why}", "try again later")
        elif self.ready:
            self.channel.peer.send(amount)
        elif len(self._waiting) < 1000:
            self._waiting.append(amount)
        else:
            self.context.report("the counter cannot count: its channel is not ready", "check its channel")

    def value(self) -> int:
        return self.number

    @property
    def number(self) -> int:
        """The current number."""
        return self.tally.number

    def channel_connected(self) -> None:
        self.context.show_beside("channel", Proof(self.tally.digest, CounterFold))

    def initialize(self, checkpoint: int | None) -> None:
        self.tally.initialize(checkpoint)
        self.ready = True
        self._tell()
        waiting, self._waiting = self._waiting, []
        for amount in waiting:
            self.add(amount)

    def receive(self, message: int) -> None:
        self.tally.receive(message)
        self._tell()

    def checkpoint(self) -> int:
        return self.number

    def counter_connected(self) -> None:
        self.counter.peer.counted(self.number)

    def channel_disconnected(self) -> None:
        self.ready = False

    def _tell(self) -> None:
        if self.context.connected("counter"):
            self.counter.peer.counted(self.number)
        for watcher in tuple(self._watchers):
            watcher()
