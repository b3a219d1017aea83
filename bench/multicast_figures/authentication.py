"""The cost of encryption: the same flows in clear, with a tag alone, and encrypted, in turn.

The targets of the engine are for flows in clear, on loopback; these figures show the cost of a key. `tag` is
what authentication alone would cost: the same cipher, with everything readable. `cpu.on/tag` is the price of
secrecy.
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
_MODES = ("off", "tag", "on")


def flows(program: Path, rounds: int) -> Iterator[Figure]:
    """Run flows in each way in turn, so that a disturbance hits all of them."""
    with tempfile.TemporaryDirectory() as folder:
        keys = Path(folder) / "cluster.key"
        ensure_keys(keys)
        ends = {}
        for mode in _MODES:
            (own := Path(folder) / mode).mkdir()
            ends[mode] = Ends(program, own, None if mode == "off" else keys, tags_only=mode == "tag")
        for receivers in _RECEIVERS:
            yield from _case(ends, receivers, rounds)


def _case(ends: dict[str, Ends], receivers: int, rounds: int) -> Iterator[Figure]:
    found: dict[str, list[Run]] = {name: [] for name in ends}
    for turn in range(rounds):
        for name in _MODES if turn % 2 == 0 else reversed(_MODES):
            found[name].append(ends[name].run(Flow("python", "python", _SIZE, receivers)))
    rate = {name: statistics.median(run.rate for run in runs) for name, runs in found.items()}
    cpu = {name: statistics.median(run.cpu for run in runs) for name, runs in found.items()}
    case = f"authentication.{_SIZE}B.1to{receivers}"
    for other in ("off", "tag"):
        pairs = list(zip(found["on"], found[other], strict=True))
        faster = statistics.median(one.rate / two.rate for one, two in pairs)
        dearer = statistics.median(one.cpu / two.cpu for one, two in pairs)
        yield Figure(f"{case}.rate.on/{other}", faster, "")
        yield Figure(f"{case}.cpu.on/{other}", dearer, "", 1.15 if other == "tag" else None)
    for name in found:
        yield Figure(f"{case}.rate.{name}", rate[name], "msg/s")
        yield Figure(f"{case}.cpu.{name}", cpu[name], "s/M deliveries")
