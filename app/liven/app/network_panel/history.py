"""Traffic, losses and slow members between two readings of the counters, and over the last minutes.

There are no windows here.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass

from liven.app.network.rates import EngineRates, rows
from liven.liveobjects.channel.api.names import PRESENCE
from liven.liveobjects.channel.line.traffic_counters import GroupTraffic, NetworkSnapshot
from liven.multicast.laggard import Laggard
from liven.multicast.published_stats import EngineStats

KEPT = 120
"""Most moments that are kept."""


@dataclass(frozen=True, slots=True)
class Flow:
    """The traffic of one group between two readings."""

    group: str
    """The full name, which begins with the network."""
    members: int
    sent: float
    received: float
    size: float
    """Bytes per second, sent and received."""
    slow: str
    waits: tuple[Laggard, ...] = ()
    """The members that it waits for."""
    busiest: tuple[int, float] = (0, 0.0)
    """The member that sends most, and its bytes per second."""
    limited: str = ""
    """The reason why an object here sends less than it wants to; empty if none does."""

    @property
    def network(self) -> str:
        return self.group.partition("/")[0]


@dataclass(frozen=True, slots=True)
class Moment:
    """The traffic of all groups between two readings."""

    at: float
    row: EngineRates
    """The engine's rates, as `liven top` shows them."""
    bytes_out: float
    flows: tuple[Flow, ...]

    @property
    def sent(self) -> float:
        """Messages that this program sent per second."""
        return sum(flow.sent for flow in self.flows)

    @property
    def received(self) -> float:
        """Messages that arrived from others per second."""
        return sum(flow.received for flow in self.flows)

    @property
    def slow(self) -> tuple[Flow, ...]:
        """The groups that send less than they are asked to."""
        return tuple(flow for flow in self.flows if flow.slow or flow.waits or flow.limited)


class History:
    """The last minutes as a list of moments. It starts afresh when the engine ends."""

    def __init__(self) -> None:
        self._before: NetworkSnapshot | None = None
        self.moments: deque[Moment] = deque(maxlen=KEPT)

    @property
    def now(self) -> Moment | None:
        """The last moment; None before the second reading."""
        return self.moments[-1] if self.moments else None

    def add(self, look: NetworkSnapshot | None) -> None:
        """Add a reading; None if no program uses the network."""
        before, self._before = self._before, look
        if look is None:
            self.moments.clear()
        elif before is not None and look.at > before.at:
            self.moments.append(_moment(before, look))

    def pause(self) -> None:
        """Skip the time until the next reading: the monitor is hidden."""
        self._before = None


def _moment(before: NetworkSnapshot, now: NetworkSnapshot) -> Moment:
    [row] = rows([_shown(before)], [_shown(now)])
    span = now.at - before.at
    out = max(0, now.stats.get("bytes_sent", 0) - before.stats.get("bytes_sent", 0)) / span
    return Moment(now.at, row, out, _flows(before.groups, now, span))


def _shown(look: NetworkSnapshot) -> EngineStats:
    return EngineStats("", 0, look.at, tuple(group.name for group in look.groups), look.stats)


def _flows(before: Sequence[GroupTraffic], now: NetworkSnapshot, span: float) -> tuple[Flow, ...]:
    earlier = {group.name: group for group in before}
    return tuple(
        _flow(earlier.get(group.name, group), group, span, _waits(group, now.laggards))
        for group in now.groups
    )


def _waits(group: GroupTraffic, laggards: Sequence[Laggard]) -> tuple[Laggard, ...]:
    """Return the members of a group that are waited for, each once."""
    here = [one for one in laggards if one.node in group.nodes and one.group in ("", group.name)]
    return tuple({one.node: one for one in reversed(here)}.values())[::-1]


def _flow(before: GroupTraffic, now: GroupTraffic, span: float, waits: tuple[Laggard, ...]) -> Flow:
    counts = ((before.sent, now.sent), (before.received, now.received), (before.size, now.size))
    sent, received, size = (max(0, late - early) / span for early, late in counts)
    earlier = dict(before.sizes)
    rates = [(node, max(0, late - earlier.get(node, 0)) / span) for node, late in now.sizes]
    busiest = max(rates, key=lambda one: one[1], default=(0, 0.0))
    return Flow(now.name, now.members, sent, received, size, now.slow, waits, busiest, now.limited)


def channel_of(group: str) -> str:
    """Return the channel of a group: its own, or the one whose presence it carries."""
    return group.removesuffix(PRESENCE)


def amount(number: float, unit: str = "") -> str:
    """Return a rate or a number of bytes, short enough for a table."""
    for sign, size in (("G", 1e9), ("M", 1e6), ("k", 1e3)):
        if number >= size:
            return f"{number / size:.1f} {sign}{unit}"
    shown = f"{number:.0f}" if number >= 10 else f"{number:.1f}".removesuffix(".0")
    return f"{shown} {unit}".rstrip()
