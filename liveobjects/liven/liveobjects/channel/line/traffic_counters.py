"""Traffic counters of a process's groups. They count only while somebody watches."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Protocol

from liven.liveobjects.channel.line.transport import Batch
from liven.multicast.laggard import Laggard


@dataclass(slots=True)
class TrafficCount:
    """The traffic of one group since counting began."""

    sent: int = 0
    """Messages of this process, counted when they come back, as all members receive them."""
    received: int = 0
    """Messages of others."""
    size: int = 0
    """Bytes of both."""
    sizes: dict[int, int] = field(default_factory=dict)
    """Bytes by sender."""

    def count(self, batch: Batch, me: int) -> None:
        """Count a batch. `me` is this process's node in the group."""
        for message in batch.messages:
            self.size += len(message.payload)
            self.sizes[message.sender] = self.sizes.get(message.sender, 0) + len(message.payload)
            if message.sender == me:
                self.sent += 1
            else:
                self.received += 1


@dataclass(frozen=True, slots=True)
class GroupTraffic:
    """One group at one moment. Its counts start with the first look."""

    name: str
    members: int
    """Number of members; 0 before the first view."""
    sent: int
    received: int
    size: int
    slow: str
    """The reason why the group is slower than requested; empty if it is not."""
    nodes: tuple[int, ...] = ()
    """The nodes of its members."""
    sizes: tuple[tuple[int, int], ...] = ()
    """Bytes by sender."""
    limited: str = ""
    """The reason why an object of this process sends less than it wants to; empty if none does."""


@dataclass(frozen=True, slots=True)
class NetworkSnapshot:
    """The network of one process at one moment."""

    at: float
    stats: Mapping[str, int]
    """The engine's statistics, by name."""
    groups: tuple[GroupTraffic, ...]
    laggards: tuple[Laggard, ...] = ()
    """The members that the engine waits for."""


class Countable(Protocol):
    """The lines of a process, as an observer sees them."""

    def count(self) -> Callable[[], None]:
        """Count from now on. Call the result to stop."""

    def groups(self) -> tuple[GroupTraffic, ...]:
        """Return all groups of the process."""


class TrafficCounters:
    """An observer of a process's network. `lines` and `stats` return None without an engine, `stats` also
    after it ended. `laggards` are the members that the engine waits for; `limited` says why an object on a
    channel is limited."""

    def __init__(
        self,
        lines: Callable[[], Countable | None],
        stats: Callable[[], Mapping[str, int] | None],
        now: Callable[[], float],
        laggards: Callable[[], tuple[Laggard, ...]] = tuple,
        limited: Callable[[str], str] = lambda _: "",
    ) -> None:
        self._laggards = laggards
        self._limited = limited
        self._lines = lines
        self._stats = stats
        self._now = now
        self._uncount: Callable[[], None] | None = None

    def look(self) -> NetworkSnapshot | None:
        """Return the present state; None without an engine. Messages are counted from the first look on."""
        lines, stats = self._lines(), self._stats()
        if lines is None or stats is None:
            return None
        if self._uncount is None:
            self._uncount = lines.count()
        groups = tuple(replace(one, limited=self._limited(one.name)) for one in lines.groups())
        return NetworkSnapshot(self._now(), stats, groups, self._laggards())

    def rest(self) -> None:
        """Stop counting until the next look."""
        uncount, self._uncount = self._uncount, None
        if uncount is not None:
            uncount()
