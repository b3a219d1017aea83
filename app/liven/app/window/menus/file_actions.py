"""The actions of a window that write files: save, save a copy, export and copy as an image."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QFileDialog, QMessageBox, QWidget

from liven.app.filenames import plain_name
from liven.app.window.pages.copy_progress_bar import CopyProgressBar
from liven.liveobjects.copying.deep_copy import DeepCopy
from liven.liveobjects.copying.portable_copy import SUFFIX as PORTABLE
from liven.liveobjects.copying.portable_copy import HeldPicture, PortableCopyError, packed, picture_in
from liven.liveobjects.copying.recipe import CopyError, check_copied, file_contents, with_copies
from liven.liveobjects.copying.state_collector import NodeOpener, StateCollector
from liven.liveobjects.copying.states import State, state_of
from liven.liveobjects.look.view.labels import brief
from liven.liveobjects.view.contract import Action
from liven.runtime.errors import CancelledReplyError
from liven.runtime.files import write_file
from liven.runtime.folder.item_files import SUFFIX
from liven.runtime.objects.proxy import ProxyHandle
from liven.runtime.objects.reply import Reply
from liven.runtime.reference.model import NAME, Attribute, Object
from liven.runtime.reference.xml import compact, write

if TYPE_CHECKING:
    from liven.app.window.object_window import ObjectWindow

_SAME = "A link to this live object, not a copy: everyone who opens it edits the same object"
_SAVED = (
    "Saved as a link to this live object, not a copy: everyone who opens the file edits the same object."
    " For a separate object, use File › Save a copy…"
)
_ANOTHER = "A separate object that starts with the current contents; later changes are not shared"
_COPIED = "Copy saved. It is a separate object; later changes are not shared."
_PORTABLE = "One file with the current contents and all pictures, for another computer"
_CARRIED = (
    "Saved with everything in it. Opened anywhere, it is a separate object; later changes are not shared."
)
_COPY = " copy"
_MOST_NAMES, _LONGEST_NAME = 6, 60
_LONGEST_FILE_NAME = 255
_OBJECTS = "Live objects (*.liveobject)"
MARKDOWN = ".md"
_PNG = {
    "PNG picture, twice the size (*.png)": (2, False),
    "PNG picture (*.png)": (1, False),
    "PNG picture, twice the size, transparent (*.png)": (2, True),
    "PNG picture, transparent (*.png)": (1, True),
}
"""The kinds of PNG pictures that are offered: the factor of the size, and whether the ground is left out."""
_PICTURES = ";;".join((*_PNG, "SVG drawing (*.svg)", "PDF page (*.pdf)", "Text in Markdown (*.md)"))
_SHARED_BY_BOTH = "Not copied, but shared by both"


class FileActions:
    """The file actions of one window."""

    def __init__(self, window: ObjectWindow) -> None:
        self._window = window
        self._collector: StateCollector | None = None
        self._bar: CopyProgressBar | None = None
        self._kind = ""
        """The kind of file that the user chose last."""
        window.about_to_close.connect(self._stop_copying)

    def actions(self) -> tuple[Action, ...]:
        """Return the entries for the menus of the window."""
        return (
            Action("Save as a file…", ("Ctrl+S",), self.save, "File", _SAME, "keep"),
            Action("Save a copy…", ("Ctrl+Shift+S",), self.save_copy, "File", _ANOTHER, "keep"),
            Action("Save with everything…", (), self.save_portable, "File", _PORTABLE, "keep"),
            Action(
                "Export…",
                ("Ctrl+E",),
                lambda: self.export(selection=False),
                "File",
                part="picture",
            ),
            Action(
                "Export the selection…",
                ("Ctrl+Shift+E",),
                lambda: self.export(selection=True),
                "File",
                part="picture",
            ),
            Action("Copy as an image", ("Ctrl+Shift+C",), self.copy_image, "File", part="picture"),
        )

    def save(self) -> None:
        """Save the recipe in a file. Opening that file opens the same object."""
        recipe = self._window.recipe
        if recipe is None:
            self._window.show_message("There is nothing to save here.")
            return
        path = self._ask("Save", _OBJECTS, (SUFFIX,))
        if path is None:
            return
        stays = path.stem == plain_name(self._window.name)
        named = recipe if stays else renamed_copy(recipe, _printable(path.stem))
        if self._save_at(path, write(named), _SAVED):
            self._window.saved_as(path, named)

    def save_copy(self) -> None:
        """Save a separate object that begins in the current state, with copies of everything inside it."""
        self._copy(self._save_collected)

    def save_portable(self) -> None:
        """Save a separate object as a file that holds the pictures in it, too."""
        self._copy(self._save_portable, is_apart=lambda state: picture_in(state) is not None)

    def _copy(
        self,
        save: Callable[[Object, Reply[StateCollector]], None],
        is_apart: Callable[[State], bool] = lambda _: False,
    ) -> None:
        """Collect the states of the object and of everything inside it, and `save` them."""
        recipe, handle = self._window.recipe, self._window.handle
        if recipe is None or handle is None:
            self._window.show_message("There is nothing to copy here.")
            return
        self._stop_copying()
        try:
            check_copied(recipe)
            state = state_of(handle, self._window.name)
        except CopyError as error:
            self._window.show_message(f"It cannot be copied: {error}.")
            return
        opener = NodeOpener(handle.proxy().node, (self._window.step,))
        collector = self._collector = StateCollector(opener, self._show_progress, is_apart)
        collector.begin(recipe, state)
        if not collector.done.settled:
            words = f"Copying “{brief(self._window.name, _LONGEST_NAME)}” with its contents"
            self._bar = CopyProgressBar(self._window, words, self._stop_copying)
        collector.done.then(lambda done: save(recipe, done))

    def _show_progress(self, had: int, of: int) -> None:
        if self._bar is not None:
            self._bar.count(had, of)

    def _stop_copying(self) -> None:
        collector, self._collector = self._collector, None
        bar, self._bar = self._bar, None
        if bar is not None:
            bar.end()
        if collector is not None:
            collector.cancel()

    def _save_collected(self, recipe: Object, done: Reply[StateCollector]) -> None:
        if isinstance(done.error, CancelledReplyError):
            return
        self._stop_copying()
        try:
            collector = done.value()
            copy = with_copies(recipe, DeepCopy(collector.states).of)
            file_contents(renamed_copy(copy, "x" * _LONGEST_FILE_NAME))  # fail before asking for a file name
        except CopyError as error:
            self._window.show_message(f"It cannot be copied: {error}.")
            return
        path = self._ask("Save a copy", _OBJECTS, (SUFFIX,), _COPY)
        if path is not None:
            text = file_contents(renamed_copy(copy, self._name_of_copy(path)))
            self._save_at(path, text, _COPIED + not_copied_note(collector.lacking))

    def _save_portable(self, recipe: Object, done: Reply[StateCollector]) -> None:
        if isinstance(done.error, CancelledReplyError):
            return
        self._stop_copying()
        try:
            collector = done.value()
            copy = DeepCopy(collector.states, collector.apart)
            text = file_contents(with_copies(recipe, copy.of))
            pictures = [
                HeldPicture(found[0], compact(copy.empty[key]), found[1])
                for key, state in collector.apart.items()
                if key in copy.empty and (found := picture_in(state)) is not None
            ]
            data = packed(text, pictures)
        except (CopyError, PortableCopyError) as error:
            self._window.show_message(f"It cannot be saved: {error}.")
            return
        path = self._ask("Save with everything", f"Portable copies (*{PORTABLE})", (PORTABLE,))
        if path is not None:
            self._save_at(path, data, _CARRIED + not_copied_note(collector.lacking))

    def _name_of_copy(self, path: Path) -> str:
        """Return the name of a copy: that of its file. If the user kept the suggested file name, use the name
        of the object instead, which may hold characters that no file name may."""
        offered = plain_name(self._window.name) + _COPY
        stays = path.stem == offered
        name = self._window.name[: _LONGEST_FILE_NAME - len(_COPY)] + _COPY if stays else path.stem
        return _printable(name)

    def export(self, *, selection: bool) -> None:
        """Export a picture or a text, in the format that the user chooses."""
        widget = self._window.centralWidget()
        if widget is None:
            return
        from liven.app.export.picture import KINDS, export  # rarely needed

        path = self._ask("Export", _PICTURES, (*KINDS, MARKDOWN))
        if path is None:
            return
        if path.suffix.lower() == MARKDOWN:
            self._export_markdown(widget, path, selection=selection)
            return
        try:
            scale, transparent = _PNG.get(self._kind, (1, False))
            export(widget, path, selection=selection, scale=scale, transparent=transparent)
        except OSError as error:
            self._window.show_message(f"Export failed: {error.strerror or error}")
        else:
            self._window.show_message(f"Exported as {path.name}.")

    def _export_markdown(self, widget: QWidget, path: Path, *, selection: bool) -> None:
        """Export the texts of a desktop, or of another object, as Markdown."""
        from liven.app.export.object_markdown import collect, desktop_markdown, keys_of, view_markdown
        from liven.liveobjects.desktop.view import Canvas

        window, handle = self._window, self._window.handle
        if handle is None or window.view is None:
            window.show_message("There is nothing to export here.")
            return
        if not isinstance(widget, Canvas):
            self._save_text(path, view_markdown(window.view, _known_state(handle, window.name), window.name))
            return
        keys = keys_of(widget, selection=selection)
        if not keys:
            window.show_message(
                "Export failed: nothing is selected" if selection else "This desktop is empty."
            )
            return
        self._stop_copying()
        collector = collect(
            widget, keys, NodeOpener(handle.proxy().node, (window.step,)), self._show_progress
        )
        self._collector = collector
        if not collector.done.settled:
            self._bar = CopyProgressBar(window, "Reading the notes of this desktop", self._stop_copying)

        def write_it(done: Reply[StateCollector]) -> None:
            if isinstance(done.error, CancelledReplyError):
                return
            self._stop_copying()
            if done.error is not None:
                window.show_message(f"Export failed: {done.error}")
                return
            title = widget.state.title or window.name
            lacking = not_read_note(collector.lacking)
            self._save_text(path, desktop_markdown(widget, keys, title, collector.states), lacking)

        collector.done.then(write_it)

    def _save_text(self, path: Path, text: str, more: str = "") -> None:
        self._save_at(path, text.encode(), f"Exported as {path.name}.{more}")

    def copy_image(self) -> None:
        """Copy an image to the clipboard: the visible part, or all of a desktop."""
        widget = self._window.centralWidget()
        if widget is not None:
            from liven.app.export.picture import copy_image

            try:
                copy_image(widget, selection=bool(getattr(widget, "selected", ())))
            except OSError as error:
                self._window.show_message(f"Copying failed: {error}")
            else:
                self._window.show_message("Image copied.")

    def _save_at(self, path: Path, text: bytes, words: str) -> bool:
        """Write a file and say so, or say why that failed. Return True if it is written."""
        try:
            write_file(path, text)
        except OSError as error:
            why = error.strerror or error
            self._window.show_message(f"Could not save {path}: {why}. Choose another place.")
            return False
        self._window.show_message(words)
        return True

    def _ask(self, title: str, kinds: str, suffixes: tuple[str, ...], called: str = "") -> Path | None:
        """Ask the user for a file name and return it, with a suffix added if it has none of `suffixes`.

        The suggested name is the object's name followed by `called`, so that saving a copy does not suggest
        replacing the original.
        """
        proposed = plain_name(self._window.name) + called + suffixes[0]
        name, kind = QFileDialog.getSaveFileName(self._window, title, proposed, kinds)
        self._kind = kind
        if not name:
            return None
        path = Path(name)
        if path.suffix.lower() in suffixes:
            return path
        path = path.with_name(path.name + next((one for one in suffixes if f"*{one})" in kind), suffixes[0]))
        return path if not path.exists() or self._may_replace(path) else None

    def _may_replace(self, path: Path) -> bool:
        """Ask before replacing a file. The file dialog asked about the name without the suffix added here."""
        words = f"{path.name} already exists. Replace it?"
        return QMessageBox.question(self._window, "Save", words) is QMessageBox.StandardButton.Yes


def _printable(name: str) -> str:
    return "".join(sign for sign in name if sign.isprintable())[:_LONGEST_FILE_NAME]


def renamed_copy(copy: Object, name: str) -> Object:
    """Return the copy with a name of its own: two windows with the same name could not be told apart."""
    others = tuple(one for one in copy.attributes if one.id != NAME)
    return replace(copy, attributes=(Attribute(NAME, name), *others))


def not_read_note(names: list[str]) -> str:
    """Return a sentence that names the notes whose text could not be read; empty if all could."""
    return not_copied_note(names).replace(_SHARED_BY_BOTH, "Not read, so their last known words are there")


def _known_state(handle: ProxyHandle, name: str) -> State | None:
    try:
        return state_of(handle, name)
    except CopyError:
        return None


def not_copied_note(names: list[str]) -> str:
    """Return a sentence that names the objects that were not copied; empty if all were."""
    if not names:
        return ""
    shown = ", ".join(f"“{brief(name, _LONGEST_NAME)}”" for name in names[:_MOST_NAMES])
    more = f" and {len(names) - _MOST_NAMES} more" if len(names) > _MOST_NAMES else ""
    return f" {_SHARED_BY_BOTH}: {shown}{more}."
