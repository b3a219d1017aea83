"""The cost of authentication: the same flows with it off and on, in turn.

The targets of the engine are for authentication off, on loopback; these figures show the cost of turning
it on.
"""

from __future__ import annotations

import statistics
import tempfile
from collections.abc import Iterator
from pathlib import Path

from figure_report import Figure
from multicast_figures.flows import Ends, Flow, Run

from liven.multicast.key_file import ensure_keys

_SIZE = 1024
_RECEIVERS = (1, 4)


def flows(program: Path, rounds: int) -> Iterator[Figure]:
    """Run flows with it off and on in turn, so that a disturbance hits both."""
    with tempfile.TemporaryDirectory() as first, tempfile.TemporaryDirectory() as second:
        keys = Path(second) / "cluster.key"
        ensure_keys(keys)
        ends = {"off": Ends(program, Path(first)), "on": Ends(program, Path(second), keys)}
        for receivers in _RECEIVERS:
            yield from _case(ends, receivers, rounds)


def _case(ends: dict[str, Ends], receivers: int, rounds: int) -> Iterator[Figure]:
    found: dict[str, list[Run]] = {name: [] for name in ends}
    for _ in range(rounds):
        for name, each in ends.items():
            found[name].append(each.run(Flow("python", "python", _SIZE, receivers)))
    rate = {name: statistics.median(run.rate for run in runs) for name, runs in found.items()}
    cpu = {name: statistics.median(run.cpu for run in runs) for name, runs in found.items()}
    case = f"authentication.{_SIZE}B.1to{receivers}"
    yield Figure(f"{case}.rate.on/off", rate["on"] / rate["off"], "")
    yield Figure(f"{case}.cpu.on/off", cpu["on"] / cpu["off"], "")
    for name in found:
        yield Figure(f"{case}.rate.{name}", rate[name], "msg/s")
        yield Figure(f"{case}.cpu.{name}", cpu[name], "s/M deliveries")
