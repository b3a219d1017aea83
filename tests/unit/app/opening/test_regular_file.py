"""What is read: plain files of a bounded size, and nothing that would have the program wait or never end."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from liven.app.open.hand_over import reason_unreadable
from liven.app.opening.regular_file import content, opened
from liven.app.opening.source import reason_unopenable


def test_a_plain_file_is_read_through_links_to_it(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"words")
    (tmp_path / "link").symlink_to("file")
    assert content(tmp_path / "link", 5) == b"words"


def test_what_is_larger_than_allowed_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"words")
    with pytest.raises(OSError, match="it has 5 bytes, and 4 are the most"):
        content(tmp_path / "file", 4)


def test_a_file_that_tells_no_size_is_read_as_far_as_allowed() -> None:
    status = Path("/proc/self/status")
    assert b"Pid" in content(status, 1 << 20)
    with pytest.raises(OSError, match="it has 11 bytes, and 10 are the most"):
        content(status, 10)


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


def test_a_pipe_or_a_device_is_said_at_once_and_not_read(endless: Path) -> None:
    """In a process of its own with a bound: who reads one never comes back."""
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


def test_a_folder_and_a_name_that_cannot_be_are_said(tmp_path: Path) -> None:
    assert reason_unreadable(str(tmp_path)) == f"{tmp_path}: Is a directory"
    assert "no file can have this name" in reason_unopenable("/a\0b")
    with pytest.raises(OSError, match="no file can have this name"):
        opened(Path("a\0b"))
