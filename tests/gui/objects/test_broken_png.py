"""A truncated or damaged PNG is refused with a message, and nothing is written to the terminal."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtGui import QColor, QImage

from liven.liveobjects.image.picture_header import NoPictureError
from liven.liveobjects.image.view.decoding import load


@pytest.fixture
def png(tmp_path: Path) -> bytes:
    image = QImage(300, 200, QImage.Format.Format_RGB32)
    for x in range(300):
        for y in range(200):
            image.setPixelColor(x, y, QColor(x % 256, y, (x * y) % 256))
    assert image.save(str(tmp_path / "whole.png"))
    return (tmp_path / "whole.png").read_bytes()


@pytest.mark.parametrize("share", [0.1, 0.5, 0.9, 1.0])
@pytest.mark.parametrize("how", ["cut", "bent"])
def test_a_damaged_png_writes_nothing_to_the_terminal(
    png: bytes, tmp_path: Path, share: float, how: str, capfd: pytest.CaptureFixture[str]
) -> None:
    at = int(len(png) * share) - 5
    broken = tmp_path / "broken.png"
    broken.write_bytes(png[:at] if how == "cut" else png[:at] + bytes([png[at] ^ 0xFF]) + png[at + 1 :])
    with pytest.raises(NoPictureError, match=r"broken\.png: .*it is broken"):
        load(broken)
    assert capfd.readouterr() == ("", "")


def test_a_complete_png_is_accepted(png: bytes, tmp_path: Path) -> None:
    assert load(tmp_path / "whole.png") == png
