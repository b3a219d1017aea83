from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from liven.app.instance import slot
from liven.app.instance.slot import InstanceSlot

HOLD = """
import sys
from pathlib import Path
from liven.app.instance.slot import InstanceSlot
slot = InstanceSlot(Path(sys.argv[1]), "ann")
print(slot.number, flush=True)
sys.stdin.read()
"""


def test_each_program_takes_the_first_free_slot_and_releases_it(tmp_path: Path) -> None:
    one, two = InstanceSlot(tmp_path, "ann"), InstanceSlot(tmp_path, "ann")
    other = InstanceSlot(tmp_path, "bob")
    assert (one.number, two.number, other.number) == (1, 2, 1)
    one.close()
    one.close()
    again, third = InstanceSlot(tmp_path, "ann"), InstanceSlot(tmp_path, "ann")
    assert (again.number, third.number) == (1, 3)
    for taken in (two, other, again, third):
        taken.close()


def test_a_killed_program_releases_its_slot(tmp_path: Path) -> None:
    pipe = subprocess.PIPE
    with subprocess.Popen([sys.executable, "-c", HOLD, str(tmp_path)], stdin=pipe, stdout=pipe) as program:
        assert program.stdout is not None
        assert program.stdout.readline() == b"1\n"
        beside = InstanceSlot(tmp_path, "ann")
        program.kill()
        program.wait()
    after = InstanceSlot(tmp_path, "ann")
    assert (beside.number, after.number) == (2, 1)
    beside.close()
    after.close()


def test_without_locks_every_program_has_slot_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").write_text("")
    assert InstanceSlot(tmp_path / "file", "ann").number == 1
    monkeypatch.setattr(slot, "MOST", 1)
    first, second = InstanceSlot(tmp_path, "ann"), InstanceSlot(tmp_path, "ann")
    assert (first.number, second.number) == (1, 1)
    first.close()
