"""The cost of the membership service: epochs, CPU, bytes and memory for joins of 1,000 members x 8,192
groups, and the result of the split into hierarchies for irregular overlap (the simulations of the
original's 2.8).

    python bench/service.py [--json] [--full]

Both programs are C, built here by CMake from the core's own sources. `--full` takes the original's sizes
for the split; otherwise they are scaled down to a few seconds.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from pathlib import Path

from figure_report import Figure, report

HERE = Path(__file__).parent
PROGRAMS = ("service_load", "service_split")


def build(folder: Path) -> None:
    """Build both programs into `folder`."""
    source = HERE.parent / "multicast"
    configure = ["cmake", "-S", str(source), "-B", str(folder), "-DCMAKE_BUILD_TYPE=Release"]
    for command in (configure, ["cmake", "--build", str(folder), "--target", *PROGRAMS]):
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode != 0:
            raise SystemExit(f"cannot build the programs: {' '.join(command)}\n{done.stdout}{done.stderr}")


def run(folder: Path, program: str, *arguments: int) -> dict[str, float]:
    """Return the figures that a program prints."""
    command = [str(folder / program), *map(str, arguments)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise SystemExit(f"{' '.join(command)} failed: {done.stderr}")
    figures: dict[str, float] = json.loads(done.stdout)
    return figures


def load_figures(folder: Path) -> list[Figure]:
    """Yield the figures of one late member, and of all members at once."""
    one, small, every, mixed = (run(folder, "service_load", *sizes) for sizes in LOADS)
    return [
        Figure("late.epochs", one["epochs"], "epochs for 8,192 joins by 8,192 calls", 20),
        Figure("late.cpu", one["seconds"] * 1000, "ms of the service, 1,000 members"),
        Figure("late.step", one["longest"] * 1000, "ms of its longest step"),
        Figure("late.bytes", one["bytes"] / 1000, "bytes to each member, at 1,000 members"),
        Figure("late.groups", one["bytes"] / small["bytes"], "x the bytes for 8 groups", 8),
        Figure("all.epochs", every["epochs"], "epochs for 8,192,000 joins of 1,000 members", 20),
        Figure("all.cpu", every["seconds"], "s of the service"),
        Figure("all.step", every["longest"] * 1000, "ms of its longest step"),
        Figure("all.memory", every["memory"] / 2**20, "MiB of the service"),
        Figure("mixed.epochs", mixed["epochs"], "epochs for 1,000 members, 100 drawn groups each", 20),
        Figure("mixed.cpu", mixed["seconds"], "s of the service"),
        Figure("mixed.step", mixed["longest"] * 1000, "ms of its longest step"),
        Figure("mixed.memory", mixed["memory"] / 2**20, "MiB of the service"),
    ]


# members, groups, those that come late, groups that each joins
LOADS = ((1000, 8192, 1, 8192), (1000, 8, 1, 8), (1000, 8192, 1000, 8192), (1000, 8192, 1000, 100))


def split_figures(folder: Path, full: bool) -> list[Figure]:
    """Yield H1 to H4 of the original, by three readings of its words and either rule (docs/overlap.md)."""
    nodes, groups = (2000, 10000) if full else (500, 2500)
    rows = []
    for name, rule, least, draws, exponent in READINGS:
        found = run(folder, "service_split", nodes, groups, rule, least, 1, draws, exponent)
        rows += [
            Figure(f"{name}.H1", found["regions_of_a_node"], "regions a node is in"),
            Figure(f"{name}.H2", found["traffic_in_top_two"] * 100, "% of traffic in its top 2"),
            Figure(f"{name}.H3", found["mean_regions_of_a_group"], "regions of a group"),
            Figure(f"{name}.H4", found["compression"], "groups an address"),
            Figure(f"{name}.H4b", found["transmissions"], "transmissions a message"),
        ]
    return rows


# name, rule (1 loose, 0 strict), fewest nodes of a region, how the tenth of the groups is drawn (1: that many
# draws, 0: that many different groups), ten times the exponent of a group's weight by its rank
READINGS = (
    ("loose", 1, 2, 1, 20),
    ("strict", 0, 1, 1, 20),
    ("ranks.loose", 1, 2, 1, 15),
    ("ranks.strict", 0, 1, 1, 15),
    ("joined.loose", 1, 2, 0, 15),
    ("joined.strict", 0, 1, 0, 15),
)


def main() -> int:
    """Build, measure, report."""
    arguments = [argument for argument in sys.argv[1:] if argument != "--full"]
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        build(folder)
        figures = [*load_figures(folder), *split_figures(folder, "--full" in sys.argv)]
    return report("service", figures, arguments)


if __name__ == "__main__":
    sys.exit(main())
