"""One of four receivers is stopped for a moment: the effect on the others, and its own fate.

Measured with 60 MB/s offered, flat out, and stopped for half a second of every five. Nobody may lose
anything silently: a receiver too far behind learns which message it lost first.
"""

from __future__ import annotations

import os
import signal
import statistics
import time
from collections.abc import Iterator
from dataclasses import dataclass, replace

from figure_report import Figure
from multicast_figures.flows import Ends, Flow, Run

_SIZE = 1024
_OFFERED = 60e6 / _SIZE
_SLOT = 0.01
_LEAST = 0.95


@dataclass(frozen=True, slots=True)
class Frozen:
    """A run, and the times at which its first receiver was stopped and released."""

    run: Run
    stopped: float
    gone_on: float

    def share(self) -> float:
        """Return the rate of the slowest other receiver meanwhile, relative to the time before."""
        span = self.gone_on - self.stopped
        return min(
            self._taken(facts, self.stopped, span) / max(1, self._taken(facts, self.stopped - span, span))
            for facts in self.run.received[1:]
        )

    @staticmethod
    def _taken(facts: dict[str, object], begin: float, span: float) -> int:
        slots, first = facts["slots"], facts["first"]
        assert isinstance(slots, list)
        assert isinstance(first, float)
        at = round((begin - first) / _SLOT)
        return sum(slots[max(0, at) : max(0, at + round(span / _SLOT))])

    @property
    def behind(self) -> bool:
        """True if the stopped receiver learned that it lost something."""
        return bool(self.run.received[0]["demoted"])


def freeze(ends: Ends, flow: Flow, after: float, span: float) -> Frozen:
    """Stop the first receiver for `span` seconds."""
    with ends.started(replace(flow, slots=True)) as running:
        running.go()
        time.sleep(after)
        stopped = time.monotonic()
        os.kill(running.ends[0].pid, signal.SIGSTOP)
        time.sleep(span)
        os.kill(running.ends[0].pid, signal.SIGCONT)
        gone_on = time.monotonic()
        return Frozen(running.finish(), stopped, gone_on)


def figures(ends: Ends, rounds: int) -> Iterator[Figure]:
    """Yield the three cases."""
    offered = Flow("ours", "ours", _SIZE, 4, _OFFERED, 4.0)
    flat = Flow("ours", "ours", _SIZE, 4, 0.0, 4.0)
    often = Flow("ours", "ours", _SIZE, 4, _OFFERED, 5.0)
    for name, flow, span in (("60MBs", offered, 1.0), ("flat", flat, 1.0), ("half of 5 s", often, 0.5)):
        found = [freeze(ends, flow, 1.7, span) for _ in range(rounds)]
        case = f"frozen.{name}"
        share = statistics.median(one.share() for one in found)
        yield Figure(f"{case}.others", share, "", _LEAST, at_most=False)
        yield Figure(f"{case}.reported loss", sum(one.behind for one in found) / rounds, "of the runs")
        yield Figure(f"{case}.peak", max(one.run.peak for one in found) / 2**20, "MiB")
