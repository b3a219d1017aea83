"""Icons of what lies in a folder: a coloured tile for each kind of object, with the beginning of its name."""

from __future__ import annotations

from functools import lru_cache
from hashlib import blake2b

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QIcon, QPainter, QPainterPath, QPixmap

from liven.runtime.reference.errors import ReadError
from liven.runtime.reference.model import Reference
from liven.runtime.reference.xml import read_object

SIZE = 48
_KINDS = {
    "E3EA16F4ECC84B3B998E01F3B78E9AC9": "Text",
    "570482D150074A5381C8F5FD8C348503": "Desktop",
    "88D82BF52EA1496696002257989DE3D3": "Image",
    "A23A3D5432FB40BAB87181FD0943299A": "Folder",
    "0C4E4E5F6DB24C04910D1CBE473CBE24": "Folder",
    "C3073050408D40529B63DD5BD932319D": "Window",
}
_CALLED = {"image-2d": "Image", "shared-folder": "Folder", "folder-view": "Folder"}


@lru_cache(maxsize=4096)
def kind_of(reference: str) -> str:
    """What kind of object a recipe makes, in a word, as far as its first line says."""
    try:
        thing = read_object(reference)
    except ReadError:
        return "broken"
    if not isinstance(thing, Reference) or not thing.id:
        return "Composite"
    if thing.source is not None:
        return "Elsewhere"
    alias = thing.id.rpartition(":")[2]
    return _KINDS.get(alias.partition("`")[0].upper()) or _CALLED.get(alias) or _word(alias)


@lru_cache(maxsize=256)
def icon_of(kind: str) -> QIcon:
    """The tile of a kind."""
    picture = QPixmap(SIZE, SIZE)
    picture.fill(Qt.GlobalColor.transparent)
    painter = QPainter(picture)
    paint_tile(painter, QRectF(0, 0, SIZE, SIZE), kind)
    painter.end()
    return QIcon(picture)


def paint_tile(painter: QPainter, area: QRectF, kind: str) -> None:
    """Paints the tile of a kind into `area`."""
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    path = QPainterPath()
    edge = area.width() / 12
    path.addRoundedRect(area.adjusted(edge, edge, -edge, -edge), 2 * edge, 2 * edge)
    hue = blake2b(kind.encode(), digest_size=2).digest()
    painter.fillPath(path, QColor.fromHsv(int.from_bytes(hue, "big") % 360, 120, 170))
    font = painter.font()
    font.setPixelSize(max(6, int(area.height() / 3)))
    font.setBold(True)
    painter.setFont(font)
    painter.setPen(QColor("white"))
    painter.drawText(area, Qt.AlignmentFlag.AlignCenter, kind[:2])
    painter.restore()


def _word(alias: str) -> str:
    if all(sign in "0123456789abcdefABCDEF`" for sign in alias):
        return "Object"
    return alias.replace("-", " ").capitalize()
