"""Qt's formats for the looks of the model."""

from __future__ import annotations

from PySide6.QtGui import QFont, QFontInfo, QTextBlockFormat, QTextCharFormat, QTextFormat, QTextListFormat

from liven.liveobjects.look.tokens import TYPE
from liven.liveobjects.text.document import Look
from liven.liveobjects.view.labels import plain_tip

_HEADINGS = {level: TYPE[f"heading{level}"] for level in (1, 2, 3)}
_STYLES = {
    "bullet": QTextListFormat.Style.ListDisc,
    "number": QTextListFormat.Style.ListDecimal,
    "check": QTextListFormat.Style.ListDisc,
}


def character_format(look: Look, paragraph: Look, font: QFont) -> QTextCharFormat:
    """Return the format of characters with a `look` in a paragraph."""
    made = QTextCharFormat()
    heading = _HEADINGS.get(_number(paragraph.get("heading")))
    if heading is not None:
        size = QFontInfo(font).pixelSize() * heading.size / TYPE["board"].size
        made.setProperty(QTextFormat.Property.FontPixelSize, round(size))
    if look.get("bold") or heading is not None:
        made.setFontWeight(QFont.Weight.Bold)
    if look.get("italic"):
        made.setFontItalic(True)
    link = look.get("link")
    if isinstance(link, str) and link:
        made.setAnchor(True)
        made.setAnchorHref(link)
        made.setFontUnderline(True)
        made.setToolTip(plain_tip(f"{link}\nCtrl+click opens it"))
    if paragraph.get("list") == "check" and paragraph.get("checked"):
        made.setFontStrikeOut(True)
    return made


def block_format(paragraph: Look) -> QTextBlockFormat:
    """Return the format of a paragraph."""
    made = QTextBlockFormat()
    made.setLineHeight(TYPE["board"].line, QTextBlockFormat.LineHeightTypes.MinimumHeight.value)
    level = _number(paragraph.get("heading"))
    made.setHeadingLevel(level if level in _HEADINGS else 0)
    if made.headingLevel():
        made.setTopMargin(6)
    if paragraph.get("list") == "check":
        checked = paragraph.get("checked")
        made.setMarker(
            QTextBlockFormat.MarkerType.Checked if checked else QTextBlockFormat.MarkerType.Unchecked
        )
    return made


def list_format(paragraph: Look) -> QTextListFormat | None:
    """Return the format of a paragraph's list; None if it is in no list."""
    style = _STYLES.get(str(paragraph.get("list")))
    if style is None:
        return None
    made = QTextListFormat()
    made.setStyle(style)
    return made


def _number(value: object) -> int:
    """Return an int: pycrdt returns whole numbers as floats, and others may have written any number."""
    return int(value) if isinstance(value, int | float) and 0 < value < 10 else 0
