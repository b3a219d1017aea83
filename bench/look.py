"""The cost of the look: letters, signs, shadows, corners, and a step of motion.

    python bench/look.py [--json]

Each figure is a ratio within one run, beside the plain drawing of the same thing, or a time of one call;
times are of the quietest of several rounds. Everything is painted without a screen; windows on a
screen are rasters, too.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from time import process_time

sys.path.insert(0, str(Path(__file__).parent))
os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from figure_report import Figure, best_of, report
from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QImage, QPainter, QPixmap
from PySide6.QtWidgets import QApplication

from liven.liveobjects.look.tokens import CARD_RADIUS, DAY
from liven.liveobjects.look.view import letters, marks, shade, signs
from liven.liveobjects.look.view.moves import Moves
from liven.liveobjects.look.view.signs import Sign

ROUNDS = 5
CARDS = 200
FRAMES = 10
WINDOW = (1600, 1000)
CARD = (240, 160)
Paint = Callable[[QPainter, QRectF], object]


def main() -> int:
    """Measure and print."""
    application = QApplication(sys.argv[:1])
    code = report("look", figures())
    del application
    return code


def figures() -> Iterator[Figure]:
    """Yield all figures."""
    yield from _letters()
    yield from _signs()
    yield from _shadows()
    yield from _corners()
    yield from _moves()


def _letters() -> Iterator[Figure]:
    begun = process_time()
    letters.families()
    yield Figure("letters: loaded, processor time", (process_time() - begun) * 1000, "ms", 60)
    yield Figure("letters: a font found again", best_of(ROUNDS, 1000, _font) * 1e6, "µs", 5)


def _font() -> object:
    return letters.font("body")


def _signs() -> Iterator[Figure]:
    code = (
        "import time; from liven.liveobjects.look.view import signs; "
        "loaded = time.process_time(); signs.svg(signs.Sign.CHECK, '#000000'); "
        "print((time.process_time() - loaded) * 1000)"
    )
    times = [
        float(subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout)
        for _ in range(ROUNDS)
    ]
    yield Figure("signs: database opened and read, processor time", min(times), "ms", 60)
    colours = iter(range(100_000))

    def make() -> object:
        return signs.pixmap(Sign.TURN, 20, f"#{next(colours):06x}")

    first = best_of(ROUNDS, 40, make)
    again = best_of(ROUNDS, 1000, lambda: signs.pixmap(Sign.TURN, 20, "#000000"))
    yield Figure("signs: one painted", first * 1000, "ms", 1)
    yield Figure("signs: found again, share of painting", again / first, "ratio", 0.05)


def _shadows() -> Iterator[Figure]:
    def plain(painter: QPainter, area: QRectF) -> None:
        painter.drawPixmap(area, picture, QRectF(picture.rect()))

    def shaded(painter: QPainter, area: QRectF) -> None:
        shade.paint_shadow(painter, area, DAY.shadows.rest, CARD_RADIUS)
        plain(painter, area)

    picture = QPixmap(*(round(side * 0.22) for side in CARD))
    picture.fill(QColor(DAY.card))
    rounds = [tuple(_frame(paint, 0.22) for paint in (plain, shaded)) for _ in range(2 * ROUNDS)]
    without, both = (min(times) for times in zip(*rounds, strict=True))
    yield Figure(f"shadows: {CARDS} cards without, a frame", without * 1000, "ms")
    yield Figure(f"shadows: {CARDS} cards with theirs, a frame", both * 1000, "ms")
    yield Figure("shadows: of a frame without", both / without, "ratio", 5)

    def make() -> object:
        shade._nine.cache_clear()
        return shade._nine(DAY.shadows.rest, CARD_RADIUS, 1.0)

    yield Figure("shadows: one made", best_of(ROUNDS, 5, make) * 1000, "ms", 8)


def _frame(paint: Paint, zoom: float) -> float:
    """Return the processor time that all cards take in one frame, in seconds."""
    image = QImage(*WINDOW, QImage.Format.Format_RGB32)
    areas = [QRectF(at % 20 * 320, at // 20 * 240, *CARD) for at in range(CARDS)]

    def frame() -> None:
        painter = QPainter(image)
        painter.setRenderHints(QPainter.RenderHint.Antialiasing | QPainter.RenderHint.SmoothPixmapTransform)
        painter.scale(zoom, zoom)
        for area in areas:
            paint(painter, area)
        painter.end()

    frame()
    begun = process_time()
    for _ in range(FRAMES):
        frame()
    return (process_time() - begun) / FRAMES


def _corners() -> Iterator[Figure]:
    picture = QPixmap(2 * CARD[0], 2 * CARD[1])
    picture.fill(Qt.GlobalColor.white)
    area = QRectF(picture.rect())

    def clear() -> None:
        painter = QPainter(picture)
        marks.clear_corners(painter, area, 2 * CARD_RADIUS)
        painter.end()

    def fill() -> None:
        painter = QPainter(picture)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.drawRoundedRect(area, 2 * CARD_RADIUS, 2 * CARD_RADIUS)
        painter.end()

    cleared, filled = best_of(ROUNDS, 50, clear), best_of(ROUNDS, 50, fill)
    yield Figure("corners: cleared in a picture", cleared * 1000, "ms", 1)
    yield Figure("corners: of one rounded box", cleared / filled, "ratio", 4)


def _moves() -> Iterator[Figure]:
    moves = Moves()
    moves.go("measured", 60_000, lambda _: None)
    [animation] = moves._running.values()
    at = iter(range(1, 60_000))
    step = best_of(ROUNDS, 500, lambda: animation.setCurrentTime(next(at)))
    moves.stop()
    yield Figure("moves: one step of one value", step * 1e6, "µs", 200)
    yield Figure("moves: of a core, one value at 62 steps a second", step * 62 * 100, "%", 2)


if __name__ == "__main__":
    sys.exit(main())
