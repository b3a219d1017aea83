"""The user's keys in their file."""

from __future__ import annotations

from pathlib import Path

import pytest

from liven.liveobjects.channel.process.user_keys import UserKeyError, UserKeys


def test_keys_are_made_once_and_only_their_owner_can_read_the_file(tmp_path: Path) -> None:
    path = tmp_path / "config" / "user.keys"
    made = UserKeys.of_file(path)
    again = UserKeys.of_file(path)
    assert (made.name, made.address) == (again.name, again.address)
    assert path.stat().st_mode & 0o777 == 0o600
    assert list(path.parent.iterdir()) == [path]
    assert UserKeys.make().name != made.name


def test_a_file_that_holds_something_else_is_refused_and_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "user.keys"
    path.write_bytes(b"not keys")
    with pytest.raises(UserKeyError, match="move it away"):
        UserKeys.of_file(path)
    assert path.read_bytes() == b"not keys"


def test_a_link_to_a_missing_file_is_refused(tmp_path: Path) -> None:
    (tmp_path / "keys").symlink_to(tmp_path / "missing")
    with pytest.raises(UserKeyError, match="links to a missing file"):
        UserKeys.of_file(tmp_path / "keys")
