"""SVG drawings of strangers painted as pictures, in a worker: nothing outside of the file is read, and the
work is bounded before it begins.

QtSvg loads pictures that a drawing names, and repeats parts as often as they are used, so a few lines can
stand for billions of shapes. A drawing is therefore copied without references to other files, and what its
uses unfold to is counted."""

from __future__ import annotations

import re
from collections import Counter
from typing import Final

from PySide6.QtCore import QBuffer, QByteArray, QIODevice, QRectF, QSizeF, QXmlStreamReader, QXmlStreamWriter
from PySide6.QtGui import QImage, QPainter
from PySide6.QtSvg import QSvgRenderer

from liven.liveobjects.desktop.foreign.board import ForeignError

MOST_SHAPES: Final = 100_000
"""Elements of a drawing, with everything that it repeats."""
_DEEPEST: Final = 200
_SIDE: Final = 2048.0
"""The longer side of the picture in pixels, unless the drawing is smaller by half."""
_LEFT_OUT: Final = ("image", "feImage", "script", "foreignObject")
"""Elements that are left out if they lead to another file, or always."""
_ALWAYS: Final = ("script", "foreignObject")
_REFERENCE: Final = re.compile(r"url\(\s*['\"]?#([^)'\"]{1,200})['\"]?\s*\)|^\s*#(.{1,200})$")


def paint_svg(data: bytes) -> tuple[bytes, QSizeF]:
    """Return a drawing as the bytes of a PNG file, and its own size. Raise ForeignError if it cannot be
    painted."""
    renderer = QSvgRenderer(QByteArray(_copied(data)))
    size = QSizeF(renderer.defaultSize())
    if not renderer.isValid() or size.isEmpty():
        size = renderer.viewBoxF().size()
    if not renderer.isValid() or size.isEmpty():
        raise ForeignError("it is damaged, or has no size")
    scale = min(_SIDE / max(size.width(), size.height()), 2.0)
    picture = QImage((size * scale).toSize(), QImage.Format.Format_ARGB32)
    if picture.isNull():
        raise ForeignError("its sides are too unequal for a picture")
    picture.fill(0)
    painter = QPainter(picture)
    renderer.render(painter, QRectF(picture.rect()))
    painter.end()
    held = QBuffer()
    held.open(QIODevice.OpenModeFlag.WriteOnly)
    picture.save(held, "PNG")  # type: ignore[call-overload]  # its stub wants bytes for the format
    return bytes(held.data().data()), size


class _Uses:
    """The elements of a drawing by the id of the part that holds them, and the parts that each part uses."""

    def __init__(self) -> None:
        self._open: list[str] = [""]
        self._elements: Counter[str] = Counter()
        self._used: dict[str, Counter[str]] = {}

    def begin(self, name: str, references: list[str]) -> None:
        """Enter an element. One with a name is a part of the part around it."""
        if len(self._open) > _DEEPEST:
            raise ForeignError("its elements are nested too deep")
        around = self._open[-1]
        if name:
            self._used.setdefault(around, Counter())[name] += 1
        here = name or around
        self._elements[here] += 1
        for reference in references:
            self._used.setdefault(here, Counter())[reference] += 1
        self._open.append(here)

    def end(self) -> None:
        """Leave the element."""
        self._open.pop()

    def check(self) -> None:
        """Raise ForeignError if the drawing unfolds to too much."""
        if self._total("", {}, ()) > MOST_SHAPES:
            raise ForeignError(f"it has more than {MOST_SHAPES:,} shapes; save it as a PNG picture")

    def _total(self, part: str, known: dict[str, int], within: tuple[str, ...]) -> int:
        if part in within:
            return 0  # Qt does not follow circles
        if len(within) > _DEEPEST:
            raise ForeignError("its parts use each other too deep")
        if part not in known:
            inner = (*within, part)
            used: Counter[str] = self._used.get(part, Counter())
            whole = self._elements[part] + sum(
                count * self._total(one, known, inner) for one, count in used.items()
            )
            known[part] = min(whole, MOST_SHAPES + 1)
        return known[part]


def _copied(data: bytes) -> bytes:
    """Return a drawing without references to other files."""
    stored, made = QByteArray(data), QByteArray()
    source = QBuffer(stored)
    source.open(QIODevice.OpenModeFlag.ReadOnly)
    reader, writer, uses = QXmlStreamReader(source), QXmlStreamWriter(made), _Uses()
    while not reader.atEnd():
        kind = reader.readNext()
        if kind == QXmlStreamReader.TokenType.StartElement:
            if _leads_elsewhere(reader):
                reader.skipCurrentElement()
                continue
            name = next((value for attribute, value in _values(reader) if attribute == "id"), "")
            uses.begin(name, _references(reader))
        elif kind == QXmlStreamReader.TokenType.EndElement:
            uses.end()
        elif kind in (
            QXmlStreamReader.TokenType.DTD,
            QXmlStreamReader.TokenType.Comment,
            QXmlStreamReader.TokenType.ProcessingInstruction,
            QXmlStreamReader.TokenType.Invalid,
        ):
            continue
        writer.writeCurrentToken(reader)
    if reader.hasError():
        raise ForeignError(f"it is damaged at line {reader.lineNumber()}: {reader.errorString()}")
    uses.check()
    return bytes(made.data())


def _leads_elsewhere(reader: QXmlStreamReader) -> bool:
    name = reader.name()
    if str(name) not in _LEFT_OUT:
        return False
    target = next((value for attribute, value in _values(reader) if attribute == "href"), "")
    return str(name) in _ALWAYS or not target.lstrip().startswith(("data:", "#"))


def _values(reader: QXmlStreamReader) -> list[tuple[str, str]]:
    """Return the names, without prefixes, and the values of the attributes of an element."""
    found = reader.attributes()
    return [(str(found.at(at).name()), str(found.at(at).value())) for at in range(found.size())]


def _references(reader: QXmlStreamReader) -> list[str]:
    """Return the parts of the drawing that an element uses."""
    return [
        found.group(1) or found.group(2)
        for _, value in _values(reader)
        for found in _REFERENCE.finditer(value)
    ]
