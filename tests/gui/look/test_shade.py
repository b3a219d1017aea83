"""Shadows: around things, soft, the same in nine pieces as in one, and none where they cannot be seen."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from PySide6.QtCore import QRectF
from PySide6.QtGui import QImage, QPainter

from liven.liveobjects.look.tokens import DAY, DUSK, HIGH_LIGHT, Layer
from liven.liveobjects.look.view import shade
from liven.liveobjects.look.view.shade import paint_shadow, reach

THING = QRectF(100, 100, 120, 90)


def painted(
    layers: tuple[Layer, ...], thing: QRectF = THING, *, zoom: float = 1, turn: float = 0, ratio: float = 1
) -> NDArray[np.int_]:
    """Return how dark each pixel of a picture with one shadow is."""
    picture = QImage(round(320 * ratio), round(300 * ratio), QImage.Format.Format_ARGB32)
    picture.setDevicePixelRatio(ratio)
    picture.fill(0)
    painter = QPainter(picture)
    painter.scale(zoom, zoom)
    painter.translate(thing.center())
    painter.rotate(turn)
    painter.translate(-thing.center())
    paint_shadow(painter, thing, layers, 10)
    painter.end()
    bits = np.frombuffer(picture.constBits(), np.uint8).reshape(picture.height(), picture.bytesPerLine())
    return bits[:, 3 : 4 * picture.width() : 4].astype(int)


def blurred(layers: tuple[Layer, ...]) -> NDArray[np.float64]:
    """Return the same shadows with a true blur, one above the other."""
    through = np.ones((300, 320))
    for layer in layers:
        box = np.zeros((300, 320))
        ys, xs = np.mgrid[0:300, 0:320] + 0.5
        down = THING.translated(0, layer.down)
        near_x = np.clip(xs, down.left() + 10, down.right() - 10)
        near_y = np.clip(ys, down.top() + 10, down.bottom() - 10)
        box[(xs - near_x) ** 2 + (ys - near_y) ** 2 <= 100] = 1
        sigma = layer.blur / 2.2
        reach = np.arange(-int(4 * sigma) - 1, int(4 * sigma) + 2)
        curve = np.exp(-(reach**2) / (2 * sigma**2))
        curve /= curve.sum()
        for axis in (0, 1):
            box = np.apply_along_axis(lambda row, c=curve: np.convolve(row, c, "same"), axis, box)
        through *= 1 - box * layer.dark / 255
    return np.asarray((1 - through) * 255)


@pytest.mark.parametrize("layers", [DAY.shadows.rest, DAY.shadows.lifted, DUSK.shadows.rest])
def test_a_shadow_is_close_to_a_true_blur(qapp: Any, layers: tuple[Layer, ...]) -> None:
    seen, wanted = painted(layers), blurred(layers)
    outside = np.ones_like(seen, bool)
    outside[100:190, 100:220] = False  # beneath the thing nobody sees it
    assert np.abs(seen - wanted)[outside].max() <= 12
    assert seen[outside].max() > 8


@pytest.mark.parametrize("zoom", [0.5, 1.0])
def test_nine_pieces_look_like_one(qapp: Any, zoom: float) -> None:
    layers = DAY.shadows.lifted
    thing = QRectF(100 / zoom, 100 / zoom, 120 / zoom, 90 / zoom)
    seen = painted(layers, thing, zoom=zoom)
    whole = shade._whole(layers, 10, zoom, 120, 90)
    picture = whole.picture.toImage().convertToFormat(QImage.Format.Format_ARGB32)
    left = 100 - whole.reach
    for x, y in ((98, 98), (160, 95), (225, 150), (160, 200), (95, 195), (222, 196), (90, 140)):
        assert abs(seen[y, x] - picture.pixelColor(x - left, y - left).alpha()) <= 6


def test_a_small_thing_has_the_same_shadow_in_one_piece(qapp: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    layers, thing = DAY.shadows.rest, QRectF(400, 400, 240, 180)
    in_one = painted(layers, thing, zoom=0.3)
    monkeypatch.setattr(shade, "_MOST_IN_ONE", 0)
    in_eight = painted(layers, thing, zoom=0.3)
    assert in_one.max() > 8
    assert (in_one == in_eight).all()


def test_many_small_things_share_one_picture_of_their_shadow(qapp: Any) -> None:
    shade._in_one.cache_clear()
    for column in range(8):
        painted(DAY.shadows.rest, QRectF(100 + column * 100, 100, 80, 60))
    kept = shade._in_one.cache_info()
    assert (kept.currsize, kept.hits) == (1, 7)
    painted(DAY.shadows.rest, QRectF(0, 0, 200, 200))  # a large one is painted in eight pieces
    assert shade._in_one.cache_info().currsize == 1


def test_a_shadow_falls_down_and_ends_within_its_reach(qapp: Any) -> None:
    layers = DAY.shadows.hover
    seen = painted(layers)
    assert seen[191, 160] > seen[98, 160]
    out = int(np.ceil(reach(layers)))
    assert seen[190 + out + 1 :].max() == 0
    assert seen[:, 220 + out + 1 :].max() == 0
    assert seen[:, : 100 - out - 1].max() == 0


def test_a_small_thing_has_a_small_shadow(qapp: Any) -> None:
    seen = painted(DAY.shadows.dialog, QRectF(150, 140, 20, 12))
    assert 0 < seen.max() < painted(DAY.shadows.dialog).max()


def test_a_turned_thing_has_a_turned_shadow(qapp: Any) -> None:
    seen = painted(DAY.shadows.rest, turn=45)
    assert seen[73, 150] > 0  # beyond the upper edge of the upright thing
    assert seen[104, 104] <= 2 < painted(DAY.shadows.rest)[99, 104]  # the corner of the upright thing


def test_a_fine_screen_gets_a_fine_shadow(qapp: Any) -> None:
    coarse, fine = painted(DAY.shadows.lifted), painted(DAY.shadows.lifted, ratio=2)
    assert fine.shape == (600, 640)
    assert np.abs(fine[::2, ::2] - coarse)[195:].max() <= 6


def test_nothing_is_painted_far_out_or_in_high_contrast(qapp: Any) -> None:
    assert painted(DAY.shadows.rest, zoom=0.1).max() == 0
    assert painted(HIGH_LIGHT.shadows.rest).max() == 0
    assert painted(DAY.shadows.rest, QRectF(10, 10, 0, 0)).max() == 0


def test_the_painter_is_as_it_was(qapp: Any) -> None:
    picture = QImage(300, 300, QImage.Format.Format_ARGB32)
    painter = QPainter(picture)
    painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
    painter.scale(0.5, 0.5)
    before = painter.worldTransform(), painter.renderHints()
    paint_shadow(painter, THING, DAY.shadows.rest, 10)
    assert (painter.worldTransform(), painter.renderHints()) == before
    painter.end()
