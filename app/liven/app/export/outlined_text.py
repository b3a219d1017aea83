"""Text of an SVG drawing as outlines: the program's letters are on no other computer."""

from __future__ import annotations

from typing import Final

from lxml import etree
from PySide6.QtGui import QFont, QPainterPath

_SVG: Final = "{http://www.w3.org/2000/svg}"
_KEPT: Final = ("fill", "fill-opacity", "transform")
_DECIMALS: Final = 2
_CURVE: Final = {
    QPainterPath.ElementType.MoveToElement: "M",
    QPainterPath.ElementType.LineToElement: "L",
    QPainterPath.ElementType.CurveToElement: "C",
    QPainterPath.ElementType.CurveToDataElement: "",
}


def outlined(drawing: bytes) -> bytes:
    """Return a drawing of Qt whose texts are paths. The words stay as titles, so that they can be found and
    read aloud."""
    root = etree.fromstring(drawing)
    for text in list(root.iter(f"{_SVG}text")):
        words = text.text or ""
        path = etree.Element(f"{_SVG}path", {name: text.get(name) for name in _KEPT if text.get(name)})
        path.set("stroke", "none")
        path.set("fill-rule", "nonzero")
        path.set("d", _curves(float(text.get("x", 0)), float(text.get("y", 0)), _font(text), words))
        etree.SubElement(path, f"{_SVG}title").text = words
        path.tail = text.tail
        parent = text.getparent()
        assert parent is not None  # Qt puts every text into a group
        parent.replace(text, path)
    made: bytes = etree.tostring(root, xml_declaration=True, encoding="UTF-8")
    return made


def _font(text: etree._Element) -> QFont:
    made = QFont([family.strip(" '") for family in text.get("font-family", "").split(",")])
    made.setPixelSize(max(1, round(float(text.get("font-size", 12)))))
    made.setWeight(QFont.Weight(int(text.get("font-weight", 400))))
    made.setItalic(text.get("font-style") in ("italic", "oblique"))
    made.setHintingPreference(QFont.HintingPreference.PreferNoHinting)
    return made


def _curves(x: float, y: float, font: QFont, words: str) -> str:
    path = QPainterPath()
    path.addText(x, y, font, words)
    found = []
    for index in range(path.elementCount()):
        element = path.elementAt(index)
        kind = _CURVE[element.type]
        found.append(f"{kind}{round(element.x, _DECIMALS):g},{round(element.y, _DECIMALS):g}")
    return " ".join(found)
