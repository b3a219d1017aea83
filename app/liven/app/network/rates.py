"""The rates of this user's engines between two readings of the figures that they publish."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from liven.multicast.laggard import Laggard
from liven.multicast.published_stats import EngineStats


@dataclass(frozen=True, slots=True)
class EngineRates:
    """One engine between two readings."""

    pid: int
    groups: int
    regions: int
    sent: float
    received: float
    megabytes: float
    """Received megabytes per second; the sent ones are below."""
    loss: float
    """The percentage of packets that arrived as repairs."""
    round_trip: float
    """Round trip of a token in milliseconds."""
    pending: int
    """Messages waiting to be sent, and packets not acknowledged."""
    unread: int
    slow: int
    """Groups with a slow receiver, or for which this engine is too slow."""
    drops: int
    """Datagrams that the kernel or a check dropped, and messages dropped by a policy."""
    names: tuple[str, ...]
    outs: int = 0
    """The number of times that the others continued without it."""
    missed: int = 0
    """The number of senders, over all groups, of which it lacks messages for that reason."""
    waits: tuple[str, ...] = ()
    """Whom it waits for, with reasons."""
    stopped: bool = False
    """True if a signal stopped its process."""
    megabytes_sent: float = 0.0


_FRESH = 5.0
_EVERY = 1.0
"""Seconds between two updates of an engine's figures."""
_DROPS = ("kernel_drops", "messages_dropped", "drop_tag", "drop_malformed", "drop_replay")


def rows(before: Sequence[EngineStats], now: Sequence[EngineStats], clock: float = 0.0) -> list[EngineRates]:
    """Return a row for each engine of the second reading, made at time `clock`, busiest first."""
    earlier = {entry.engine: entry for entry in before}
    pids = {entry.node: entry.pid for entry in now if entry.node}
    made = [(_row(earlier.get(entry.engine), entry, pids, clock), entry.engine) for entry in now]
    return [row for row, _ in sorted(made, key=lambda each: (-_rounded_rate(each[0]), each[0].pid, each[1]))]


def _rounded_rate(row: EngineRates) -> float:
    """Return the rate rounded to two digits, so that rows with nearly equal rates keep their order."""
    return float(f"{row.sent + row.received:.2g}")


def _row(before: EngineStats | None, now: EngineStats, pids: Mapping[int, int], clock: float) -> EngineRates:
    span = now.at - before.at if before is not None else 0.0

    def count(name: str) -> int:
        return now.stats.get(name, 0)

    def rate(name: str) -> float:
        if before is None or span <= 0:
            return 0.0
        return max(0, count(name) - before.stats.get(name, 0)) / span

    packets = rate("packets_received")
    return EngineRates(
        now.pid,
        count("groups"),
        count("regions"),
        rate("messages_sent"),
        rate("messages_delivered"),
        rate("bytes_received") / 1e6,
        100 * rate("repairs_received") / packets if packets else 0.0,
        count("token_rtt") / 1e6,
        count("pending_messages") + count("pending_packets"),
        count("unread_messages"),
        count("groups_paused") + count("groups_demoted"),
        sum(count(name) for name in _DROPS),
        now.groups,
        count("evictions"),
        count("senders_missed"),
        _waits(now, pids, clock),
        now.stopped,
        rate("bytes_sent") / 1e6,
    )


def _waits(now: EngineStats, pids: Mapping[int, int], clock: float) -> tuple[str, ...]:
    """Return the names of those whom an engine waits for; none if its figures are old, because the process
    stopped."""
    fresh = not now.stopped and clock - now.at < _FRESH
    return tuple(_wait(one, pids) for one in now.laggards) if fresh else ()


def _wait(laggard: Laggard, pids: Mapping[int, int]) -> str:
    """Return the name of one whom an engine waits for, with its process ID if it is one of this user."""
    pid = pids.get(laggard.node)
    whom = f"member {laggard.node}" if pid is None else f"{pid} (member {laggard.node})"
    return f"{whom}: {laggard.words}" + (f", in {laggard.group}" if laggard.group else "")


class PreviousFigures:
    """The previous figures of each engine.

    Engines publish new figures once a second, and none while nothing changes. Reading the same figures twice
    does not mean a rate of zero.
    """

    def __init__(self, interval: float) -> None:
        self._longest = interval + _EVERY
        self._before: dict[str, EngineStats] = {}
        self._now: dict[str, EngineStats] = {}

    def before(self, now: Sequence[EngineStats], clock: float) -> list[EngineStats]:
        """Return the readings to compare `now` with, which was read at time `clock`."""
        self._before = {one.engine: self._earlier(one, clock) for one in now}
        self._now = {one.engine: one for one in now}
        return list(self._before.values())

    def _earlier(self, one: EngineStats, clock: float) -> EngineStats:
        last = self._now.get(one.engine, one)
        if clock - one.at > self._longest + _EVERY:
            return one  # it is idle or stopped
        before = last if last.at < one.at else self._before.get(one.engine, one)
        # Figures that did not change for a while were published once, when the pause began.
        return replace(before, at=max(before.at, one.at - self._longest))
