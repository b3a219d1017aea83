"""The store of one channel, with crashes at every byte."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from liven.liveobjects.channel.store import ChannelStore, Kept, Sync
from liven.liveobjects.channel.store.large_payloads import LONG
from liven.liveobjects.channel.testing import BreakableStore


def plain(kept: Kept) -> tuple[bytes | None, list[bytes], dict[str, bytes]]:
    assert kept.damage == ""
    return kept.checkpoint, kept.entries, kept.notes


def test_entries_come_back_in_their_order(breakable: BreakableStore) -> None:
    store = breakable.open().open("liven/notes/standup")
    store.append([b"a", b"b"])
    store.append([b"c"])
    assert len(store) == 3
    again = breakable.again().open("liven/notes/standup")
    assert plain(again.kept()) == (None, [b"a", b"b", b"c"], {})
    assert len(again) == 3


def test_a_checkpoint_stands_for_what_came_before_it(breakable: BreakableStore) -> None:
    store = breakable.open().open("n")
    store.append([b"a", b"b", b"c"])
    store.checkpoint(b"ab", behind=1)
    store.append([b"d"])
    assert plain(breakable.again().open("n").kept()) == (b"ab", [b"c", b"d"], {})


def test_the_last_entries_can_be_removed(breakable: BreakableStore) -> None:
    store = breakable.open().open("n")
    store.append([b"a", b"b", b"c"])
    store.drop_last(2)
    store.append([b"B"])
    store.drop_last(0)
    assert plain(breakable.again().open("n").kept()) == (None, [b"a", b"B"], {})


def test_another_history_replaces_the_old_one(breakable: BreakableStore) -> None:
    store = breakable.open().open("n")
    store.append([b"a", b"b"])
    store.note(pending=b"x")
    store.start_over(b"S", [b"c", b"d"])
    store.append([b"e"])
    again = breakable.again().open("n")
    assert plain(again.kept()) == (b"S", [b"c", b"d", b"e"], {"pending": b"x"})
    assert len(again) == 3


def test_notes_are_stored_by_key_and_removed_by_an_empty_value(breakable: BreakableStore) -> None:
    store = breakable.open().open("n")
    store.note(stable=b"1", pending=b"p")
    store.note(stable=b"2")
    store.note(pending=b"")
    assert plain(breakable.again().open("n").kept()) == (None, [], {"stable": b"2"})


def test_a_deleted_channel_is_gone_and_can_begin_again(breakable: BreakableStore) -> None:
    opened = breakable.open()
    store = opened.open("n")
    store.append([b"a"])
    store.checkpoint(b"A")
    store.forget()
    assert store.kept().empty
    again = breakable.again()
    assert again.open("n").kept().empty
    assert again.names() == []
    again.open("n").append([b"new"])
    assert plain(breakable.again().open("n").kept()) == (None, [b"new"], {})


def test_channels_of_one_log_do_not_mix(breakable: BreakableStore) -> None:
    opened = breakable.open()
    one, other = opened.open("one"), opened.open("other")
    for number in range(20):
        one.append([b"1-%d" % number])
        other.append([b"2-%d" % number])
    other.checkpoint(b"S")
    again = breakable.again()
    assert again.open("one").kept().entries == [b"1-%d" % number for number in range(20)]
    assert plain(again.open("other").kept()) == (b"S", [], {})
    assert again.names() == ["one", "other"]


def test_a_long_checkpoint_is_stored_beside_the_log(breakable: BreakableStore) -> None:
    store = breakable.open().open("n")
    store.append([b"a", b"b"])
    told: list[bool] = []
    breakable.held = True
    store.checkpoint(bytes(LONG + 1), behind=1, done=told.append)
    store.append([b"c"])
    assert told == []
    breakable.work()
    assert told == [True]
    checkpoint, entries, _ = plain(breakable.again().open("n").kept())
    assert (checkpoint, entries) == (bytes(LONG + 1), [b"b", b"c"])


def test_entries_written_during_a_checkpoint_survive_those_it_covers(
    breakable: BreakableStore,
) -> None:
    store = breakable.open().open("n")
    for _ in range(10):
        store.append([bytes(400_000)] * 3)
        store.append([b"b"])
        store.checkpoint(b"state", behind=1)
        breakable.work()
    checkpoint, entries, _ = plain(breakable.again().open("n").kept())
    assert (checkpoint, entries) == (b"state", [b"b"])


def test_records_after_a_deletion_survive_its_record(breakable: BreakableStore) -> None:
    store = breakable.open()
    forgotten, busy = store.open("n"), store.open("busy")
    forgotten.append([b"a"])
    forgotten.forget()
    for number in range(12):
        busy.append([bytes(1_000_000)])
        busy.checkpoint(b"state")
        if number == 2:
            forgotten.append([b"b"])
        breakable.work()
    assert plain(breakable.again().open("n").kept()) == (None, [b"b"], {})


def test_a_long_checkpoint_of_removed_entries_is_dropped(
    breakable: BreakableStore,
) -> None:
    store = breakable.open().open("n")
    store.append([b"a", b"b"])
    told: list[bool] = []
    breakable.held = True
    store.checkpoint(bytes(LONG + 1), done=told.append)
    store.drop_last(1)
    breakable.work()
    assert told == [False]
    breakable.held = False
    assert plain(breakable.again().open("n").kept()) == (None, [b"a"], {})
    assert list((breakable.folder / "aside").iterdir()) == [], "the file that nothing points to is swept away"


def test_an_old_long_checkpoint_is_removed_when_the_new_one_is_durable(breakable: BreakableStore) -> None:
    store = breakable.open().open("n")
    for _ in range(3):
        store.append([b"x"])
        store.checkpoint(bytes(LONG + 1))
        breakable.work()
        store.append([b"y"])
        breakable.work()
    assert len(list((breakable.folder / "aside").iterdir())) == 1


def test_a_damaged_long_checkpoint_is_reported_and_not_used(breakable: BreakableStore) -> None:
    store = breakable.open().open("n")
    store.checkpoint(bytes(LONG + 1))
    breakable.work()
    (path,) = (breakable.folder / "aside").iterdir()
    data = bytearray(path.read_bytes())
    data[1000] ^= 1
    path.write_bytes(data)
    kept = breakable.again().open("n").kept()
    assert kept.damage == "the checkpoint is damaged"
    assert kept.checkpoint is None


def test_it_asks_for_a_checkpoint_that_would_save_space(breakable: BreakableStore) -> None:
    store = breakable.open().open("n")
    store.append([bytes(40_000)])
    assert not store.wants_checkpoint
    store.append([bytes(40_000)])
    assert store.wants_checkpoint
    store.checkpoint(bytes(100_000))
    store.append([bytes(150_000)])
    assert not store.wants_checkpoint
    store.append([b"x"] * 1001)
    assert store.wants_checkpoint


def test_more_entries_than_exist_cannot_be_removed(breakable: BreakableStore) -> None:
    store = breakable.open().open("n")
    store.append([b"a"])
    with pytest.raises(ValueError, match="has 1 entries"):
        store.drop_last(2)
    with pytest.raises(ValueError, match="has 1 entries"):
        store.checkpoint(b"S", behind=2)
    assert plain(breakable.again().open("n").kept()) == (None, [b"a"], {})


# The possible last records, each with the state before and after it.
Step = Callable[[ChannelStore], None]
LAST: list[tuple[str, Step]] = [
    ("an entry", lambda store: store.append([b"the last entry"])),
    ("three entries at once", lambda store: store.append([b"x", b"y", b"z"])),
    ("a checkpoint", lambda store: store.checkpoint(b"state after all")),
    ("a checkpoint of the first", lambda store: store.checkpoint(b"state after one", behind=1)),
    ("another history", lambda store: store.start_over(b"other", [b"o1", b"o2"])),
    ("a cut", lambda store: store.drop_last(1)),
    ("two notes", lambda store: store.note(one=b"1", two=b"2")),
    ("a note taken away", lambda store: store.note(kept=b"")),
    ("forgetting", lambda store: store.forget()),
]


def harmed(data: bytes, start: int) -> Iterator[bytes]:
    """Return the file with its last frame cut, one byte changed, or its end lost, at every place."""
    for place in range(start, len(data)):
        yield data[:place]
        for change in (0x01, 0xFF):
            yield data[:place] + bytes([data[place] ^ change]) + data[place + 1 :]
        zeros = data[:place] + bytes(len(data) - place)
        if zeros != data:
            yield zeros


def _rows() -> Iterator[Any]:
    """Return the cases. The first is tried with every run; all of them would take too long."""
    for number, (what, last) in enumerate(LAST):
        yield pytest.param(last, id=what, marks=[pytest.mark.slow] if number else [])


@pytest.mark.parametrize("last", list(_rows()))
def test_a_power_cut_at_any_byte_of_the_last_record_loses_that_record_or_nothing(
    breakable: BreakableStore, last: Step
) -> None:
    store = breakable.open().open("n")
    store.append([b"first", b"second"])
    store.note(kept=b"k")
    before = plain(store.kept())
    file: Path = next(breakable.folder.glob("*.log"))
    start = file.stat().st_size
    last(store)
    after = plain(store.kept())
    breakable.crash()
    whole = file.read_bytes()
    assert before != after
    for data in harmed(whole, start):
        file.write_bytes(data)
        opened = breakable.open(Sync.NEVER).open("n")
        assert plain(opened.kept()) == before
        opened.append([b"goes on"])
        assert breakable.again(Sync.NEVER).open("n").kept().entries == [*before[1], b"goes on"]
        breakable.crash()
        for other in sorted(breakable.folder.glob("*.log"))[1:]:
            other.unlink()
    file.write_bytes(whole)
    assert plain(breakable.open().open("n").kept()) == after
    assert breakable.problems == [], "a tear at the end is what a power cut leaves, and no problem"


def test_damage_in_the_middle_is_reported_and_affects_one_channel(breakable: BreakableStore) -> None:
    opened = breakable.open()
    one, other = opened.open("one"), opened.open("other")
    one.append([b"a"])
    file = next(breakable.folder.glob("*.log"))
    start = file.stat().st_size
    one.append([b"b"])
    other.append([b"x"])
    one.append([b"c"])
    breakable.crash()
    data = bytearray(file.read_bytes())
    data[start + 20] ^= 1
    file.write_bytes(data)
    again = breakable.open()
    assert "damaged" in breakable.problems[0].what
    assert again.open("one").kept() == Kept(None, [b"a"], {}, "an entry is missing")
    assert plain(again.open("other").kept()) == (None, [b"x"], {})
