"""A power cut takes back what a program had not forced to disk, and nothing else."""

from __future__ import annotations

import os
import random
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from tests.chaos.power_cut import FaultySystem, build

from liven.app.cli.dispatch import dispatch


class Least(random.Random):
    """Chance that chooses the first of several, and the lowest number: nothing is kept that need not be."""

    def choice(self, seq: Any) -> Any:
        return seq[0]

    def randint(self, a: int, b: int) -> int:
        return a

    def random(self) -> float:
        return 0.999


@pytest.fixture
def system(tmp_path: Path) -> FaultySystem:
    (tmp_path / "home").mkdir()
    return FaultySystem(build(tmp_path), tmp_path / "home", tmp_path / "beside")


def run(system: FaultySystem, code: str, *options: str) -> str:
    """Run code in a process, in the folder of the faulty system."""
    done = subprocess.run(
        [sys.executable, *options, "-c", "import os, time, errno\n" + code],
        cwd=system.tree,
        env={**os.environ, **system.environment},
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout.strip()


WRITE = """
file = os.open("log", os.O_CREAT | os.O_WRONLY | os.O_APPEND)
os.write(file, b"first")
os.fsync(file)
os.fsync(os.open(".", os.O_RDONLY))
os.write(file, b", second")
os.write(file, b", third")
"""


def found(system: FaultySystem) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in system.tree.iterdir()}


def test_a_cut_keeps_what_was_forced_and_a_beginning_of_the_rest(tmp_path: Path) -> None:
    library, seen = build(tmp_path), set()
    for seed in range(40):
        tree = tmp_path / f"home{seed}"
        tree.mkdir()
        system = FaultySystem(library, tree, tmp_path / f"beside{seed}")
        run(system, WRITE)
        system.cut_power(random.Random(seed))
        [log] = found(system).values()
        assert log.startswith(b"first")
        seen.add(log)
    assert {b"first", b"first, second", b"first, second, third"} <= seen
    assert any(log.endswith(b"\0") for log in seen)  # the length without the bytes


def test_an_overwritten_file_gets_its_old_bytes_again(system: FaultySystem) -> None:
    (system.tree / "facts").write_bytes(b"0123456789")
    run(system, "file = os.open('facts', os.O_RDWR); os.pwrite(file, b'abc', 4); os.ftruncate(file, 6)")
    assert found(system) == {"facts": b"0123ab"}
    system.cut_power(Least())
    assert found(system) == {"facts": b"0123456789"}


def test_a_rename_that_was_not_forced_is_undone(system: FaultySystem) -> None:
    (system.tree / "settings").write_bytes(b"old")
    code = """
file = os.open("draft", os.O_CREAT | os.O_WRONLY)
os.write(file, b"new")
os.fsync(file)
os.fsync(os.open(".", os.O_RDONLY))
os.rename("draft", "settings")
"""
    run(system, code)
    system.cut_power(Least())
    assert found(system) == {"draft": b"new", "settings": b"old"}


def test_a_rename_that_was_forced_stays(system: FaultySystem) -> None:
    (system.tree / "settings").write_bytes(b"old")
    (system.tree / "draft").write_bytes(b"new")
    run(system, "os.rename('draft', 'settings'); os.fsync(os.open('.', os.O_RDONLY))")
    system.cut_power(Least())
    assert found(system) == {"settings": b"new"}


def test_a_removed_file_comes_back_and_a_created_one_goes(system: FaultySystem) -> None:
    (system.tree / "old").write_bytes(b"kept")
    run(system, "os.unlink('old'); os.close(os.open('fresh', os.O_CREAT | os.O_WRONLY))")
    system.cut_power(Least())
    assert found(system) == {"old": b"kept"}


def test_a_full_disk_refuses_data_until_there_is_room(system: FaultySystem) -> None:
    (system.tree / "log").write_bytes(b"")
    code = """
try:
    os.write(os.open("log", os.O_WRONLY), b"more")
    print("written")
except OSError as error:
    print(errno.errorcode[error.errno])
"""
    system.fill_disk()
    assert run(system, code) == "ENOSPC"
    system.free_disk()
    assert run(system, code) == "written"


def test_the_clock_of_the_day_is_wrong_and_the_other_is_not(system: FaultySystem) -> None:
    decades = 30 * 365 * 86_400
    system.shift_clock(decades)
    day, steady = map(float, run(system, "print(time.time(), time.monotonic())").split())
    assert abs(day - clock_of(system, "time") - decades) < 60
    assert abs(steady - clock_of(system, "monotonic")) < 60


def clock_of(system: FaultySystem, name: str) -> float:
    command = [sys.executable, "-S", "-c", f"import time; print(time.{name}())"]
    return float(subprocess.run(command, capture_output=True, text=True, check=True).stdout)


def test_a_log_keeps_its_place_over_a_power_cut(system: FaultySystem) -> None:
    code = """
from pathlib import Path
from liven.liveobjects.channel.store.place import FolderPlace
print(FolderPlace.settled(Path("."), (0, 0)).identity.hex())
"""
    first = run(system, code)
    system.cut_power(Least())
    assert run(system, code) == first


RESTORE = """
import sys
from pathlib import Path
from liven.app.backup.archive import Archive
from liven.app.backup.restoration import restore
from liven.runtime.user_folders import UserFolders

rename, left = os.rename, [int(sys.argv[1])]

def counted(*paths):
    if left[0] == 0:
        os._exit(9)
    left[0] -= 1
    rename(*paths)

os.rename = counted
restore(Archive(Path("../backup")), UserFolders.below(Path(".").resolve()), lambda *_: None, replace=True)
os._exit(9)
"""
FINISH = """
from pathlib import Path
from liven.app.backup.restore_journal import finish_restore
from liven.runtime.user_folders import UserFolders
finish_restore(UserFolders.below(Path(".").resolve()))
"""
ROOTS = ("config", "data", "state")


@pytest.mark.slow
@pytest.mark.parametrize("renames", range(8))
def test_a_restore_over_a_power_cut_is_whole_or_has_not_begun(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, renames: int
) -> None:
    home = tmp_path / "home"

    def write(content: str) -> None:
        for name in ROOTS:
            (home / name).mkdir(parents=True, exist_ok=True)
            (home / name / "file").write_text(content * 1000)

    write("new")
    monkeypatch.setenv("LIVEN_HOME", str(home))
    assert dispatch(["backup", str(tmp_path / "backup")]) == 0
    write("old")
    for name, chance in {"least": Least(), "some": random.Random(renames)}.items():
        case = tmp_path / name
        shutil.copytree(home, case / "home")
        shutil.copy(tmp_path / "backup", case)
        system = FaultySystem(build(case), case / "home", case / "beside")
        command = [sys.executable, "-c", "import os\n" + RESTORE, str(renames)]
        env = {**os.environ, **system.environment}
        done = subprocess.run(command, cwd=system.tree, env=env, capture_output=True, text=True, check=False)
        assert done.returncode == 9, done.stderr
        system.cut_power(chance)
        run(system, FINISH)
        contents = {(system.tree / each / "file").read_text() for each in ROOTS}
        assert contents in ({"new" * 1000}, {"old" * 1000})
        if renames == 7:  # it had ended: what it said is true
            assert contents == {"new" * 1000}
