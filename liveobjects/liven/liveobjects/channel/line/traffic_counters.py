"""What goes over the groups of a process, counted while somebody looks and not otherwise."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Protocol

from liven.liveobjects.channel.line.transport import Batch
from liven.multicast.laggard import Laggard


@dataclass(slots=True)
class Tally:
    """What came over one group since the count began."""

    sent: int = 0
    """Messages of this process; counted as they come back, as they do to everybody."""
    received: int = 0
    """Messages of others."""
    size: int = 0
    """Bytes of both."""

    def count(self, batch: Batch, me: int) -> None:
        """One more batch; `me` is the short name of this process in the group."""
        for message in batch.messages:
            self.size += len(message.payload)
            if message.sender == me:
                self.sent += 1
            else:
                self.received += 1


@dataclass(frozen=True, slots=True)
class GroupTraffic:
    """One group at one moment. Its counts grow from the first look on."""

    name: str
    members: int
    """0 until the first view came."""
    sent: int
    received: int
    size: int
    slow: str
    """Why the group does not go as fast as it is asked to; empty while it does."""
    nodes: tuple[int, ...] = ()
    """The short names of its members."""


@dataclass(frozen=True, slots=True)
class Look:
    """The network of one process at one moment."""

    at: float
    stats: Mapping[str, int]
    """What the engine measured, by name."""
    groups: tuple[GroupTraffic, ...]
    laggards: tuple[Laggard, ...] = ()
    """Whom the engine waits for."""


class Countable(Protocol):
    """The lines of a process, as whoever looks sees them."""

    def count(self) -> Callable[[], None]:
        """Counts from now on, until the answer is called."""

    def groups(self) -> tuple[GroupTraffic, ...]:
        """All groups that the process is in."""


class TrafficCounters:
    """Looks at a process's network now and then. `lines` and `stats` answer None while there is no engine,
    and `stats` once it has ended; `laggards` are those that the engine waits for."""

    def __init__(
        self,
        lines: Callable[[], Countable | None],
        stats: Callable[[], Mapping[str, int] | None],
        now: Callable[[], float],
        laggards: Callable[[], tuple[Laggard, ...]] = tuple,
    ) -> None:
        self._laggards = laggards
        self._lines = lines
        self._stats = stats
        self._now = now
        self._uncount: Callable[[], None] | None = None

    def look(self) -> Look | None:
        """How it is now; None where no engine runs. Messages are counted from the first look on."""
        lines, stats = self._lines(), self._stats()
        if lines is None or stats is None:
            return None
        if self._uncount is None:
            self._uncount = lines.count()
        return Look(self._now(), stats, lines.groups(), self._laggards())

    def rest(self) -> None:
        """Looks no longer, for now: nothing is counted until the next look."""
        uncount, self._uncount = self._uncount, None
        if uncount is not None:
            uncount()
