"""Prints the places where lines of the board break on this platform, as JSON. Its first argument may name a
font's file, to compare it with ours, and its second `hinted` lets the system choose the hinting."""

from __future__ import annotations

import json
import sys

from PySide6.QtGui import QFont, QFontDatabase, QGuiApplication, QTextDocument, QTextLine
from PySide6.QtWidgets import QApplication

from liven.liveobjects.look.tokens import TYPE
from liven.liveobjects.look.view.letters import font

TEXT = (
    "The lamp is lit at 21:48, the minute the sun is gone. I can fetch it with the van. Somebody to help me "
    "lift? Größe, façade, łódź, Århus; 10:00 doors, coffee, buns, 11:30 up the tower, in eights. "
    "Смотритель маяка зажигает лампу в тот миг, когда солнце зашло. Ο φάρος ανάβει με τη δύση του ήλιου. "
    "Ngọn hải đăng được thắp sáng ngay khi mặt trời lặn. Sound check at 15:30, choir first, then the band."
)
WIDTHS = range(140, 420, 20)


def breaks(made: QFont, width: float) -> list[int]:
    """Return the lengths of the lines of the text in this font and width."""
    document = QTextDocument()
    document.setDefaultFont(made)
    document.setDocumentMargin(0)
    document.setPlainText(TEXT)
    document.setTextWidth(width)
    document.documentLayout().documentSize()
    layout = document.firstBlock().layout()
    lines: list[QTextLine] = [layout.lineAt(number) for number in range(layout.lineCount())]
    return [line.textLength() for line in lines]


def other(file: str, pixels: int, *, hinted: bool) -> QFont:
    """Return the font of a file."""
    number = QFontDatabase.addApplicationFont(file)
    made = QFont(QFontDatabase.applicationFontFamilies(number)[0])
    made.setPixelSize(pixels)
    if not hinted:
        made.setHintingPreference(QFont.HintingPreference.PreferNoHinting)
    return made


def main(words: list[str]) -> None:
    """Print the platform, its screen, and the breaks by role, slant and width."""
    application = QApplication(["line_breaks"])
    screen = application.primaryScreen()
    found: dict[str, list[list[int]]] = {}
    for role in ("caption", "body", "board", "title", "heading3", "heading2", "heading1"):
        for italic in (False, True):
            if words:
                made = other(words[0], TYPE[role].size, hinted="hinted" in words)
            else:
                made = font(role, italic=italic)
            found[f"{role} {italic}"] = [breaks(made, width) for width in WIDTHS]
    facts = {
        "platform": QGuiApplication.platformName(),
        "dpi": round(screen.logicalDotsPerInch()),
        "ratio": screen.devicePixelRatio(),
        "breaks": found,
    }
    sys.stdout.write(json.dumps(facts))


if __name__ == "__main__":
    main(sys.argv[1:])
