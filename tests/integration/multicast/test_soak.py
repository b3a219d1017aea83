"""A soak test: members send, lose, join and leave for a long time, and their memory stays flat.

Each checks order, gaps, duplicates and content (member_process.py). LIVEN_SOAK_MINUTES sets the length, 1 by
default; a real soak takes 30. After a quarter of it, when every buffer has reached its size, memory may grow
by at most 2 per cent.
"""

from __future__ import annotations

import json
import os
import select
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from liven.multicast.key_file import ensure_keys
from liven.multicast.service_process import service_status, stop_service
from liven.multicast.socket_engine import default_place

pytestmark = pytest.mark.slow

_MEMBERS = 3
_PATIENCE = 60.0
_LOOK_EVERY = 2.0
_GROWTH_MOST = 1.02
_SMALLEST_GROWTH = 2 * 1024 * 1024
"""Below this, a step of the allocator is more than 2 per cent of a small process."""
_SCRIPT = Path(__file__).with_name("member_process.py")
Facts = dict[str, object]


class Member:
    """A member process on loopback."""

    def __init__(self, folder: Path, key_file: Path) -> None:
        self._popen = subprocess.Popen(
            [sys.executable, str(_SCRIPT), str(folder), "--keys", str(key_file)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
        )
        self.pid = self._popen.pid
        assert self.answer() == {"joined": self.pid}

    def say(self, line: str) -> None:
        assert self._popen.stdin is not None
        self._popen.stdin.write(line.encode() + b"\n")
        self._popen.stdin.flush()

    def answer(self) -> Facts:
        assert self._popen.stdout is not None
        ready, _, _ = select.select([self._popen.stdout], [], [], _PATIENCE)
        assert ready, f"process {self.pid} says nothing"
        facts: Facts = json.loads(self._popen.stdout.readline())
        return facts

    def count(self) -> Facts:
        self.say("count")
        facts = self.answer()
        assert facts["faults"] == []
        return facts

    def heard(self) -> dict[int, int]:
        heard = self.count()["heard"]
        assert isinstance(heard, dict)
        return {int(mark): int(number) for mark, number in heard.items()}

    def end(self) -> None:
        self._popen.kill()
        self._popen.communicate()


@pytest.fixture
def members(tmp_path: Path) -> Iterator[list[Member]]:
    ensure_keys(tmp_path / "cluster.key")
    made = [Member(tmp_path, tmp_path / "cluster.key") for _ in range(_MEMBERS)]
    yield made
    for member in made:
        member.end()
    stop_service(default_place(tmp_path))


def resident(pid: int) -> int:
    """Return the resident memory of a process, in bytes."""
    pages = int(Path(f"/proc/{pid}/statm").read_text(encoding="ascii").split()[1])
    return pages * os.sysconf("SC_PAGESIZE")


def test_memory_stays_flat_under_load_loss_joins_and_leaves(members: list[Member], tmp_path: Path) -> None:
    seconds = 60 * float(os.environ.get("LIVEN_SOAK_MINUTES", "1"))
    service = service_status(default_place(tmp_path))
    assert service is not None
    watched = [member.pid for member in members] + [service["pid"]]
    count = int(seconds * 200)
    for member in members:
        member.say("lose 0.01")
        member.say(f"send {count} 500 200")
    members[-1].say("churn 10")
    early, late = [0] * len(watched), [0] * len(watched)
    begun = time.monotonic()
    while (passed := time.monotonic() - begun) < seconds:
        time.sleep(_LOOK_EVERY)
        for member in members:
            member.count()
        seen = late if passed > seconds / 4 else early
        for index, pid in enumerate(watched):
            seen[index] = max(seen[index], resident(pid))
    members[-1].say("churn 0")
    everything = {member.pid: count for member in members}
    limit = time.monotonic() + _PATIENCE
    while any(member.heard() != everything for member in members):
        assert time.monotonic() < limit
        time.sleep(0.1)
    for before, after in zip(early, late, strict=True):
        assert after <= max(before * _GROWTH_MOST, before + _SMALLEST_GROWTH), (early, late)
