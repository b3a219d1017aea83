"""The folders of histories: found by the channel, and deleted when nothing was written for long."""

from __future__ import annotations

import os
from pathlib import Path

from liven.app.time_travel.program_history.history_folders import forget_oldest, history_folder

DAY = 86_400.0


def history(root: Path, channel: str, written: float) -> Path:
    folder = history_folder(root, channel)
    (folder / "history").mkdir(parents=True)
    file = folder / "history" / "0.seg"
    file.write_bytes(b"x")
    os.utime(file, (written, written))
    return folder


def test_each_channel_has_a_folder_of_its_own_below_the_root(tmp_path: Path) -> None:
    one, other = history_folder(tmp_path, "home/../a"), history_folder(tmp_path, "home/b")
    assert one != other
    assert {one.parent, other.parent} == {tmp_path}
    assert history_folder(tmp_path, "home/b") == other


def test_a_history_goes_when_nothing_was_written_for_long(tmp_path: Path) -> None:
    now = 1000 * DAY
    old, new = history(tmp_path, "old", now - 31 * DAY), history(tmp_path, "new", now - 29 * DAY)
    elsewhere = tmp_path.parent / f"{tmp_path.name}-elsewhere"
    elsewhere.mkdir()
    (tmp_path / "link").symlink_to(elsewhere)
    forget_oldest(tmp_path, 30 * DAY, lambda: now)
    assert not old.exists() and new.exists() and elsewhere.exists()


def test_without_a_folder_there_is_nothing_to_delete(tmp_path: Path) -> None:
    forget_oldest(tmp_path / "none", DAY)
