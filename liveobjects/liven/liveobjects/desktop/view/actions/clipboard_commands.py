"""The commands that copy items: copy, cut, paste, duplicate, and placing the same object again."""

from __future__ import annotations

from typing import Protocol

from liven.liveobjects.desktop.view.command_feedback import CommandFeedback
from liven.liveobjects.desktop.view.transfer.drop_and_paste import DropAndPaste
from liven.liveobjects.desktop.view.transfer.separate_copies import SeparateCopies


class ClipboardCanvas(Protocol):
    """The part of the canvas that these commands need."""

    @property
    def selected(self) -> frozenset[str]: ...

    @property
    def feedback(self) -> CommandFeedback: ...

    @property
    def drop_and_paste(self) -> DropAndPaste: ...

    @property
    def copies(self) -> SeparateCopies: ...

    def remove_selected(self) -> None: ...


class ClipboardCommands:
    """The commands of one canvas. Each says why it can do nothing."""

    def __init__(self, canvas: ClipboardCanvas) -> None:
        self._canvas = canvas

    def copy(self) -> None:
        if self._canvas.feedback.has("Copy"):
            self._canvas.drop_and_paste.copy()

    def cut(self) -> None:
        if self._canvas.feedback.has("Cut") and self._canvas.drop_and_paste.copy(cut=True):
            self._canvas.remove_selected()

    def paste(self) -> None:
        self._canvas.drop_and_paste.paste()

    def paste_again(self) -> None:
        self._canvas.drop_and_paste.paste_again()

    def duplicate(self) -> None:
        if self._canvas.feedback.has("Duplicate"):
            self._canvas.copies.duplicate(self._canvas.selected)

    def place_again(self) -> None:
        if self._canvas.feedback.has("Place again"):
            self._canvas.copies.place_again(self._canvas.selected)
