"""Colours and sizes of other programs as the nearest that a desktop has."""

from __future__ import annotations

import math
import re
from functools import lru_cache
from typing import Final

from liven.liveobjects.desktop.state import HUES
from liven.liveobjects.look.tokens import DAY, TYPE
from liven.liveobjects.text.papers import SIZES

_HEX: Final = re.compile(r"#([0-9a-fA-F]{6})(?:[0-9a-fA-F]{2})?|#([0-9a-fA-F]{3})")
_PALE: Final = 0.045
"""Below this chroma, a colour is a grey."""
_PALE_PAPER: Final = 0.02
_DARK, _LIGHT = 0.45, 0.88
"""Lightness of the darkest and of the lightest grey that is meant as a colour."""
_PALE_LIGHT: Final = 0.82
_DIM_PAPER: Final = 0.4
"""Lightness below which a paper is dark, whatever its hue."""
_GREYS: Final = ("paper", "slate")


@lru_cache(maxsize=4096)
def hue_of(colour: str) -> str:
    """Return the name of the nearest hue for a colour as #rrggbb; empty for black, white and none."""
    found = _polar(colour)
    if found is None:
        return ""
    light, chroma, angle = found
    if chroma < _PALE:
        return "grey" if _DARK < light < _LIGHT else ""
    names = [name for name in HUES if name != "grey"]
    return min(names, key=lambda name: _apart(angle, _angle(DAY.hues[HUES.index(name)])))


@lru_cache(maxsize=4096)
def paper_of(colour: str) -> str:
    """Return the name of the nearest paper for a colour as #rrggbb; the white one for none."""
    found = _polar(colour)
    if found is None:
        return "paper"
    light, chroma, angle = found
    if light < _DIM_PAPER or chroma < _PALE_PAPER:
        return "slate" if light < _DIM_PAPER else "paper"
    names = [name for name in DAY.papers if name not in _GREYS]
    return min(names, key=lambda name: _apart(angle, _angle(DAY.papers[name].sheet)))


def is_pale(colour: str) -> bool:
    """Return True for a colour that is nearer to a tint of ours than to a full hue."""
    found = _polar(colour)
    return found is not None and found[0] > _PALE_LIGHT


def size_of(pixels: float) -> str:
    """Return the name of the size of letters that is nearest to a height in pixels."""
    wanted = max(pixels, 1.0) / TYPE["board"].size
    return min(SIZES, key=lambda name: abs(math.log(SIZES[name] / wanted)))


def pixels_of(size: str) -> float:
    """Return the height of letters in pixels."""
    return TYPE["board"].size * SIZES[size]


def _angle(colour: str) -> float:
    found = _polar(colour)
    return 0.0 if found is None else found[2]


def _apart(one: float, other: float) -> float:
    turned = abs(one - other) % (2 * math.pi)
    return min(turned, 2 * math.pi - turned)


def _polar(colour: str) -> tuple[float, float, float] | None:
    """Return lightness, chroma and hue of a colour in OKLab, where equal distances look equal."""
    match = _HEX.fullmatch(colour)
    if match is None:
        return None
    digits = match.group(1) or "".join(2 * digit for digit in match.group(2))
    r, g, b = (_linear(int(digits[at : at + 2], 16) / 255) for at in (0, 2, 4))
    long = math.cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b)
    middle = math.cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b)
    short = math.cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b)
    light = 0.2104542553 * long + 0.7936177850 * middle - 0.0040720468 * short
    across = 1.9779984951 * long - 2.4285922050 * middle + 0.4505937099 * short
    down = 0.0259040371 * long + 0.7827717662 * middle - 0.8086757660 * short
    return light, math.hypot(across, down), math.atan2(down, across)


def _linear(share: float) -> float:
    return share / 12.92 if share <= 0.04045 else ((share + 0.055) / 1.055) ** 2.4
