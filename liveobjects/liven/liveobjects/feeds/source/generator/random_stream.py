"""Random numbers that are the same with every version of numpy: its bit generators are fixed, its
distributions are not (https://numpy.org/doc/stable/reference/random/compatibility.html)."""

from __future__ import annotations

from hashlib import sha256

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
_SHIFT = np.uint64(11)
_UNIT = 2.0**-53
_BUFFER = 8192


class RandomStream:
    """One stream of random numbers. Streams of other names are independent of it."""

    def __init__(self, seed: int, name: str) -> None:
        key = sha256(f"{name}:{seed}".encode()).digest()
        self._bits = np.random.PCG64(int.from_bytes(key, "little"))
        self._ahead: list[float] = []
        self._waits: list[float] = []

    def uniforms(self, count: int) -> Floats:
        """Return numbers from 0 up to 1."""
        raw = self._bits.random_raw(count) >> _SHIFT
        return raw.astype(np.float64) * _UNIT

    def normals(self, count: int) -> Floats:
        """Return numbers with mean 0 and deviation 1."""
        radius = np.sqrt(-2.0 * np.log(1.0 - self.uniforms(count)))
        return radius * np.cos(2 * np.pi * self.uniforms(count))

    def uniform(self) -> float:
        """Return one number from 0 up to 1."""
        if not self._ahead:
            self._ahead = self.uniforms(_BUFFER).tolist()
            self._ahead.reverse()
        return self._ahead.pop()

    def wait(self) -> float:
        """Return one number of the exponential distribution with mean 1, the time until something happens."""
        if not self._waits:
            self._waits = (-np.log(1.0 - self.uniforms(_BUFFER))).tolist()
            self._waits.reverse()
        return self._waits.pop()

    def between(self, low: float, high: float) -> float:
        """Return one number of a range."""
        return low + (high - low) * self.uniform()

    def below(self, count: int) -> int:
        """Return one whole number from 0 to below `count`."""
        return min(count - 1, int(self.uniform() * count))
