"""The last pictures of objects, for showing an object without running it."""

from __future__ import annotations

import contextlib
import hashlib
from collections.abc import Callable
from functools import partial
from pathlib import Path

from PySide6.QtCore import QBuffer, Qt
from PySide6.QtGui import QImage, QPalette, QPixmap
from PySide6.QtWidgets import QApplication, QScrollArea, QTreeWidget, QTreeWidgetItem, QVBoxLayout, QWidget

from liven.liveobjects.look.view.labels import plain_label
from liven.liveobjects.view.accessibility import is_high_contrast
from liven.runtime.files import PRIVATE, write_file
from liven.runtime.reference.model import Object, Plain, Reference, name_of, parts
from liven.runtime.reference.xml import write

LARGEST_SIDE = 2560
MOST = 200
"""Most pictures; the oldest are deleted."""
_DEEPEST = 12
_MIDDLE = 128
_LIGHTS = ("light", "dark", "light-contrast", "dark-contrast")


class PreviewCache:
    """A folder of pictures, each named by the hash of its recipe and by the light that it was painted in."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def keep(self, thing: Object, picture: QPixmap) -> None:
        """Save a picture. Disk errors are ignored."""
        self.writing(thing, picture)()

    def writing(self, thing: Object, picture: QPixmap) -> Callable[[], None]:
        """Return a function that saves a picture; a worker may call it."""
        image, path = picture.toImage(), self._path(thing, light_of(QApplication.palette()))
        return partial(self._write, image, path)

    def _write(self, image: QImage, path: Path) -> None:
        if image.isNull():
            return
        size = image.size().boundedTo(image.size().scaled(LARGEST_SIDE, LARGEST_SIDE, _KEEP))
        written = QBuffer()
        small = image.scaled(size, _KEEP, Qt.TransformationMode.SmoothTransformation)
        small.save(written, "PNG")  # type: ignore[call-overload]  # its stub wants bytes
        with contextlib.suppress(OSError):
            self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            write_file(path, bytes(written.data().data()), PRIVATE, sync=False)
            found = sorted(self._folder.glob("*.png"), key=lambda one: one.stat().st_mtime, reverse=True)
            for old in found[MOST:]:
                old.unlink(missing_ok=True)

    def forget(self, thing: Object) -> None:
        """Delete the picture of an object, which shows something encrypted now."""
        with contextlib.suppress(OSError):
            for light in _LIGHTS:
                self._path(thing, light).unlink(missing_ok=True)

    def picture(self, thing: Object) -> QPixmap | None:
        """Return the last picture of an object; None if there is none."""
        present = light_of(QApplication.palette())
        pictures = (self._load(thing, light) for light in (present, *_LIGHTS))
        return next((one for one in pictures if one is not None), None)

    def picture_in_this_light(self, thing: Object) -> QPixmap | None:
        """Return the last picture of an object in the colours that apply now; None if there is none."""
        return self._load(thing, light_of(QApplication.palette()))

    def _load(self, thing: Object, light: str) -> QPixmap | None:
        found = QPixmap(str(self._path(thing, light)))
        return None if found.isNull() else found

    def _path(self, thing: Object, light: str) -> Path:
        return self._folder / f"{hashlib.sha256(write(thing)).hexdigest()}-{light}.png"


def light_of(palette: QPalette) -> str:
    """Return a name for the colours of a palette."""
    dark = palette.color(QPalette.ColorRole.Base).lightness() < _MIDDLE
    return f"{'dark' if dark else 'light'}{'-contrast' if is_high_contrast() else ''}"


def picture_page(thing: Object, seen: QPixmap | None) -> QWidget:
    """Return a page that shows an object's last picture and its recipe, without running anything."""
    page = QWidget()
    layout = QVBoxLayout(page)
    words = "This object is not running. "
    words += "Its last picture:" if seen else "There is no picture of it; this is its recipe:"
    layout.addWidget(plain_label(words))
    if seen is not None:
        label = plain_label()
        label.setAccessibleName("Last picture")
        label.setPixmap(seen)
        scroll = QScrollArea()
        scroll.setWidget(label)
        layout.addWidget(scroll, 2)
    tree = QTreeWidget()
    tree.setAccessibleName("Its recipe")
    tree.setHeaderLabels(["Part", "What it is"])
    _grow(tree.invisibleRootItem(), "the object", thing, 0)
    tree.expandAll()
    tree.resizeColumnToContents(0)
    layout.addWidget(tree, 1)
    return page


def _grow(above: QTreeWidgetItem, step: str, thing: Object, depth: int) -> None:
    what = thing.id if isinstance(thing, Reference) else "composite object"
    name = name_of(thing)
    item = QTreeWidgetItem(above, [step, f"“{name}”, {what}" if name else what])
    for need in thing.requires:
        QTreeWidgetItem(
            item, ["needs", f"library {need.library} from {need.url or 'the installed libraries'}"]
        )
    for one in thing.parameters:
        if isinstance(one.value, Plain):
            QTreeWidgetItem(item, [one.id, one.value.text[:200]])
    for path, part in parts(thing) if depth < _DEEPEST else ():
        _grow(item, path[0], part, depth + 1)


_KEEP = Qt.AspectRatioMode.KeepAspectRatio
