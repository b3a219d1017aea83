"""The highest rate of messages: ours beside the limit of the kernel, in one run, interleaved.

raw       one datagram a message; receivers drain, then nap: the highest paced rate without a loss
mmsg      the same, 64 of them in a call; gso: cut and gathered by the kernel
packed    as many messages as fit 60 KB in a datagram; retained: the same out of and into 32 MB, in turn
ours      members of the engine in C, flat out
python    the same in Python, many messages a call
"""

from __future__ import annotations

import statistics
from collections.abc import Iterator
from dataclasses import dataclass

from figure_report import Figure
from multicast_figures.flows import Ends, Flow, Run
from multicast_figures.lossless import lossless

_PACED = {"raw": 20_000.0, "packed": 200_000.0, "retained": 200_000.0}
_ONCE = {"mmsg": 20_000.0, "gso": 100_000.0}
_PACED_SECONDS, _FLAT_SECONDS = 0.3, 1.5


@dataclass(frozen=True, slots=True)
class Case:
    """A size, a number of receivers, and a target."""

    size: int
    receivers: int
    packed: float | None = None
    retained: float | None = None
    cpu: float | None = None
    python: float | None = None

    @property
    def name(self) -> str:
        """The prefix of its figures."""
        return f"{self.size}B.1to{self.receivers}"


CASES = (
    Case(1024, 8, 0.60, 0.85, 0.25),
    Case(1024, 4, 0.65, 0.85, 0.25, 3.0),
    Case(1024, 2),
    Case(100, 8, 0.50),
    Case(100, 4),
    Case(100, 2),
)


class Found:
    """The runs of one case by mode."""

    def __init__(self, ends: Ends, case: Case) -> None:
        self._ends = ends
        self._case = case
        self._runs: dict[str, list[Run]] = {}

    def paced(self, mode: str, start: float) -> None:
        """Search the highest rate without a loss; a later search begins near the earlier one's end."""

        def measure(rate: float) -> Run:
            flow = Flow(mode, mode, self._case.size, self._case.receivers, rate, _PACED_SECONDS)
            return self._ends.run(flow)

        known = self._runs.get(mode)
        self._runs.setdefault(mode, []).append(lossless(measure, known[-1].rate * 0.7 if known else start))

    def flat(self, mode: str) -> None:
        """Run as fast as possible."""
        flow = Flow(mode, mode, self._case.size, self._case.receivers, seconds=_FLAT_SECONDS)
        self._runs.setdefault(mode, []).append(self._ends.run(flow))

    def rate(self, mode: str) -> float:
        """Return the median rate."""
        return statistics.median(run.rate for run in self._runs[mode])

    def cpu(self, mode: str) -> float:
        """Return the median processor time."""
        return statistics.median(run.cpu for run in self._runs[mode])

    def modes(self) -> list[str]:
        """Return all measured modes."""
        return list(self._runs)


def measure(ends: Ends, case: Case, rounds: int) -> Found:
    """Run everything in turn, so that a disturbance hits all alike."""
    found = Found(ends, case)
    for turn in range(rounds):
        for mode, start in _PACED.items():
            found.paced(mode, start)
            if mode != "raw":
                found.flat("ours")
        for mode, start in _ONCE.items() if turn == 0 else ():
            found.paced(mode, start)
        found.flat("python")
    return found


def figures(ends: Ends, case: Case, rounds: int) -> Iterator[Figure]:
    """Yield the ratios, and the figures they are made of."""
    found, name = measure(ends, case, rounds), case.name
    ours = found.rate("ours")
    yield Figure(f"{name}.ours/packed", ours / found.rate("packed"), "", case.packed, at_most=False)
    yield Figure(f"{name}.ours/retained", ours / found.rate("retained"), "", case.retained, at_most=False)
    yield Figure(f"{name}.ours/raw", ours / found.rate("raw"), "")
    yield Figure(
        f"{name}.python/raw", found.rate("python") / found.rate("raw"), "", case.python, at_most=False
    )
    for mode in found.modes():
        target = case.cpu if mode == "ours" else None
        yield Figure(f"{name}.{mode}.cpu", found.cpu(mode), "s/M deliveries", target)
    for mode in found.modes():
        yield Figure(f"{name}.{mode}", found.rate(mode), "msg/s")


_CALLBACKS = Flow("ours", "callbacks", 100, 1)


def callbacks(ends: Ends, rounds: int) -> Iterator[Figure]:
    """Yield the rate of messages of 100 bytes, each passed to a function in Python that checks it."""
    rates = [ends.run(_CALLBACKS).rate for _ in range(rounds)]
    yield Figure("callbacks.100B.1to1", statistics.median(rates), "msg/s", 250_000, at_most=False)


def hosts(ends: Ends, rounds: int) -> Iterator[Figure]:
    """Yield rates between hosts with an Ethernet's MTU."""
    runs: dict[str, list[Run]] = {"raw": [], "ours": []}

    def measure_raw(rate: float) -> Run:
        return ends.run(Flow("raw", "raw", 1024, 4, rate, _PACED_SECONDS))

    for _ in range(rounds):
        low = runs["raw"][-1].rate * 0.7 if runs["raw"] else 10_000.0
        runs["raw"].append(lossless(measure_raw, low))
        runs["ours"].append(ends.run(Flow("ours", "ours", 1024, 4)))
    rate = {mode: statistics.median(run.rate for run in all_runs) for mode, all_runs in runs.items()}
    yield Figure("hosts.1024B.1to4.ours/raw", rate["ours"] / rate["raw"], "", 1.5, at_most=False)
    for mode, all_runs in runs.items():
        cpu = statistics.median(run.cpu for run in all_runs)
        yield Figure(f"hosts.1024B.1to4.{mode}.cpu", cpu, "s/M deliveries")
        yield Figure(f"hosts.1024B.1to4.{mode}", rate[mode], "msg/s")
