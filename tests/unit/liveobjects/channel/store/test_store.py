"""The store: when it writes and forces, and how it handles a failing disk."""

from __future__ import annotations

import errno
import functools
import os
from pathlib import Path
from typing import Any

import pytest

from liven.liveobjects.channel.store import Sync
from liven.liveobjects.channel.store import store as store_module
from liven.liveobjects.channel.store.frames import FRAME_HEAD, RECORD_HEAD
from liven.liveobjects.channel.store.records import StoreFullError
from liven.liveobjects.channel.store.reserve import RESERVE_BYTES
from liven.liveobjects.channel.store.shared_log import SharedLog
from liven.liveobjects.channel.store.store import RETRY_SECONDS, SOON_SECONDS
from liven.liveobjects.channel.testing import BreakableStore


class Disk:
    """A disk that can be full or fail to force."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.room: int | None = None
        self.sync_fails = False
        self.synced = 0
        self._pwrite, self._fsync = os.pwrite, os.fsync
        monkeypatch.setattr(os, "pwrite", self._write)
        monkeypatch.setattr(os, "fsync", self._force)

    def _write(self, fd: int, data: Any, offset: int) -> int:
        if self.room is None:
            return self._pwrite(fd, data, offset)
        if self.room == 0:
            raise OSError(errno.ENOSPC, "No space left on device")
        written = self._pwrite(fd, data[: self.room], offset)
        self.room -= written
        return written

    def _force(self, fd: int) -> None:
        if self.sync_fails:
            raise OSError(errno.EIO, "Input/output error")
        self.synced += 1
        self._fsync(fd)


@pytest.fixture
def disk(monkeypatch: pytest.MonkeyPatch) -> Disk:
    return Disk(monkeypatch)


def test_data_is_reported_durable_after_the_disk_was_forced(breakable: BreakableStore, disk: Disk) -> None:
    channel = breakable.open(Sync.EACH).open("n")
    told: list[int] = []
    breakable.held = True
    channel.append([b"a"])
    channel.when_durable(lambda: told.append(disk.synced))
    assert told == []
    breakable.work()
    assert len(told) == 1
    assert told[0] > 0
    channel.when_durable(lambda: told.append(-1))
    assert told[-1] == -1, "all that was given is on the disk already"


def test_one_force_covers_all_channels(breakable: BreakableStore, disk: Disk) -> None:
    store = breakable.open(Sync.SOON)
    disk.synced = 0
    told: list[str] = []
    for number in range(100):
        channel = store.open(f"n{number}")
        channel.append([b"a"])
        channel.when_durable(lambda: told.append("durable"))
    assert disk.synced == 0
    breakable.crank.advance(SOON_SECONDS)
    assert len(told) == 100
    assert disk.synced <= 3


def test_unforced_data_of_a_killed_process_is_forced_first(
    breakable: BreakableStore, disk: Disk, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = breakable.open(Sync.SOON)
    disk.synced = 0
    store.open("n").append([b"a"])
    breakable.crank.settle()
    (left,) = breakable.folder.glob("*.log")
    assert disk.synced == 0
    forced: list[Path] = []
    force = os.fsync

    def noted(fd: int) -> None:
        forced.append(Path(f"/proc/self/fd/{fd}").readlink())
        force(fd)

    monkeypatch.setattr(os, "fsync", noted)
    disk.sync_fails = True
    channel = breakable.again(Sync.SOON).open("n")
    told: list[bool] = []
    channel.note(lives=b"2")
    channel.when_durable(lambda: told.append(left in forced))
    breakable.crank.advance(SOON_SECONDS)
    assert told == []
    forced.clear()
    disk.sync_fails = False
    breakable.crank.advance(RETRY_SECONDS + SOON_SECONDS)
    assert told == [True], "and it is tried again where the disk would not"
    forced.clear()
    channel.append([b"b"])
    breakable.crank.advance(SOON_SECONDS)
    assert left not in forced, "once is enough"


def test_without_forcing_written_data_counts_as_durable(breakable: BreakableStore, disk: Disk) -> None:
    channel = breakable.open(Sync.NEVER).open("n")
    disk.synced = 0
    told: list[str] = []
    channel.append([b"a"])
    channel.when_durable(lambda: told.append("durable"))
    assert told == ["durable"]
    assert disk.synced == 0
    assert breakable.again().open("n").kept().entries == [b"a"]


@pytest.mark.parametrize("room", [0, 1, 7, 30, 60])
def test_a_full_disk_is_one_problem_and_nothing_is_lost(
    breakable: BreakableStore, disk: Disk, room: int
) -> None:
    channel = breakable.open().open("n")
    channel.append([b"before"])
    told: list[str] = []
    disk.room = room
    for number in range(3):
        channel.append([b"during %d" % number])
    channel.when_durable(lambda: told.append("durable"))
    breakable.crank.advance(3 * RETRY_SECONDS)
    assert told == []
    assert len(breakable.problems) == 1
    assert "No space left" in breakable.problems[0].what
    assert "free some space" in breakable.problems[0].advice
    disk.room = None
    breakable.crank.advance(RETRY_SECONDS)
    assert told == ["durable"]
    channel.append([b"after"])
    kept = breakable.again().open("n").kept().entries
    assert kept == [b"before", b"during 0", b"during 1", b"during 2", b"after"]
    assert len(breakable.problems) == 1


def test_a_crash_while_the_disk_is_full_leaves_the_state_as_it_was(
    breakable: BreakableStore, disk: Disk
) -> None:
    channel = breakable.open().open("n")
    channel.append([b"before"])
    disk.room = 20
    channel.append([b"during"])
    disk.room = None
    assert breakable.again().open("n").kept().entries == [b"before"]


def test_a_channel_that_opens_again_finds_what_waits_for_a_full_disk(
    breakable: BreakableStore, disk: Disk
) -> None:
    channel = breakable.open().open("n")
    channel.append([b"before"])
    channel.note(sessions=b"first", place=b"here")
    breakable.crank.settle()
    disk.room = 0
    channel.append([b"during"])
    channel.note(sessions=b"second", place=b"")
    kept = channel.kept()
    assert (kept.entries, kept.notes) == ([b"before", b"during"], {"sessions": b"second"})
    channel.start_over(b"another history", [b"its entry"])
    channel.append([b"later"])
    kept = channel.kept()
    assert (kept.checkpoint, kept.entries) == (b"another history", [b"its entry", b"later"])
    disk.room = None
    breakable.crank.advance(RETRY_SECONDS)
    assert channel.kept() == kept
    assert breakable.again().open("n").kept() == kept


def test_a_channel_is_found_while_its_first_write_waits(breakable: BreakableStore, disk: Disk) -> None:
    store = breakable.open()
    disk.room = 0
    channel = store.open("n")
    channel.append([b"first"])
    assert channel.kept().entries == [b"first"]
    channel.forget()
    assert channel.kept().empty


def test_data_waiting_for_a_full_disk_is_bounded(
    breakable: BreakableStore, disk: Disk, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(store_module, "WAITING_MOST", 100)
    channel = breakable.open().open("n")
    disk.room = 0
    channel.append([bytes(60)])
    with pytest.raises(StoreFullError, match=r"[\d.]+ MB wait"):
        channel.append([bytes(60)])
    assert len(channel) == 1
    disk.room = None
    breakable.crank.advance(RETRY_SECONDS)
    channel.append([b"x"])
    assert breakable.again().open("n").kept().entries == [bytes(60), b"x"]


def test_data_that_a_failed_force_may_have_lost_is_written_again(
    breakable: BreakableStore, disk: Disk
) -> None:
    channel = breakable.open().open("n")
    channel.append([b"safe"])
    told: list[str] = []
    disk.sync_fails = True
    channel.append([b"doubtful"])
    channel.when_durable(lambda: told.append("durable"))
    first = min(breakable.folder.glob("*.log"))
    breakable.work()
    assert len(breakable.problems) == 1
    disk.sync_fails = False
    breakable.crank.advance(RETRY_SECONDS)
    assert told == ["durable"]
    data = first.read_bytes()
    breakable.crash()
    first.write_bytes(data[: data.index(b"doubtful") - FRAME_HEAD - RECORD_HEAD])  # the disk never had it
    assert breakable.open().open("n").kept().entries == [b"safe", b"doubtful"]


def test_a_later_write_does_not_confirm_data_of_a_failed_force(breakable: BreakableStore, disk: Disk) -> None:
    channel = breakable.open().open("n")
    told: list[str] = []
    disk.sync_fails = True
    channel.append([b"doubtful"])
    channel.when_durable(lambda: told.append("durable"))
    first = min(breakable.folder.glob("*.log"))
    breakable.work()
    disk.sync_fails = False
    channel.append([b"next"])
    breakable.work()
    assert told == [], "the disk took what came later, not what it had lost"
    breakable.crank.advance(RETRY_SECONDS)
    assert told == ["durable"]
    breakable.crash()
    first.write_bytes(b"")  # the disk never had it
    assert breakable.open().open("n").kept().entries == [b"doubtful", b"next"]


def test_a_store_closed_after_a_failed_force_writes_again_first(
    breakable: BreakableStore, disk: Disk
) -> None:
    store = breakable.open()
    disk.sync_fails = True
    store.open("n").append([b"doubtful"])
    first = min(breakable.folder.glob("*.log"))
    breakable.work()
    disk.sync_fails = False
    store.close()
    first.write_bytes(b"")
    assert breakable.open().open("n").kept().entries == [b"doubtful"]


def test_copies_that_a_failed_force_may_have_lost_are_written_again(
    breakable: BreakableStore, disk: Disk, monkeypatch: pytest.MonkeyPatch
) -> None:
    small = functools.partial(SharedLog, segment_bytes=4096)
    monkeypatch.setattr(store_module, "SharedLog", small)
    store = breakable.open(Sync.EACH)
    quiet, busy = store.open("quiet"), store.open("busy")
    quiet.append([b"kept"])
    breakable.work()
    breakable.held = True
    while not store.log.dead_segments:
        busy.start_over(bytes(400))
    lost = breakable.folder / f"{store.log.segments.current:08x}.log"
    disk.sync_fails = True
    breakable.work()
    disk.sync_fails = breakable.held = False
    breakable.crank.advance(2 * RETRY_SECONDS)
    busy.append([b"x"])
    breakable.work()
    assert not (breakable.folder / "00000001.log").exists()
    breakable.crash()
    lost.write_bytes(b"")  # the copy was there, and the disk never had it
    assert breakable.open().open("quiet").kept().entries == [b"kept"]


def test_a_checkpoint_that_cannot_be_written_is_a_problem_and_the_old_state_stays(
    breakable: BreakableStore, disk: Disk
) -> None:
    channel = breakable.open().open("n")
    channel.append([b"a"])
    told: list[bool] = []
    disk.sync_fails = True
    channel.checkpoint(bytes(300_000), done=told.append)
    breakable.work()
    assert told == [False]
    assert "checkpoint could not be written" in breakable.problems[-1].what
    disk.sync_fails = False
    assert breakable.again().open("n").kept().entries == [b"a"]
    assert list((breakable.folder / "aside").iterdir()) == []


def test_the_log_stays_bounded_however_much_is_written(breakable: BreakableStore) -> None:
    store = breakable.open(Sync.NEVER)
    quiet, busy = store.open("quiet"), store.open("busy")
    quiet.append([b"kept all the time"])
    for number in range(600):
        busy.append([bytes(100_000)])
        busy.checkpoint(b"%d" % number)
    total = sum(path.stat().st_size for path in breakable.folder.glob("*.log"))
    assert total < 14 * 1024 * 1024, "60 MB were written"
    again = breakable.again()
    assert again.open("quiet").kept().entries == [b"kept all the time"]
    assert again.open("busy").kept().checkpoint == b"599"
    assert breakable.problems == []


def test_a_segment_is_removed_only_after_its_copies_are_on_the_disk(breakable: BreakableStore) -> None:
    store = breakable.open(Sync.EACH)
    quiet, busy = store.open("quiet"), store.open("busy")
    quiet.append([b"kept"])
    breakable.held = True
    for number in range(200):
        busy.append([bytes(100_000)])
        busy.checkpoint(b"%d" % number)
    assert (breakable.folder / "00000001.log").exists()
    breakable.work()
    busy.append([b"x"])
    breakable.work()
    assert not (breakable.folder / "00000001.log").exists()
    breakable.held = False
    assert breakable.again().open("quiet").kept().entries == [b"kept"]


def test_a_thousand_channels_share_a_few_descriptors(breakable: BreakableStore) -> None:
    before = _descriptors()
    store = breakable.open(Sync.SOON)
    channels = [store.open(f"channel {number}") for number in range(1000)]
    for channel in channels:
        channel.append([b"op"])
        channel.checkpoint(b"state")
    breakable.crank.advance(SOON_SECONDS)
    assert _descriptors() - before <= 4


def test_closing_forces_the_rest(breakable: BreakableStore, disk: Disk) -> None:
    store = breakable.open(Sync.SOON)
    store.open("n").append([b"a"])
    store.close()
    store.close()
    assert disk.synced > 0


def test_a_store_that_cannot_be_forced_at_its_end_says_so(breakable: BreakableStore, disk: Disk) -> None:
    store = breakable.open(Sync.SOON)
    store.open("n").append([b"a"])
    disk.sync_fails = True
    store.close()
    assert "may be lost" in breakable.problems[0].advice


def test_compaction_without_room_is_a_problem_and_loses_nothing(
    breakable: BreakableStore, disk: Disk
) -> None:
    store = breakable.open(Sync.EACH)
    quiet, busy = store.open("quiet"), store.open("busy")
    quiet.append([b"kept"])
    for number in range(90):
        busy.append([bytes(100_000)])
        busy.checkpoint(b"%d" % number)
    for _ in range(40):
        disk.room = 100_400
        busy.append([bytes(100_000)])
        disk.room = None
        busy.checkpoint(b"x")
    assert breakable.again().open("quiet").kept().entries == [b"kept"]


def _descriptors() -> int:
    return len(list(Path("/proc/self/fd").iterdir()))


def test_without_immediate_forcing_writes_wait_for_the_end_of_the_turn(breakable: BreakableStore) -> None:
    store = breakable.open(Sync.SOON)
    channel = store.open("n")
    before = sum(store.log.segments.sizes.values())
    channel.append([b"a"])
    channel.append([b"b"])
    assert sum(store.log.segments.sizes.values()) == before
    breakable.crank.settle()
    assert sum(store.log.segments.sizes.values()) > before
    assert breakable.again().open("n").kept().entries == [b"a", b"b"]


def test_reading_before_the_end_of_the_turn_finds_waiting_data(breakable: BreakableStore) -> None:
    store = breakable.open(Sync.SOON)
    store.open("n").append([b"a"])
    assert store.names() == ["n"]
    store.open("n").append([b"b"])
    assert store.open("n").kept().entries == [b"a", b"b"]


def test_closing_the_store_writes_waiting_data(
    breakable: BreakableStore,
) -> None:
    store = breakable.open(Sync.SOON)
    store.open("n").append([b"a"])
    store.close()
    breakable.crank.settle()
    assert breakable.again().open("n").kept().entries == [b"a"]


def test_too_much_waiting_data_is_written_early(
    breakable: BreakableStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(store_module, "WAITING_MOST", 100)
    channel = breakable.open(Sync.SOON).open("n")
    for _ in range(5):
        channel.append([bytes(60)])
    assert channel.kept().entries == [bytes(60)] * 5


def test_whether_a_channel_is_kept_is_known_without_reading_the_log(
    breakable: BreakableStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = breakable.open(Sync.SOON)
    store.open("n").append([b"a"])
    store.open("gone").append([b"a"])
    store.open("gone").forget()

    def read(*_: object) -> None:
        raise AssertionError("the log was read")

    monkeypatch.setattr(store.log.segments, "records", read)
    assert [store.keeps(name) for name in ("n", "gone", "never")] == [True, False, False]


def test_a_note_is_written_ahead_of_data_that_a_full_disk_refuses(
    breakable: BreakableStore, disk: Disk
) -> None:
    channel = breakable.open().open("n")
    channel.append([b"kept"])
    channel.note(sessions=b"first")
    told: list[bool] = []
    channel.watch(lambda: told.append(channel.is_failing))
    disk.room = 0
    channel.append([b"lost"])
    channel.note(sessions=b"second")
    breakable.crank.settle()
    assert told == [True]
    disk.room = 400  # once the reserve was given up
    done: list[bool] = []
    channel.note_at_once(lambda: done.append(True), sessions=b"third")
    breakable.work()
    assert done == [True]
    assert (breakable.folder / "reserve").exists() is False
    kept = breakable.again().open("n").kept()
    assert (kept.entries, kept.notes["sessions"]) == ([b"kept"], b"third")
    assert not kept.damage


def test_an_older_note_that_waited_does_not_replace_one_that_was_written_ahead(
    breakable: BreakableStore, disk: Disk
) -> None:
    store = breakable.open()
    channel = store.open("n")
    channel.append([b"1"])
    disk.room = 0
    channel.append([b"2"])
    channel.note(sessions=b"older")
    disk.room = 400
    channel.note_at_once(lambda: None, sessions=b"newer")
    disk.room = None
    breakable.crank.advance(RETRY_SECONDS)
    assert (channel.kept().entries, channel.kept().notes["sessions"]) == ([b"1", b"2"], b"newer")
    assert (breakable.folder / "reserve").stat().st_size > 0  # taken again
    kept = breakable.again().open("n").kept()
    assert (kept.entries, kept.notes["sessions"]) == ([b"1", b"2"], b"newer")


def test_a_note_that_even_the_reserve_does_not_take_waits_with_the_others(
    breakable: BreakableStore, disk: Disk
) -> None:
    channel = breakable.open().open("n")
    channel.append([b"1"])
    disk.room = 0
    channel.append([b"2"])
    done: list[bool] = []
    channel.note_at_once(lambda: done.append(True), sessions=b"late")
    breakable.work()
    assert done == []
    disk.room = None
    breakable.crank.advance(RETRY_SECONDS)
    assert done == [True]
    assert channel.kept().notes["sessions"] == b"late"


def test_space_is_kept_for_notes_on_a_full_disk(breakable: BreakableStore) -> None:
    breakable.open()
    told = (breakable.folder / "reserve").stat()
    assert told.st_blocks * 512 >= RESERVE_BYTES
    assert told.st_mode & 0o777 == 0o600
