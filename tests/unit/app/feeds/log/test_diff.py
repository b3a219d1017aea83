"""`liven feeds diff`."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.unit.liveobjects.feeds.history.recordings import MONDAY, SECOND, Recording

from liven.liveobjects.desktop.state import Add, Item, Move, Place
from liven.liveobjects.feeds.description import FeedDescription, write_description
from liven.liveobjects.feeds.feed_folder import FeedFolder
from liven.liveobjects.feeds.history.container_kinds import DESKTOP
from liven.liveobjects.feeds.history.reconstruction import Reconstruction
from liven.liveobjects.feeds.replay.bookmarks import Bookmark, Bookmarks
from liven.liveobjects.feeds.replay.source.segment_log import SegmentLog
from liven.liveobjects.feeds.segment.writer import LogWriter
from liven.liveobjects.text.document import Document, Insert
from liven.runtime.reference.model import Object, Parameter, Plain, Reference
from liven.runtime.reference.xml import write

Run = Callable[..., int]
Out = pytest.CaptureFixture[str]


def local(kind: str, channel: str) -> Object:
    """Return an object on a channel within a process."""
    address = Parameter("address", Plain("string", channel))
    return Reference(
        kind, (Parameter("channel", Reference("liven:local-communication-channel", (address,))),)
    )


@pytest.fixture
def board(feeds: Path) -> Path:
    """Return a feed in which a note is put on a desktop by ann, moved by bo, and written by ann."""
    recording, text = Recording(), Document(writer=7)
    note = write(local("liven:text", "note")).decode()
    recording.gesture("board", "a1", Add(Item("n", "Red note", Place(0, 0, 10, 10), note)))
    recording.edit("note", "a2", text, (Insert("buy boats", {}),))
    recording.gesture("board", "b1", Move("n", Place(140, 0, 10, 10)))
    authors = {"a1": "Ann", "a2": "Ann", "b1": "Bo"}
    recipe = write(local("liven:desktop", "board")).decode()
    write_description(feeds / "board", FeedDescription("Our board", recipe, other={"authors": authors}))
    with LogWriter(feeds / "board" / "ann") as writer:
        writer.extend(recording.records)
    return feeds / "board"


def test_a_move_is_told_with_the_person_who_moved(run: Run, board: Path, capsys: Out) -> None:
    assert run("diff", "board", "--from", "#1") == 0
    assert capsys.readouterr().out.splitlines()[:5] == [
        "2 differences between 2025-11-24 08:00:01 UTC and 2025-11-24 08:00:02 UTC",
        "the desktop",
        "  “Red note” moved: 140 to the right; by Bo, 2025-11-24 08:00:02 UTC",
        "“Red note”",
        "  “buy boats” added; by Ann, 2025-11-24 08:00:01 UTC",
    ]


def test_from_the_beginning_everything_is_added(run: Run, board: Path, capsys: Out) -> None:
    assert run("diff", "board", "--ids") == 0
    assert "  “Red note” added; by b1 and a1, " in capsys.readouterr().out


def test_programs_read_lines_of_json(run: Run, board: Path, capsys: Out) -> None:
    assert run("diff", "board", "--from", "#2", "--json") == 0
    (row,) = map(json.loads, capsys.readouterr().out.splitlines())
    assert (row["difference"], row["name"], row["by"]) == ("moved", "“Red note”", ["Bo"])


def test_the_recorders_of_a_feed_are_compared_together(run: Run, board: Path, capsys: Out) -> None:
    """Each of two recorders has a part of what happened."""
    assert run("cat", "board", "--ids") == 0
    rows = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert run("export", "board", board.parent / "all.jsonl") == 0
    assert run("import", board.parent / "all.jsonl", "board", "--as", "other") == 0
    capsys.readouterr()
    assert run("diff", "board", "--from", "#1", "--json") == 0
    assert len(capsys.readouterr().out.splitlines()) == len(rows) - 1


def test_an_object_without_a_history_is_refused_with_advice(run: Run, log: Path, capsys: Out) -> None:
    assert run("diff", "airspace") == 2
    assert "`liven feeds replay airspace --print` shows the events" in capsys.readouterr().err


def test_moments_that_are_not_after_each_other_are_refused(run: Run, board: Path, capsys: Out) -> None:
    assert run("diff", "board", "--from", "#2", "--to", "#1") == 2
    assert "there is nothing between #2 and #1" in capsys.readouterr().err


def test_what_stood_there_before_is_told_apart_from_what_happened(run: Run, board: Path, capsys: Out) -> None:
    """A second recording begins with the state after the first two records."""
    log = next(iter(FeedFolder(board).logs()))
    records = [record for block in log.blocks() for record in block.records()]
    past = Reconstruction(SegmentLog(log)).channel("board", DESKTOP, 2)
    assert past is not None
    recording = Recording()
    recording.keep("board", DESKTOP, past.follower.checkpoint())
    with LogWriter(board / "bo") as writer:
        writer.extend([recording.records[0], records[2]])
    assert run("diff", "board/bo") == 0
    assert capsys.readouterr().out.splitlines()[1:] == [
        "the desktop",
        "  “Red note” moved: 140 to the right; by Bo, 2025-11-24 08:00:02 UTC",
        "there before the recording began:",
        "the desktop",
        "  “Red note”",
    ]
    assert run("diff", "board/bo", "--json") == 0
    rows = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [(row["difference"], row["when"]) for row in rows] == [
        ("moved", "2025-11-24 08:00:02 UTC"),
        ("before", ""),
    ]


def test_moments_may_be_bookmarks(run: Run, board: Path, capsys: Out) -> None:
    Bookmarks(board).add(Bookmark("before the move", "ann", 2, MONDAY + 2 * SECOND))
    assert run("diff", "board", "--from", "@before the move") == 0
    assert capsys.readouterr().out.splitlines()[2].startswith("  “Red note” moved")
    assert run("diff", "board", "--from", "@after") == 2
    assert "there are: before the move" in capsys.readouterr().err
