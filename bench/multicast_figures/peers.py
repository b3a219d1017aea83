"""Other systems that send messages to many, measured by a driver of their own, beside our packed line.

`LIVEN_PEERS` names a folder with a program `run.py` that measures one system by name and prints a line of
JSON: `run.py one NAME -n RECEIVERS -s SIZE -t SECONDS`. A missing folder or system is reported.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

from figure_report import Figure

PEERS = (
    "norm_60k",
    "pgm",
    "zmq_tcp",
    "zmq_epgm",
    "nats",
    "redis",
    "aeron_udp_32k",
    "cyclone",
    "corosync",
    "jgroups",
)
_INSTALLABLE = {"zmq": "pyzmq", "nats": "nats-py", "zenoh": "eclipse-zenoh", "cyclonedds": "cyclonedds"}
_SECONDS, _PATIENCE = 1.5, 40.0


def figures(packed: float, receivers: int) -> Iterator[Figure]:
    """Yield each system at 1 KB relative to the packed line of this run, then those that are missing."""
    folder = os.environ.get("LIVEN_PEERS")
    absent: list[str] = []
    for name in PEERS:
        rate = _rate(Path(folder), name, receivers) if folder else None
        if rate is None:
            absent.append(name)
        else:
            yield Figure(f"peers.{name}.1to{receivers}/packed", rate / packed, "")
    why = "not built" if folder else "LIVEN_PEERS is not set"
    if absent:
        yield Figure("peers.absent", len(absent), f"peers, {why}: {', '.join(absent)}")
    missing = [package for module, package in _INSTALLABLE.items() if find_spec(module) is None]
    if missing:
        yield Figure("peers.not installed", len(missing), f"packages: {', '.join(missing)}")


def _rate(folder: Path, name: str, receivers: int) -> float | None:
    """Return the rate of a system's slowest receiver; None if it cannot be measured."""
    words = [sys.executable, "run.py", "one", name, "-n", str(receivers), "-s", "1024", "-t", str(_SECONDS)]
    try:
        done = subprocess.run(
            words, cwd=folder, capture_output=True, text=True, check=False, timeout=_PATIENCE
        )
    except (OSError, subprocess.TimeoutExpired):
        return None
    for line in done.stdout.splitlines():
        if line.startswith("{"):
            facts = json.loads(line)
            lost = facts.get("loss_pct", 100.0)
            return float(facts["rate_min"]) if "error" not in facts and lost < 0.01 else None
    return None
