"""Qt's formats for the looks of the model."""

from __future__ import annotations

from typing import Final

from PySide6.QtGui import QColor, QFont, QFontInfo, QTextBlockFormat, QTextCharFormat, QTextFormat

from liven.liveobjects.look.tokens import TYPE
from liven.liveobjects.look.view.labels import plain_tip
from liven.liveobjects.text.document import Look

KIND: Final = QTextFormat.Property.UserProperty.value + 1
"""The property of a paragraph that holds its mark: "bullet", "number", "check", "checked", or nothing."""
NUMBER: Final = KIND + 1
"""The property of a numbered paragraph that holds its number."""
_HEADINGS = {level: TYPE[f"heading{level}"] for level in (1, 2, 3)}
_INDENTS: Final = {"bullet": 18.0, "number": 24.0, "check": 26.0}
"""Pixels between the edge and the words of a list item, in letters of the usual size."""
_ABOVE: Final = {"bullet": 3.0, "number": 3.0, "check": 5.0, "heading": 8.0, "": 0.0}
_CLOSER = 98.6
_LARGE = 20


def character_format(look: Look, paragraph: Look, font: QFont, quiet: str = "") -> QTextCharFormat:
    """Return the format of characters with a `look` in a paragraph. Letters of what is done are `quiet`."""
    made = QTextCharFormat()
    heading = _HEADINGS.get(_number(paragraph.get("heading")))
    if heading is not None:
        size = round(QFontInfo(font).pixelSize() * heading.size / TYPE["board"].size)
        made.setProperty(QTextFormat.Property.FontPixelSize, size)
        made.setFontWeight(heading.weight)
        if size >= _LARGE:
            made.setFontLetterSpacingType(QFont.SpacingType.PercentageSpacing)
            made.setFontLetterSpacing(_CLOSER)
    if look.get("bold"):
        made.setFontWeight(QFont.Weight.Bold)
    if look.get("italic"):
        made.setFontItalic(True)
    link = look.get("link")
    if isinstance(link, str) and link:
        made.setAnchor(True)
        made.setAnchorHref(link)
        made.setFontUnderline(True)
        made.setToolTip(plain_tip(f"{link}\nCtrl+click opens it"))
    if kind_of(paragraph) == "checked":
        made.setFontStrikeOut(True)
        if quiet:
            made.setForeground(QColor(quiet))
    return made


def block_format(paragraph: Look, font: QFont, *, first: bool = False, number: int = 0) -> QTextBlockFormat:
    """Return the format of a paragraph: its indent, the room above it, and its mark."""
    made = QTextBlockFormat()
    scale = QFontInfo(font).pixelSize() / TYPE["board"].size
    level = _number(paragraph.get("heading"))
    made.setHeadingLevel(level if level in _HEADINGS else 0)
    line = _HEADINGS[level].line if made.headingLevel() else TYPE["board"].line
    made.setLineHeight(round(line * scale), QTextBlockFormat.LineHeightTypes.MinimumHeight.value)
    kind = kind_of(paragraph)
    listed = "check" if kind == "checked" else kind
    made.setLeftMargin(round(_INDENTS.get(listed, 0.0) * scale))
    if not first:
        made.setTopMargin(round(_ABOVE["heading" if made.headingLevel() else listed] * scale))
    if kind:
        made.setProperty(KIND, kind)
    if number:
        made.setProperty(NUMBER, number)
    return made


def kind_of(paragraph: Look) -> str:
    """Return the mark of a paragraph: one of "bullet", "number", "check" and "checked", or nothing."""
    listed = paragraph.get("list")
    if listed == "check" and paragraph.get("checked"):
        return "checked"
    return listed if isinstance(listed, str) and listed in _INDENTS else ""


def _number(value: object) -> int:
    """Return an int: pycrdt returns whole numbers as floats, and others may have written any number."""
    return int(value) if isinstance(value, int | float) and 0 < value < 10 else 0
