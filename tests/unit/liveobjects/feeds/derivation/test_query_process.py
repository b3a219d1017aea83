"""The process of a query: its lines, its end, its ending with this program."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from liven.liveobjects.feeds.derivation.query_process import QueryProcess, query_command
from liven.runtime.dispatcher import HandCranked

STAND_IN = Path(__file__).with_name("stand_in_query.py")


class Started:
    """A process under a hand-cranked dispatcher."""

    def __init__(self, *lines: str) -> None:
        self.crank = HandCranked()
        self.events: list[dict[str, Any]] = []
        self.ends: list[str] = []
        command = [sys.executable, str(STAND_IN), *lines]
        self.process = QueryProcess(command, self.crank.watch_fd, self.events.append, self.ends.append)


@pytest.fixture
def started() -> Iterator[Any]:
    made: list[Started] = []

    def start(*lines: str) -> Started:
        made.append(Started(*lines))
        return made[-1]

    yield start
    for one in made:
        one.process.close()


def is_running(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    return True


def test_events_are_told_and_other_lines_are_not(started: Any) -> None:
    one = started('{"event": "table"}', "noise", "[1]", '{"event": 7}', '{"event": "ready"}', "wait")
    one.crank.wait(lambda: len(one.events) == 2)
    assert one.events == [{"event": "table"}, {"event": "ready"}]
    assert one.ends == []


def test_the_end_is_told_with_the_last_complaint(started: Any) -> None:
    one = started("complain first", "complain liven: there is no feed", "die 2")
    one.crank.wait(lambda: bool(one.ends))
    assert one.ends[0] == "there is no feed"
    silent = started("die 3")
    silent.crank.wait(lambda: bool(silent.ends))
    assert silent.ends[0] == "its process ended without a word"


def test_a_line_longer_than_one_chunk_comes_whole(started: Any) -> None:
    one = started('{"event": "table", "text": "' + "x" * 100_000 + '"}', "wait")
    one.crank.wait(lambda: bool(one.events))
    assert len(one.events[0]["text"]) == 100_000


def test_a_closed_process_ends_and_tells_nothing_more(started: Any) -> None:
    one = started('{"event": "ready"}', "wait")
    one.crank.wait(lambda: bool(one.events))
    one.process.close()
    one.process.close()
    one.crank.wait(lambda: not is_running(one.process.process))
    assert one.ends == []


def test_what_a_person_wrote_is_never_an_option() -> None:
    command = query_command("radar", " --attached", "--rows=5")
    assert command[command.index("feeds") :] == [
        *("feeds", "watch", "radar", " --attached", "--json", "--attached", "--no-prepare", "--rows=5")
    ]
