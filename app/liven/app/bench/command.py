"""`liven bench`: run a measurement of the source checkout.

Measurements are not installed: they need the sources, a compiler or several minutes. The command finds the
folder `bench` beside its own sources or in the current folder.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from liven.app.bench.subprocess_run import run_measurement
from liven.runtime.exit_codes import ENVIRONMENT

MEASUREMENTS = {
    "channels": ("channels", "the cost of order, agreement and durability in channels"),
    "core": ("core", "the cost of a packet, a group and a checked delivery in the core"),
    "qsm-figures": ("qsm_figures", "the original's measurements, repeated in the simulator"),
    "service": ("service", "the cost of the membership service, and how it splits groups"),
    "multicast": ("multicast", "the engine on loopback, compared with the kernel"),
    "desktop": ("desktop", "the time to open a window, show a letter, paint 1,000 items"),
    "feeds": ("feeds", "feeds: logs, recording, replay and Spark"),
    "isolation": ("isolation", "the cost of a process of its own for an object and its view"),
    "calibrate": ("calibrate", "the cost of packets on real sockets, for the simulator"),
    "runtime": ("runtime", "the cost of the object runtime"),
    "type-system": ("type_system", "the cost of matching and loading types"),
}
"""The measurements by name: script and description."""


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `liven bench`."""
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument(
        "name", nargs="?", choices=sorted(MEASUREMENTS), help="the measurement; without it, list them"
    )
    parser.add_argument("rest", nargs=argparse.REMAINDER, help="passed on; see `liven bench NAME --help`")
    width = max(map(len, MEASUREMENTS))
    lines = "\n".join(f"  {name:<{width}}  {what}" for name, (_, what) in sorted(MEASUREMENTS.items()))
    parser.epilog = (
        f"{lines}\n\nExit code: that of the measurement; 3 if there is none here, 130 after Ctrl-C."
    )


def find_folder(sources: Path, here: Path) -> Path | None:
    """Return the folder of measurements in the checkout that contains `sources`, else the one that contains
    `here`."""
    for place in (*sources.resolve().parents, here.resolve(), *here.resolve().parents):
        if (place / "bench" / "figure_report.py").is_file():
            return place / "bench"
    return None


def run(arguments: argparse.Namespace) -> int:
    """List the measurements, or run one with the remaining arguments."""
    if arguments.name is None:
        for name, (_, what) in sorted(MEASUREMENTS.items()):
            print(f"{name:<12} {what}")
        return 0
    folder = find_folder(Path(__file__), Path.cwd())
    script, _ = MEASUREMENTS[arguments.name]
    if folder is None or not (folder / f"{script}.py").is_file():
        print(
            f"liven bench: the measurement {arguments.name} is not here. Measurements are part of the "
            "sources, not of the package: call this inside a checkout, after `make build` there.",
            file=sys.stderr,
        )
        return ENVIRONMENT
    code, interrupted = run_measurement(folder / f"{script}.py", arguments.rest)
    if interrupted:
        print(f"liven bench: {arguments.name} was interrupted, and tells no figures.", file=sys.stderr)
    return code
