"""What the system says of a file, as a sentence."""

from __future__ import annotations

import errno
import os
from pathlib import Path

import pytest

from liven.runtime.os_error_text import told, why_unreadable


@pytest.mark.parametrize(
    ("number", "advice"),
    [
        (errno.ENOENT, "a: No such file or directory"),
        (errno.EISDIR, "a: Is a directory; name a file in it"),
        (errno.EACCES, "a: Permission denied; change its permissions, or choose another place"),
        (errno.ENOSPC, "a: No space left on device; free some space on that disk and try again"),
    ],
)
def test_where_what_and_what_to_do(number: int, advice: str) -> None:
    assert told(OSError(number, os.strerror(number), "a")) == advice
    assert told(OSError(number, os.strerror(number)), "a") == advice


def test_what_has_no_place_is_told_without_one() -> None:
    assert told(OSError(errno.ENOENT, "gone")) == "gone"
    assert told(OSError("odd")) == "odd"


def test_what_cannot_be_read_is_told_and_no_pipe_is_waited_for(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    os.mkfifo(tmp_path / "pipe")
    assert why_unreadable(tmp_path / "file") == ""
    assert why_unreadable(tmp_path / "pipe") == f"{tmp_path / 'pipe'}: it is not a file; name one"
    assert why_unreadable(tmp_path) == f"{tmp_path}: Is a directory; name a file in it"
    assert "No such file" in why_unreadable(tmp_path / "none")
