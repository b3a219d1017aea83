"""Files that are written: whole or not at all, and under names that lead nowhere else."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from liven.app.filenames import plain_name, write_whole


def test_a_file_is_made_as_others_are(tmp_path: Path) -> None:
    path, other = tmp_path / "x", tmp_path / "other"
    write_whole(path, b"words")
    other.write_bytes(b"")
    assert path.read_bytes() == b"words"
    assert path.stat().st_mode == other.stat().st_mode
    write_whole(path, b"secret", 0o600)
    assert path.stat().st_mode & 0o777 == 0o600


def test_what_is_replaced_keeps_its_permissions_and_the_links_to_it(tmp_path: Path) -> None:
    path, link = tmp_path / "x", tmp_path / "link"
    path.write_bytes(b"old")
    path.chmod(0o640)
    link.symlink_to("x")
    write_whole(link, b"new")
    assert link.is_symlink()
    assert path.read_bytes() == b"new"
    assert path.stat().st_mode & 0o777 == 0o640


def test_a_disk_that_is_full_at_the_last_moment_leaves_what_was_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(_: int) -> None:
        raise OSError(28, os.strerror(28))

    path = tmp_path / "x"
    path.write_bytes(b"old")
    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="No space"):
        write_whole(path, b"new")
    assert path.read_bytes() == b"old"
    assert [one.name for one in tmp_path.iterdir() if one.is_file()] == ["x"]


def test_a_name_as_long_as_the_system_allows_can_be_written(tmp_path: Path) -> None:
    path = tmp_path / ("x" * 255)
    write_whole(path, b"words")
    assert path.read_bytes() == b"words"


@example("0000" + "\N{MATHEMATICAL BOLD CAPITAL A}" * 28 + " " + "\N{MATHEMATICAL BOLD CAPITAL A}")
@given(st.text())
def test_a_plain_name_leads_nowhere_else(name: str) -> None:
    plain = plain_name(name)
    assert plain
    assert len(plain.encode()) <= 120
    assert Path("/a", plain).parent == Path("/a")
    assert not plain.startswith(".")
    assert plain_name(plain) == plain
