"""Runs one script as if it were called by itself; interrupted, it ends without a trace of Python's.

For a process of its own: `python -m liven.app.bench.script FILE ARGUMENTS`.
"""

from __future__ import annotations

import runpy
import sys
from pathlib import Path

INTERRUPTED = 130


def main() -> None:
    """What the script has to clean up is cleaned up before."""
    script = sys.argv[1]
    sys.argv = sys.argv[1:]
    sys.path[0] = str(Path(script).parent)
    try:
        runpy.run_path(script, run_name="__main__")
    except KeyboardInterrupt:
        sys.exit(INTERRUPTED)


if __name__ == "__main__":
    main()
