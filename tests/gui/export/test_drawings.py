"""Pictures of drawings: shapes with text and strokes of ink, as lines and not as dots."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QRectF
from PySide6.QtGui import QColor, QImage
from PySide6.QtWidgets import QApplication

from liven.app.export.picture import drawing, export
from liven.liveobjects.desktop import commands
from liven.liveobjects.desktop.drawings.ink import Ink, stroke
from liven.liveobjects.desktop.drawings.recipes import recipe_of
from liven.liveobjects.desktop.drawings.shape import Shape
from liven.liveobjects.desktop.frames import frame_recipe
from liven.liveobjects.desktop.state import Place
from liven.liveobjects.desktop.view import Canvas
from liven.liveobjects.desktop.view.drawings.painting import hue_of
from liven.liveobjects.desktop.view.tools.shape_tool import add_shape
from liven.liveobjects.look.contrast import contrast
from liven.liveobjects.look.tokens import DUSK
from liven.liveobjects.look.view.light import LIGHT, current_look, ground_look, painted_on
from liven.liveobjects.text.document import Insert
from liven.liveobjects.text.papers import CLEAR
from liven.liveobjects.text.recipe import formatted
from liven.runtime.reference.xml import write


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


@pytest.fixture
def dusk(qapp: QApplication) -> Iterator[None]:
    qapp.setProperty(LIGHT, "dusk")
    yield
    qapp.setProperty(LIGHT, None)


def darkest(image: QImage) -> int:
    across, down = range(image.width()), range(image.height())
    return min(image.pixelColor(x, y).lightness() for x in across for y in down)


@pytest.mark.parametrize("what", ["text", "ink", "pink ink", "frame"])
def test_what_has_no_ground_of_its_own_is_dark_on_white_in_the_dusk(
    desk: Any, canvas: Canvas, dusk: None, tmp_path: Path, what: str
) -> None:
    if what == "text":
        recipe = write(formatted((Insert("Harbour", {}),), paper=CLEAR)).decode()
        key, command = commands.add(canvas.state, recipe, "", Place(0, 200, 200, 60))
    elif what == "frame":
        key, command = commands.add(canvas.state, frame_recipe(), "Harbour", Place(0, 200, 200, 60))
    else:
        ink, place = stroke([(0.0, 240.0, 0.5), (200.0, 240.0, 0.5)], Ink((), what[:-4], "broad"))
        key, command = commands.add(canvas.state, recipe_of(ink), "", place)
    canvas.do(command)
    if what == "text":
        view = canvas.item_views
        desk.wait(lambda: view.view(key) is not None and view.words(canvas.state.items[key]) == "Harbour")
    canvas.select({key})
    export(canvas, tmp_path / "one.png", selection=True)
    image = QImage(str(tmp_path / "one.png"))
    assert image.pixelColor(1, 1) == QColor("white")
    least = 3 if what == "pink ink" else 4.5
    assert contrast(QColor.fromHsl(0, 0, darkest(image)).name(), "#ffffff") >= least
    assert current_look() is DUSK


def test_the_look_of_a_board_in_the_gallery_is_the_one_of_its_plane(canvas: Canvas, dusk: None) -> None:
    _, draw = drawing(canvas, selection=False, ground=QColor(DUSK.plane))
    seen: list[str] = []
    with painted_on(QColor(DUSK.plane)):
        seen.append(ground_look().name)
    with painted_on(QColor("white")):
        seen.append(ground_look().name)
    assert [*seen, ground_look().name] == ["dusk", "day", "dusk"]
    assert draw is not None
