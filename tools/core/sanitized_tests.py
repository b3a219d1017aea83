"""Build the C tests under sanitizers and run them: all of them with those for addresses and undefined
behaviour, and those of the driver, which has threads, also with the one for races."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
THREADED = "^(sockets|engine|service_connection)$"
"""The folders of `tests/core` whose tests run threads; each test bears its folder as a label."""
BUILDS = (
    (ROOT / "build" / "sanitized", "-DLIVEN_SANITIZE=ON", ()),
    (ROOT / "build" / "threads", "-DLIVEN_SANITIZE_THREADS=ON", ("-L", THREADED)),
)
"""Where, how, and which tests."""
TOOLS = Path(sys.executable).parent


def tool(name: str) -> str:
    """Return the path of a program of this environment."""
    return str(TOOLS / name)


def configure(build: Path, *options: str) -> list[str]:
    """Return the command that prepares a build of the C core in `build`."""
    make = f"-DCMAKE_MAKE_PROGRAM={tool('ninja')}"
    return [tool("cmake"), "-S", str(ROOT / "multicast"), "-B", str(build), "-G", "Ninja", make, *options]


def steps(build: Path, option: str, which: tuple[str, ...]) -> tuple[list[str], ...]:
    """Yield the commands that configure, build and test."""
    jobs = str(os.cpu_count() or 1)
    test = [tool("ctest"), "--test-dir", str(build), "--output-on-failure", "--no-tests=error", "-j", jobs]
    return (
        configure(build, "-DLIVEN_TESTS=ON", option, "--log-level=WARNING"),
        [tool("cmake"), "--build", str(build), "--", "--quiet"],
        [*test, *which, *sys.argv[1:]],
    )


def main() -> int:
    """Stop at the first step that fails."""
    for build in BUILDS:
        for step in steps(*build):
            code = subprocess.call(step)
            if code != 0:
                return code
    return 0


if __name__ == "__main__":
    sys.exit(main())
