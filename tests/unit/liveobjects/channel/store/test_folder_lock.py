"""Folder locks: each process has its own log, and the same one after a restart."""

from __future__ import annotations

from pathlib import Path

import pytest

from liven.liveobjects.channel.store import folder_lock
from liven.liveobjects.channel.store.folder_lock import NoFolderError, lock_first_free


def test_processes_get_different_folders_and_find_them_again(tmp_path: Path) -> None:
    first, second = lock_first_free(tmp_path), lock_first_free(tmp_path)
    assert [first.folder.name, second.folder.name] == ["0", "1"]
    first.close()
    first.close()
    third = lock_first_free(tmp_path)
    assert third.folder == first.folder
    second.close()
    third.close()


def test_the_number_of_folders_is_bounded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(folder_lock, "MOST_SLOTS", 1)
    held = lock_first_free(tmp_path)
    with pytest.raises(NoFolderError, match="close one of them"):
        lock_first_free(tmp_path)
    held.close()
