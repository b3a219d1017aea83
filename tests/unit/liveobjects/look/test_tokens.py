"""The tokens that all looks share."""

from __future__ import annotations

import re
from dataclasses import fields

import pytest

from liven.liveobjects.look.tokens import (
    BUTTON,
    DAY,
    DEFAULT_PAPER,
    DUSK,
    HANDLE,
    HIGH_DARK,
    HIGH_LIGHT,
    LOOKS,
    SMALLEST_HIT,
    TOOL,
    TYPE,
    Look,
    look_of,
)


@pytest.mark.parametrize("look", LOOKS.values(), ids=LOOKS)
def test_every_colour_is_written_with_six_or_eight_digits(look: Look) -> None:
    colours = [getattr(look, field.name) for field in fields(look) if field.name != "name"]
    texts = [one for one in colours if isinstance(one, str)] + list(look.hues) + list(look.people)
    texts += [colour for paper in look.papers.values() for colour in (paper.sheet, paper.ink, paper.edge)]
    assert [one for one in texts if not re.fullmatch(r"#([0-9a-f]{6}|[0-9a-f]{8})", one)] == []


def test_the_lights_share_every_name() -> None:
    assert list(DAY.papers) == list(DUSK.papers) == list(HIGH_LIGHT.papers)
    assert DEFAULT_PAPER in DAY.papers
    assert len(DAY.hues) == len(DUSK.hues) == len(HIGH_DARK.hues)
    assert DAY.select not in DAY.people
    assert DUSK.select not in DUSK.people


def test_the_look_follows_from_light_and_contrast() -> None:
    assert look_of(dark=False, high_contrast=False) is DAY
    assert look_of(dark=True, high_contrast=False) is DUSK
    assert look_of(dark=False, high_contrast=True) is HIGH_LIGHT
    assert look_of(dark=True, high_contrast=True) is HIGH_DARK


def test_a_look_is_immutable_and_names_itself() -> None:
    with pytest.raises(AttributeError):
        DAY.plane = "#000000"  # type: ignore[misc]
    assert all(LOOKS[name].name == name for name in LOOKS)


def test_what_is_pressed_is_large_enough_and_lines_are_higher_than_letters() -> None:
    assert min(TOOL, BUTTON) >= SMALLEST_HIT > HANDLE
    assert all(letters.line >= letters.size + 2 for letters in TYPE.values())
