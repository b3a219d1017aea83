from __future__ import annotations

import json
import os
import signal
import subprocess
from pathlib import Path

from liven.multicast.laggard import Lag, Laggard
from liven.multicast.published_stats import StatsFile, read_published_stats


def test_published_statistics_can_be_read(tmp_path: Path) -> None:
    folder = tmp_path / "engines"
    board = StatsFile(folder)
    assert board.is_due()
    board.publish({"messages_sent": 3}, ["chat"])
    assert not board.is_due()
    (entry,) = read_published_stats(folder)
    assert (entry.pid, entry.groups, entry.stats) == (os.getpid(), ("chat",), {"messages_sent": 3})
    assert folder.stat().st_mode & 0o777 == 0o700
    board.clear()
    assert read_published_stats(folder) == []


def test_two_engines_of_a_process_have_a_file_each(tmp_path: Path) -> None:
    for number in range(2):
        StatsFile(tmp_path).publish({"x": number}, [])
    assert sorted(entry.stats["x"] for entry in read_published_stats(tmp_path)) == [0, 1]


def test_only_the_first_of_many_groups_are_published(tmp_path: Path) -> None:
    StatsFile(tmp_path).publish({}, [str(number) for number in range(8192)])
    assert read_published_stats(tmp_path) == []  # nothing was measured yet, so nothing is shown
    StatsFile(tmp_path).publish({"x": 1}, [str(number) for number in range(8192)])
    assert len(read_published_stats(tmp_path)[0].groups) == 20


def test_the_file_of_a_dead_engine_is_removed(tmp_path: Path) -> None:
    stale = tmp_path / "1-1.json"
    stale.write_text(json.dumps({"pid": 2**22 + 1, "at": 1.0, "groups": [], "stats": {}}), encoding="utf-8")
    assert read_published_stats(tmp_path) == []
    assert not stale.exists()


def test_an_invalid_file_is_ignored(tmp_path: Path) -> None:
    for number, text in enumerate(["", "{", "[]", '{"pid": "x"}']):
        (tmp_path / f"{number}.json").write_text(text, encoding="utf-8")
    assert read_published_stats(tmp_path) == []


def test_a_folder_that_cannot_be_written_does_not_stop_the_engine(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    board = StatsFile(tmp_path / "file" / "engines")
    board.publish({"x": 1}, [])
    assert not board.is_due()


def test_laggards_are_published_while_the_engine_waits(tmp_path: Path) -> None:
    board, slow = StatsFile(tmp_path), Laggard(7, Lag.SILENT, "", 3, 2.5)
    board.publish({"x": 1}, ["chat"], 5, (slow,))
    (entry,) = read_published_stats(tmp_path)
    assert (entry.node, entry.laggards) == (5, (slow,))
    board.publish({"x": 1}, ["chat"], 5)
    assert read_published_stats(tmp_path)[0].laggards == ()


def test_a_file_without_laggards_is_read(tmp_path: Path) -> None:
    facts = {"pid": os.getpid(), "at": 1.0, "groups": [], "stats": {"x": 1}}
    (tmp_path / "1.json").write_text(json.dumps(facts), encoding="utf-8")
    (tmp_path / "2.json").write_text(json.dumps({**facts, "laggards": [[1]]}), encoding="utf-8")
    (entry,) = read_published_stats(tmp_path)
    assert (entry.engine, entry.node, entry.laggards) == ("1", 0, ())


def test_a_process_stopped_by_a_signal_is_marked(tmp_path: Path) -> None:
    with subprocess.Popen(["sleep", "60"]) as sleeper:
        facts = {"pid": sleeper.pid, "at": 1.0, "groups": [], "stats": {}}
        (tmp_path / "1.json").write_text(json.dumps(facts), encoding="utf-8")
        assert [one.stopped for one in read_published_stats(tmp_path)] == [False]
        sleeper.send_signal(signal.SIGSTOP)
        os.waitpid(sleeper.pid, os.WUNTRACED)
        assert [one.stopped for one in read_published_stats(tmp_path)] == [True]
        sleeper.kill()
        os.waitid(os.P_PID, sleeper.pid, os.WEXITED | os.WNOWAIT)  # it ended, and nobody asked how
        assert read_published_stats(tmp_path) == []
