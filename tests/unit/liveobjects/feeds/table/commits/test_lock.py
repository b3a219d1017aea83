"""The lock of the tables."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from liven.liveobjects.feeds.table.commits.lock import TablesLockedError, locked


def test_only_one_process_holds_it_and_others_learn_who(tmp_path: Path) -> None:
    heard: list[str] = []
    with (
        locked(tmp_path / "lock", "process 7 (a test)"),
        pytest.raises(TablesLockedError, match=r"process 7 \(a test\) is writing these tables"),
        locked(tmp_path / "lock", "process 8", patience=0.0, waiting=heard.append),
    ):
        pass
    with locked(tmp_path / "lock", "process 9", patience=0.0, waiting=heard.append):
        pass
    assert heard == []


def test_a_child_that_got_the_descriptor_holds_it_on(tmp_path: Path) -> None:
    with locked(tmp_path / "lock", "process 1") as descriptor:
        child = subprocess.Popen(
            [sys.executable, "-c", "import sys; sys.stdin.read()"],
            stdin=subprocess.PIPE,
            pass_fds=[descriptor],
        )
    try:
        with (
            pytest.raises(TablesLockedError),
            locked(tmp_path / "lock", "process 2", patience=0.0),
        ):
            pass
    finally:
        child.communicate()
    heard: list[str] = []
    with locked(tmp_path / "lock", "process 2", patience=0.0, waiting=heard.append):
        pass
