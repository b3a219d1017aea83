"""Keys in a file that only its owner can read, and only as long as they are needed."""

from __future__ import annotations

import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from liven.liveobjects.feeds.key_file import BadKeysError, ChannelKey, OpenedType, kept_keys, read_keys

KEYS = [
    ChannelKey("ab" * 32, OpenedType("my:words", "text"), OpenedType("list<text>", "list<text>")),
    ChannelKey("cd" * 32, OpenedType("int64", "int64")),
]
KILLED = """
import os, sys
from pathlib import Path
from liven.liveobjects.feeds.key_file import ChannelKey, OpenedType, kept_keys
with kept_keys(Path(sys.argv[1]), [ChannelKey("ab" * 32, OpenedType("text", "text"))]):
    os._exit(9)
"""


def test_the_keys_are_there_for_their_owner_alone_and_as_long_as_they_are_needed(tmp_path: Path) -> None:
    folder = tmp_path / "runtime"
    before = os.umask(0)
    try:
        with kept_keys(folder, KEYS) as path:
            assert stat.S_IMODE(path.stat().st_mode) == 0o600
            assert stat.S_IMODE(folder.stat().st_mode) == 0o700
            assert read_keys(path) == KEYS
    finally:
        os.umask(before)
    assert list(folder.iterdir()) == []
    with pytest.raises(BadKeysError, match="the keys are gone"):
        read_keys(path)


def test_a_job_that_fails_leaves_no_keys(tmp_path: Path) -> None:
    with pytest.raises(KeyError), kept_keys(tmp_path, KEYS):
        raise KeyError
    assert list(tmp_path.iterdir()) == []


def test_keys_of_a_killed_process_are_deleted_and_those_in_use_stay(tmp_path: Path) -> None:
    subprocess.run([sys.executable, "-c", KILLED, str(tmp_path)], check=False)
    (left,) = tmp_path.iterdir()
    with kept_keys(tmp_path, KEYS) as first, kept_keys(tmp_path, KEYS) as second:
        assert set(tmp_path.iterdir()) == {first, second}
        assert left not in (first, second)


def test_an_error_about_keys_does_not_tell_them(tmp_path: Path) -> None:
    path = tmp_path / "keys"
    path.write_text('[{"key": "abababab", "message": 5}]')
    with pytest.raises(BadKeysError) as caught:
        read_keys(path)
    assert "abab" not in str(caught.value)
    assert caught.value.__cause__ is None
