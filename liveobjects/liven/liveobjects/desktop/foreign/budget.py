"""The amount that one board may hold, counted while it is read."""

from __future__ import annotations

from liven.liveobjects.desktop.foreign.board import MOST_LETTERS, MOST_PICTURES, MOST_POINTS, ForeignError


class Budget:
    """Counts letters, points and pictures. A board with too many of the first two is refused; pictures beyond
    the limit are left out."""

    def __init__(self) -> None:
        self._letters = MOST_LETTERS
        self._points = MOST_POINTS
        self._pictures = MOST_PICTURES

    def letters(self, words: str) -> str:
        """Count a text and return it."""
        self._letters -= len(words)
        if self._letters < 0:
            raise ForeignError(f"it has more than {MOST_LETTERS:,} letters; divide it into several files")
        return words

    def points(self, count: int) -> None:
        """Count the points of a stroke."""
        self._points -= count
        if self._points < 0:
            raise ForeignError(f"its lines have more than {MOST_POINTS:,} points; divide it")

    def picture(self) -> bool:
        """Count a picture; return False if there are too many."""
        self._pictures -= 1
        return self._pictures >= 0
