"""The icon of the windows."""

from __future__ import annotations

from typing import Any

import pytest

from liven.app.icon import icon


@pytest.mark.parametrize("size", [16, 32, 64])
def test_the_icon_is_visible_in_every_size(qapp: Any, size: int) -> None:
    picture = icon().pixmap(size, size).toImage()
    assert picture.width() == size

    def colour(x: int, y: int) -> Any:
        return picture.pixelColor(x * size // 64, y * size // 64)

    assert colour(1, 1).alpha() == 0
    assert colour(12, 50).blue() > colour(12, 50).red() + 50
    assert colour(54, 34).lightness() > 180
    assert colour(51, 49).green() > colour(51, 49).red() + 50
