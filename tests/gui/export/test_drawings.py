"""Pictures of drawings: shapes with text and strokes of ink, as lines and not as dots."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QRectF
from PySide6.QtGui import QColor, QImage

from liven.app.export.picture import export
from liven.liveobjects.desktop import commands
from liven.liveobjects.desktop.drawings.ink import Ink, stroke
from liven.liveobjects.desktop.drawings.recipes import recipe_of
from liven.liveobjects.desktop.drawings.shape import Shape
from liven.liveobjects.desktop.view import Canvas
from liven.liveobjects.desktop.view.drawings.painting import hue_of
from liven.liveobjects.desktop.view.tools.shape_tool import add_shape


@pytest.fixture
def canvas(desk: Any, local_recipe: Any) -> Canvas:
    window = desk.open(local_recipe("liven:desktop", "Drawn"))
    made: Canvas = window.centralWidget()
    desk.wait(lambda: made.model.ready)
    add_shape(made, Shape("ellipse", "green", "solid"), QRectF(0, 0, 200, 100))
    made.do(commands.rename(made.state, next(iter(made.selected)), "Harbour"))
    ink, place = stroke([(0.0, 140.0, 0.5), (200.0, 140.0, 0.5)], Ink((), "pink", "broad"))
    made.do(commands.add(made.state, recipe_of(ink), "", place)[1])
    return made


def test_a_picture_shows_shapes_and_ink_on_white(canvas: Canvas, tmp_path: Path) -> None:
    export(canvas, tmp_path / "drawn.png", selection=False)
    image = QImage(str(tmp_path / "drawn.png"))
    scale = image.width() / (208 + 40)  # the ends of the line are round
    at = [(round((24 + x) * scale), round((20 + y) * scale)) for x, y in ((100, 8), (100, 140), (2, 2))]
    shape, line, corner = (image.pixelColor(x, y) for x, y in at)
    assert shape == hue_of("green")
    assert line == hue_of("pink")
    assert corner == QColor("white"), "an ellipse has no corners"


def test_a_drawing_file_holds_lines_and_the_words(canvas: Canvas, tmp_path: Path) -> None:
    export(canvas, tmp_path / "drawn.svg", selection=False)
    drawn = (tmp_path / "drawn.svg").read_text()
    assert "<title>Harbour</title>" in drawn
    assert hue_of("pink").name() in drawn
    assert "<image" not in drawn, "sharp at every size"


def test_a_page_of_drawings_is_written(canvas: Canvas, tmp_path: Path) -> None:
    export(canvas, tmp_path / "drawn.pdf", selection=False)
    assert (tmp_path / "drawn.pdf").read_bytes().startswith(b"%PDF-")
