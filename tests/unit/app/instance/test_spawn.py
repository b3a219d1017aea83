"""Another program starts with the umask of the person, because it saves documents."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from liven.app.instance.spawn import spawn
from liven.runtime.files import keep_files_private


def test_other_program_gets_the_umask_of_the_person(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = os.umask(0o027)
    seen: list[int] = []

    def started(*_: object, **__: object) -> None:
        seen.append(os.umask(0o077))
        os.umask(seen[-1])

    monkeypatch.setattr("liven.runtime.files._Umask.start", None)
    monkeypatch.setattr(subprocess, "Popen", started)
    try:
        keep_files_private()
        spawn(tmp_path / "a.liveobject")
    finally:
        os.umask(before)
    assert seen == [0o027]
