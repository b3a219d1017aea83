"""The user's folders are private, whatever umask the program was started with."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from liven.multicast.service_process import stop_service
from liven.multicast.socket_engine import default_place

SAMPLES = Path(__file__).parents[3] / "samples"


def liven(home: Path, *words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "liven.app.main", *words],
        env={**os.environ, "LIVEN_HOME": str(home)},
        capture_output=True,
        text=True,
        umask=0o022,
        check=False,
    )


@pytest.mark.slow
def test_everything_that_a_run_leaves_is_for_the_user_alone(tmp_path: Path) -> None:
    home = tmp_path / "home"
    for name in ("config", "data", "state", "cache", "run"):  # as an earlier version made them
        (home / name).mkdir(parents=True)
        (home / name).chmod(0o755)
    ended = liven(home, "run", str(SAMPLES / "desk" / "note.liveobject"), "--for", "2")
    stop_service(default_place(home / "run"))
    assert ended.returncode == 0, ended.stderr
    found = [path for path in home.rglob("*") if not path.is_symlink()]
    assert [path for path in found if path.suffix == ".key"], "a run makes keys"
    assert [path for path in found if path.stat().st_mode & 0o077] == []


def test_documents_that_a_command_writes_keep_the_users_umask(tmp_path: Path) -> None:
    ended = liven(tmp_path / "home", "new", "Lamp", "--in", str(tmp_path))
    assert ended.returncode == 0, ended.stderr
    assert {path.stat().st_mode & 0o777 for path in tmp_path.glob("*.*")} == {0o644}
