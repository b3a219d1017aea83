"""What a view of a folder needs of it, wherever the folder is."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from liven.liveobjects.folder.state import Change, Content
from liven.runtime.objects.context import Context


class Watcher(Protocol):
    """Who shows a folder."""

    def changed(self, before: Content, after: Content) -> None:
        """Something came, went, or is called otherwise."""

    def told(self, message: str) -> None:
        """Something the person should know, in a sentence."""


class Shelf(Protocol):
    """A folder as one person sees it."""

    context: Context

    @property
    def content(self) -> Content:
        """What is in it."""

    @property
    def state_in_words(self) -> str:
        """Why nothing can be done with it now; empty if all can."""

    @property
    def read_only(self) -> bool:
        """Whether nothing can ever be put in."""

    def watch(self, watcher: Watcher) -> None:
        """Tells `watcher` from now on."""

    def unwatch(self, watcher: Watcher) -> None:
        """Tells it no longer."""

    def change(self, name: str, *changes: Change) -> None:
        """Does something, as one step of undo; RefusedError when nothing of it can be done."""

    def when_settled(self, call: Callable[[], object]) -> None:
        """Calls once what was done here is agreed upon by all, or at once where that cannot be known."""

    def undo(self) -> str | None:
        """Takes one's newest step back; its name, None when there is none, or nothing when it was told why it
        cannot be. RefusedError while nothing can be done."""

    def redo(self) -> str | None:
        """Does again what was taken back."""
