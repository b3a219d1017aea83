"""What can be undone, kept over a restart: for each object and person a file in the person's own folder.

It is never replicated. An object that has something to keep says so by three methods (`Undoable`); whoever
runs objects has a `UndoStore` follow them.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, Protocol, runtime_checkable

from liven.runtime.errors import CallFailedError
from liven.runtime.files import read_start, write_file
from liven.runtime.objects.context import Context

LATER = 0.1
"""Seconds until a change is written; a crash loses no more."""
LARGEST = 4 * 1024 * 1024
MOST_FILES = 2000
"""So many objects' lists are kept; those not used for the longest time go."""

Later = Callable[[float, Callable[[], object]], Any]


@runtime_checkable
class Undoable(Protocol):
    """An object with a list of what can be undone."""

    def kept_undo(self) -> bytes:
        """The list, as bytes."""
        ...

    def take_undo(self, kept: bytes) -> None:
        """Goes on with a list of an earlier run; ValueError, and nothing changed, if it is none."""
        ...

    def when_undo_changes(self, call: Callable[[], object]) -> None:
        """Calls `call`, and no longer any other, when the list has changed."""
        ...


class UndoStore:
    """The lists of one person. `identity` tells two objects apart by their recipes; `later` calls a function
    after some seconds; `complain` is told, in a sentence, what could not be kept."""

    def __init__(
        self,
        folder: Path,
        identity: Callable[[object], str],
        later: Later,
        complain: Callable[[str], object],
    ) -> None:
        self._folder = folder
        self._identity = identity
        self._later = later
        self._complain = complain
        self._complained = False

    def follow(self, recipe: object, model: object) -> Callable[[], None]:
        """Gives an object the list of its last run, and keeps it from now on; call the answer when the object
        goes. Objects without a list are let be."""
        if not isinstance(model, Undoable):
            return lambda: None
        try:
            path = self._folder / self._identity(recipe)
        except ValueError:  # a recipe that cannot be told apart has no list
            return lambda: None
        self._give(path, model)
        following = _Following(self, path, model)
        model.when_undo_changes(following.changed)
        return following.end

    def write(self, path: Path, kept: bytes) -> None:
        """Writes a list, whole or not at all; a full disk costs the list and nothing else."""
        try:
            self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            if len(kept) <= LARGEST:
                write_file(path, kept, sync=False)
        except OSError as error:
            if not self._complained:
                self._complained = True
                self._complain(f"what can be undone is not kept over a restart: {error.strerror or error}")

    def forget_oldest(self) -> None:
        """Keeps the folder small."""
        try:
            found = [(one.stat().st_mtime, one) for one in self._folder.iterdir()]
        except OSError:
            return
        for _, path in sorted(found, reverse=True)[MOST_FILES:]:
            path.unlink(missing_ok=True)

    def after(self, action: Callable[[], object]) -> None:
        """Calls `action` when it is time to write."""
        self._later(LATER, action)

    def _give(self, path: Path, model: Undoable) -> None:
        try:
            kept = read_start(path, LARGEST + 1, follow_links=False)
            if len(kept) <= LARGEST:
                model.take_undo(kept)
        except FileNotFoundError:
            return
        except (OSError, ValueError) as error:
            self._complain(f"what could be undone in an earlier run is lost: {error}")


def remembered(context: Context, recipe: str, model: object) -> Callable[[], None]:
    """Has what can be undone in an object kept, where the program keeps such lists; call the answer when the
    object goes."""
    try:
        memory = context.service(UndoStore)
    except CallFailedError:
        return lambda: None
    return memory.follow(recipe, model)


class _Following:
    """One object whose list is kept."""

    def __init__(self, memory: UndoStore, path: Path, model: Undoable) -> None:
        self._memory = memory
        self._path = path
        self._model = model
        self._waiting = False
        self._over = False

    def changed(self) -> None:
        """The list has changed; it is written soon, together with what changes until then."""
        if not self._waiting and not self._over:
            self._waiting = True
            self._memory.after(self._write)

    def end(self) -> None:
        """The object goes; what is not written yet is written now."""
        self._model.when_undo_changes(lambda: None)
        if self._waiting:
            self._write()
        self._over = True

    def _write(self) -> None:
        if self._waiting and not self._over:
            self._waiting = False
            self._memory.write(self._path, self._model.kept_undo())
