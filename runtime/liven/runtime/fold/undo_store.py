"""Undo lists that survive a restart: one file for each object and person, in the person's own folder.

The files are never replicated. An object with an undo list implements the three methods of `Undoable`, and
the host that runs objects passes each to `UndoStore.follow`."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, Protocol, runtime_checkable

from liven.runtime.errors import CallFailedError
from liven.runtime.files import PRIVATE, read_start, write_file
from liven.runtime.objects.context import Context

LATER = 0.1
"""Seconds until a change is written: a crash loses no more than that."""
LARGEST = 4 * 1024 * 1024
MOST_FILES = 2000
"""The most undo files; those unused for the longest time are deleted."""

Later = Callable[[float, Callable[[], object]], Any]


@runtime_checkable
class Undoable(Protocol):
    """An object with an undo list."""

    def undo_data(self) -> bytes:
        """Return the undo list as bytes."""
        ...

    def restore_undo(self, kept: bytes) -> None:
        """Continue with the undo list of an earlier run.

        Raise ValueError and change nothing if the bytes are invalid.
        """
        ...

    def on_undo_change(self, call: Callable[[], object]) -> None:
        """Call `call` after each change of the undo list; replace any earlier callback."""
        ...


class UndoStore:
    """The undo files of one person. `identity` derives a file name from a recipe, `later` calls a function
    after some seconds, `complain` reports a failure in one sentence, and an object is followed only if
    `may_be_stored` returns True for its recipe."""

    def __init__(
        self,
        folder: Path,
        identity: Callable[[object], str],
        later: Later,
        complain: Callable[[str], object],
        may_be_stored: Callable[[object], bool] = lambda _: True,
    ) -> None:
        self._folder = folder
        self._identity = identity
        self._later = later
        self._complain = complain
        self._may_be_stored = may_be_stored
        self._complained = False

    def follow(self, recipe: object, model: object) -> Callable[[], None]:
        """Give an object the undo list of its last run and save its changes from now on.

        Call the result when the object ends. Objects without an undo list are ignored.
        """
        if not isinstance(model, Undoable) or not self._may_be_stored(recipe):
            return lambda: None
        try:
            path = self._folder / self._identity(recipe)
        except ValueError:  # a recipe without an identity has no undo list
            return lambda: None
        self._give(path, model)
        following = _Following(self, path, model)
        model.on_undo_change(following.changed)
        return following.end

    def write(self, path: Path, kept: bytes) -> None:
        """Write one undo list atomically. If the disk is full, only this list is lost."""
        try:
            self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            if len(kept) <= LARGEST:
                write_file(path, kept, PRIVATE, sync=False, follow_links=False)
        except OSError as error:
            if not self._complained:
                self._complained = True
                self._complain(f"the undo list is not saved: {error.strerror or error}")

    def forget_oldest(self) -> None:
        """Delete the oldest files beyond the limit."""
        try:
            found = [(one.stat().st_mtime, one) for one in self._folder.iterdir()]
        except OSError:
            return
        for _, path in sorted(found, reverse=True)[MOST_FILES:]:
            path.unlink(missing_ok=True)

    def after(self, action: Callable[[], object]) -> None:
        """Schedule a write."""
        self._later(LATER, action)

    def _give(self, path: Path, model: Undoable) -> None:
        try:
            kept = read_start(path, LARGEST + 1, follow_links=False)
            if len(kept) <= LARGEST:
                model.restore_undo(kept)
        except FileNotFoundError:
            return
        except (OSError, ValueError) as error:
            self._complain(f"the undo list of the last run is lost: {error}")


def keep_undo(context: Context, recipe: str, model: object) -> Callable[[], None]:
    """Keep the undo list of an object over restarts if the program has an undo store. Call the result when
    the object ends."""
    try:
        memory = context.service(UndoStore)
    except CallFailedError:
        return lambda: None
    return memory.follow(recipe, model)


class _Following:
    """One object whose undo list is saved."""

    def __init__(self, memory: UndoStore, path: Path, model: Undoable) -> None:
        self._memory = memory
        self._path = path
        self._model = model
        self._waiting = False
        self._over = False

    def changed(self) -> None:
        """Schedule a write that also covers the changes until then."""
        if not self._waiting and not self._over:
            self._waiting = True
            self._memory.after(self._write)

    def end(self) -> None:
        """Write pending changes now: the object ends."""
        self._model.on_undo_change(lambda: None)
        if self._waiting:
            self._write()
        self._over = True

    def _write(self) -> None:
        if self._waiting and not self._over:
            self._waiting = False
            self._memory.write(self._path, self._model.undo_data())
