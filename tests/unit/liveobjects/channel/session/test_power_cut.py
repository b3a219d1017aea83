"""A shared channel after a power cut during its last write: alone it continues from before or after that
write, and with other members nothing is missing."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from liven.liveobjects.channel.objects.shared import SharedChannel
from liven.liveobjects.channel.store import Sync
from liven.liveobjects.channel.testing import Process, Processes
from liven.liveobjects.channel.testing.processes import Object
from liven.liveobjects.counter.object import CounterObject
from liven.types.terms.value_types import Integer

NUMBER = Integer(-(2**63), 2**63 - 1)
BEFORE, AFTER = 3, 7


def counter(process: Process) -> Object:
    made = process.build(CounterObject)
    channel = process.build(SharedChannel, NUMBER, NUMBER, name="home/f/counter")
    process.connect(made, "channel", channel, "Channel")
    return made


@dataclass(frozen=True)
class Left:
    """The data on two disks when the power goes."""

    folder: Path
    log: Path
    """The file of Ann's disk that was written last, relative to the folder."""
    start: int
    """The offset of the last operation in it."""

    def harmed(self, step: int) -> Iterator[bytes]:
        """Return the file with its end cut, zeroed or changed, at regular places."""
        data = (self.folder / self.log).read_bytes()
        for place in range(self.start, len(data), step):
            yield data[:place]
            yield data[:place] + bytes(len(data) - place)
            yield data[:place] + bytes([data[place] ^ 0xFF]) + data[place + 1 :]
        yield data


@pytest.fixture
def left(tmp_path: Path) -> Left:
    running, kept = tmp_path / "running", tmp_path / "kept"
    with Processes(running, Sync.EACH) as processes:
        ann, bob = (counter(processes.process(name)) for name in ("ann", "bob"))
        processes.advance(3)
        ann.instance.add(1)
        bob.instance.add(2)
        processes.advance(1)
        (log,) = (running / "ann").glob("*.log")
        start = log.stat().st_size
        ann.instance.add(4)
        processes.advance(1)
        assert bob.instance.value() == AFTER
        shutil.copytree(running, kept)
    return Left(kept, log.relative_to(running), start)


def returned(left: Left, data: bytes, folder: Path, *names: str) -> list[int]:
    """Return the values that returning processes have if Ann's log is this."""
    shutil.copytree(left.folder, folder)
    (folder / left.log).write_bytes(data)
    with Processes(folder) as processes:
        back = [counter(processes.process(name)) for name in names]
        processes.advance(8)
        found = [each.instance.value() for each in back]
        assert processes.problems == [], "a tear at the end is what a power cut leaves, and no problem"
    shutil.rmtree(folder)
    return found


@pytest.mark.parametrize("step", [251, pytest.param(1, marks=pytest.mark.slow)])
def test_after_a_power_cut_at_any_byte_nothing_is_missing_with_another_member(
    left: Left, tmp_path: Path, step: int
) -> None:
    alone = set()
    for data in left.harmed(step):
        alone.update(returned(left, data, tmp_path / "alone", "ann"))
        assert returned(left, data, tmp_path / "both", "ann", "bob") == [AFTER, AFTER]
    assert alone == {BEFORE, AFTER}
