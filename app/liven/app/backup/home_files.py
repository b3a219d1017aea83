"""The files of a person that a backup contains, and their names in it."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final, NamedTuple

from liven.app.network.settings import KEY_FILE
from liven.app.program import opening_marks
from liven.app.window.saved import crash_restore
from liven.liveobjects.channel.process import user_keys
from liven.liveobjects.channel.store.folder_lock import lock_folder
from liven.liveobjects.channel.store.snapshot import take_logs
from liven.runtime.signing import own_key
from liven.runtime.user_folders import UserFolders

ROOTS: Final = ("config", "data", "state")
"""The folders of a person that are in a backup. The cache and the sockets can be made again."""
LOGS: Final = "channels"
_LEFT_OUT: Final = {
    "config": (),
    "data": (LOGS,),
    "state": ("logs", "feeds", crash_restore.FOLDER, opening_marks.FOLDER),
}
"""Parts that are not in a backup, or are taken in another way: run logs, recorded feeds with their own place
on disk, and marks of running programs, which would look like crashes once restored."""
SECRET_FILES: Final = (KEY_FILE, user_keys.NAME, own_key.NAME)
"""All files with secret keys, in the folder of settings."""
_KEYS: Final = frozenset(("key", "keys"))
"""A file with one of these words between dots, as `cluster.key` and copies or drafts of it, is secret."""
_DRAFT: Final = ".liven-"
_STAGING: Final = ".backup-"


class HomeFile(NamedTuple):
    """One file: its name in the archive, and where it is."""

    name: str
    path: Path

    @property
    def is_log(self) -> bool:
        """True for a part of a log, which cannot be left out."""
        return self.name.startswith(f"data/{LOGS}/")


def folders_of(folders: UserFolders) -> dict[str, Path]:
    """Return the folders in a backup, by their names in it."""
    return {name: path for name, path in folders.items() if name in ROOTS}


@contextmanager
def home_files(folders: UserFolders, *, keys: bool, cluster_key: Path | None) -> Iterator[list[HomeFile]]:
    """Return the files to back up; the logs of channels as they are at one moment. Without `keys`, no secret
    is among them; `cluster_key` is one, whatever its name."""
    logs = folders.data / LOGS
    logs.mkdir(parents=True, exist_ok=True, mode=0o700)
    _remove_old(logs)
    staging = Path(tempfile.mkdtemp(prefix=_STAGING, dir=logs))
    held = lock_folder(staging)
    try:
        take_logs(logs, staging / "logs")
        found = [each for name, root in folders_of(folders).items() for each in _below(name, root)]
        if not keys:
            found = [each for each in found if not _is_secret(each, cluster_key)]
        yield [*found, *_walk(f"data/{LOGS}", staging / "logs")]
    finally:
        shutil.rmtree(staging, ignore_errors=True)
        if held is not None:
            held.close()


def is_key(name: str) -> bool:
    """True for a file in an archive that holds secret keys."""
    words = name.rpartition("/")[2].rstrip("~").split(".")
    return name.startswith("config/") and not _KEYS.isdisjoint(words)


def keys_in(config: Path, cluster_key: Path | None) -> list[str]:
    """Return the files with secret keys in a folder of settings, by their paths below it."""
    found = (each for each in _walk("config", config) if _is_secret(each, cluster_key))
    return [each.path.relative_to(config).as_posix() for each in found]


def _is_secret(file: HomeFile, cluster_key: Path | None) -> bool:
    if is_key(file.name):
        return True
    try:
        return cluster_key is not None and file.path.samefile(cluster_key)
    except OSError:
        return False


def _below(name: str, root: Path) -> Iterator[HomeFile]:
    for each in _walk(name, root):
        if each.name.split("/")[1] not in _LEFT_OUT[name]:
            yield each


def _walk(name: str, root: Path) -> Iterator[HomeFile]:
    """Return the regular files below a folder, without unfinished ones. Links are not followed."""
    for folder, below, files in os.walk(root):
        below.sort()
        there = Path(folder).relative_to(root)
        for file in sorted(files):
            path = Path(folder) / file
            if not file.startswith(_DRAFT) and path.is_file() and not path.is_symlink():
                yield HomeFile((Path(name) / there / file).as_posix(), path)


def _remove_old(logs: Path) -> None:
    """Remove what a backup left that was killed. One that still runs holds its lock."""
    for each in logs.glob(f"{_STAGING}*"):
        held = lock_folder(each)
        if held is not None:
            shutil.rmtree(each, ignore_errors=True)
            held.close()
