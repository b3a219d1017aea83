"""Runs every measurement of `bench/`, one after the other, so that none disturbs another."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def main() -> int:
    """Runs them all, with the given arguments; 1 if any missed a target."""
    missed = []
    for script in sorted((ROOT / "bench").glob("*.py")):
        if script.stem == "frame":
            continue
        if subprocess.call([sys.executable, str(script), *sys.argv[1:]]) != 0:
            missed.append(script.stem)
    if missed:
        print(f"bench: {', '.join(missed)} missed a target", file=sys.stderr)
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
