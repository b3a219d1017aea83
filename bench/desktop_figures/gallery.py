"""The gallery with many boards: the processor time until it is painted with the pictures of those in view.

    python bench/desktop_figures/gallery.py BOARDS

It makes the boards in a folder of its own, shows the start window several times in a new list, and prints
processor milliseconds of the quietest time.
"""

from __future__ import annotations

import os
import sys
import tempfile
import time
from pathlib import Path

from PySide6.QtGui import QColor, QImage, QPainter

from liven.app.appearance.settings import Appearance
from liven.app.appearance.theme import Theme
from liven.app.begun.begun_objects import BegunObjects
from liven.app.export.thumbnail import HEIGHT, WIDTH
from liven.app.opening.recent_files import RecentFiles
from liven.app.palette.new_objects import desktop
from liven.app.qt_application import application
from liven.app.start.gallery import Gallery
from liven.app.start.last_looks import LastLooks
from liven.app.start.start_window import Here, StartWindow
from liven.liveobjects.look.view.light import current_look
from liven.runtime.reference.xml import write

ROUNDS = 5


def fill(gallery: Gallery, looks: LastLooks, boards: int) -> None:
    """Begin boards, each with a picture of its own."""
    for number in range(boards):
        path = gallery.begun.begin(f"Board {number}", lambda name: write(desktop(name)))
        made = QImage(2 * WIDTH, 2 * HEIGHT, QImage.Format.Format_RGB32)
        made.fill(QColor(current_look().plane))
        painter = QPainter(made)
        for at in range(40):
            place = (at * 53 + number * 17) % (2 * WIDTH - 90), (at * 91) % (2 * HEIGHT - 60)
            painter.fillRect(*place, 80, 50, QColor.fromHsv((at * 37 + number) % 360, 90, 240))
            painter.drawText(place[0] + 4, place[1] + 20, f"{number} {at}")
        painter.end()
        looks.keep(path.read_bytes(), current_look().name, made, f"words of board {number}")


def first_paint(gallery: Gallery, looks: LastLooks) -> float:
    """Return the processor seconds until a new start window is painted with its pictures."""
    begun = time.process_time()
    window = StartWindow(gallery, looks, (), dict, lambda: Here("Ada", "#0f7a5d"))
    window.resize(1440, 900)
    window.show()
    window.grab()
    window.grid.load_seen()
    window.grab()
    took = time.process_time() - begun
    if not any(tile.picture is not None for tile in window.grid.tiles):
        raise RuntimeError("no picture was read")
    window.close()
    window.deleteLater()
    return took


def main(boards: int) -> int:
    """Measure, and print."""
    qt = application()
    Theme(qt, Appearance(), os.environ)
    with tempfile.TemporaryDirectory(prefix="liven-gallery-") as folder:
        home = Path(folder)
        gallery = Gallery(home, BegunObjects(home), RecentFiles(home / "recent.json"))
        looks = LastLooks(home / "looks")
        fill(gallery, looks, boards)
        took = min(first_paint(gallery, looks) for _ in range(ROUNDS))
    sys.stdout.write(f"{took * 1000:.1f}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1])))
