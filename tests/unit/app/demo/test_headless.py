"""The picture of the demo without a display, made by a process without a Qt application."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from PySide6.QtGui import QColor, QImage

_JOIN = (
    "import sys; from pathlib import Path; from liven.app.demo.headless import _save_side_by_side; "
    "_save_side_by_side(*map(Path, sys.argv[1:]))"
)


def _drawn(path: Path, width: int, height: int, colour: str) -> Path:
    image = QImage(width, height, QImage.Format.Format_RGB32)
    image.fill(QColor(colour))
    assert image.save(str(path))
    return path


def _joined(*paths: Path) -> subprocess.CompletedProcess[str]:
    """Run in a separate process: the one of the tests has a Qt application, which would hide its absence."""
    bare = {
        name: value
        for name, value in os.environ.items()
        if name not in ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM")
    }
    words = [sys.executable, "-c", _JOIN, *map(str, paths)]
    return subprocess.run(words, env=bare, capture_output=True, text=True, check=False)


def test_two_pictures_are_joined_without_a_display_or_application(tmp_path: Path) -> None:
    left, right = _drawn(tmp_path / "l.png", 30, 20, "red"), _drawn(tmp_path / "r.png", 40, 25, "blue")
    answer = _joined(left, right, tmp_path / "both.png")
    assert (answer.returncode, answer.stderr) == (0, "")
    both = QImage(str(tmp_path / "both.png"))
    assert (both.width(), both.height()) == (30 + 8 + 40, 25)
    assert both.pixelColor(10, 10) == QColor("red")
    assert both.pixelColor(30 + 8 + 10, 10) == QColor("blue")
    assert both.pixelColor(33, 10) == QColor("#808080")


def test_the_picture_is_png_whatever_its_file_name(tmp_path: Path) -> None:
    left = _drawn(tmp_path / "l.png", 3, 2, "red")
    assert _joined(left, left, tmp_path / "both").returncode == 0
    assert (tmp_path / "both").read_bytes().startswith(b"\x89PNG")


def test_a_picture_that_cannot_be_saved_is_reported(tmp_path: Path) -> None:
    left = _drawn(tmp_path / "l.png", 3, 2, "red")
    answer = _joined(left, left, tmp_path / "no" / "both.png")
    assert "the picture cannot be saved" in answer.stderr
    assert answer.returncode == 1
