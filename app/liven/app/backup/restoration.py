"""Putting a backup in place of a person's files: all of it or nothing, and never while programs use them."""

from __future__ import annotations

import os
import shutil
import time
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager
from fcntl import LOCK_EX, LOCK_NB, flock
from pathlib import Path
from typing import Final

from liven.app.backup.archive import Archive, Progress
from liven.app.backup.home_files import LOGS, folders_of, keys_in
from liven.app.backup.restore_journal import STAGING, Exchange, exchanged, finish_restore, free_name
from liven.app.instance.slot import SEATS
from liven.liveobjects.channel.store.folder_lock import lock_folder
from liven.liveobjects.channel.store.snapshot import log_folders
from liven.runtime.files import readable_size, sync_folder
from liven.runtime.user_folders import UserFolders

_ROOM: Final = 64 << 20
"""Bytes that stay free on the disk."""
_IN_USE: Final = "programs use these files; quit all of them, and `liven serve`, and try again"
_WITH_REPLACE: Final = "with --replace, which moves the present files aside"


class RestoreError(Exception):
    """The backup was not restored, and nothing has changed. The text says why."""


def restore(
    archive: Archive,
    folders: UserFolders,
    told: Progress,
    *,
    replace: bool,
    cluster_key: Path | None = None,
) -> list[Path]:
    """Put the files of an archive in place, and keep the keys that are here, with `cluster_key` whatever its
    name. Return the folders to which earlier files were moved. Raises RestoreError, BadArchiveError or
    OSError, and nothing has changed then."""
    finish_restore(folders)
    targets = folders_of(folders)
    present = [] if replace else [path for path in targets.values() if _has_files(path)]
    with ExitStack() as held:
        if not _keeps_programs_away(folders, held):
            raise RestoreError(f"{_IN_USE} {_WITH_REPLACE}" if present else _IN_USE)
        if present:
            raise RestoreError(f"there are files in {present[0]}; with --replace they are moved aside")
        known = {each.name for each in log_folders(folders.data / LOGS)}
        staged = held.enter_context(_staged(archive, targets, told))
        _keep_keys(keys_in(targets["config"], cluster_key), targets["config"], staged["config"])
        _force_to_disk(staged.values())
        suffix = f".before-{time.strftime('%Y%m%d-%H%M%S')}"
        exchanges = {
            name: Exchange(target, staged[name], free_name(target.with_name(target.name + suffix)))
            for name, target in targets.items()
        }
        with exchanged(folders, exchanges):
            before = exchanges["data"].aside / LOGS
            if before.parent.exists() and known != {each.name for each in log_folders(before)}:
                raise RestoreError(_IN_USE)  # a program was started meanwhile
    return [each.aside for each in exchanges.values() if each.aside.exists()]


def _has_files(folder: Path) -> bool:
    """True if there is a file below a folder, apart from empty ones, such as locks."""
    return any((Path(at) / each).lstat().st_size for at, _, files in os.walk(folder) for each in files)


def _keeps_programs_away(folders: UserFolders, held: ExitStack) -> bool:
    """Lock all logs; False if a program uses one, or has a window open."""
    for folder in log_folders(folders.data / LOGS):
        lock = lock_folder(folder)
        if lock is None:
            return False
        held.callback(lock.close)
    return not any(_is_locked(path) for path in (folders.runtime / SEATS).glob("*.lock"))


def _is_locked(path: Path) -> bool:
    with path.open("rb") as seat:
        try:
            flock(seat, LOCK_EX | LOCK_NB)
        except OSError:
            return True
    return False


@contextmanager
def _staged(archive: Archive, targets: dict[str, Path], told: Progress) -> Iterator[dict[str, Path]]:
    """Write and check all files beside their places."""
    name = f"{STAGING}{os.urandom(4).hex()}"
    staged = {each: path.with_name(f"{name}-{each}") for each, path in targets.items()}
    with ExitStack() as made:
        for path in {each.parent for each in targets.values()}:
            path.mkdir(parents=True, exist_ok=True, mode=0o700)
            for old in path.glob(f"{STAGING}*"):  # of one that was killed before it counted
                if old.is_dir():
                    shutil.rmtree(old, ignore_errors=True)
                else:
                    old.unlink(missing_ok=True)
            free = shutil.disk_usage(path).free
            if archive.size + _ROOM > free:
                needed = readable_size(archive.size + _ROOM)
                raise RestoreError(f"{path} has {readable_size(free)} free; restoring needs {needed}")
        for path in staged.values():
            path.mkdir(mode=0o700)
            made.callback(shutil.rmtree, path, ignore_errors=True)
        archive.extract(staged, told)
        yield staged


def _keep_keys(keys: Iterable[str], present: Path, staged: Path) -> None:
    """Keep the secret keys of this computer where the backup has none."""
    for key in keys:
        if not (staged / key).exists():
            (staged / key).parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            shutil.copy2(present / key, staged / key)


def _force_to_disk(roots: Iterable[Path]) -> None:
    """Force the names of all files to disk, and the keys, which were copied."""
    for root in roots:
        for folder, _, files in os.walk(root):
            for file in files:
                with (Path(folder) / file).open("rb") as written:
                    os.fsync(written.fileno())
            sync_folder(Path(folder))
        sync_folder(root.parent)
