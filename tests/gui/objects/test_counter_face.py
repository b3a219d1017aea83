"""The painted face of a counter: name, number and buttons in each light, and the room that they need."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PySide6.QtCore import QRectF
from tests.gui.objects.painted_face import picture, runs, texts

from liven.liveobjects.counter.view.counter_face import LESS, MORE, CounterFace
from liven.liveobjects.look.contrast import MARK, TEXT, contrast
from liven.liveobjects.look.tokens import SMALLEST_HIT, Look
from liven.liveobjects.view.loading import NOT_LOADED

FACE = CounterFace("27", "Volunteers")
MOST = CounterFace(f"{2**53:,}", "Most")


def test_a_counter_shows_its_name_its_number_and_two_buttons(light: Look) -> None:
    assert texts(FACE.paint, 188, 128) == ["Volunteers", "27"]
    name, number = runs(FACE.paint, 188, 128)
    assert name.ink == number.ink == light.ink
    assert name.y < number.y
    less, more = FACE.zones(QRectF(0, 0, 188, 128))
    assert (less.key, more.key) == (LESS, MORE)
    assert less.area.right() < number.x < more.area.left()
    painted = picture(FACE.paint, 188, 128)
    for zone in (less, more):
        ground = painted.pixelColor(round(zone.area.center().x()), round(zone.area.top()) + 6).name()
        assert ground == light.faint
        sign = painted.pixelColor(zone.area.center().toPoint()).name()
        assert contrast(sign, ground) >= MARK
    assert contrast(light.ink, light.faint) >= TEXT
    assert painted.pixelColor(94, 40).name() == light.card


def test_a_number_that_is_not_loaded_is_quiet(light: Look) -> None:
    _, number = runs(CounterFace(NOT_LOADED, "Volunteers").paint, 188, 128)
    assert number.ink == light.quiet


@pytest.mark.parametrize("face", [FACE, MOST], ids=["few", "most"])
def test_where_room_is_short_the_name_goes_before_the_buttons(qapp: Any, face: CounterFace) -> None:
    wide, low, small = (QRectF(0, 0, *size) for size in ((360, 128), (360, 70), (110, 60)))
    assert texts(face.paint, 360, 128) == [face.name, face.number]
    assert texts(face.paint, 360, 70) == [face.number]
    assert len(face.zones(wide)) == len(face.zones(low)) == 2
    assert face.zones(small) == ()
    assert set(texts(face.paint, 110, 60)) <= {face.number}


@settings(deadline=None, max_examples=20)
@given(st.integers(1, 700), st.integers(1, 700), st.integers(-(2**53), 2**53))
def test_any_number_fits_whole_into_any_size(qapp: Any, width: int, height: int, number: int) -> None:
    """A number that is cut off would be another number."""
    face = CounterFace(f"{number:,}", "Volunteers")
    seen = texts(face.paint, width, height)
    assert all(
        one in {"Volunteers", face.number} or (one.endswith("…") and one != face.number) for one in seen
    )
    assert not [one for one in seen if one.endswith("…") and one[:1] in "-0123456789"]
    for zone in face.zones(QRectF(0, 0, width, height)):
        assert min(zone.area.width(), zone.area.height()) >= SMALLEST_HIT
        assert QRectF(0, 0, width, height).contains(zone.area)
