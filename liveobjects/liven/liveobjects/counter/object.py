"""The shared counter. Everything about it but its view is in this file."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from liven.liveobjects.channel.api.backpressure import why_full
from liven.liveobjects.channel.api.endpoints import ChannelService, CheckpointedClient
from liven.runtime.fold.state_proof import Proof
from liven.runtime.objects.context import Context
from liven.types.declare import Dual, ExportedUI, Int64, interface, proxy

MOST = 2**53
"""Beyond, no two programs agree on what is one more."""


@interface
class Counter(Protocol):
    """What one can ask of a counter."""

    def add(self, amount: Int64) -> None:
        """Counts up, or down by less than nothing."""

    def value(self) -> Int64:
        """What it stands at."""


@interface
class CounterClient(Protocol):
    """What a counter tells."""

    def counted(self, value: Int64) -> None:
        """It stands at another number now."""


class Tally:
    """The number alone, as the order makes it."""

    def __init__(self) -> None:
        self.number = 0

    def initialize(self, checkpoint: int | None) -> None:
        self.number = checkpoint or 0

    def receive(self, message: int) -> None:
        """What would pass the bounds is left out, by every replica alike."""
        if abs(self.number + message) <= MOST:
            self.number += message

    def digest(self) -> bytes:
        """The number itself is short enough."""
        return str(self.number).encode()


@proxy(
    id="5D8E4B3B0C0B4C0E9BC4A3E0F1D2C6A7",
    alias="liven:shared-counter",
    view="liven.liveobjects.counter.view:make",
)
class CounterObject:
    """A number. A message on its channel is what is added; a checkpoint is the number."""

    UI: ExportedUI
    counter: Dual[Counter, CounterClient]
    channel: Dual[CheckpointedClient[Int64, Int64], ChannelService[Int64]]

    def __init__(self, context: Context) -> None:
        self.context = context
        self.tally = Tally()
        self.ready = False
        self._waiting: list[int] = []
        self._watchers: list[Callable[[], object]] = []

    def watch(self, watcher: Callable[[], object]) -> None:
        """Calls a view whenever the number is another."""
        self._watchers.append(watcher)

    def unwatch(self, watcher: Callable[[], object]) -> None:
        """Calls it no longer."""
        self._watchers.remove(watcher)

    def add(self, amount: int) -> None:
        """Sends what is added; until the channel has begun, it waits."""
        if self.ready and (why := why_full(self.context, "channel")):
            self.context.report(f"{amount} was not added: {why}", "count again later")
        elif self.ready:
            self.channel.peer.send(amount)
        elif len(self._waiting) < 1000:
            self._waiting.append(amount)
        else:
            self.context.report("the counter cannot count: its channel has not begun", "look at the channel")

    def value(self) -> int:
        return self.number

    @property
    def number(self) -> int:
        """What it stands at."""
        return self.tally.number

    def channel_connected(self) -> None:
        self.context.show_beside("channel", Proof(self.tally.digest, Tally))

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
