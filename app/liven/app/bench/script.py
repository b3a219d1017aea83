"""Run a script as a main program, without a traceback on Ctrl-C.

To be started as `python -m liven.app.bench.script FILE ARGUMENTS`.
"""

from __future__ import annotations

import runpy
import sys
from pathlib import Path

INTERRUPTED = 130


def main() -> None:
    """Run the script. On Ctrl-C, end quietly after its own cleanup."""
    script = sys.argv[1]
    sys.argv = sys.argv[1:]
    sys.path[0] = str(Path(script).parent)
    try:
        runpy.run_path(script, run_name="__main__")
    except KeyboardInterrupt:
        sys.exit(INTERRUPTED)


if __name__ == "__main__":
    main()
