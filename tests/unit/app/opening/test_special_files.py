"""Pipes, devices and sockets are refused at once, since reading one may block or never end."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from liven.app.open.hand_over import reason_unreadable
from liven.app.opening.source import reason_unopenable


@pytest.fixture(params=["pipe", "device", "socket"])
def endless(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)  # the name of a socket must be short
    if request.param == "device":
        return Path("/dev/zero")
    path = tmp_path / "special"
    if request.param == "pipe":
        os.mkfifo(path)
    else:
        with socket.socket(socket.AF_UNIX) as door:
            door.bind(path.name)
    return path


def test_a_pipe_or_a_device_is_refused_without_being_read(endless: Path) -> None:
    """Runs in a process of its own with a time limit, since reading one would never return."""
    code = (
        "import resource, sys\n"
        "from pathlib import Path\n"
        "resource.setrlimit(resource.RLIMIT_AS, (2 << 30, 2 << 30))\n"
        "from liven.app.opening.source import reason_unopenable\n"
        "from liven.app.open.hand_over import reason_unreadable\n"
        "for name in (sys.argv[1], f'liven://{sys.argv[1]}'):\n"
        "    assert reason_unreadable(name), name\n"
        "    assert 'cannot be read' in reason_unopenable(name), name\n"
    )
    subprocess.run([sys.executable, "-c", code, str(endless)], check=True, timeout=60)


def test_a_folder_and_an_impossible_name_are_refused_with_the_reason(tmp_path: Path) -> None:
    assert reason_unreadable(str(tmp_path)) == f"{tmp_path}: Is a directory"
    assert "no file can have this name" in reason_unopenable("/a\0b")
