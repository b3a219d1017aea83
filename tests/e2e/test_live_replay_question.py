"""A replay into a live channel after a no and after a yes, at a terminal."""

from __future__ import annotations

import json
import signal
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.e2e.test_record_and_replay import NAME, Home
from tests.integration.app.feeds.test_replay_command import Terminal
from tests.unit.liveobjects.feeds.replay.recordings import counter_recipe, record, written

from liven.liveobjects.feeds.description import FeedDescription, TypeEntry, write_description
from liven.runtime.reference.xml import write

pytestmark = pytest.mark.slow
QUESTION = r"Play into it\? \[y/N\] "


@pytest.fixture
def home(tmp_path: Path) -> Home:
    return Home(tmp_path / "home")


@pytest.fixture
def files(tmp_path: Path) -> Path:
    """Return a folder with a counter."""
    (tmp_path / "count.liveobject").write_bytes(write(counter_recipe(NAME)))
    return tmp_path


def rows_of(process: subprocess.Popen[str]) -> Iterator[dict[str, Any]]:
    """Yield what a program prints as JSON."""
    assert process.stdout is not None
    while line := process.stdout.readline():
        yield json.loads(line)


def counts(process: subprocess.Popen[str]) -> Iterator[int]:
    """Yield the numbers that a counter shows."""
    for row in rows_of(process):
        if "counted" in json.dumps(row):
            yield row["values"][0]["value"]


def end(process: subprocess.Popen[str]) -> None:
    process.send_signal(signal.SIGINT)
    process.communicate(timeout=90)


def test_a_live_channel_gets_nothing_after_a_no_and_everything_after_a_yes(home: Home, files: Path) -> None:
    monday = files / "monday"
    written(monday / "here", [record(n / 50, 10) for n in range(50)])
    types = {"int64": TypeEntry("int64")}
    write_description(monday, FeedDescription("Monday", write(counter_recipe()).decode(), types))
    running = home.start("run", str(files / "count.liveobject"), "--log", "counter", "--json")
    try:
        shown = counts(running)
        assert next(shown) == 0
        for answer in (b"n\n", b"\n", b"later\n"):
            asked = Terminal(monday, ("--into", f"live:{NAME}", "--speed", "100", "--no-keys"))
            asked.wait_for(f"Everybody who has the channel “{NAME}” open(.|\n)*{QUESTION}")
            asked.press(answer)
            assert asked.end(code=1) == ""
        again = Terminal(monday, ("--into", f"live:{NAME}", "--speed", "100", "--no-keys"))
        again.wait_for(QUESTION)
        again.press(b"y\n")
        again.end()
        assert next(number for number in shown if number >= 500) == 500
    finally:
        end(running)
