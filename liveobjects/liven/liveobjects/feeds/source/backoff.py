"""The pauses between attempts that fail: each twice as long as the one before, with some chance in it."""

from __future__ import annotations

from random import SystemRandom
from typing import Final

_SPREAD: Final = 0.2
"""The part by which a pause is shortened at random, so that many programs do not come back at once."""


class Backoff:
    """The pauses of one source."""

    def __init__(self, first: float, longest: float) -> None:
        self._first, self._longest = first, longest
        self._failures = 0
        self._chance = SystemRandom()

    def failed(self, at_least: float = 0.0) -> float:
        """Return the seconds until the next attempt; no fewer than the server asked for."""
        pause = min(self._longest, self._first * 2.0 ** min(self._failures, 30))
        self._failures += 1
        return max(at_least, pause * (1 - _SPREAD * self._chance.random()))

    def worked(self) -> None:
        """Begin again with the first pause."""
        self._failures = 0
