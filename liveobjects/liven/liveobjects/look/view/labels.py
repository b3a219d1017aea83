"""Labels, tool tips and shortened texts that show what people wrote exactly as it is, never as markup."""

from __future__ import annotations

import html

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel

from liven.runtime.foreign_text import shown_lines

_LONGEST_TIP = 1000


def plain_label(text: str = "") -> QLabel:
    """Make a label that shows its text literally.

    By default Qt looks for markup in the text and reads every file that the markup names. A text by somebody
    else could make the program wait for a pipe or read an endless device.
    https://doc.qt.io/qt-6/qlabel.html#textFormat-prop
    """
    made = QLabel()
    made.setTextFormat(Qt.TextFormat.PlainText)
    made.setText(shown_lines(text))
    return made


def brief(text: str, most: int) -> str:
    """Shorten a text to its first and last characters, none of them hidden: Qt takes seconds to lay out a
    label of a million."""
    cut = text if len(text) <= most else f"{text[: most // 2]} … {text[-(most // 2) :]}"
    return shown_lines(cut)


def plain_tip(text: str) -> str:
    """Return a text for a tool tip, which cannot be set to plain text, so that it is shown literally."""
    text = brief(text, _LONGEST_TIP)
    if "<" not in text and "&" not in text:
        return text  # Qt takes it for plain text
    return f"<span>{html.escape(text).replace(chr(10), '<br>')}</span>"
