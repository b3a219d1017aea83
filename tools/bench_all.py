"""Run every measurement of `bench/`, one after the other, so that none disturbs another."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

MISSED = 1
ROOT = Path(__file__).resolve().parent.parent
NO_MEASUREMENTS = {
    "figure_report",  # a module of the others
    "calibrate",  # writes the input of simulations; run by `liven bench calibrate`
}


def main() -> int:
    """Run them all with the given arguments; return 1 if any missed a target."""
    verdicts: dict[int, list[str]] = {}
    for script in sorted((ROOT / "bench").glob("*.py")):
        if script.stem not in NO_MEASUREMENTS:
            code = subprocess.call([sys.executable, str(script), *sys.argv[1:]])
            verdicts.setdefault(code, []).append(script.stem)
    for code, names in verdicts.items():
        if code != 0:
            what = "missed a target" if code == MISSED else f"failed with code {code}"
            print(f"bench: {', '.join(names)} {what}", file=sys.stderr)
    return MISSED if set(verdicts) - {0} else 0


if __name__ == "__main__":
    sys.exit(main())
