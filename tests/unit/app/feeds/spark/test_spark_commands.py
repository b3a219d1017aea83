"""The commands on Spark: what they print, and what happens without Spark or Java."""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from tests.unit.app.feeds.log.test_diff import local
from tests.unit.liveobjects.feeds.history.recordings import MONDAY, Recording

from liven.app.feeds.activity_line import ActivityLine
from liven.app.feeds.spark import job_arguments
from liven.app.feeds.spark.job_arguments import setting
from liven.app.feeds.spark.job_progress import SparkProgress
from liven.app.feeds.spark.sql import _RowPrinter
from liven.app.main import main
from liven.liveobjects.desktop.state import Add, Item, Move, Place
from liven.liveobjects.feeds.description import FeedDescription, write_description
from liven.liveobjects.feeds.record import VALUE, Record
from liven.liveobjects.feeds.replay.bookmarks import Bookmark, Bookmarks
from liven.liveobjects.feeds.segment.writer import LogWriter
from liven.liveobjects.feeds.spark import session, virtual_machine
from liven.liveobjects.feeds.spark.java import NoJavaError
from liven.liveobjects.feeds.spark.runner import INTERRUPTED, Outcome, Places, Run
from liven.liveobjects.feeds.table.commits.layout import COMMITS, Layout
from liven.liveobjects.feeds.table.commits.lock import locked
from liven.liveobjects.text.document import Document, Insert
from liven.runtime.reference.xml import write
from liven.runtime.user_folders import UserFolders


@pytest.mark.parametrize("words", [["ingest"], ["compact"], ["sql", "select 1"], ["serve"], ["prepare"]])
def test_without_spark_one_line_says_how_to_get_it(
    words: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(virtual_machine, "find_spec", lambda _name: None)
    assert main(["feeds", *words]) == 3
    said = capsys.readouterr()
    assert said.err == "liven: pyspark is not installed; get it with: pip install 'liven[spark]'\n"


def test_without_java_one_line_says_how_to_get_it(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("pyspark")

    def none(*_words: object) -> None:
        raise NoJavaError("no Java is on the path; get one")

    monkeypatch.setattr(session, "find_java", none)
    assert main(["feeds", "ingest"]) == 3
    assert capsys.readouterr().err == "liven: no Java is on the path; get one\n"


@pytest.mark.parametrize("words", [["ingest"], ["stats"], ["backfill"], ["compact"], ["asof", "--table"]])
def test_a_feed_named_by_a_path_is_found_from_any_folder(
    words: list[str], home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The resident process works in a folder of its own."""
    LogWriter(tmp_path / "board" / "ann").close()
    monkeypatch.chdir(tmp_path)
    given: list[Any] = []

    def note(run: Run, _version: str) -> Outcome:
        given.append(list(run.arguments["feeds"]))
        return Outcome(0)

    monkeypatch.setattr(job_arguments, "submitted", note)
    assert main(["feeds", *words, "./board"]) == 0
    assert given == [[str(tmp_path / "board")]]


@pytest.mark.parametrize("words", [["ingest"], ["stats"], ["backfill"], ["compact"], ["asof", "--table"]])
def test_a_feed_that_there_is_not_is_told_before_java_starts(
    words: list[str], home: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    LogWriter(home / "state" / "feeds" / "board" / "ann").close()
    monkeypatch.setattr(job_arguments, "submitted", lambda *_: pytest.fail("a job was begun"))
    assert main(["feeds", *words, "bord"]) == 2
    assert "there is no feed 'bord'; did you mean 'board'?" in capsys.readouterr().err


def test_the_tables_of_a_feed_that_was_removed_can_still_be_compacted(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (home / "state" / "tables" / COMMITS / "board").mkdir(parents=True)
    monkeypatch.setattr(job_arguments, "submitted", lambda *_: Outcome(0))
    assert main(["feeds", "compact", "board"]) == 0


def test_commands_that_need_no_spark_work_without_it(home: Path) -> None:
    code = (
        "import sys; sys.modules['pyspark'] = None\n"
        "from liven.app.main import main; sys.exit(main(['feeds', 'ls']))"
    )
    answer = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (answer.returncode, answer.stderr) == (0, "")


def test_the_window_program_imports_neither_spark_nor_arrow() -> None:
    code = (
        "import sys, liven.app.program.composition, liven.app.program.desktop_program\n"
        "import liven.app.feeds.command, liven.app.window.object_window\n"
        "print([name for name in ('pyspark', 'py4j', 'pyarrow') if name in sys.modules])"
    )
    answer = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert answer.stdout == "[]\n"


def test_a_client_of_the_resident_process_loads_what_a_client_needs() -> None:
    """Its start is most of the time until the first rows are there."""
    code = (
        "import sys; from liven.app.main import main\n"
        "try: main(['feeds', 'ingest', '--help'])\n"
        "except SystemExit: pass\n"
        "rooms = ('liven.types', 'liven.multicast', 'liven.liveobjects.channel')\n"
        "loaded = [name for name in sys.modules if name in ('numpy', 'lxml') or name.startswith(rooms)]\n"
        "print(loaded, file=sys.stderr)"
    )
    answer = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert answer.stderr == "[]\n"


def test_a_process_that_writes_the_tables_is_named(
    home: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from liven.liveobjects.feeds.spark import runner

    monkeypatch.setattr(runner, "locked", lambda *words, **more: locked(*words, **{**more, "patience": 0.0}))
    tables = Places.of(UserFolders.of_user(os.environ)).tables
    with locked(Layout(tables).lock, "process 7 (liven feeds ingest)"):
        assert main(["feeds", "ingest", "--json"]) == 1
    assert "process 7 (liven feeds ingest) is writing these tables" in capsys.readouterr().err


EVENTS: list[dict[str, Any]] = [
    {"event": "start", "text": "starting Spark"},
    {"event": "plan", "feed": "board", "rows": 100, "number": 0},
    {"event": "warning", "feed": "board", "text": "3 records could not be decoded"},
    {"event": "batch", "feed": "board", "rows": 100, "done": 100, "total": 100},
    {"event": "done", "feed": "board", "rows": 100, "seconds": 1.25},
]


def test_a_person_reads_sentences(capsys: pytest.CaptureFixture[str]) -> None:
    progress = SparkProgress("ingesting", "ingested", as_json=False, is_quiet=True)
    for event in EVENTS:
        progress.show(event)
    said = capsys.readouterr()
    assert said.out == "board: ingested 100 records in 1.2 s\n"
    assert said.err == "liven: 3 records could not be decoded\n"


def test_a_job_that_counts_tables_does_not_say_records(capsys: pytest.CaptureFixture[str]) -> None:
    progress = SparkProgress("deriving", "derived", as_json=False)
    progress.show({"event": "plan", "feed": "board", "rows": 3, "number": 0, "unit": "table"})
    progress.show({"event": "done", "feed": "board", "rows": 41, "seconds": 1.0, "unit": "row"})
    said = capsys.readouterr()
    assert "records" not in said.err
    assert said.out == "board: derived 41 rows in 1.0 s\n"


def test_a_terminal_shows_a_bar(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    progress = SparkProgress("ingesting", "ingested", as_json=False)
    for event in EVENTS[:4]:
        progress.show(event)
    progress.end()
    said = capsys.readouterr().err
    assert "ingesting board" in said
    assert "100 %" in said
    assert "left" in said


@pytest.mark.parametrize(
    ("event", "step"),
    [
        ({"event": "java", "text": "starting Java 25"}, "starting Java 25"),
        ({"event": "waiting", "text": "waiting for another job"}, "waiting for another job"),
        ({"event": "ready"}, "ingesting what is there"),
        (EVENTS[1], "ingesting board, 100 records"),
        (EVENTS[2], ""),
    ],
)
def test_each_step_until_there_are_numbers_has_a_line(
    event: dict[str, Any], step: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    steps = ["before"]
    monkeypatch.setattr(ActivityLine, "step", lambda _self, text: steps.append(text))
    monkeypatch.setattr(ActivityLine, "end", lambda _self: steps.append(""))
    progress = SparkProgress("ingesting", "ingested", as_json=False)
    progress.show(event)
    assert steps[-1] == step
    progress.end()
    assert steps[-1] == ""


def test_a_program_reads_lines_of_json(capsys: pytest.CaptureFixture[str]) -> None:
    progress = SparkProgress("ingesting", "ingested", as_json=True)
    for event in EVENTS:
        progress.show(event)
    assert [json.loads(line) for line in capsys.readouterr().out.splitlines()] == EVENTS


def test_rows_are_printed_as_a_table_or_as_json(capsys: pytest.CaptureFixture[str]) -> None:
    events: list[dict[str, Any]] = [
        {"event": "columns", "columns": [["name", "string"], ["n", "bigint"]]},
        {"event": "rows", "rows": [["a\x1b[2J", 1], [None, 20], ["x" * 50, {"k": [1]}]]},
    ]
    for as_json in (False, True):
        printer = _RowPrinter(as_json=as_json)
        for event in events:
            printer.show(event)
        printer.finish()
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].split() == ["name", "n"]
    assert lines[2].split() == ["a\N{REPLACEMENT CHARACTER}[2J", "1"]
    assert lines[4].startswith("x" * 39 + "…")
    assert json.loads(lines[-1]) == {"name": "x" * 50, "n": {"k": [1]}}


@pytest.mark.parametrize("text", ["a", "=b", ""])
def test_a_setting_has_a_key_and_a_value(text: str) -> None:
    with pytest.raises(argparse.ArgumentTypeError, match="KEY=VALUE"):
        setting(text)
    assert setting("a=b=c") == ("a", "b=c")


@pytest.mark.parametrize(
    ("outcome", "words", "prepared"),
    [
        (Outcome(0, cache_missing=True), [], 1),
        (Outcome(0, cache_missing=False), [], 0),
        (Outcome(0, cache_missing=True), ["--no-prepare"], 0),
        (Outcome(1, "it failed", cache_missing=True), [], 0),
    ],
)
def test_the_first_success_prepares_the_next_start(
    outcome: Outcome, words: list[str], prepared: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    started: list[list[str]] = []
    monkeypatch.setattr(Run, "run", lambda _self: outcome)
    monkeypatch.setattr(job_arguments.subprocess, "Popen", lambda words, **_more: started.append(words))  # type: ignore[attr-defined]
    assert main(["feeds", "ingest", "--alone", *words]) == outcome.code
    assert len(started) == prepared
    assert all(words[-3:] == ["feeds", "prepare", "--background"] for words in started)


def test_an_interrupted_job_says_that_nothing_is_lost(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from liven.liveobjects.feeds.spark import runner

    def interrupted(*_words: object, **_more: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(runner, "open_session", interrupted)
    assert main(["feeds", "ingest", "--alone"]) == INTERRUPTED
    assert "the next run goes on from there" in capsys.readouterr().err


def test_asof_without_spark_reads_all_recorders(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    feed = home / "state" / "feeds" / "board"
    for number, name in enumerate(("ann", "bo"), 1):
        with LogWriter(feed / name) as log:
            log.append(Record(number, number, name, f"c{number}", "x", "int64", 1, VALUE, bytes([number])))
    assert main(["feeds", "asof", "board"]) == 0
    assert [line.split("  ")[1] for line in capsys.readouterr().out.splitlines()] == ["ann: 1", "bo: 2"]
    assert main(["feeds", "asof", "board/bo"]) == 0
    assert len(capsys.readouterr().out.splitlines()) == 1


def test_asof_shows_states_in_words(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A desktop with a note: names and words, not their bytes."""
    recording, text = Recording(), Document(writer=7)
    note = write(local("liven:text", "note")).decode()
    recording.gesture("board", "ann", Add(Item("n", "Red note", Place(0, 0, 10, 10), note)))
    recording.edit("note", "ann", text, (Insert("buy boats", {}),))
    recording.gesture("board", "bo", Move("n", Place(140, 0, 10, 10)))
    feed = home / "state" / "feeds" / "board"
    write_description(feed, FeedDescription("Our board", write(local("liven:desktop", "board")).decode()))
    with LogWriter(feed / "ann") as log:
        log.extend(recording.records)
    assert main(["feeds", "asof", "board"]) == 0
    lines = [line.split("  ", 1)[1] for line in capsys.readouterr().out.splitlines()]
    assert lines == ["board: “Red note”", "note: “buy boats”"]
    Bookmarks(feed).add(Bookmark("empty note", "ann", 1, MONDAY))
    assert main(["feeds", "asof", "board", "--at", "@empty note"]) == 0
    assert [line.split("  ", 1)[1] for line in capsys.readouterr().out.splitlines()] == ["board: “Red note”"]
    assert main(["feeds", "asof", "board", "--at", "@other"]) == 2
    assert main(["feeds", "asof", "board", "--json"]) == 0
    assert '"operations": ["' in capsys.readouterr().out
