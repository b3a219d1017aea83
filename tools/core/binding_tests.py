"""Build the compiled module under sanitizers and run the tests of the engine's Python side with it: once
with those for addresses and undefined behaviour, once with the one for races.

Python itself is not instrumented, so the sanitizer's library is loaded before it. Child processes
(members, membership services) use the same module; a report of any process fails the run.
"""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from tools.core.sanitized_tests import ROOT, configure, tool

TESTS = (
    "tests/unit/multicast",
    "tests/integration/multicast/test_socket_engine.py",
    "tests/integration/multicast/test_node_and_group.py",
    "tests/integration/multicast/test_authentication.py",
    "tests/integration/multicast/test_engine_processes.py",
)
# Found before any other module, in each process: an import of the core finds the module in this folder.
HOOK = '''"""Takes the place of the installed core; written by tools/core/binding_tests.py."""
import importlib.util
import pathlib
import sys


class Finder:
    @staticmethod
    def find_spec(name, path=None, target=None):
        if name != "liven.multicast._core":
            return None
        (file,) = pathlib.Path(__file__).parent.glob("_core.*.so")
        return importlib.util.spec_from_file_location(name, str(file))


sys.meta_path.insert(0, Finder)
'''


@dataclass(frozen=True, slots=True)
class Build:
    """One way to build the module, with the options of its sanitizer."""

    folder: Path
    option: str
    library: str
    variable: str
    words: str

    @property
    def reports(self) -> Path:
        """The folder in which each process leaves its report, if it has one."""
        return self.folder / "reports"


BUILDS = (
    Build(
        ROOT / "build" / "binding_sanitized",
        "-DLIVEN_SANITIZE=ON",
        "libasan.so",
        "ASAN_OPTIONS",
        "detect_leaks=0",  # memory that Python keeps until its end would count as lost
    ),
    Build(
        ROOT / "build" / "binding_threads",
        "-DLIVEN_SANITIZE_THREADS=ON",
        "libtsan.so",
        "TSAN_OPTIONS",
        "die_after_fork=0:history_size=5",
    ),
)


def make(build: Build) -> int:
    """Build the module and put the hook beside it."""
    python = f"-DPython_EXECUTABLE={sys.executable}"
    steps = (
        configure(build.folder, "-DLIVEN_BINDING=ON", build.option, python, "--log-level=WARNING"),
        [tool("cmake"), "--build", str(build.folder), "--target", "_core", "--", "--quiet"],
    )
    for step in steps:
        code = subprocess.call(step)
        if code != 0:
            return code
    (build.folder / "sitecustomize.py").write_text(HOOK, encoding="utf-8")
    build.reports.mkdir(exist_ok=True)
    for old in build.reports.iterdir():
        old.unlink()
    return 0


def compiler(build: Build) -> str:
    """Return the compiler that CMake chose."""
    for line in (build.folder / "CMakeCache.txt").read_text(encoding="utf-8").splitlines():
        if line.startswith("CMAKE_C_COMPILER:"):
            return line.partition("=")[2]
    raise SystemExit(f"{build.folder}/CMakeCache.txt names no compiler; delete the folder and try again")


def runtime(build: Build) -> str:
    """Return the sanitizer's own library, as the compiler names it."""
    cc = compiler(build)
    found = subprocess.run(
        [cc, f"-print-file-name={build.library}"], capture_output=True, text=True, check=True
    )
    path = Path(found.stdout.strip())
    if not path.is_absolute():
        raise SystemExit(f"{cc} has no {build.library}; with gcc it comes along: CC=gcc make test-core")
    return str(path)


def run(build: Build) -> int:
    """Run the tests; show the reports of their processes, which fail them."""
    words = f"{build.words}:log_path={build.reports / 'report'}"
    environment = {
        **os.environ,
        "LD_PRELOAD": runtime(build),
        "PYTHONPATH": str(build.folder),
        "PYTHONMALLOC": "malloc",
        "UBSAN_OPTIONS": f"print_stacktrace=1:{words}",
        build.variable: words,
    }
    loaded = "import liven.multicast._core as core; print(core.__file__)"
    seen = subprocess.run(
        [sys.executable, "-c", loaded], env=environment, capture_output=True, text=True, check=True
    )
    if Path(seen.stdout.strip()).parent != build.folder:
        raise SystemExit(f"Python loaded {seen.stdout.strip()} instead of the module in {build.folder}")
    pytest = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "-q", *(sys.argv[1:] or TESTS)]
    code = subprocess.call(pytest, cwd=ROOT, env=environment)
    reports = sorted(build.reports.iterdir())
    for report in reports:
        sys.stderr.write(report.read_text(encoding="utf-8", errors="replace"))
    return code or int(bool(reports))


def main() -> int:
    """Stop at the first build that fails."""
    for build in BUILDS:
        code = make(build) or run(build)
        if code != 0:
            return code
    return 0


if __name__ == "__main__":
    sys.exit(main())
