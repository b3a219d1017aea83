"""The delay of a message: at 1,000 a second, and at half of the highest rate.

Our receivers are a C program with a loop of its own, a C program whose engine has a thread, and a program
of asyncio; beside them a C program that blocks in `recvmmsg`, which is the fastest possible. Figures are
medians of the rounds.
"""

from __future__ import annotations

import statistics
from collections.abc import Iterator

from figure_report import Figure
from multicast_figures.flows import Ends, Flow, Run

_RATE, _SECONDS, _SIZE = 1000.0, 1.2, 1024
_RECEIVERS = {"blocking": "blocking", "hosted": "ours", "threaded": "engine", "asyncio": "asyncio"}
_TARGETS = {
    2: {"hosted": 1.3, "threaded": 2.2, "asyncio": 5.0},
    8: {"hosted": 1.2, "threaded": 2.2, "asyncio": 5.0},
}


def figures(ends: Ends, receivers: int, rounds: int) -> Iterator[Figure]:
    """Yield the delays at an idle rate."""
    found: dict[str, list[Run]] = {name: [] for name in _RECEIVERS}
    for _ in range(rounds):
        for name, mode in _RECEIVERS.items():
            sender = "blocking" if mode == "blocking" else "ours"
            found[name].append(ends.run(Flow(sender, mode, _SIZE, receivers, _RATE, _SECONDS)))
    p50 = {name: statistics.median(run.p50 for run in runs) for name, runs in found.items()}
    p99 = {name: statistics.median(run.p99 for run in runs) for name, runs in found.items()}
    case = f"latency.1to{receivers}"
    for name, target in _TARGETS[receivers].items():
        yield Figure(f"{case}.p50.{name}/blocking", p50[name] / p50["blocking"], "", target)
        yield Figure(f"{case}.p99.{name}/blocking", p99[name] / p99["blocking"], "")
    for name in _RECEIVERS:
        yield Figure(f"{case}.{name}.p50", p50[name], "us")
        yield Figure(f"{case}.{name}.p99", p99[name], "us")


def half_saturated(ends: Ends, receivers: int, rounds: int) -> Iterator[Figure]:
    """Yield the delays at half of the rate that goes through flat out."""
    runs: list[Run] = []
    for _ in range(rounds):
        flat = ends.run(Flow("ours", "ours", _SIZE, receivers))
        runs.append(ends.run(Flow("ours", "ours", _SIZE, receivers, flat.rate / 2, _SECONDS)))
    case = f"latency.half.1to{receivers}"
    yield Figure(f"{case}.p50", statistics.median(run.p50 for run in runs), "us")
    yield Figure(f"{case}.p99", statistics.median(run.p99 for run in runs), "us")
