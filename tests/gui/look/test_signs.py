"""Signs: every one that we name exists, has its colour, and is sharp."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QRectF
from PySide6.QtGui import QColor, QImage, QPainter

from liven.liveobjects.look.view import signs
from liven.liveobjects.look.view.signs import Sign, SignsMissingError, paint_sign, pixmap, svg


@pytest.fixture
def forgotten() -> Iterator[None]:
    """Let a test read the signs anew."""
    signs._drawings.cache_clear()
    yield
    signs._drawings.cache_clear()


@pytest.mark.parametrize("sign", Sign)
def test_each_sign_is_drawn_in_its_colour(qapp: Any, sign: Sign) -> None:
    seen = pixmap(sign, 24, "#c22f2a").toImage()
    colours = {
        seen.pixelColor(x, y).name()
        for x in range(24)
        for y in range(24)
        if seen.pixelColor(x, y).alpha() == 255
    }
    # where two strokes cross, Qt rounds a channel down
    assert "#c22f2a" in colours
    assert colours <= {"#c22f2a", "#c12f2a"}
    assert seen.pixelColor(0, 0).alpha() == 0


def test_a_sign_is_sharp_on_a_fine_screen(qapp: Any) -> None:
    fine = pixmap(Sign.CHECK, 16, "#000000", 2.0)
    assert fine.size().toTuple() == (32, 32)
    assert fine.deviceIndependentSize().toTuple() == (16, 16)
    assert pixmap(Sign.CHECK, 16, "#000000", 2.0) is fine


def test_a_colour_that_lets_the_ground_through_makes_a_faint_sign(qapp: Any) -> None:
    seen = pixmap(Sign.DASH, 24, "#80000000").toImage()
    strongest = max(seen.pixelColor(12, y).alpha() for y in range(24))
    assert 120 <= strongest <= 130


def test_a_sign_is_painted_in_the_middle_of_its_area(qapp: Any) -> None:
    picture = QImage(40, 60, QImage.Format.Format_ARGB32_Premultiplied)
    picture.fill(0)
    painter = QPainter(picture)
    paint_sign(painter, QRectF(0, 0, 40, 60), Sign.PLUS, 20, "#000000")
    painter.end()
    marked = [(x, y) for x in range(40) for y in range(60) if picture.pixelColor(x, y) != QColor(0, 0, 0, 0)]
    assert sum(x for x, _ in marked) / len(marked) == pytest.approx(19.5, abs=0.6)
    assert sum(y for _, y in marked) / len(marked) == pytest.approx(29.5, abs=0.6)


def test_the_thickness_of_the_line_can_be_chosen() -> None:
    assert b'stroke-width="3"' in svg(Sign.CHECK, "#000000", 3)


def test_a_missing_package_is_an_error_that_says_what_to_install(
    forgotten: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(signs, "find_spec", lambda _: None)
    with pytest.raises(SignsMissingError, match=r"install the package python-lucide"):
        signs._drawings()


def test_a_database_without_one_of_our_signs_is_an_error(
    forgotten: None, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    import sqlite3
    from importlib.machinery import ModuleSpec

    (tmp_path / "data").mkdir()
    base = sqlite3.connect(tmp_path / "data" / "lucide-icons.db")
    base.execute("CREATE TABLE icons (name TEXT, svg TEXT)")
    base.execute("INSERT INTO icons VALUES ('check', '<svg/>')")
    base.commit()
    base.close()
    spec = ModuleSpec("lucide", None, is_package=True)
    spec.submodule_search_locations = [str(tmp_path)]
    monkeypatch.setattr(signs, "find_spec", lambda _: spec)
    with pytest.raises(SignsMissingError, match=r"has no .*chevron-down"):
        signs._drawings()
