"""Text of SVG drawings as outlines."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QBuffer, QRectF
from PySide6.QtGui import QFont, QImage, QPainter
from PySide6.QtSvg import QSvgGenerator, QSvgRenderer
from PySide6.QtWidgets import QApplication

from liven.app.export.outlined_text import outlined
from liven.liveobjects.look.view.letters import font


def drawn(letters: QFont, words: str) -> bytes:
    """Return a drawing of words at the middle of 300 by 60."""
    held = QBuffer()
    held.open(QBuffer.OpenModeFlag.WriteOnly)
    made = QSvgGenerator()
    made.setOutputDevice(held)
    made.setViewBox(QRectF(0, 0, 300, 60))
    painter = QPainter(made)
    painter.setFont(letters)
    painter.drawText(20, 40, words)
    painter.end()
    return bytes(held.data().data())


def ink(drawing: bytes) -> set[tuple[int, int]]:
    """Return the dark dots of a rendered drawing."""
    image = QImage(300, 60, QImage.Format.Format_RGB32)
    image.fill(0xFFFFFFFF)
    painter = QPainter(image)
    QSvgRenderer(drawing).render(painter)
    painter.end()
    return {(x, y) for x in range(300) for y in range(60) if image.pixelColor(x, y).lightness() < 128}


def test_no_letters_are_needed_to_show_a_drawing(qapp: QApplication) -> None:
    del qapp
    made = outlined(drawn(font("body"), "Åsa & <Béla> 3°"))
    assert b"<text" not in made
    assert "<title>Åsa &amp; &lt;Béla&gt; 3°</title>".encode() in made
    assert len(ink(made)) > 100


@pytest.mark.parametrize("role", ["body", "label", "board"])
def test_outlines_lie_where_the_program_paints_the_text(qapp: QApplication, role: str) -> None:
    del qapp
    words = "what the one has to do with"
    image = QImage(300, 60, QImage.Format.Format_RGB32)
    image.fill(0xFFFFFFFF)
    painter = QPainter(image)
    painter.setFont(font(role))
    painter.drawText(20, 40, words)
    painter.end()
    painted = {(x, y) for x in range(300) for y in range(60) if image.pixelColor(x, y).lightness() < 128}
    outlines = ink(outlined(drawn(font(role), words)))
    for axis in (0, 1):
        for edge in (min, max):
            ours, theirs = (edge(dot[axis] for dot in dots) for dots in (outlines, painted))
            assert abs(ours - theirs) <= 2


def test_drawings_without_text_are_unchanged_in_content(qapp: QApplication) -> None:
    del qapp
    empty = b'<svg xmlns="http://www.w3.org/2000/svg"><rect width="3" height="4"/></svg>'
    assert b'<rect width="3" height="4"/>' in outlined(empty)
