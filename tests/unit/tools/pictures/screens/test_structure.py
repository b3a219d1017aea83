"""The structure of a screen: a planted fault makes a sentence, and the rounding of fonts makes none."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tools.pictures.screens.structure import Part, Screen, differences, read, timeless, token_of, write

BOARD = Part("Island", "Board", (16, 16, 216, 44), "island")
SHARE = Part("Button", "Share", (1072, 21, 87, 34), "accent")
NOTE = Part("Card", "Plan", (295, 116, 281, 178), "paper sun", "Plan Doors at ten.")
KEPT = Screen((1180, 780), "day", (BOARD, SHARE, NOTE))


def changed(part: Part, **into: Any) -> Screen:
    """Return the screen with one part changed."""
    return replace(KEPT, parts=tuple(replace(one, **into) if one is part else one for one in KEPT.parts))


def test_a_screen_is_like_itself_in_any_order_of_its_parts() -> None:
    assert differences(KEPT, KEPT) == []
    assert differences(KEPT, replace(KEPT, parts=KEPT.parts[::-1])) == []


def test_a_few_pixels_of_a_font_are_no_difference() -> None:
    assert differences(KEPT, changed(BOARD, area=(16, 18, 222, 44))) == []


def test_an_island_that_is_moved_by_twenty_pixels_is_told() -> None:
    [told] = differences(KEPT, changed(BOARD, area=(36, 16, 216, 44)))
    assert told == "the Island “Board” is at 36, 16 (216 × 44), and not at 16, 16 (216 × 44)"


def test_another_token_is_told() -> None:
    [told] = differences(KEPT, changed(SHARE, ground="select"))
    assert told == "the Button “Share” has the colour select, and not accent"


def test_missing_and_other_words_are_told() -> None:
    [told] = differences(KEPT, changed(NOTE, words="Plan"))
    assert told == "the Card “Plan” says 'Plan', and not 'Plan Doors at ten.'"
    missing = differences(KEPT, replace(KEPT, parts=(BOARD, NOTE)))
    assert missing == ["the Button “Share” is missing; it was at 1072, 21 (87 × 34)"]
    [new] = differences(replace(KEPT, parts=(BOARD, NOTE)), KEPT)
    assert new == "the Button “Share” is new, at 1072, 21 (87 × 34)"


def test_another_light_or_size_is_one_difference() -> None:
    assert len(differences(KEPT, replace(KEPT, look="dusk"))) == 1
    assert len(differences(KEPT, replace(KEPT, size=(800, 600)))) == 1


def test_of_several_parts_of_one_name_the_one_that_is_lacking_is_told() -> None:
    row = tuple(Part("Button", "More", (at, 10, 30, 30), "island") for at in (10, 50, 90))
    screen = replace(KEPT, parts=row)
    assert differences(screen, screen) == []
    assert "missing" in differences(screen, replace(screen, parts=row[:2]))[0]


def test_a_colour_without_a_token_may_differ_a_little() -> None:
    kept = changed(NOTE, ground="#ffe7a6")
    assert differences(kept, changed(NOTE, ground="#fee6a4")) == []
    assert differences(kept, changed(NOTE, ground="#efe7a6")) != []


def test_it_is_kept_as_a_line_for_each_part(tmp_path: Path) -> None:
    write(KEPT, tmp_path / "a.json")
    assert read(tmp_path / "a.json") == KEPT
    assert len((tmp_path / "a.json").read_text(encoding="utf-8").splitlines()) == 2 + len(KEPT.parts)


@pytest.mark.parametrize(
    ("said", "kept"),
    [
        ("Today 14:02:16.700", "Today 0:00"),
        ("Welcome, today, 9:15", "Welcome, today, 0:00"),
        ("made on 2026-11-20", "made on 0000-00-00"),
        ("Zoom to 100 %", "Zoom to 100 %"),
    ],
)
def test_times_are_not_kept(said: str, kept: str) -> None:
    assert timeless(said) == kept


def test_a_colour_is_called_by_the_nearest_token() -> None:
    tokens = {"plane": (243, 245, 248), "card": (255, 255, 255), "island": (255, 255, 255)}
    assert token_of((242, 245, 249), tokens) == "plane"
    assert token_of((255, 255, 255), tokens) == "card"
    assert token_of((200, 100, 50), tokens) == "#c86432"
