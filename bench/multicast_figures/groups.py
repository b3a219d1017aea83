"""The cost of many groups: rate, control traffic, memory.

Overlaps: `perfect`, all are in all groups; `zipf`, the group of rank k has the k-th part of all receivers,
at least one; `halves`, half of the receivers are in half of the groups. Messages are dealt to the groups
in turn. In the last two a message is for some of the receivers, so the rate is that of messages sent.
"""

from __future__ import annotations

import json
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from figure_report import Figure
from multicast_figures.flows import Ends, Flow, Run, python_end

_SIZE = 1024
_SWEEP = (1, 100, 1000, 8192)
_LEAST = 0.95
_BYTES_C, _BYTES_PYTHON = 256, 700


def control_a_second(run: Run) -> float:
    """Return the control packets of the busiest receiver in a second of the flow."""
    return max(float(facts["control_sent"]) for facts in run.ends[:-1]) / run.seconds


def sweep(ends: Ends, overlap: str, receivers: int, rounds: int) -> Iterator[Figure]:
    """Measure from one group to 8,192, interleaved."""
    counts = _SWEEP if overlap == "perfect" else _SWEEP[1:]
    found: dict[int, list[Run]] = {count: [] for count in counts}
    for _ in range(rounds):
        for count in counts:
            flow = Flow("ours", "ours", _SIZE, receivers, groups=count, overlap=overlap)
            found[count].append(ends.run(flow))
    rate = {count: statistics.median(run.rate for run in runs) for count, runs in found.items()}
    least, most = counts[0], counts[-1]
    case = f"groups.{overlap}.1to{receivers}"
    target = _LEAST if overlap == "perfect" else None
    yield Figure(f"{case}.{most}/{least}", rate[most] / rate[least], "", target, at_most=False)
    control = {
        count: statistics.median(control_a_second(run) for run in runs) for count, runs in found.items()
    }
    yield Figure(f"{case}.control.{most}/{least}", control[most] / max(control[least], 1e-9), "")
    for count in counts:
        wanted = 500_000 if (overlap, receivers, count) == ("perfect", 4, most) else None
        yield Figure(f"{case}.G{count}", rate[count], "msg/s", wanted, at_most=False)
    if overlap == "perfect":
        yield from _memory_in_c(case, found)


def _memory_in_c(case: str, found: dict[int, list[Run]]) -> Iterator[Figure]:
    """Return a receiver's memory before the first message, by its allocator."""
    first, last = _SWEEP[0], _SWEEP[-1]
    bytes_of = {count: float(found[count][0].ready[0]["memory"]) for count in (first, last)}
    slope = (bytes_of[last] - bytes_of[first]) / (last - first)
    yield Figure(f"{case}.memory", slope, "bytes of C a group", _BYTES_C)


def memory_in_python(program: Path) -> Iterator[Figure]:
    """Yield the memory of a group in a Python process, beside that of the core."""
    with tempfile.TemporaryDirectory() as folder:
        rows = _join(program, Path(folder))
    none, half, full = rows
    core = (full["core"] - none["core"]) / _SWEEP[-1]
    yield Figure("groups.memory.core", core, "bytes of C a group", _BYTES_C)
    resident = (full["resident"] - none["resident"]) / _SWEEP[-1]
    yield Figure("groups.memory.python", resident - core, "more bytes a group", _BYTES_PYTHON)
    later = (full["resident"] - half["resident"]) * 2 / _SWEEP[-1]
    yield Figure("groups.memory.python.second half", later - core, "more bytes a group")


def _join(program: Path, folder: Path) -> list[dict[str, int]]:
    service = folder / "service"
    serving = subprocess.Popen(
        [str(program), "service", "serve", f"service={service}", "port=19999"], stdout=subprocess.PIPE
    )
    try:
        assert serving.stdout is not None
        serving.stdout.readline()
        words = [sys.executable, *python_end("groups"), f"service={service}", "port=19999", "packet=65507"]
        done = subprocess.run(words, capture_output=True, text=True, check=True)
    finally:
        serving.kill()
        serving.communicate()
    rows: list[dict[str, int]] = json.loads(done.stdout)["rows"]
    return rows
