"""Builds the C tests under the address and undefined-behaviour sanitizers and runs them."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
BUILD = ROOT / "build" / "sanitized"
TOOLS = Path(sys.executable).parent


def tool(name: str) -> str:
    """The program that came with this environment."""
    return str(TOOLS / name)


def configure(build: Path, *options: str) -> list[str]:
    """The command that prepares a build of the C core in `build`."""
    make = f"-DCMAKE_MAKE_PROGRAM={tool('ninja')}"
    return [tool("cmake"), "-S", str(ROOT / "multicast"), "-B", str(build), "-G", "Ninja", make, *options]


def main() -> int:
    """Configures, builds and tests; stops at the first step that fails."""
    steps = (
        configure(BUILD, "-DLIVEN_TESTS=ON", "-DLIVEN_SANITIZE=ON", "--log-level=WARNING"),
        [tool("cmake"), "--build", str(BUILD), "--", "--quiet"],
        [
            tool("ctest"),
            "--test-dir",
            str(BUILD),
            "--output-on-failure",
            "--no-tests=error",
            "-j",
            str(os.cpu_count() or 1),
            *sys.argv[1:],
        ],
    )
    for step in steps:
        code = subprocess.call(step)
        if code != 0:
            return code
    return 0


if __name__ == "__main__":
    sys.exit(main())
