"""A restore that is cut at any step: the next start has the old files or the new ones, whole."""

from __future__ import annotations

import errno
import fcntl
import os
import shutil
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from liven.app.backup.archive import Archive
from liven.app.backup.restoration import restore
from liven.app.backup.restore_journal import finish_restore, place_of
from liven.app.cli.dispatch import dispatch
from liven.app.main import main
from liven.runtime.user_folders import UserFolders

ROOTS = ("config", "data", "state")
CHANGES = ("rename", "replace", "mkdir", "rmdir", "unlink", "link", "open")


class PowerCut(BaseException):
    """The computer has stopped."""


class Machine:
    """A computer that stops before a step: from then on, nothing changes on its disk."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, steps: int) -> None:
        self.steps = steps
        self.names: list[str] = []
        for name in CHANGES:
            monkeypatch.setattr(os, name, self._counted(name, getattr(os, name)))

    def _counted(self, name: str, change: Callable[..., Any]) -> Callable[..., Any]:
        def counted(path: Any, *more: Any, **named: Any) -> Any:
            is_read = name == "open" and not more[0] & os.O_CREAT
            if not is_read:
                if self.steps == 0:
                    raise PowerCut
                self.steps -= 1
                self.names.append(name)
            return change(path, *more, **named)

        return counted


def write(home: Path, content: str) -> None:
    for name in ROOTS:
        (home / name).mkdir(parents=True, exist_ok=True)
        (home / name / "file").write_text(content)


def contents(home: Path) -> list[str]:
    return [(home / name / "file").read_text() for name in ROOTS]


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A person's files, with others in a backup."""
    made = tmp_path / "home"
    monkeypatch.setenv("LIVEN_HOME", str(made))
    write(made, "from the backup")
    assert dispatch(["backup", str(tmp_path / "backup")]) == 0
    write(made, "present")
    return made


def restored(home: Path) -> None:
    archive = Archive(home.parent / "backup")
    try:
        restore(archive, UserFolders.below(home), lambda *_: None, replace=True)
    finally:
        archive.close()


def test_a_restore_that_is_cut_at_any_step_is_finished_or_has_not_begun(home: Path) -> None:
    results, steps, ended = list[str](), 0, False
    while not ended:
        shutil.rmtree(home)
        write(home, "present")
        with pytest.MonkeyPatch.context() as patch:
            machine = Machine(patch, steps)
            try:
                restored(home)
            except PowerCut:
                pass
            else:
                ended = True
        finish_restore(UserFolders.below(home))
        (result,) = set(contents(home))
        results.append(result)
        steps += 1
    assert machine.names.count("rename") == 7
    began = results.index("from the backup")
    assert set(results[:began]) == {"present"}
    assert set(results[began:]) == {"from the backup"}
    assert machine.names[began:] == ["unlink", *["rename"] * 6, "unlink"]


def interrupted(home: Path) -> None:
    """Cut a restore between its second and its third exchange."""
    with pytest.MonkeyPatch.context() as patch:
        machine = Machine(patch, 1000)
        rename = os.rename

        def counted(*paths: Any) -> None:
            rename(*paths)
            if machine.names.count("rename") == 5:
                machine.steps = 0

        patch.setattr(os, "rename", counted)
        with pytest.raises(PowerCut):
            restored(home)
    assert place_of(UserFolders.below(home)).exists()


def test_the_next_start_finishes_it_and_says_so(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    interrupted(home)
    capsys.readouterr()
    assert main(["restore", "--check", str(home.parent / "backup")]) == 0
    said = capsys.readouterr().err
    assert said.count("an interrupted restore is finished; the earlier files are in") == 3
    assert contents(home) == ["from the backup"] * 3
    assert not place_of(UserFolders.below(home)).exists()
    for name in ROOTS:
        (aside,) = home.glob(f"{name}.before-*")
        assert (aside / "file").read_text() == "present"


def test_an_error_between_two_renames_puts_everything_back(home: Path) -> None:
    with pytest.MonkeyPatch.context() as patch:
        rename, done = os.rename, list[object]()

        def failing(*paths: Any) -> None:
            done.append(paths)
            if len(done) == 5:
                raise OSError(errno.EIO, os.strerror(errno.EIO), paths[0])
            rename(*paths)

        patch.setattr(os, "rename", failing)
        with pytest.raises(OSError, match="Input/output"):
            restored(home)
    assert contents(home) == ["present"] * 3
    assert sorted(each.name for each in home.iterdir()) == ["config", "data", "state"]


def test_a_start_waits_for_a_restore_that_is_at_work(home: Path) -> None:
    interrupted(home)
    folders = UserFolders.below(home)
    with place_of(folders).open("rb") as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        waiting = threading.Thread(target=finish_restore, args=(folders,))
        waiting.start()
        assert waiting.is_alive()
        assert (home / "state" / "file").read_text() == "present", "it is not finished by two"
        place_of(folders).unlink()
    waiting.join()
    assert (home / "state" / "file").read_text() == "present", "it has ended, so there is nothing to finish"


def test_a_journal_that_is_none_is_named(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    place_of(UserFolders.below(home)).write_text('{"elsewhere": ["a", "b"]}')
    assert main(["members", "x"]) == 3
    assert "is not the journal of a restore; move it away" in capsys.readouterr().err
    assert contents(home) == ["present"] * 3
