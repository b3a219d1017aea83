"""Count the instructions of the core's hot paths under callgrind, and compare them with the last count.

    python -m tools.core.instructions [--write] [--json] [--list]

Counts do not depend on the load of the machine, so a rise is real. Exit code 0: no path rose by more than
5 %; 1: one did; 3: valgrind is not installed. `--list` only lists the rises and exits with 0. `--write`
stores the new counts in bench/instructions.json.
"""

from __future__ import annotations

import argparse
import json
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
KEPT = ROOT / "bench" / "instructions.json"
TOOLS = Path(sys.executable).parent
MESSAGES = 5000
ALLOWED = 0.05
PATHS = {"send": "mcast_transmit", "receive": "mcast_recv_data", "token": "mcast_recv_token"}


class CountError(Exception):
    """The counting itself failed."""


def _call(*command: str | Path) -> str:
    done = subprocess.run([str(part) for part in command], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise CountError(f"{command[0]} fails: {(done.stdout + done.stderr)[-1500:]}")
    return done.stdout


def build(place: Path) -> Path:
    """Return the program with the fixed load, built anew."""
    ninja = f"-DCMAKE_MAKE_PROGRAM={TOOLS / 'ninja'}"
    _call(TOOLS / "cmake", "-S", ROOT / "multicast", "-B", place, "-G", "Ninja", ninja)
    _call(TOOLS / "cmake", "--build", place, "--target", "run_fixed_load")
    return place / "run_fixed_load"


def inclusive(table: str, function: str) -> int:
    """Return the instructions of `function` and its callees, from the table of callgrind_annotate."""
    counts = [
        int(match.replace(",", "")) for match in re.findall(rf"^ *([\d,]+) .*:{function}(?: |$)", table, re.M)
    ]
    if not counts:
        raise CountError(f"callgrind saw no {function}; was it renamed?")
    return max(counts)


def count(place: Path) -> dict[str, float]:
    """Return the instructions for a packet sent, a packet received and a token received."""
    out = place / "callgrind.out"
    tool = ("valgrind", "--tool=callgrind", f"--callgrind-out-file={out}", "-q")
    said = dict(line.split() for line in _call(*tool, build(place), str(MESSAGES)).splitlines())
    table = _call("callgrind_annotate", "--inclusive=yes", "--threshold=100", out)
    return {path: round(inclusive(table, name) / int(said[path]), 1) for path, name in PATHS.items()}


def risen(now: dict[str, float], before: dict[str, float]) -> list[str]:
    """Return the paths that rose by more than allowed."""
    return [path for path in now if path in before and now[path] > before[path] * (1 + ALLOWED)]


def main(argv: list[str] | None = None) -> int:
    """Count and compare."""
    parser = argparse.ArgumentParser(description="instructions of the core's hot paths")
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--list", action="store_true")
    options = parser.parse_args(argv)
    if shutil.which("valgrind") is None:
        print("valgrind is not installed: instructions are not counted", file=sys.stderr)
        return 0 if options.list else 3
    before: dict[str, float] = json.loads(KEPT.read_text(encoding="utf-8")) if KEPT.exists() else {}
    with tempfile.TemporaryDirectory(prefix="liven-count-") as place:
        now = count(Path(place))
    if options.write:
        KEPT.write_text(json.dumps(now, indent=2) + "\n", encoding="utf-8")
    worse = risen(now, before)
    if options.json:
        print(json.dumps({"now": now, "before": before, "risen": worse}))
    else:
        for path, value in now.items():
            mark = "  ROSE" if path in worse else ""
            print(f"{path:<8} {value:8.1f} instructions, before {before.get(path, 0):8.1f}{mark}")
    return 1 if worse and not options.list else 0


if __name__ == "__main__":
    sys.exit(main())
