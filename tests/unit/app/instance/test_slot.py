from __future__ import annotations

import shutil
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


def test_slots_whose_files_were_deleted_are_not_given_to_further_programs(tmp_path: Path) -> None:
    folder = tmp_path / "run" / "seats"
    one, two = InstanceSlot(folder, "ann"), InstanceSlot(folder, "ann")
    shutil.rmtree(tmp_path / "run")
    for each in (two, one):
        each.keep()
    third, fourth = InstanceSlot(folder, "ann"), InstanceSlot(folder, "ann")
    assert [each.number for each in (one, two, third, fourth)] == [1, 2, 3, 4]
    one.close()
    one.keep()
    again = InstanceSlot(folder, "ann")
    assert again.number == 1
    for each in (two, third, fourth, again):
        each.close()


def test_a_slot_that_another_program_took_meanwhile_comes_back_when_that_one_ends(tmp_path: Path) -> None:
    one = InstanceSlot(tmp_path, "ann")
    (tmp_path / "ann-1.lock").unlink()
    other = InstanceSlot(tmp_path, "ann")
    one.keep()
    assert (one.number, other.number) == (1, 1)
    other.close()
    one.keep()
    after = InstanceSlot(tmp_path, "ann")
    assert after.number == 2
    one.close()
    after.close()


def test_without_locks_every_program_has_slot_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").write_text("")
    assert InstanceSlot(tmp_path / "file", "ann").number == 1
    monkeypatch.setattr(slot, "MOST", 1)
    first, second = InstanceSlot(tmp_path, "ann"), InstanceSlot(tmp_path, "ann")
    assert (first.number, second.number) == (1, 1)
    first.close()
