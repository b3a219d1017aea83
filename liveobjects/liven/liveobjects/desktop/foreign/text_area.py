"""The area of a text: other programs have letters of other widths, and ours must fit without a new break."""

from __future__ import annotations

import math
from typing import Final

from liven.liveobjects.desktop.foreign.colours import pixels_of, size_of
from liven.liveobjects.desktop.state import Place

_LINE: Final = 1.4
"""Height of a line, of the height of its letters."""
_WIDE: Final = 0.56
"""Width of a letter on average, with some room to spare."""
_SIDE: Final = 4.0
"""Room at both sides of a text without paper."""
_NARROWEST: Final = 24.0


def text_place(place: Place, words: str, pixels: float, *, wraps: bool, align: float = 0.0) -> Place:
    """Return the place for a text that had letters of this height. One that does not wrap gets the width of
    its longest line. `align` is the share of the width that stays where it is: 0 for the left side."""
    letters = pixels_of(size_of(pixels))
    lines = words.split("\n")
    if wraps:
        wide = place.width * max(letters / max(pixels, 1.0), 1.0) + _SIDE
    else:
        wide = max(map(len, lines)) * letters * _WIDE + _SIDE
    wide = max(wide, _NARROWEST)
    count = sum(max(1, math.ceil(len(line) * letters * _WIDE / wide)) for line in lines)
    high = count * letters * _LINE
    if place.degrees:  # items turn about their middle
        return Place(
            place.x + (place.width - wide) / 2,
            place.y + (place.height - high) / 2,
            wide,
            high,
            place.degrees,
        )
    return Place(place.x + (place.width - wide) * align, place.y, wide, high)
