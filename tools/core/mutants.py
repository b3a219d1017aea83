"""Break a copy of the core on purpose, in one way after the other, and see if the judges notice.

    python -m tools.core.mutants [--seeds N] [--only NAME] [--json]

Prints mutant × judge × seeds needed. Faults that no random world shows, since its datagrams are sealed and
its applications read, are left to a transcript test of tests/core, which must fail. Exit code 0: all were
noticed; 1: one was not; 2: one does not apply or does not build, so the list must follow the core.
"""

from __future__ import annotations

import argparse
import json
import re
import shutil
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
LIST = ROOT / "tests" / "sim" / "mutants.toml"
TOOLS = Path(sys.executable).parent
STEP = 10
LONGEST = 300


@dataclass(frozen=True, slots=True)
class Mutant:
    """One way to break the core: a text in a file, and its replacement."""

    name: str
    rule: str
    file: str
    old: str
    new: str
    kind: str = "mixed"
    test: str = ""


@dataclass(frozen=True, slots=True)
class Finding:
    """The number of seeds needed, 0 if the mutant was never noticed, and the judges that noticed it."""

    name: str
    seeds: int
    oracles: tuple[str, ...]


class MutantError(Exception):
    """A mutant that no longer fits the core."""


def read_mutants(path: Path = LIST) -> list[Mutant]:
    """Return the list, in its order."""
    return [Mutant(**entry) for entry in tomllib.loads(path.read_text(encoding="utf-8"))["mutant"]]


def apply(mutant: Mutant, text: str) -> str:
    """Return the text of the file with the mutation in it."""
    count = text.count(mutant.old)
    if count != 1:
        raise MutantError(f"{mutant.name}: its old text occurs {count} times in {mutant.file}, not once")
    return text.replace(mutant.old, mutant.new)


def _call(*command: str | Path) -> str:
    done = subprocess.run([str(part) for part in command], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise MutantError(f"{command[0]} fails: {(done.stdout + done.stderr)[-2000:]}")
    return done.stdout


def prepare(place: Path, tests: set[str]) -> None:
    """Copy the C sources and configure a build there; warnings are not errors in a mutant."""
    for room in ("multicast", "bench", "tests/core", "tests/fuzz"):
        left_out = shutil.ignore_patterns("liven", "__pycache__", "*.py")
        shutil.copytree(ROOT / room, place / room, ignore=left_out)
    lists = place / "multicast" / "CMakeLists.txt"
    lists.write_text(lists.read_text(encoding="utf-8").replace(" -Werror", ""), encoding="utf-8")
    ninja = f"-DCMAKE_MAKE_PROGRAM={TOOLS / 'ninja'}"
    where = ("-S", place / "multicast", "-B", place / "build")
    _call(TOOLS / "cmake", *where, "-G", "Ninja", ninja, "-DLIVEN_TESTS=ON")
    build(place, "run_campaign", *sorted(tests))
    for test in sorted(tests):
        if run_test(place, test) != 0:
            raise MutantError(f"{test} fails without any mutant: repair that first")


def build(place: Path, *targets: str) -> None:
    """Build the judges: the campaign, or tests."""
    _call(TOOLS / "cmake", "--build", place / "build", "--target", *targets)


def run_test(place: Path, test: str) -> int:
    """Return the exit code of a C test; one that does not end has failed."""
    command = str(place / "build" / "tests" / test)
    try:
        return subprocess.run(command, capture_output=True, check=False, timeout=LONGEST).returncode
    except subprocess.TimeoutExpired:
        return 1


@contextmanager
def broken(mutant: Mutant, place: Path) -> Iterator[None]:
    """Put the mutant into the copy for the length of the block."""
    path = place / "multicast" / mutant.file
    whole = path.read_text(encoding="utf-8")
    path.write_text(apply(mutant, whole), encoding="utf-8")
    try:
        build(place, mutant.test or "run_campaign")
        yield
    finally:
        path.write_text(whole, encoding="utf-8")


def oracles_in(output: str) -> tuple[str, ...]:
    """Return the judges that a campaign's output names."""
    return tuple(sorted(set(re.findall(r"^    \d+\.\d+ ms (\w+):", output, re.MULTILINE))))


def run_seeds(place: Path, kind: str, first: int, count: int) -> tuple[int, dict[int, str]]:
    """Return the exit code, and the output of each seed that broke."""
    command = (place / "build" / "run_campaign", str(first), str(count), kind, "--quiet")
    done = subprocess.run([str(part) for part in command], capture_output=True, text=True, check=False)
    parts = re.split(r"^seed (\d+):", done.stdout, flags=re.MULTILINE)
    return done.returncode, {int(seed): text for seed, text in zip(parts[1::2], parts[2::2], strict=True)}


def hunt(mutant: Mutant, place: Path, seeds: int, known: set[int]) -> Finding:
    """Run seeds until one breaks that does not break without the mutant (`known`). A program that aborts
    counts as noticed, by an assertion. A test either fails or has not noticed."""
    if mutant.test:
        return Finding(mutant.name, int(run_test(place, mutant.test) != 0), (mutant.test,))
    for first in range(1, seeds + 1, STEP):
        code, broken_seeds = run_seeds(place, mutant.kind, first, min(STEP, seeds + 1 - first))
        for seed, text in broken_seeds.items():
            if seed not in known:
                return Finding(mutant.name, seed, oracles_in(text))
        if code not in (0, 1):
            return Finding(mutant.name, first, ("assert",))
    return Finding(mutant.name, 0, ())


def show(findings: list[Finding]) -> None:
    """Print the table."""
    print(f"{'mutant':<34} {'seeds':>6}  oracles")
    for finding in findings:
        seeds = str(finding.seeds) if finding.seeds else "never"
        print(f"{finding.name:<34} {seeds:>6}  {', '.join(finding.oracles)}")


def main(argv: list[str] | None = None) -> int:
    """Run the list."""
    parser = argparse.ArgumentParser(description="break the core on purpose and see if the judges notice")
    parser.add_argument("--seeds", type=int, default=200)
    parser.add_argument("--only", action="append", default=[])
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args(argv)
    mutants = [mutant for mutant in read_mutants() if not options.only or mutant.name in options.only]
    findings: list[Finding] = []
    with tempfile.TemporaryDirectory(prefix="liven-mutants-") as name:
        place = Path(name)
        try:
            prepare(place, {mutant.test for mutant in mutants} - {""})
            kinds = {mutant.kind for mutant in mutants if not mutant.test}
            known = {kind: set(run_seeds(place, kind, 1, options.seeds)[1]) for kind in kinds}
            for mutant in mutants:
                with broken(mutant, place):
                    findings.append(hunt(mutant, place, options.seeds, known.get(mutant.kind, set())))
        except MutantError as error:
            print(error, file=sys.stderr)
            return 2
    if options.json:
        print(json.dumps([asdict(finding) for finding in findings]))
    else:
        show(findings)
    return 0 if all(finding.seeds for finding in findings) else 1


if __name__ == "__main__":
    sys.exit(main())
