"""The letters: loaded from the package, apart from fonts of the system, for the scripts that they have."""

from __future__ import annotations

import logging
from importlib.machinery import ModuleSpec
from typing import Any

import pytest
from PySide6.QtGui import QFont, QFontDatabase, QFontInfo, QFontMetricsF, QRawFont

from liven.liveobjects.look.tokens import TYPE
from liven.liveobjects.look.view import letters
from liven.liveobjects.look.view.letters import FAMILY, SLANTED, font, sized


@pytest.mark.parametrize("role", TYPE)
def test_each_role_has_its_size_in_pixels_and_its_weight(qapp: Any, role: str) -> None:
    made, wanted = font(role), TYPE[role]
    assert made.pixelSize() == wanted.size
    assert made.pointSize() == -1
    assert made.hintingPreference() is QFont.HintingPreference.PreferNoHinting
    found = QRawFont.fromFont(made)
    assert found.familyName() == FAMILY
    assert found.weight() == wanted.weight


def test_the_faces_are_files_and_not_emboldened_or_slanted(qapp: Any) -> None:
    faces = {
        QRawFont.fromFont(sized(40, weight, italic=italic)).styleName()
        for weight in (400, 600, 700)
        for italic in (False, True)
    }
    assert faces == {"Regular", "Semibold", "Bold", "Italic", "Semibold Italic", "Bold Italic"}
    assert len(QFontDatabase.styles(FAMILY)) == 6


@pytest.mark.parametrize("italic", [False, True])
@pytest.mark.parametrize("text", ["Größe, ça, łódź", "Привет", "Ελληνικά", "Tiếng Việt"])
def test_letters_of_four_scripts_are_ours(qapp: Any, text: str, italic: bool) -> None:
    ours = {FAMILY, SLANTED}
    made = sized(16, italic=italic)
    lone = QFont(made)
    lone.setStyleStrategy(QFont.StyleStrategy.NoFontMerging)  # the system's fonts are left out
    assert set(made.families()) == ours
    has = [QRawFont.fromFont(QFont([name], 16)) for name in (FAMILY, SLANTED)]
    assert all(any(face.supportsCharacter(ord(one)) for face in has) for one in text if one != " ")
    upright = QFontMetricsF(sized(16)).horizontalAdvance(text)
    assert QFontMetricsF(made).horizontalAdvance(text) == pytest.approx(upright, rel=0.08)


def test_figures_have_one_width_so_that_a_counter_does_not_tremble(qapp: Any) -> None:
    for role in TYPE:
        metrics = QFontMetricsF(font(role))
        assert len({metrics.horizontalAdvance(figure) for figure in "0123456789"}) == 1


def test_the_scale_of_the_system_makes_letters_larger(qapp: Any) -> None:
    assert font("body", scale=1.5).pixelSize() == 21
    assert font("body") is font("body")


def test_without_the_package_the_fonts_of_the_system_are_used_and_the_log_says_so(
    qapp: Any, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def find(name: str) -> ModuleSpec | None:
        return None

    monkeypatch.setattr(letters, "find_spec", find)
    letters.families.cache_clear()
    try:
        with caplog.at_level(logging.WARNING):
            assert FAMILY not in letters.families()
        assert "font-source-sans-pro is not installed" in caplog.text
        assert QFontInfo(sized(16)).pixelSize() == 16
    finally:
        monkeypatch.undo()
        letters.families.cache_clear()
        assert letters.families() == [FAMILY, SLANTED]
