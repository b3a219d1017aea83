"""The stories about feeds are true: each command of a page is typed, and prints what the page shows."""

from __future__ import annotations

import importlib.util
import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

STORIES = Path(__file__).parents[3] / "docs" / "feeds"
_FENCE = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_NEEDS_SPARK = ("feeds ingest", "feeds sql")
_LONGEST = 570.0


def commands(page: Path) -> Iterator[tuple[str, list[str]]]:
    """Yield each command of the console blocks of a page, with the output that the page shows."""
    for kind, text in _FENCE.findall(page.read_text(encoding="utf-8")):
        if kind == "console":
            for part in re.split(r"^\$ ", text, flags=re.MULTILINE)[1:]:
                command, *shown = part.rstrip("\n").split("\n")
                yield command, shown


def agrees(shown: list[str], printed: str) -> bool:
    """True if the shown output is the printed one: `…` stands for anything in its line, and alone in a line
    for any number of lines."""
    anything = {"…": r"[\s\S]*"}
    lines = [anything.get(line, re.escape(line).replace("…", "[^\n]*")) for line in shown]
    return re.fullmatch("\n".join(lines), printed.rstrip("\n")) is not None


def typed(command: str, home: Path) -> str:
    """Return the output of a command, which must succeed."""
    program, *words = shlex.split(command)
    assert program == "liven"
    environment = {**os.environ, "LIVEN_HOME": str(home)}
    run = [sys.executable, "-m", "liven.app.main", *words]
    done = subprocess.run(
        run, cwd=home, env=environment, capture_output=True, text=True, timeout=_LONGEST, check=False
    )
    assert done.returncode == 0, f"{command}\n{done.stdout}{done.stderr}"
    return done.stdout


def tells(page: str, home: Path, *, with_spark: bool) -> int:
    """Type the commands of a page, and return how many; those that need Spark only if it is there."""
    count = 0
    for command, shown in commands(STORIES / page):
        if not with_spark and any(words in command for words in _NEEDS_SPARK):
            continue
        words = command
        if "feeds ingest" in command:
            words += " --no-prepare"  # it would go on after the test
        printed = typed(words, home)
        assert agrees(shown, printed), f"{command}\n{printed}"
        count += 1
    return count


@pytest.mark.slow
@pytest.mark.parametrize(
    ("page", "count"),
    [("aircraft-per-sector.md", 2), ("board-on-monday.md", 6), ("earthquakes-of-a-week.md", 5)],
)
def test_a_story_without_spark_is_true(page: str, count: int, tmp_path: Path) -> None:
    assert tells(page, tmp_path, with_spark=False) == count


@pytest.mark.slow
@pytest.mark.skipif(importlib.util.find_spec("pyspark") is None, reason="the extra spark is not installed")
@pytest.mark.parametrize(("page", "count"), [("aircraft-per-sector.md", 6), ("earthquakes-of-a-week.md", 8)])
def test_a_story_with_spark_is_true(page: str, count: int, tmp_path: Path) -> None:
    assert tells(page, tmp_path, with_spark=True) == count


def test_every_story_is_reached_from_the_page_of_sources() -> None:
    text = (STORIES / "sources.md").read_text(encoding="utf-8")
    assert all(f"({page.name})" in text for page in STORIES.glob("*.md") if page.name != "sources.md")


def test_a_wrong_page_is_reported() -> None:
    assert agrees(["a …", "…"], "a b\nc\nd\n")
    assert not agrees(["a: 1 record"], "a: 2 records\n")
