"""The journal of a restore: the renames that put its folders in place.

A restore exchanges up to three folders, and a computer may stop between two renames. Once everything is
written beside its place, the journal is forced to disk; from then on the restore counts. Whoever starts next
finishes the renames that are missing, before any file is opened. The journal is locked while a restore is at
work on it, so a program that starts meanwhile waits for the end.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager
from fcntl import LOCK_EX, flock
from pathlib import Path
from typing import Final, NamedTuple

from liven.app.backup import JOURNAL
from liven.app.backup.home_files import folders_of
from liven.runtime.files import read_json, sync_folder
from liven.runtime.user_folders import UserFolders

STAGING: Final = ".restoring-"
"""Files of a restore that does not count yet begin with it."""
_MOST: Final = 4096


class JournalError(OSError):
    """A journal that cannot be read. Nothing was changed."""


class Exchange(NamedTuple):
    """One folder that takes the place of another."""

    target: Path
    staged: Path
    aside: Path
    """The place of the folder that is at `target`, if there is one."""

    def do(self) -> None:
        """Rename what is not renamed yet."""
        if not self.staged.exists():
            return
        if self.target.exists():
            self.target.rename(free_name(self.aside))  # an earlier version may have made a folder meanwhile
        self.staged.rename(self.target)

    def undo(self) -> None:
        """Put the earlier folder back."""
        if not self.staged.exists():
            self.target.rename(self.staged)
        if self.aside.exists():
            self.aside.rename(self.target)


def place_of(folders: UserFolders) -> Path:
    """Return the path of the journal."""
    return folders.data.with_name(JOURNAL)


@contextmanager
def exchanged(folders: UserFolders, exchanges: dict[str, Exchange]) -> Iterator[None]:
    """Exchange folders, also if the computer stops meanwhile. An error puts the earlier ones back."""
    journal = place_of(folders)
    names = {name: (each.staged.name, each.aside.name) for name, each in exchanges.items()}
    with _written(journal, json.dumps(names).encode()):
        with ExitStack() as undo:
            undo.callback(_sync, exchanges.values())
            for each in exchanges.values():
                undo.callback(each.undo)
                each.do()
            yield
            _sync(exchanges.values())
            undo.pop_all()
        _remove(journal)


@contextmanager
def _written(journal: Path, content: bytes) -> Iterator[None]:
    """Write the journal, locked from the beginning; remove it after an error."""
    draft = journal.with_name(f"{STAGING}{os.urandom(4).hex()}{JOURNAL}")
    descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
    with os.fdopen(descriptor, "wb") as file:
        try:
            flock(file, LOCK_EX)
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
            draft.rename(journal)
        finally:
            draft.unlink(missing_ok=True)
        try:
            sync_folder(journal.parent)
            yield
        except BaseException:
            _remove(journal)
            raise


def finish_restore(folders: UserFolders) -> list[Path]:
    """Finish a restore that was interrupted, if there is one. Return the folders of earlier files; raise
    OSError, and try again at the next start."""
    journal = place_of(folders)
    try:
        file = journal.open("rb")
    except FileNotFoundError:
        return []
    with file:
        flock(file, LOCK_EX)
        if not journal.exists():
            return []  # it was at work, and has ended
        exchanges = _read(journal, folders)
        for each in exchanges:
            each.do()
        _sync(exchanges)
        _remove(journal)
    return [each.aside for each in exchanges if each.aside.exists()]


def _read(journal: Path, folders: UserFolders) -> list[Exchange]:
    targets = folders_of(folders)
    try:
        return [
            Exchange(targets[name], targets[name].with_name(staged), targets[name].with_name(aside))
            for name, (staged, aside) in read_json(journal, _MOST).items()
        ]
    except (ValueError, KeyError, TypeError, AttributeError):
        raise JournalError(
            f"{journal} is not the journal of a restore; move it away, and look for folders beside it whose"
            f" names begin with {STAGING} or contain .before-"
        ) from None


def _remove(journal: Path) -> None:
    journal.unlink(missing_ok=True)
    sync_folder(journal.parent)


def _sync(exchanges: Iterable[Exchange]) -> None:
    for parent in {each.target.parent for each in exchanges}:
        sync_folder(parent)


def free_name(path: Path) -> Path:
    """Return a path that is not taken yet."""
    number, found = 1, path
    while found.exists():
        number += 1
        found = path.with_name(f"{path.name}-{number}")
    return found
