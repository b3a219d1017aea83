"""The result of a query on a feed, from the recipe to the value stream, with the real processes."""

from __future__ import annotations

import os
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest
from tests.integration.feeds.kill_campaign import command, descendants

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(find_spec("pyspark") is None, reason="needs the extra `spark`"),
]
SAMPLE = Path(__file__).parents[3] / "samples" / "feeds" / "aircraft_per_sector.liveobject"


class Home:
    """A home with programs in it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def start(self, *words: str) -> subprocess.Popen[str]:
        return subprocess.Popen(
            [sys.executable, "-P", "-m", "liven.app.main", *words],
            env={**os.environ, "LIVEN_HOME": str(self.folder), "PYTHONUNBUFFERED": "1"},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )

    def until(self, program: subprocess.Popen[str], wanted: str) -> str:
        """Return the first line with these words, and end the program."""
        try:
            return self.line(program, wanted)
        finally:
            self.end(program)

    def line(self, program: subprocess.Popen[str], wanted: str) -> str:
        """Return the next line with these words."""
        assert program.stdout is not None
        lines = []
        for line in program.stdout:
            lines.append(line)
            if wanted in line:
                return line
        raise AssertionError(f"{wanted!r} never came:\n{''.join(lines)}")

    def end(self, program: subprocess.Popen[str]) -> None:
        """End the program in order."""
        assert program.stdout is not None
        program.terminate()
        program.stdout.close()
        program.wait(120)


@pytest.fixture
def home(tmp_path: Path) -> Home:
    found = Home(tmp_path)
    made = found.start("feeds", "generate", "airspace", "--for", "1m", "--into", "airspace")
    assert made.wait(300) == 0
    assert made.stdout is not None
    made.stdout.close()
    return found


def recipe(folder: Path, query: str, group: str = "") -> Path:
    """Write a recipe of a derivation with one endpoint to look at."""
    path = folder / "counts.liveobject"
    path.write_text(
        '<Root xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"'
        ' xmlns:xsd="http://www.w3.org/2001/XMLSchema">'
        '<Object xsi:type="ReferenceObject" id="liven:derivation">'
        '<Parameter id="feed"><Value xsi:type="xsd:string">airspace</Value></Parameter>'
        f'<Parameter id="query"><Value xsi:type="xsd:string">{query}</Value></Parameter>'
        f'<Parameter id="group"><Value xsi:type="xsd:string">{group}</Value></Parameter>'
        "</Object></Root>"
    )
    return path


def test_both_recorders_are_counted_once_in_a_table(home: Home) -> None:
    path = recipe(home.folder, "select count(distinct_reports.serial) as n from records distinct_reports")
    program = home.start("run", str(path), "--allow-query", "airspace", "--log", "Endpoint", "--for", "600")
    line = home.until(program, '"values": [59')
    assert '"WholeColumn": {"name": "n"' in line


def queries(program: subprocess.Popen[str]) -> int:
    """Return the number of queries that a program runs."""
    return sum("feeds watch" in command(process) for process in descendants(program.pid))


def test_one_member_of_a_group_runs_the_query_and_the_next_goes_on_when_it_leaves(home: Home) -> None:
    path = recipe(home.folder, "select count(*) as n from records", "home/turns")
    words = ("run", str(path), "--allow-query", "airspace", "--log", "Endpoint", "--for", "900")
    first = home.start(*words)
    try:
        home.line(first, '"WholeColumn": {"name": "n"')
        second = home.start(*words)
        try:
            home.line(second, ": running")
            assert (queries(first), queries(second)) == (1, 0)
            home.end(first)
            home.line(second, '"WholeColumn": {"name": "n"')
            assert queries(second) == 1
        finally:
            home.end(second)
    finally:
        if first.poll() is None:
            home.end(first)


def test_a_wrong_query_is_a_problem_with_the_views(home: Home) -> None:
    path = recipe(home.folder, "select n from nothing")
    program = home.start("run", str(path), "--allow-query", "airspace", "--for", "600")
    line = home.until(program, "does not run: ")
    assert "the views are: aircraft, records" in line


def test_the_sample_does_not_run_the_query_without_a_yes(home: Home) -> None:
    program = home.start("run", str(SAMPLE), "--for", "60")
    line = home.until(program, "which nobody allowed")
    assert "run a query with Spark on the recorded feed airspace" in line
    assert "--allow-query FEED" in line
