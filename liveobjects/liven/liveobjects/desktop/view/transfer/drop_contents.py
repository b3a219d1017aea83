"""Reading a drop or the clipboard: which objects it holds, or why none."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Final

from PySide6.QtCore import QMimeData, QPointF, QRectF, QSizeF

from liven.liveobjects.content_sniffing import is_pdf, meant_as_recipe, text_at, text_in, why_unread
from liven.liveobjects.desktop.foreign.suffixes import is_foreign
from liven.liveobjects.image.view.uploads import is_picture
from liven.liveobjects.text.markdown import is_web_address
from liven.liveobjects.text.recipe import TooMuchTextError, why_too_much, written
from liven.runtime.files import read_start
from liven.runtime.folder.item_files import MIME, SUFFIX
from liven.runtime.reference.errors import ReadError, WriteError
from liven.runtime.reference.model import name_of
from liven.runtime.reference.xml import read, write

SEVERAL: Final = "application/x-liveobjects+json"
"""MIME type of several items with their names and places, for another desktop."""
TITLES: Final = "application/x-liveobjects-titles+json"
"""MIME type of the titles that these items show, for a folder that needs a name for items without a label."""
SIZE: Final = QSizeF(240, 180)
NEW_NOTE: Final = "a note"
"""The name in the undo list of a note made from text."""
LARGEST_FILE: Final = 4 * 1024 * 1024
MOST_FILES: Final = 500
"""Files in one drop; each is read while the user waits."""
_BEGINNING: Final = 4096
_PDF: Final = "is a PDF file. Give it a name that ends with .pdf"
_OPEN: Final = "comes from another program. Drop it on a desktop or a folder"
_MARKDOWN: Final = (".md", ".markdown")
_REASONS: Final = 3
"""Refused files whose reasons are listed; the others are only counted."""


class NewItem:
    """An object that can be added to a desktop."""

    def __init__(
        self,
        reference: str,
        label: str,
        size: QSizeF = SIZE,
        at: QPointF | None = None,
        kind: str = "an object",
    ) -> None:
        """`kind` names an object without a label in the undo list."""
        self.reference = reference
        self.kind = kind
        self.label = label
        self.size = size
        self.at = at or QPointF(0, 0)
        self.title = ""
        """The title that it shows while it runs; empty if it is encrypted."""


class RefusedDropError(Exception):
    """Dropped or pasted data that cannot be added to a desktop; the message says why."""


def how_many(data: QMimeData) -> int:
    """Return the number of our own items in the data. Raises RefusedDropError if it cannot be read."""
    return len(_read_items(bytes(data.data(SEVERAL).data()))) if data.hasFormat(SEVERAL) else 1


def whole_area(items: list[NewItem]) -> QRectF:
    """Return the area that the objects cover together."""
    whole = QRectF()
    for item in items:
        whole |= QRectF(item.at, item.size)
    return whole


def items_in(data: QMimeData, tell: Callable[[str], object] = lambda _: None) -> list[NewItem]:
    """Return the objects in a drop or the clipboard. Raises RefusedDropError if there are none.

    Of several files, the readable ones are returned and the reasons for the others passed to `tell`."""
    if data.hasFormat(SEVERAL):
        return _titled(_read_items(bytes(data.data(SEVERAL).data())), bytes(data.data(TITLES).data()))
    if data.hasFormat(MIME):
        return [_read_object(bytes(data.data(MIME).data()))]
    if data.hasUrls():
        paths = [url.toLocalFile() or url.toString() for url in data.urls()]
        return _from_files([path for path in paths if not is_picture(Path(path))], tell)
    if data.hasText():
        text = data.text()
        return [
            _read_object(text.encode(errors="replace")) if meant_as_recipe(text) else _new_note(text, "it")
        ]
    raise RefusedDropError("it is not an object")


def _read_items(data: bytes) -> list[NewItem]:
    try:
        found = json.loads(data)
        return [
            NewItem(str(text), str(label), QSizeF(float(w), float(h)), QPointF(float(x), float(y)))
            for text, label, x, y, w, h in found
        ]
    except (ValueError, TypeError, RecursionError) as error:
        raise RefusedDropError(f"it cannot be read ({error})") from None


def _titled(items: list[NewItem], titles: bytes) -> list[NewItem]:
    """Set the titles that the objects had when they were copied, as far as they can be read."""
    try:
        said = json.loads(titles or b"[]")
    except (ValueError, RecursionError):
        said = []
    for item, title in zip(items, said if isinstance(said, list) else [], strict=False):
        item.title = title if isinstance(title, str) else ""
    return items


def _from_files(paths: list[str], tell: Callable[[str], object]) -> list[NewItem]:
    if len(paths) > MOST_FILES:
        raise RefusedDropError(f"{len(paths):,} files are too many; the limit is {MOST_FILES} at a time")
    items: list[NewItem] = []
    refused: list[RefusedDropError] = []
    for path in paths:
        try:
            items.append(_from_file(path))
        except RefusedDropError as why:
            refused.append(why)
    if refused and not items:
        raise refused[0]
    if refused:
        told = "; ".join(map(str, refused[:_REASONS]))
        more = f"; and {len(refused) - _REASONS} more" if len(refused) > _REASONS else ""
        tell(f"{len(refused)} of {len(paths)} files were left out: {told}{more}")
    return items


def _from_file(name: str) -> NewItem:
    path = Path(name)
    if is_foreign(path.name):
        raise RefusedDropError(f"{path.name} {_OPEN}")
    try:
        data = read_start(path, LARGEST_FILE + 1)
    except OSError as error:
        raise RefusedDropError(f"{path.name}: {error.strerror or error}") from None
    if len(data) > LARGEST_FILE:
        raise RefusedDropError(_why_too_large(path, data))
    return _read_object(data, path)


def _why_too_large(path: Path, data: bytes) -> str:
    """Explain why a file is too large, from its first bytes only: the rest is not read."""
    text = text_at(data[:_BEGINNING])
    if path.suffix == SUFFIX or (text is not None and meant_as_recipe(text)):
        return f"{path.name} is too large for an object; the limit is 4 MB"
    if text is None or text.lstrip().startswith("<"):
        return f"{path.name} is not a {SUFFIX} file, a picture or a text"
    try:
        size = path.stat().st_size
    except OSError:
        size = len(data)
    return f"{path.name} cannot become a note: {why_too_much(size)}"


def _new_note(text: str, source: str, name: str = "", *, markdown: bool = False) -> NewItem:
    """Return a new note with this text. A web address becomes a link."""
    if not text.strip():
        raise RefusedDropError(f"{source} contains no text")
    if "\0" in text:
        raise RefusedDropError(f"{source} is neither an object nor a text")
    try:
        thing = written(text, name, markdown=markdown or is_web_address(text))
        return NewItem(write(thing).decode(), name_of(thing), kind=NEW_NOTE)
    except (TooMuchTextError, WriteError) as why:
        raise RefusedDropError(f"{source} cannot become a note: {why}") from None


def _read_object(data: bytes, path: Path | None = None) -> NewItem:
    source = "it" if path is None else path.name
    try:
        thing = read(data).object
    except ReadError as error:
        text = text_in(data) if path is not None and path.suffix != SUFFIX else None
        if path is not None and text is not None and not text.lstrip().startswith("<"):
            return _new_note(text, source, path.stem, markdown=path.suffix.lower() in _MARKDOWN)
        if is_pdf(data):
            raise RefusedDropError(f"{source} {_PDF}") from None
        if path is not None and path.suffix != SUFFIX:
            raise RefusedDropError(f"{source} is not a {SUFFIX} file, a picture or a text") from None
        raise RefusedDropError(f"{source} is not an object: {why_unread(data, error)}") from None
    if thing is None:
        raise RefusedDropError(f"{source} contains no object")
    return NewItem(write(thing).decode(), name_of(thing) or ("" if path is None else path.stem))
