"""Shapes: a box, an ellipse or a diamond. The text in a shape is the name of its item."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Final

BOX: Final = "box"
ELLIPSE: Final = "ellipse"
DIAMOND: Final = "diamond"
OUTLINES: Final = (BOX, ELLIPSE, DIAMOND)
FILLS: Final = ("tint", "solid", "none")
LINES: Final = ("solid", "dashed")
NEW_WIDTH: Final = 160.0
NEW_HEIGHT: Final = 96.0
"""The size of a shape that is put by a click."""
_PAD: Final = 10.0
"""Room between a text and the sides of its box."""


@dataclass(frozen=True, slots=True)
class Shape:
    """The look of a shape. Values that are not known here are shown as the usual ones."""

    outline: str = BOX
    hue: str = ""
    """One of the hues of a desktop; empty for a quiet one."""
    fill: str = "tint"
    line: str = "solid"

    def text_area(self, width: float, height: float) -> tuple[float, float, float, float]:
        """Return left, top, width and height of the largest upright rectangle for the text."""
        share = {ELLIPSE: math.sqrt(0.5), DIAMOND: 0.5}.get(self.outline, 1.0)
        wide = max(share * width - 2 * _PAD, min(width, 1.0))
        high = max(share * height - 2 * (_PAD if self.outline == BOX else 0.0), min(height, 1.0))
        return (width - wide) / 2, (height - high) / 2, wide, high

    def height_for(self, text_height: float) -> float:
        """Return the height of a shape in which a text of this height fits."""
        share = {ELLIPSE: math.sqrt(0.5), DIAMOND: 0.5}.get(self.outline, 1.0)
        return (text_height + 2 * (_PAD if self.outline == BOX else 0.0)) / share

    def touches(
        self, x: float, y: float, width: float, height: float, near: float, *, has_text: bool = False
    ) -> bool:
        """Return true if a point, taken from the upper left corner, is on the shape: in a filled one
        anywhere, in another one near its line or, if it has one, on its text."""
        outside = self._outside(x - width / 2, y - height / 2, width / 2, height / 2)
        if outside > near:
            return False
        if self.fill != "none" or outside >= -near:
            return True
        if not has_text:
            return False
        left, top, wide, high = self.text_area(width, height)
        middle = min(wide, high) / 2
        return abs(x - left - wide / 2) <= middle and abs(y - top - high / 2) <= middle

    def _outside(self, x: float, y: float, across: float, down: float) -> float:
        """Return about how far a point, taken from the middle, is outside the line; inside it is negative."""
        if self.outline == ELLIPSE:
            return (math.hypot(x / across, y / down) - 1) * min(across, down)
        if self.outline == DIAMOND:
            slope = across * down / math.hypot(across, down)
            return (abs(x) / across + abs(y) / down - 1) * slope
        return max(abs(x) - across, abs(y) - down)
