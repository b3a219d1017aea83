"""Contrasts: which colours of a look meet, and the ratio that each pair keeps at least.

Text keeps 4.5 and lines, rings and marks keep 3, as WCAG 2.2 asks (1.4.3 and 1.4.11); `mute` is left out, as
it carries no information. In high contrast text keeps 7 (1.4.6).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from liven.liveobjects.look.tokens import Look

TEXT: Final = 4.5
HIGH_TEXT: Final = 7.0
MARK: Final = 3.0
_LINEAR_BELOW: Final = 0.04045
"""Of sRGB: https://www.w3.org/TR/WCAG22/#dfn-relative-luminance"""
_GROUNDS: Final = ("plane", "card", "head", "island", "popover", "faint")
_RAISED: Final = ("card", "popover", "island")


@dataclass(frozen=True, slots=True)
class Pair:
    """Two colours that meet."""

    words: str
    mark: str
    ground: str
    least: float

    @property
    def ratio(self) -> float:
        return contrast(self.mark, self.ground)


def contrast(one: str, other: str) -> float:
    """Return the contrast ratio of two opaque colours, 1 to 21."""
    low, high = sorted((_luminance(one), _luminance(other)))
    return (high + 0.05) / (low + 0.05)


def blend(top: str, ground: str) -> str:
    """Return a colour that lets its ground through, as it is seen on an opaque ground."""
    share = int(top[1:3], 16) / 255 if len(top) == 9 else 1.0
    mixed = (share * a + (1 - share) * b for a, b in zip(_parts(top), _parts(ground), strict=True))
    return "#" + "".join(f"{round(255 * one):02x}" for one in mixed)


def mix(one: str, other: str, share: float) -> str:
    """Return the colour between two opaque ones; `share` is that of the other."""
    parts = zip(_parts(one), _parts(other), strict=True)
    return "#" + "".join(f"{round(255 * ((1 - share) * a + share * b)):02x}" for a, b in parts)


def pairs(look: Look) -> Iterator[Pair]:
    """Yield every pair of colours that meet."""
    yield from _letters(look)
    yield from _meanings(look)
    yield from _marks(look)
    text = _text(look)
    for name, paper in look.papers.items():
        yield Pair(f"ink on {name}", paper.ink, paper.sheet, text)
        yield Pair(f"quiet on {name}", paper.quiet, paper.sheet, text)


def _letters(look: Look) -> Iterator[Pair]:
    text = _text(look)
    for name in _GROUNDS:
        for ink in ("ink", "quiet"):
            yield _pair(look, ink, name, text)
    yield Pair("ink on a hovered island", look.ink, blend(look.hover, look.island), text)
    yield Pair("quiet on a hovered popover", look.quiet, blend(look.hover, look.popover), text)
    yield Pair("ink on a pressed button", look.ink, blend(look.press, look.popover), text)
    for ink, ground in (
        ("on_select", "select"),
        ("on_accent", "accent"),
        ("on_accent", "accent_hover"),
        ("toast_ink", "toast"),
        ("toast_quiet", "toast"),
        ("toast_act", "toast"),
    ):
        yield _pair(look, ink, ground, text)
    if not look.high_contrast:  # there a selected row is filled with `select`
        yield _pair(look, "ink", "select_soft", text)
    for at, hue in enumerate(look.people):
        yield Pair(f"letters on person {at}", look.on_people, hue, text)


def _meanings(look: Look) -> Iterator[Pair]:
    text = _text(look)
    for name in _RAISED:
        for ink in ("accent_ink", "good", "warn", "bad"):
            yield _pair(look, ink, name, text)
    for meaning in ("good", "warn", "bad"):
        yield _pair(look, meaning, f"{meaning}_soft", text)
        yield _pair(look, "ink", f"{meaning}_soft", text)


def _marks(look: Look) -> Iterator[Pair]:
    for name in _GROUNDS:
        yield _pair(look, "select", name, MARK)
    yield _pair(look, "select", "select_soft", MARK)
    for name in ("plane", *_RAISED):
        yield _pair(look, "line", name, MARK)
    for name in ("plane", "card"):
        yield _pair(look, "accent_line", name, MARK)
        for at, hue in enumerate(look.hues):
            yield Pair(f"hue {at} on {name}", hue, str(getattr(look, name)), MARK)
    for at, hue in enumerate(look.people):
        yield Pair(f"person {at} on plane", hue, look.plane, MARK)


def _text(look: Look) -> float:
    return HIGH_TEXT if look.high_contrast else TEXT


def _pair(look: Look, mark: str, ground: str, least: float) -> Pair:
    return Pair(f"{mark} on {ground}", str(getattr(look, mark)), str(getattr(look, ground)), least)


def _luminance(colour: str) -> float:
    red, green, blue = (
        part / 12.92 if part <= _LINEAR_BELOW else ((part + 0.055) / 1.055) ** 2.4 for part in _parts(colour)
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def _parts(colour: str) -> tuple[float, float, float]:
    """Return red, green and blue, 0 to 1, of `#rrggbb` or `#aarrggbb`."""
    digits = colour[-6:]
    red, green, blue = (int(digits[at : at + 2], 16) / 255 for at in (0, 2, 4))
    return red, green, blue
