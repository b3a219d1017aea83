"""The disk of one replica is full. It loses its vote, the others confirm without it, and everybody hears
whose disk it is; when there is room, its log is complete again. Real processes, and a disk of its own."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.e2e.replica_processes import ReplicaProcesses

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(os.geteuid() != 0, reason="only root can mount a small file system"),
]

DISK_BYTES = 256 * 1024 * 1024


class SmallDisk:
    """A file system of its own, with a size."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        folder.mkdir(parents=True)
        options = f"size={DISK_BYTES}"
        subprocess.run(["mount", "-t", "tmpfs", "-o", options, "tmpfs", str(folder)], check=True)
        self._filling = folder / "filling"

    def fill(self) -> None:
        """Take all its room."""
        with self._filling.open("wb", buffering=0) as file:
            for size in (65536, 4096):
                try:
                    while True:
                        file.write(bytes(size))
                except OSError:
                    continue

    def free(self) -> None:
        """Give the room back."""
        self._filling.unlink()

    def end(self) -> None:
        """Unmount it."""
        subprocess.run(["umount", "-l", str(self.folder)], check=True)


@pytest.fixture
def replicas(tmp_path: Path) -> Iterator[ReplicaProcesses]:
    made = ReplicaProcesses(tmp_path)
    yield made
    made.end()


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[SmallDisk]:
    """The disk of ann, who is the oldest member."""
    made = SmallDisk(tmp_path / "ann")
    yield made
    made.end()


@pytest.mark.parametrize("others", [("bob",), ("bob", "cid")])
def test_others_confirm_while_a_disk_is_full_and_it_has_everything_when_there_is_room(
    disk: SmallDisk, replicas: ReplicaProcesses, others: tuple[str, ...]
) -> None:
    for name in ("ann", *others):
        replicas.start(name)
        replicas.send(replicas.running[-1], replicas.running)
    full, *rest = replicas.running
    disk.fill()
    full.say("flow")
    replicas.until(lambda: any("No space left" in text for text in full.tell()["problems"]))
    full.say("rest")
    for replica in rest:
        replicas.send(replica, rest, operations=3000)
        assert any("takes no data" in text for text in replica.tell()["problems"])
    replicas.send(full, replicas.running)  # the others store what it writes
    disk.free()
    replicas.until(replicas.are_settled)
    chain = full.tell()["chain"]
    replicas.until(lambda: full.tell()["stores"])
    replicas.running.clear()
    for replica in (*rest, full):
        replica.end()
    replicas.start("ann")
    replicas.until(lambda: replicas.running[0].tell()["chain"] == chain)
    assert [replicas.running[0].tell()["faults"]] == [[]]
