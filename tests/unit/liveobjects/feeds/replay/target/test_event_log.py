from __future__ import annotations

from pathlib import Path

import pytest
from tests.unit.liveobjects.feeds.replay.recordings import Given, checkpoint, numbered, record

from liven.liveobjects.feeds.description import (
    AUTHOR,
    FeedDescription,
    TypeEntry,
    read_description,
    write_description,
)
from liven.liveobjects.feeds.errors import LockedError
from liven.liveobjects.feeds.record import CHECKPOINT, REPLAYED
from liven.liveobjects.feeds.replay.errors import ReplayError
from liven.liveobjects.feeds.replay.target.event_log import EventLog
from liven.liveobjects.feeds.replay.target.several import Several
from liven.liveobjects.feeds.segment.reader import Log

PLAYED = FeedDescription("Board", "<recipe>", {"t": TypeEntry("int64")}, numbering={"c": AUTHOR})


def test_events_become_a_recording_that_says_it_is_one_of_a_replay(tmp_path: Path) -> None:
    events = numbered([record(0, 1), checkpoint(1, 2), record(2, 3)])
    log = EventLog(tmp_path / "f" / "copy", PLAYED)
    log.deliver(events[:2])
    log.deliver(events[2:])
    assert list(log.rebuild(0)) == []
    log.close()
    found = [one for _, one in Log(tmp_path / "f" / "copy").records()]
    assert [one.flags for one in found] == [REPLAYED, CHECKPOINT | REPLAYED, REPLAYED]
    assert [one.payload for one in found] == [event.record.payload for event in events]


def test_what_is_played_again_is_written_once(tmp_path: Path) -> None:
    events = numbered([record(0, 1), record(1, 2), record(2, 3)])
    log = EventLog(tmp_path / "f" / "copy", PLAYED)
    log.deliver(events[:2])
    log.deliver(events[1:])
    log.deliver(events)
    log.close()
    assert [one.payload for _, one in Log(tmp_path / "f" / "copy").records()] == [
        event.record.payload for event in events
    ]


def test_the_new_recording_is_described_and_another_one_keeps_its_own_words(tmp_path: Path) -> None:
    EventLog(tmp_path / "new" / "copy", PLAYED).close()
    assert read_description(tmp_path / "new") == PLAYED
    own = FeedDescription("Mine", "<mine>", {"u": TypeEntry("text")})
    write_description(tmp_path / "old", own)
    EventLog(tmp_path / "old" / "copy", PLAYED).close()
    found = read_description(tmp_path / "old")
    assert (found.title, found.recipe, sorted(found.types)) == ("Mine", "<mine>", ["t", "u"])
    assert found.numbering == {"c": AUTHOR}


def test_log_that_another_program_writes_is_refused(tmp_path: Path) -> None:
    log = EventLog(tmp_path / "f" / "copy", PLAYED)
    with pytest.raises(LockedError):
        EventLog(tmp_path / "f" / "copy", PLAYED)
    log.close()


def test_full_disk_ends_the_replay_with_its_reason(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    log = EventLog(tmp_path / "f" / "copy", PLAYED)

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device", "copy")

    monkeypatch.setattr(log._log, "extend", full)
    with pytest.raises(ReplayError, match="the new recording cannot go on"):
        log.deliver(numbered([record(0)]))
    monkeypatch.undo()
    log.close()


def test_several_targets_get_the_same_and_wait_for_each_other() -> None:
    one, other = Given(lambda: 0.0), Given(lambda: 0.0, parts=2)
    both = Several([one, other])
    both.deliver(numbered([record(0), record(1)]))
    assert one.sequences == other.sequences == [0, 1]
    assert len(list(both.rebuild(5))) == 2
    assert one.rebuilt == other.rebuilt == [5]
    assert both.has_room
    other.has_room = False
    assert not both.has_room
    both.close()
