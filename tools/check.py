"""Run every check that needs no test run, two at a time, and list the failures at the end."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from tools.checks.budgets import tracked
from tools.core.sanitized_tests import ROOT, configure, tool

BUDGETS = "size budgets"
COUNTED = "instructions of the hot paths"
ENGLISH = "English"


@dataclass(frozen=True, slots=True)
class Check:
    """A named list of commands, run one after the other until one fails."""

    name: str
    commands: tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True)
class Outcome:
    """The result of a check."""

    check: Check
    code: int
    words: str
    seconds: float


def checks(scratch: Path) -> list[Check]:
    """Return all checks, the longest first, so that two at a time end together."""
    python = sys.executable
    c_files = [str(path) for path in tracked("*.c", "*.h")]
    wheel = (python, "-m", "pip", "wheel", "-q", "--no-deps", "--no-build-isolation", "-w", str(scratch), ".")
    return [
        Check("types (mypy, strict)", ((tool("mypy"),),)),
        Check("the wheel holds the tree", (wheel, (python, "-m", "tools.checks.wheel_check", str(scratch)))),
        Check(
            "C warnings are errors",
            (
                tuple(configure(ROOT / "build" / "warnings", "-DLIVEN_TESTS=ON", "--log-level=WARNING")),
                (tool("cmake"), "--build", str(ROOT / "build" / "warnings"), "--", "--quiet"),
            ),
        ),
        Check(COUNTED, ((python, "-m", "tools.core.instructions", "--list"),)),
        Check(
            "None keeps its references (Qt)",
            ((python, "-m", "pytest", "-q", "tests/gui/test_none_guard.py"),),
        ),
        Check("arrows (import-linter)", ((tool("lint-imports"),),)),
        Check("Python style (ruff)", ((tool("ruff"), "check"), (tool("ruff"), "format", "--check", "-q"))),
        Check("C format", ((tool("clang-format"), "--dry-run", "-Werror", *c_files),)),
        Check("the C core makes no system call", ((python, "-m", "tools.checks.core_purity"),)),
        Check("C layers and cycles of calls", ((python, "-m", "tools.checks.c_layers"),)),
        # By its path: started at the root, Python itself would break by a fault that this check looks for.
        Check("layout", ((python, str(ROOT / "tools" / "checks" / "layout.py")),)),
        Check(ENGLISH, ((python, "-m", "tools.checks.english"),)),
        Check(BUDGETS, ((python, "-m", "tools.checks.budgets"),)),
    ]


def run(check: Check) -> Outcome:
    """Run one check and return its result and output."""
    start = time.monotonic()
    words, code = "", 0
    environment = dict(
        os.environ, PATH=f"{Path(sys.executable).parent}{os.pathsep}{os.environ.get('PATH', '')}"
    )
    for command in check.commands:
        try:
            answer = subprocess.run(
                command,
                cwd=ROOT,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                text=True,
                env=environment,
                check=False,
            )
        except OSError as error:
            return Outcome(check, 1, f"{words}{error}\n", time.monotonic() - start)
        words, code = words + answer.stdout, answer.returncode
        if code != 0:
            break
    return Outcome(check, code, words, time.monotonic() - start)


def main() -> int:
    """Print each check as it ends, with the output of those that fail and of those that list something."""
    failed, breaches = [], 0
    with tempfile.TemporaryDirectory() as scratch, ThreadPoolExecutor(2) as pool:
        for outcome in pool.map(run, checks(Path(scratch))):
            verdict = "ok    " if outcome.code == 0 else "FAILED"
            print(f"{verdict} {outcome.seconds:5.1f} s  {outcome.check.name}", flush=True)
            if outcome.code != 0:
                failed.append(outcome.check.name)
            breaches += outcome.words.count("breach: ")
            if outcome.code != 0 or outcome.check.name in (BUDGETS, COUNTED, ENGLISH):
                print(
                    "".join(f"       {line}\n" for line in outcome.words.rstrip().splitlines()),
                    end="",
                    flush=True,
                )
    passed = f", but for {breaches} size budgets" if breaches else ""
    print(f"check: {', '.join(failed)} failed" if failed else f"check: all passed{passed}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
