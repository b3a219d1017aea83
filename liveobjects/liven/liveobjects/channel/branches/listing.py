"""The branches that the logs of one user hold, whichever program wrote them, and without any of them.

A log is only read, unless a branch is discarded; and that of a program that runs is its own.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from msgpack import UnpackException  # type: ignore[import-untyped]  # it has no stubs

from liven.liveobjects.channel.history import MalformedError
from liven.liveobjects.channel.replica.branches import Branches
from liven.liveobjects.channel.store.log import SharedLog
from liven.liveobjects.channel.store.siblings import Sibling
from liven.liveobjects.channel.store.slots import hold

_DAMAGED: Final = "what is kept of it is damaged"


@dataclass(frozen=True, slots=True)
class Shelved:
    """One branch in one log."""

    channel: str
    name: str
    missing: int
    """How many operations it has that the history that went on has not."""
    folded: bool
    """Whether there are more, of which only its state tells."""
    held: bool
    """Whether a program that runs has it."""
    trouble: str = ""
    """Why it cannot be read."""


class HeldError(Exception):
    """A program that runs has the branch: it alone may decide."""


def shelved(root: Path) -> list[Shelved]:
    """All branches below the folder of a user's logs, by channel, the oldest first; OSError."""
    found = [each for folder in _folders(root) for each in _in(folder)]
    return sorted(found, key=lambda each: each.channel)


def discard(root: Path, channel: str, name: str) -> bool:
    """Keeps a branch no longer, in any log; whether there was one. HeldError, OSError."""
    wanted = [folder for folder in _folders(root) if any(_is(each, channel, name) for each in _in(folder))]
    for folder in wanted:
        with _written(folder) as log:
            if log is None:
                raise HeldError(f"a program that runs has {name}")
            store = log.open(channel)
            Branches(store, log.open).forget(name)
            store.when_durable(lambda: None)
    return bool(wanted)


def _is(each: Shelved, channel: str, name: str) -> bool:
    return (each.channel, each.name) == (channel, name)


def _folders(root: Path) -> list[Path]:
    inside = root.iterdir() if root.is_dir() else ()
    return sorted(folder for folder in inside if folder.name.isdigit() and folder.is_dir())


def _in(folder: Path) -> Iterator[Shelved]:
    slot = hold(folder)
    if slot is not None:
        slot.close()
    log = Sibling(SharedLog(folder, reading=True), None)
    try:
        for channel in log.names():
            store = log.open(channel)
            branches = Branches(store, log.open)
            try:
                names = branches.names
            except (MalformedError, ValueError, UnpackException) as error:
                yield Shelved(channel, "", 0, folded=False, held=slot is None, trouble=str(error) or _DAMAGED)
                continue
            for name in names:
                yield _read(branches, channel, name, held=slot is None)
    finally:
        log.close()


def _read(branches: Branches, channel: str, name: str, *, held: bool) -> Shelved:
    try:
        branch = branches.read(name)
    except (MalformedError, ValueError, UnpackException) as error:
        return Shelved(channel, name, 0, folded=False, held=held, trouble=str(error) or _DAMAGED)
    return Shelved(channel, name, len(branch.missing), branch.folded, held)


@contextmanager
def _written(folder: Path) -> Iterator[Sibling | None]:
    """A log to be written; None while a program has it."""
    slot = hold(folder)
    if slot is None:
        yield None
        return
    try:
        log = Sibling(SharedLog(folder), slot)
    except OSError:
        slot.close()
        raise
    try:
        yield log
    finally:
        log.close()
