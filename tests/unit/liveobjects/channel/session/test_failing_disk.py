"""Shared channels on a failing disk: other members notice nothing, nothing unwritten is reported as stored,
and everything is written when the disk recovers."""

from __future__ import annotations

import errno
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from liven.liveobjects.channel.history import Session
from liven.liveobjects.channel.objects.shared import SharedChannel
from liven.liveobjects.channel.session.session import ChannelSession
from liven.liveobjects.channel.store import Sync
from liven.liveobjects.channel.store import store as store_module
from liven.liveobjects.channel.store.store import RETRY_SECONDS
from liven.liveobjects.channel.testing import Process, Processes
from liven.liveobjects.channel.testing.processes import Object
from liven.liveobjects.counter.object import CounterObject
from liven.types.terms.value_types import Integer

NAME = "home/f/counter"
NUMBER = Integer(-(2**63), 2**63 - 1)


class Disk:
    """The disk of one folder, which may be full."""

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.full = False
        self.spared = 0
        """Bytes that it takes all the same once its reserve was released."""
        self._folder = folder
        self._pwrite = os.pwrite
        monkeypatch.setattr(os, "pwrite", self._write)

    def _write(self, fd: int, data: Any, offset: int) -> int:
        here = Path(f"/proc/self/fd/{fd}").readlink()
        if self.full and here.is_relative_to(self._folder):
            released = not any(self._folder.rglob("reserve"))
            if not released or len(data) > self.spared:
                raise OSError(errno.ENOSPC, "No space left on device")
            self.spared -= len(data)
        return self._pwrite(fd, data, offset)


@pytest.fixture
def disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Disk]:
    yield Disk(tmp_path / "ann", monkeypatch)


def counter(process: Process) -> Object:
    made = process.build(CounterObject)
    channel = process.build(SharedChannel, NUMBER, NUMBER, name=NAME)
    process.connect(made, "channel", channel, "Channel")
    return made


def numbers(*counters: Object) -> list[int]:
    return [each.instance.value() for each in counters]


def shared(process: Process) -> ChannelSession:
    return process.system.shared(ChannelSession, NAME, lambda: pytest.fail("it is open"))


def waiting(process: Process) -> int:
    return shared(process).unacknowledged


def expect_notice(processes: Processes) -> None:
    """Both members told their people that changes wait for the full disk, and that this is over."""
    for disk in ("the disk of this computer", "member 1"):
        processes.expect(f"not confirmed yet: waiting for {disk}")
        processes.expect("changes are confirmed again")


def sessions(process: Process) -> Session:
    """Return the last session of the channel that is stable."""
    room = shared(process)
    assert room._replica is not None
    kept = room._replica.channel.kept()
    assert kept is not None
    return kept.stable_session


def test_a_full_disk_stops_nothing_and_acknowledges_nothing(tmp_path: Path, disk: Disk) -> None:
    with Processes(tmp_path, Sync.SOON) as processes:
        ann, bob = processes.process("ann"), processes.process("bob")
        counters = [counter(ann), counter(bob)]
        processes.advance(3)
        disk.full = True
        for each in counters:
            each.instance.add(1)
        processes.advance(3)
        assert numbers(*counters) == [2, 2]
        assert (waiting(ann), waiting(bob)) == (1, 1)
        processes.expect("No space left")
        processes.expect("the disk of member 1 takes no data")
        disk.full = False
        processes.advance(RETRY_SECONDS + 1)
        assert (waiting(ann), waiting(bob)) == (0, 0)
        expect_notice(processes)
    with Processes(tmp_path) as processes:
        back = counter(processes.process("ann"))
        processes.advance(5)
        assert numbers(back) == [2]


def test_a_disk_that_was_full_for_long_has_everything_when_it_recovers(
    tmp_path: Path, disk: Disk, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Processes(tmp_path, Sync.SOON) as processes:
        ann, bob = processes.process("ann"), processes.process("bob")
        counters = [counter(ann), counter(bob)]
        processes.advance(3)
        monkeypatch.setattr(store_module, "WAITING_MOST", 2000)
        disk.full = True
        for _ in range(100):
            for each in counters:
                each.instance.add(1)
            processes.advance(0.05)
        assert numbers(*counters) == [200, 200]
        processes.expect("No space left")
        processes.expect("not stored on this computer")
        processes.expect("the disk of member 1 takes no data")
        assert waiting(bob) > 50
        disk.full = False
        processes.advance(RETRY_SECONDS + 1)
        assert (waiting(ann), waiting(bob)) == (0, 0)  # without a further operation
        expect_notice(processes)
        counters[1].instance.add(1)
        processes.advance(2)
        assert numbers(*counters) == [201, 201]
        assert (waiting(ann), waiting(bob)) == (0, 0)
    with Processes(tmp_path) as processes:
        back = counter(processes.process("ann"))
        processes.advance(5)
        assert numbers(back) == [201]


def test_others_confirm_while_a_disk_is_full_that_has_recorded_the_loss_of_its_vote(
    tmp_path: Path, disk: Disk
) -> None:
    with Processes(tmp_path, Sync.SOON) as processes:
        ann, bob = processes.process("ann"), processes.process("bob")
        counters = [counter(ann), counter(bob)]
        processes.advance(3)
        disk.full, disk.spared = True, 4096
        for each in counters:
            each.instance.add(1)
        processes.advance(3)
        assert (waiting(ann), waiting(bob)) == (0, 0)
        processes.expect("No space left")
        processes.expect("the disk of member 1 takes no data")


def test_a_member_votes_again_when_its_disk_has_room(tmp_path: Path, disk: Disk) -> None:
    with Processes(tmp_path, Sync.SOON) as processes:
        ann, bob = processes.process("ann"), processes.process("bob")
        counters = [counter(ann), counter(bob)]
        processes.advance(3)
        disk.full, disk.spared = True, 4096
        counters[1].instance.add(1)
        processes.advance(3)
        processes.expect("No space left")
        processes.expect("the disk of member 1 takes no data")
        assert len(sessions(bob).members) == 1
        disk.full = False
        processes.advance(RETRY_SECONDS + 1)
        assert len(sessions(bob).members) == 2


def test_a_process_that_ends_with_a_full_disk_keeps_its_earlier_data(tmp_path: Path, disk: Disk) -> None:
    with Processes(tmp_path, Sync.SOON) as processes:
        ann = processes.process("ann")
        first = counter(ann)
        processes.advance(3)
        first.instance.add(5)
        processes.advance(1)
        disk.full = True
        first.instance.add(7)
        processes.advance(1)
        processes.expect("No space left")
        assert numbers(first) == [12]
        assert waiting(ann) == 1
    disk.full = False
    with Processes(tmp_path) as processes:
        back = counter(processes.process("ann"))
        processes.advance(5)
        assert numbers(back) == [5]


def spoil(folder: Path, at: float) -> None:
    """Change a byte in the middle of the log, in proportion."""
    segment = max(folder.glob("*.log"), key=lambda path: path.stat().st_size)
    data = bytearray(segment.read_bytes())
    data[int(len(data) * at)] ^= 0xFF
    segment.write_bytes(bytes(data))


@pytest.mark.parametrize("at", [0.02, 0.1, 0.3, 0.5, 0.7])
def test_a_damaged_log_is_reported_and_the_others_state_is_taken(tmp_path: Path, at: float) -> None:
    with Processes(tmp_path, Sync.SOON) as processes:
        counters = [counter(processes.process(name)) for name in ("ann", "bob")]
        processes.advance(3)
        for _ in range(10):
            counters[0].instance.add(1)
            processes.advance(0.3)
    spoil(tmp_path / "ann", at)
    with Processes(tmp_path) as processes:
        bob = counter(processes.process("bob"))
        processes.advance(4)
        ann = counter(processes.process("ann"))
        processes.advance(4)
        assert numbers(ann, bob) == [10, 10]
        ann.instance.add(1)
        processes.advance(1)
        assert numbers(ann, bob) == [11, 11]
        told = [str(problem) for problem in processes.problems]
        assert any("damaged" in each for each in told)
        for problems in (processes._stray, *(process.problems for process in processes.processes)):
            problems.clear()


def test_a_damaged_log_is_copied_before_it_is_replaced(
    tmp_path: Path,
) -> None:
    with Processes(tmp_path, Sync.SOON) as processes:
        ann = processes.process("ann")
        first = counter(ann)
        processes.advance(3)
        first.instance.add(5)
        processes.advance(1)
        assert ann.system.store is not None
        ann.system.store.open(NAME).append([b"no run"])
    with Processes(tmp_path) as processes:
        ann = processes.process("ann")
        back = counter(ann)
        processes.advance(5)
        assert numbers(back) == [5]
        processes.expect("was copied to home/f/counter~damaged1")
        back.instance.add(1)
        processes.advance(1)
        assert ann.system.store is not None
        aside = ann.system.store.open(f"{NAME}~damaged1").kept()
        assert aside.entries[-1] == b"no run"
        assert aside.checkpoint is not None
    with Processes(tmp_path) as processes:
        back = counter(processes.process("ann"))
        processes.advance(5)
        assert numbers(back) == [6]


def test_a_program_without_a_store_has_no_vote(tmp_path: Path, disk: Disk) -> None:
    """It came while the disk of all was full, and would have been the only one to vote."""
    with Processes(tmp_path / "ann", Sync.SOON) as processes:
        ann, bob = processes.process("a"), processes.process("b")
        counters = [counter(ann), counter(bob)]
        processes.advance(3)
        disk.full = True
        counters[0].instance.add(1)
        processes.advance(3)
        guest = processes.process("guest", lacks_store=True)
        seen = counter(guest)
        processes.advance(8)
        assert numbers(*counters, seen) == [1, 1, 1]
        driver = shared(guest)._driver
        assert driver is not None
        driver.close()  # it is killed
        processes.advance(1)
        disk.full = False
        processes.advance(RETRY_SECONDS + 5)
        counters[1].instance.add(1)
        processes.advance(3)
        assert (waiting(ann), waiting(bob)) == (0, 0)
        assert len(sessions(ann).members) == 2
        processes.expect("the disk of member 3 takes no data")
        for _ in range(2):
            processes.expect("No space left")
        for process in (ann, bob, guest):
            process.problems.clear()  # how often each heard of which disk depends on the order of messages


def test_programs_that_all_lack_a_store_confirm_while_the_first_one_is_there(tmp_path: Path) -> None:
    with Processes(tmp_path) as processes:
        ann = processes.process("a", lacks_store=True)
        first = counter(ann)
        processes.advance(3)
        first.instance.add(1)
        processes.advance(1)
        assert waiting(ann) == 0
        bob = processes.process("b", lacks_store=True)
        second = counter(bob)
        processes.advance(3)
        second.instance.add(1)
        processes.advance(3)
        assert numbers(first, second) == [2, 2]
        assert waiting(bob) == 0
        for process in (ann, bob):
            process.problems.clear()  # each hears of the disk of the other one
