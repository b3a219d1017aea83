"""The cost of loss: at 1 % and 5 %, in bursts of 10 ms, and the share of repairs by each side.

Each receiver loses datagrams by its own dice, in the driver: single ones of a train too, and tokens,
requests and repairs as well as data. `shim` names runs under `lossy_preload.c` instead, of which the
engine knows nothing: there the kernel drops, whole trains at a time.
"""

from __future__ import annotations

import os
import shutil
import statistics
import subprocess
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from figure_report import Figure
from multicast_figures.flows import Ends, Flow, Run

_SIZE = 1024
_REPAIRS = ("repairs_pushed", "repairs_pulled", "repairs_crossed", "repairs_sourced")
_SHARES = {0.01: 0.98, 0.05: 0.90}
_BURST = 0.01
_SECONDS = 2.5
"""Long enough that the first tenth of a second, when memory is touched for the first time, is no matter."""
_STORM = 1.3
_SMALL = 8192
"""Packets of this size, where many losses are to be counted in a short time."""


def _sum(run: Run, *names: str) -> float:
    return float(sum(facts.get(name, 0) for facts in run.ends for name in names))


def _median(runs: list[Run]) -> float:
    return statistics.median(run.rate for run in runs)


def _kept(with_loss: list[Run], without: list[Run]) -> float:
    """Return the median over the rounds: a machine that is slow for a while slows both runs of a round."""
    return statistics.median(run.rate / beside.rate for run, beside in zip(with_loss, without, strict=True))


def repaired(run: Run) -> float:
    """Return the repairs sent for each packet that a receiver lost."""
    return _sum(run, *_REPAIRS) / max(1.0, _sum(run, "lost_data"))


def repaired_by_sender(run: Run) -> float:
    """Return the share of them that the sender sent."""
    sent = sum(float(run.ends[-1].get(name, 0)) for name in _REPAIRS)
    return sent / max(1.0, _sum(run, "lost_data"))


def figures(ends: Ends, rounds: int) -> Iterator[Figure]:
    """Yield rates with four receivers relative to those without loss; interleaved."""
    flows = {"none": Flow("ours", "ours", _SIZE, 4, seconds=_SECONDS)}
    flows |= {f"{share:.0%}": replace(flows["none"], loss=share) for share in _SHARES}
    flows["1%bursts"] = replace(flows["none"], loss=0.01, burst=_BURST)
    found: dict[str, list[Run]] = {name: [] for name in flows}
    for _ in range(rounds):
        for name, flow in flows.items():
            found[name].append(ends.run(flow))
    for share, least in _SHARES.items():
        name = f"{share:.0%}"
        kept = _kept(found[name], found["none"])
        yield Figure(f"loss.{name}.kept", kept, "", least, at_most=False)
    yield Figure("loss.1%bursts.kept", _kept(found["1%bursts"], found["none"]), "")
    for name in list(flows)[1:]:
        storm = statistics.median(repaired(run) for run in found[name])
        yield Figure(f"loss.{name}.repairs/lost", storm, "", _STORM)
    yield Figure("loss.none", _median(found["none"]), "msg/s")


def who_repairs(ends: Ends, rounds: int) -> Iterator[Figure]:
    """Yield the sender's share of repairs, which must not grow with the number of receivers."""
    part: dict[int, float] = {}
    for receivers in (2, 4, 8):
        flow = Flow("ours", "ours", _SIZE, receivers, loss=0.01, packet=_SMALL)
        part[receivers] = statistics.median(repaired_by_sender(ends.run(flow)) for _ in range(rounds))
    for receivers, share in part.items():
        yield Figure(f"loss.1%.1to{receivers}.sender's repairs/lost", share, "")


def build_shim(folder: Path) -> Path | None:
    """Build the shim; return None without a compiler."""
    compiler = shutil.which(os.environ.get("CC", "cc"))
    if compiler is None:
        return None
    source, made = Path(__file__).parents[1] / "native" / "lossy_preload.c", folder / "lossy.so"
    subprocess.run([compiler, "-shared", "-fPIC", "-O2", "-o", str(made), str(source), "-ldl"], check=True)
    return made


def under_shim(program: Path, folder: Path, plain: Ends, rounds: int) -> Iterator[Figure]:
    """Yield the same figures where the kernel drops."""
    shim = build_shim(folder)
    if shim is None:
        return
    lossy = Ends(program, folder, shim={"LD_PRELOAD": str(shim), "LIVEN_LOSS": "0.01"})
    flow = Flow("ours", "ours", _SIZE, 4, seconds=_SECONDS)
    pairs = [(plain.run(flow).rate, lossy.run(flow).rate) for _ in range(rounds)]
    kept = statistics.median(dropped for _, dropped in pairs) / statistics.median(none for none, _ in pairs)
    yield Figure("loss.1%.shim.kept", kept, "")
