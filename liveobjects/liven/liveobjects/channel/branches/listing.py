"""The branches in the logs of one user, whichever program wrote them, without starting any.

Logs are only read, except to discard a branch. Only a running program may change its own log.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from msgpack import UnpackException  # type: ignore[import-untyped]  # it has no stubs

from liven.liveobjects.channel.history import MalformedError
from liven.liveobjects.channel.replica.disk.kept_branches import Branches
from liven.liveobjects.channel.store.folder_lock import lock_folder
from liven.liveobjects.channel.store.log_format import other_format
from liven.liveobjects.channel.store.other_processes import OtherProcess
from liven.liveobjects.channel.store.shared_log import SharedLog
from liven.liveobjects.channel.store.snapshot import log_folders

_DAMAGED: Final = "its stored data is damaged"


@dataclass(frozen=True, slots=True)
class ListedBranch:
    """One branch in one log."""

    channel: str
    name: str
    missing: int
    """Number of its operations that the winning history lacks."""
    folded: bool
    """True if there are more of them, contained only in its state."""
    held: bool
    """True if a running program has it."""
    trouble: str = ""
    """The reason why it cannot be read."""


class HeldError(Exception):
    """A running program has the branch, and only that program may decide about it."""


def listed_branches(root: Path) -> list[ListedBranch]:
    """Return all branches below the folder of a user's logs, by channel, the oldest first. Raises OSError."""
    found = [each for folder in _folders(root) for each in _in(folder)]
    return sorted(found, key=lambda each: each.channel)


def discard(root: Path, channel: str, name: str) -> bool:
    """Delete a branch from all logs. Return False if there is none. Raises HeldError or OSError."""
    wanted = [folder for folder in _folders(root) if any(_is(each, channel, name) for each in _in(folder))]
    for folder in wanted:
        with _written(folder) as log:
            if log is None:
                raise HeldError(f"a running program has {name}")
            store = log.open(channel)
            Branches(store, log.open).forget(name)
            store.when_durable(lambda: None)
    return bool(wanted)


def _is(each: ListedBranch, channel: str, name: str) -> bool:
    return (each.channel, each.name) == (channel, name)


def _folders(root: Path) -> list[Path]:
    """Return the folders of the logs that this version can read."""
    return [each for each in log_folders(root) if other_format(each) is None]


def _in(folder: Path) -> Iterator[ListedBranch]:
    slot = lock_folder(folder)
    if slot is not None:
        slot.close()
    log = OtherProcess(SharedLog(folder, reading=True), None)
    try:
        for channel in log.names():
            store = log.open(channel)
            branches = Branches(store, log.open)
            try:
                names = branches.names
            except (MalformedError, ValueError, UnpackException) as error:
                yield ListedBranch(
                    channel, "", 0, folded=False, held=slot is None, trouble=str(error) or _DAMAGED
                )
                continue
            for name in names:
                yield _read(branches, channel, name, held=slot is None)
    finally:
        log.close()


def _read(branches: Branches, channel: str, name: str, *, held: bool) -> ListedBranch:
    try:
        branch = branches.read(name)
    except (MalformedError, ValueError, UnpackException) as error:
        return ListedBranch(channel, name, 0, folded=False, held=held, trouble=str(error) or _DAMAGED)
    return ListedBranch(channel, name, len(branch.missing), branch.folded, held)


@contextmanager
def _written(folder: Path) -> Iterator[OtherProcess | None]:
    """Open a log for writing; yield None while a program has it."""
    slot = lock_folder(folder)
    if slot is None:
        yield None
        return
    try:
        log = OtherProcess(SharedLog(folder), slot)
    except OSError:
        slot.close()
        raise
    try:
        yield log
    finally:
        log.close()
