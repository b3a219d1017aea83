"""The contract between a folder's view and any folder, shared or on a disk."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from liven.liveobjects.folder.state import Change, Content
from liven.runtime.objects.context import Context


class Watcher(Protocol):
    """A view of a folder."""

    def changed(self, before: Content, after: Content) -> None:
        """Update the view: items were added, removed or renamed."""

    def notify(self, message: str) -> None:
        """Show a sentence to the person."""


class BrowsableFolder(Protocol):
    """A folder as one person sees it."""

    context: Context

    @property
    def content(self) -> Content:
        """The items of the folder."""

    @property
    def state_in_words(self) -> str:
        """The reason why the folder cannot be used now; empty if it can."""

    @property
    def read_only(self) -> bool:
        """True if nothing can ever be changed."""

    def watch(self, watcher: Watcher) -> None:
        """Add a watcher."""

    def unwatch(self, watcher: Watcher) -> None:
        """Remove a watcher."""

    def change(self, name: str, *changes: Change) -> None:
        """Make changes as one undoable step. Raise RefusedError if none of them is possible."""

    def also(self, name: str, *changes: Change) -> None:
        """Make changes that undo here skips, because another object undoes them. Raise RefusedError as
        `change` does."""

    def when_settled(self, call: Callable[[], object]) -> None:
        """Call `call` once everybody agrees on the changes made here, or now if that cannot be known."""

    def undo(self) -> str | None:
        """Undo your newest step and return its name. Return None if there is none, and an empty name after
        explaining why it cannot be undone. Raise RefusedError while nothing can be changed."""

    def redo(self) -> str | None:
        """Redo the step that was undone last."""
