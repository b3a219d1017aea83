"""Print the sizes of files and functions beside their budgets, and list each breach.

A long file hides behind a short median, so the maximum counts too. `budgets.toml` excuses a file, with the
reason; an excuse for a file that keeps the budget is itself a breach.
"""

from __future__ import annotations

import ast
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
ROOMS = ("app", "designer", "liveobjects", "runtime", "multicast", "types")


@dataclass(frozen=True, slots=True)
class Budget:
    """Bounds for one kind of size; None where there is none."""

    median: int | None
    ninth: int
    most: int | None


PYTHON_FILE, PYTHON_FUNCTION = Budget(150, 400, 600), Budget(8, 25, 60)
C_FILE, C_FUNCTION = Budget(200, 900, 900), Budget(None, 50, 120)
TESTS_PER_CODE, TESTS_PER_CORE = 1.4, 2.0


@dataclass(frozen=True, slots=True)
class Size:
    """The length of a file, or of a function in it."""

    path: str
    name: str
    lines: int


def tracked(*patterns: str) -> list[Path]:
    """Return the files that belong to the project."""
    command = ["git", "ls-files", "--cached", "--others", "--exclude-standard", *patterns]
    answer = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    return [ROOT / line for line in answer.stdout.splitlines() if (ROOT / line).is_file()]


def code_lines(path: Path) -> int:
    """Return the number of lines that are neither blank nor only a comment."""
    marks = ("#", "//", "/*", "*", "*/")
    lines = (line.strip() for line in path.read_text(encoding="utf-8").splitlines())
    return sum(1 for line in lines if line and not line.startswith(marks))


def python_functions(path: Path) -> Iterator[Size]:
    """Yield the functions in `path`, each without its docstring."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            lines = (node.end_lineno or node.lineno) - node.lineno + 1
            if ast.get_docstring(node) is not None:
                first = node.body[0]
                lines -= (first.end_lineno or first.lineno) - first.lineno + 1
            yield Size(str(path.relative_to(ROOT)), node.name, lines)


def c_functions(path: Path) -> Iterator[Size]:
    """Yield the functions in `path`: clang-format puts each opening brace on the line of the name."""
    name, start = "", 0
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        if re.match(r"^[A-Za-z_].*\(", line) and not name:
            name, start = re.split(r"\(", line)[0].split()[-1].lstrip("*"), number
        if name and line.endswith(";") and line[0] not in " \t}":
            name = ""
        if line == "}" and name:
            yield Size(str(path.relative_to(ROOT)), name, number - start + 1)
            name = ""


def percentile(values: list[int], share: float) -> int:
    """Return the value that `share` of all values do not exceed."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))] if ordered else 0


def judge(title: str, sizes: list[Size], budget: Budget, excused: dict[str, str]) -> list[str]:
    """Print the line of one kind and return its breaches."""
    lines = [size.lines for size in sizes]
    median, ninth, most = percentile(lines, 0.5), percentile(lines, 0.9), max(lines, default=0)
    print(f"  {title:<18} {len(lines):>5} · median {median:>4} · p90 {ninth:>4} · max {most:>4}")
    breaches = []
    if budget.median is not None and median > budget.median:
        breaches.append(f"{title}: the median is {median}, the budget {budget.median}")
    if ninth > budget.ninth:
        breaches.append(f"{title}: nine in ten are up to {ninth}, the budget is {budget.ninth}")
    if budget.most is not None:
        breaches += [
            f"{size.path}: {size.name or 'the file'} has {size.lines} lines, {budget.most} allowed"
            for size in sizes
            if size.lines > budget.most and size.path not in excused
        ]
    return breaches


def files(paths: list[Path]) -> list[Size]:
    """Return the sizes of whole files."""
    return [
        Size(str(path.relative_to(ROOT)), "", len(path.read_text(encoding="utf-8").splitlines()))
        for path in paths
    ]


def tests_per_code(title: str, tests: list[Path], code: list[Path], wanted: float) -> list[str]:
    """Print the lines of test for each line of code, and return the breach if there is one."""
    lines = sum(map(code_lines, code))
    ratio = sum(map(code_lines, tests)) / lines if lines else 0.0
    print(f"  {title:<18} {ratio:.2f} lines of test a line of code")
    return [] if ratio >= wanted else [f"{title}: {ratio:.2f} lines of test a line of code, {wanted} wanted"]


def excuse_faults(name: str, reason: str) -> list[str]:
    """Return the faults of one line of `budgets.toml`."""
    path = ROOT / name
    if not path.exists():
        return [f"budgets.toml excuses {name}, which is not there"]
    if not reason.strip():
        return [f"budgets.toml excuses {name} without a reason"]
    whole, functions = (C_FILE, C_FUNCTION) if path.suffix in (".c", ".h") else (PYTHON_FILE, PYTHON_FUNCTION)
    found = c_functions(path) if path.suffix in (".c", ".h") else python_functions(path)
    longest = max((size.lines for size in found), default=0)
    if files([path])[0].lines <= (whole.most or 0) and longest <= (functions.most or 0):
        return [f"budgets.toml excuses {name}, which keeps its budget: take the line out"]
    return []


def main() -> int:
    """Print the sizes and the breaches; a breach is listed, not fatal."""
    excuses = tomllib.loads((ROOT / "budgets.toml").read_text(encoding="utf-8")).get("excused", {})
    python = [path for room in ROOMS for path in tracked(f"{room}/*.py")]
    core = tracked("multicast/*.c", "multicast/*.h")
    python_tests, core_tests = tracked("tests/*.py"), tracked("tests/core/*.c")
    print("size budgets")
    functions = [size for path in python for size in python_functions(path)]
    breaches = judge("Python files", files(python), PYTHON_FILE, excuses)
    breaches += judge("Python functions", functions, PYTHON_FUNCTION, excuses)
    breaches += judge("C files", files(core), C_FILE, excuses)
    breaches += judge(
        "C functions", [size for path in core for size in c_functions(path)], C_FUNCTION, excuses
    )
    breaches += tests_per_code("Python tests", python_tests, python, TESTS_PER_CODE)
    breaches += tests_per_code("C tests", core_tests, core, TESTS_PER_CORE)
    breaches += [fault for name, reason in excuses.items() for fault in excuse_faults(name, reason)]
    print("\n".join(f"  breach: {breach}" for breach in breaches) or "  no breach")
    return 0


if __name__ == "__main__":
    sys.exit(main())
