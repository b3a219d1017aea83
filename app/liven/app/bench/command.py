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
    "channels": ("channels", "what order, agreement and durability of channels cost"),
    "core": ("core", "what a packet, a group, a judged delivery of the multicast core cost"),
    "qsm-figures": ("qsm_figures", "the original's measurements, repeated in the simulator"),
    "service": ("service", "what the membership service costs, and how groups are split"),
    "multicast": ("multicast", "the engine on loopback, beside what the kernel can do"),
    "desktop": ("desktop", "how soon a window is there, a letter is seen, a thousand things are painted"),
    "calibrate": ("calibrate", "what packets cost on real sockets, for the simulator"),
    "runtime": ("runtime", "what the runtime of objects costs"),
    "type-system": ("type_system", "what matching and loading of types cost"),
}
"""What may be asked for: the script of each, and what it tells."""


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `liven bench`."""
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("name", nargs="?", choices=sorted(MEASUREMENTS), help="which; without it, the list")
    parser.add_argument(
        "rest", nargs=argparse.REMAINDER, help="passed on; `liven bench NAME --help` tells what there is"
    )
    width = max(map(len, MEASUREMENTS))
    lines = "\n".join(f"  {name:<{width}}  {what}" for name, (_, what) in sorted(MEASUREMENTS.items()))
    parser.epilog = f"{lines}\n\nExit code: that of the measurement; 3 if it is not here, 130 after Ctrl-C."


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
