"""`liven backup` and `liven restore`: files come back, keys stay apart, and nothing is half done."""

from __future__ import annotations

import json
import os
import shutil
from pathlib import Path

import pytest

from liven.app.backup import restoration
from liven.app.cli.dispatch import dispatch
from liven.app.instance.slot import SEATS, InstanceSlot
from liven.app.program import opening_marks
from liven.app.program.opening_marks import OpeningMarks
from liven.app.window.saved import crash_restore
from liven.app.window.saved.crash_restore import CrashedWindows, OpenWindow, OpenWindows
from liven.liveobjects.channel.store.folder_lock import lock_folder
from liven.liveobjects.channel.store.records import Record, RecordKind, key_of
from liven.liveobjects.channel.store.shared_log import SharedLog

FILES = {
    "config/config.toml": b"a = 1",
    "config/cluster.key": b"secret",
    "config/user.keys": b"secret, too",
    "config/signing.key": b"secret as well",
    "data/objects/note.liveobject": b"<Root/>",
    "data/libraries/l/x.py": b"pass",
    "state/recent.json": b"[]",
    "state/logs/desktop.log": b"lines",
    "state/feeds/f": b"rows",
    "cache/x": b"cached",
}
KEPT = {"config/config.toml", "data/objects/note.liveobject", "data/libraries/l/x.py", "state/recent.json"}


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    home = tmp_path / "home"
    for name, data in FILES.items():
        path = home / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    monkeypatch.setenv("LIVEN_HOME", str(home))
    log = SharedLog(home / "data/channels/0")
    log.write([Record(key_of("home/f/n"), RecordKind.NAME, 1, 0, b"home/f/n")])
    log.close()
    return home


def files(home: Path) -> dict[str, bytes]:
    return {
        each.relative_to(home).as_posix(): each.read_bytes() for each in home.rglob("*") if each.is_file()
    }


def names(home: Path) -> set[str]:
    """Return the files that a person would miss: locks and logs apart."""
    return {each for each in files(home) if not each.startswith("data/channels/") and ".before-" not in each}


def test_a_backup_is_restored_elsewhere_without_keys(
    home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert dispatch(["backup", str(tmp_path / "b"), "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert (told["files"], told["keys"]) == (5, False)
    assert (tmp_path / "b").stat().st_mode & 0o777 == 0o600
    monkeypatch.setenv("LIVEN_HOME", str(tmp_path / "other"))
    assert dispatch(["restore", str(tmp_path / "b")]) == 0
    assert names(tmp_path / "other") == KEPT
    log = SharedLog(tmp_path / "other/data/channels/0", reading=True)
    assert log.names() == ["home/f/n"]
    assert not list(home.glob("data/channels/.backup-*"))


def test_keys_are_in_it_when_asked_for(home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert dispatch(["backup", str(tmp_path / "b"), "--with-keys"]) == 0
    monkeypatch.setenv("LIVEN_HOME", str(tmp_path / "other"))
    assert dispatch(["restore", str(tmp_path / "b")]) == 0
    assert (tmp_path / "other/config/cluster.key").read_bytes() == b"secret"
    assert (tmp_path / "other/config/cluster.key").stat().st_mode & 0o777 == 0o600


def test_a_folder_gets_an_archive_named_by_the_day(home: Path, tmp_path: Path) -> None:
    (tmp_path / "disk").mkdir()
    assert dispatch(["backup", str(tmp_path / "disk")]) == 0
    (one,) = (tmp_path / "disk").iterdir()
    assert one.name.endswith(".livenbackup")
    assert dispatch(["restore", "--check", str(one)]) == 0


def test_an_archive_is_replaced_only_when_asked(home: Path, tmp_path: Path) -> None:
    (tmp_path / "b").write_bytes(b"mine")
    assert dispatch(["backup", str(tmp_path / "b")]) == 2
    assert (tmp_path / "b").read_bytes() == b"mine"
    assert dispatch(["backup", str(tmp_path / "b"), "--replace"]) == 0
    assert dispatch(["backup", str(tmp_path / "nowhere" / "b")]) == 2


def test_a_backup_that_fails_leaves_nothing(
    home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def full(_: int) -> None:
        raise OSError(28, os.strerror(28), "the disk")

    (tmp_path / "disk").mkdir()
    with monkeypatch.context() as patch:
        patch.setattr(os, "fsync", full)
        assert dispatch(["backup", str(tmp_path / "disk" / "b")]) == 3
    assert "no backup was made" in capsys.readouterr().err
    assert list((tmp_path / "disk").iterdir()) == []
    assert not list(home.glob("data/channels/.backup-*"))


def test_present_files_are_replaced_only_when_asked_and_are_kept(
    home: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    dispatch(["backup", str(tmp_path / "b")])
    (home / "data/objects/note.liveobject").write_bytes(b"changed")
    before = files(home)
    assert dispatch(["restore", str(tmp_path / "b")]) == 1
    assert "--replace" in capsys.readouterr().err
    assert {each: data for each, data in files(home).items() if each != "data/channels/0/lock"} == before
    assert dispatch(["restore", str(tmp_path / "b"), "--replace"]) == 0
    assert (home / "data/objects/note.liveobject").read_bytes() == b"<Root/>"
    (aside,) = home.glob("data.before-*")
    assert (aside / "objects/note.liveobject").read_bytes() == b"changed"
    for name in ("config/cluster.key", "config/user.keys", "config/signing.key"):
        assert (home / name).read_bytes() == FILES[name], "keys that are not in it stay"
    assert not list(home.glob(".restoring-*"))


def test_nothing_is_restored_while_a_program_uses_the_files(
    home: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    dispatch(["backup", str(tmp_path / "b")])
    before = files(home)
    lock = lock_folder(home / "data/channels/0")
    assert lock is not None
    assert dispatch(["restore", str(tmp_path / "b"), "--replace"]) == 1
    assert "quit all of them" in capsys.readouterr().err
    lock.close()
    seat = InstanceSlot(home / "run" / SEATS, "ann")
    assert dispatch(["restore", str(tmp_path / "b"), "--replace"]) == 1
    seat.close()
    assert files(home).keys() - before.keys() <= {"data/channels/0/lock", "run/seats/ann-1.lock"}
    assert dispatch(["restore", str(tmp_path / "b"), "--replace"]) == 0


def test_a_restore_says_at_once_that_programs_run_and_files_are_there(
    home: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    dispatch(["backup", str(tmp_path / "b")])
    seat = InstanceSlot(home / "run" / SEATS, "ann")
    assert dispatch(["restore", str(tmp_path / "b")]) == 1
    told = capsys.readouterr().err
    assert told.index("quit all of them") < told.index("--replace")
    seat.close()
    assert dispatch(["restore", str(tmp_path / "b")]) == 1
    assert "programs" not in capsys.readouterr().err


def test_windows_that_were_open_during_a_backup_do_not_look_like_a_crash(
    home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    state = home / "state"
    windows, marks = OpenWindows(state / crash_restore.FOLDER), OpeningMarks(state / opening_marks.FOLDER)
    windows.write([OpenWindow("note", "<Root/>", (0, 0, 9, 9))])
    marks.begin("note")
    assert dispatch(["backup", str(tmp_path / "b")]) == 0
    monkeypatch.setenv("LIVEN_HOME", str(tmp_path / "other"))
    assert dispatch(["restore", str(tmp_path / "b")]) == 0
    restored = tmp_path / "other" / "state"
    assert (restored / "recent.json").exists()
    assert CrashedWindows(restored / crash_restore.FOLDER).windows == []
    assert OpeningMarks(restored / opening_marks.FOLDER).begin("note") == 0
    windows.close()
    marks.close()


@pytest.mark.parametrize("harm", ["cut", "changed"])
def test_a_harmed_archive_changes_nothing(
    home: Path, tmp_path: Path, harm: str, capsys: pytest.CaptureFixture[str]
) -> None:
    dispatch(["backup", str(tmp_path / "b")])
    data = bytearray((tmp_path / "b").read_bytes())
    at = data.index(b"note.liveobject") + 40
    data[at] ^= 0xFF
    (tmp_path / "b").write_bytes(data if harm == "changed" else data[: len(data) // 2])
    before = files(home)
    assert dispatch(["restore", str(tmp_path / "b"), "--replace"]) == 2
    assert capsys.readouterr().err.startswith("liven: ")
    assert dispatch(["restore", str(tmp_path / "b"), "--check"]) == 2
    assert files(home).keys() - before.keys() <= {"data/channels/0/lock"}
    assert all(files(home)[each] == data for each, data in before.items())
    assert not list(home.glob(".restoring-*"))
    assert not list(home.glob("*.before-*"))


@pytest.mark.parametrize("which", range(6))
def test_an_exchange_that_fails_is_undone(
    home: Path, tmp_path: Path, which: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    dispatch(["backup", str(tmp_path / "b")])
    before, rename, calls = files(home), Path.rename, [0]

    def failing(self: Path, target: Path) -> Path:
        calls[0] += 1
        if calls[0] == which + 1:
            raise OSError(5, os.strerror(5))
        return rename(self, target)

    with monkeypatch.context() as patch:
        patch.setattr(Path, "rename", failing)
        assert dispatch(["restore", str(tmp_path / "b"), "--replace"]) == 3
    assert files(home).keys() - before.keys() <= {"data/channels/0/lock"}
    assert all(files(home)[each] == data for each, data in before.items())


def test_a_program_that_starts_meanwhile_keeps_its_files(
    home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    dispatch(["backup", str(tmp_path / "b")])
    keep = restoration._keep_keys

    def starting(keys: list[str], present: Path, staged: Path) -> None:
        SharedLog(home / "data/channels/1").close()
        keep(keys, present, staged)

    monkeypatch.setattr(restoration, "_keep_keys", starting)
    assert dispatch(["restore", str(tmp_path / "b"), "--replace"]) == 1
    assert "quit all of them" in capsys.readouterr().err
    assert (home / "data/channels/1").is_dir()
    assert not list(home.glob("*.before-*"))


def test_too_little_room_changes_nothing(
    home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    dispatch(["backup", str(tmp_path / "b")])
    usage = shutil.disk_usage(tmp_path)._replace(free=1000)
    monkeypatch.setattr(shutil, "disk_usage", lambda _: usage)
    assert dispatch(["restore", str(tmp_path / "b"), "--replace"]) == 1
    assert "1 kB free" in capsys.readouterr().err
    assert names(home) >= KEPT
