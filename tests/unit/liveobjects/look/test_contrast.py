"""The contrasts that every look keeps."""

from __future__ import annotations

from dataclasses import replace

import pytest

from liven.liveobjects.look.contrast import HIGH_TEXT, MARK, TEXT, blend, contrast, mix, pairs
from liven.liveobjects.look.tokens import DAY, DUSK, HIGH_DARK, HIGH_LIGHT, LOOKS, Look


@pytest.mark.parametrize("look", LOOKS.values(), ids=LOOKS)
def test_every_pair_of_colours_keeps_its_contrast(look: Look) -> None:
    low = [f"{pair.words}: {pair.ratio:.2f}" for pair in pairs(look) if pair.ratio < pair.least]
    assert low == []


@pytest.mark.parametrize(
    ("look", "text", "mark"), [(DAY, 4.67, 3.14), (DUSK, 4.72, 3.79)], ids=["day", "dusk"]
)
def test_the_least_contrasts_do_not_get_worse(look: Look, text: float, mark: float) -> None:
    found = list(pairs(look))
    assert len(found) == 99
    assert min(pair.ratio for pair in found if pair.least == TEXT) >= text
    assert min(pair.ratio for pair in found if pair.least == MARK) >= mark


@pytest.mark.parametrize("look", [HIGH_LIGHT, HIGH_DARK], ids=["light", "dark"])
def test_in_high_contrast_text_keeps_seven_and_nothing_hangs_on_a_tint(look: Look) -> None:
    assert {pair.least for pair in pairs(look)} == {HIGH_TEXT, MARK}
    assert min(pair.ratio for pair in pairs(look)) >= HIGH_TEXT
    assert look.card == look.plane == look.select_soft
    assert look.shadows.rest == ()


def test_a_colour_that_is_too_faint_is_found() -> None:
    faint = replace(DAY, quiet="#9aa5b4")
    assert [pair.words for pair in pairs(faint) if pair.ratio < pair.least][:2] == [
        "quiet on plane",
        "quiet on card",
    ]


def test_contrast_is_that_of_the_guidelines() -> None:
    assert contrast("#000000", "#ffffff") == pytest.approx(21)
    assert contrast("#ffffff", "#000000") == pytest.approx(21)
    assert contrast("#777777", "#ffffff") == pytest.approx(4.48, abs=0.005)


def test_colours_blend_with_their_ground() -> None:
    assert blend("#80000000", "#ffffff") == "#7f7f7f"
    assert blend("#00ff0000", "#123456") == "#123456"
    assert blend("#ff0000", "#123456") == "#ff0000"
    assert mix("#000000", "#ffffff", 0.5) == "#808080"
