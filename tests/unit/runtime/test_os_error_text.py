"""The system's error about a file, as a sentence."""

from __future__ import annotations

import errno
import os
from pathlib import Path

import pytest

from liven.runtime.os_error_text import explain_os_error, reason_unreadable


@pytest.mark.parametrize(
    ("number", "advice"),
    [
        (errno.ENOENT, "a: No such file or directory"),
        (errno.EISDIR, "a: Is a directory; name a file in it"),
        (errno.EACCES, "a: Permission denied; change its permissions, or choose another place"),
        (errno.ENOSPC, "a: No space left on device; free some space on that disk and try again"),
    ],
)
def test_an_error_says_where_what_and_what_to_do(number: int, advice: str) -> None:
    assert explain_os_error(OSError(number, os.strerror(number), "a")) == advice
    assert explain_os_error(OSError(number, os.strerror(number)), "a") == advice


def test_an_error_without_a_path_is_one_sentence_too() -> None:
    assert explain_os_error(OSError(errno.ENOENT, "gone")) == "gone"
    assert explain_os_error(OSError("odd")) == "odd"


def test_an_unreadable_file_is_explained_and_a_pipe_does_not_block(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    os.mkfifo(tmp_path / "pipe")
    assert reason_unreadable(tmp_path / "file") == ""
    assert reason_unreadable(tmp_path / "pipe") == f"{tmp_path / 'pipe'}: it is not a file; name one"
    assert reason_unreadable(tmp_path) == f"{tmp_path}: Is a directory; name a file in it"
    assert "No such file" in reason_unreadable(tmp_path / "none")
