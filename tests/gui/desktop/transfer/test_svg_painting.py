"""SVG drawings of strangers: painted in their size, without other files, within bounds."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtGui import QColor, QImage

from liven.liveobjects.desktop.foreign.board import ForeignError
from liven.liveobjects.desktop.view.transfer.svg_painting import paint_svg

SPACES = b'xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"'
HEAD = b'<svg %b viewBox="0 0 100 50">' % SPACES


def painted(inside: bytes) -> QImage:
    data, size = paint_svg(HEAD + inside + b"</svg>")
    assert (size.width(), size.height()) == (100, 50)
    return QImage.fromData(data)


@pytest.fixture(autouse=True)
def _gui(qapp: object) -> None:
    """Painting needs a program with fonts."""


def test_a_drawing_is_painted_twice_as_large_on_nothing() -> None:
    picture = painted(b'<rect width="50" height="50" fill="#ff0000"/>')
    assert (picture.width(), picture.height()) == (200, 100)
    assert picture.pixelColor(50, 50) == QColor("#ff0000")
    assert picture.pixelColor(150, 50).alpha() == 0


def test_pictures_of_other_files_are_not_read(tmp_path: Path) -> None:
    secret = QImage(10, 10, QImage.Format.Format_RGB32)
    secret.fill(QColor("#00ff00"))
    assert secret.save(str(tmp_path / "secret.png"))
    for target in (str(tmp_path / "secret.png"), f"file://{tmp_path}/secret.png"):
        for name in (b"xlink:href", b"href"):
            inside = b'<image width="100" height="50" %b="%b"/><rect width="1" height="1"/>' % (
                name,
                target.encode(),
            )
            assert painted(inside).pixelColor(100, 50).alpha() == 0


def test_uses_of_parts_are_painted() -> None:
    part = b'<defs><g id="a"><rect width="50" height="50" fill="#0000ff"/></g></defs>'
    picture = painted(part + b'<use xlink:href="#a" x="50"/>')
    assert picture.pixelColor(150, 50) == QColor("#0000ff")


def test_parts_that_repeat_each_other_without_end_are_refused() -> None:
    parts = b'<g id="a0"><rect width="1" height="1"/></g>'
    for number in range(1, 40):
        use = b'<use xlink:href="#a%d"/>' % (number - 1)
        parts += b'<g id="a%d">%b</g>' % (number, use * 10)
    with pytest.raises(ForeignError, match="shapes"):
        painted(b"<defs>" + parts + b'</defs><use xlink:href="#a39"/>')


@pytest.mark.parametrize(
    ("data", "why"),
    [
        (b"<svg", "damaged"),
        (b"<svg xmlns='http://www.w3.org/2000/svg'/>", "no size"),
        (HEAD + b"<g>" * 500 + b"</g>" * 500 + b"</svg>", "too deep"),
        (b"<!DOCTYPE a [<!ENTITY b 'c'>]><svg xmlns='http://www.w3.org/2000/svg'>&b;", "damaged"),
    ],
)
def test_damaged_drawings_are_refused(data: bytes, why: str) -> None:
    with pytest.raises(ForeignError, match=why):
        paint_svg(data)


def test_a_drawing_of_unequal_sides_stays_within_bounds() -> None:
    inside = b"<rect width='9' height='9'/></svg>"
    data, _ = paint_svg(b"<svg %b viewBox='0 0 100000 500'>" % SPACES + inside)
    assert QImage.fromData(data).width() == 2048
    with pytest.raises(ForeignError, match="unequal"):
        paint_svg(b"<svg %b viewBox='0 0 100000 1'>" % SPACES + inside)
