"""Quotes: prices that follow geometric Brownian motion, with a spread of some ticks, and trades at either
side."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import numpy as np

from liven.liveobjects.feeds.source.formats.records import Quote
from liven.liveobjects.feeds.source.generator.invention import SECOND, Invented
from liven.liveobjects.feeds.source.generator.random_stream import Floats, RandomStream

MOST_SYMBOLS: Final = 10_000
TICK: Final = 0.01
_STEP: Final = 100_000
"""µs between two moments at which each symbol may be quoted."""
_GROUP: Final = 10
"""Moments that are made up together."""
_YEAR: Final = 252 * 6.5 * 3600.0
"""Seconds of trade in a year, over which volatility is counted."""
_QUOTED: Final = 0.4
_TRADED: Final = 0.1
_WIDEST: Final = 4
_LOT: Final = 100.0
_LETTERS: Final = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"


class Quotes:
    """A number of symbols."""

    name = "quotes"
    record = Quote

    def __init__(self, seed: int, count: int = 20) -> None:
        """Raise ValueError for a number of symbols that is none."""
        if not 0 < count <= MOST_SYMBOLS:
            raise ValueError(f"there are quotes of 1 to {MOST_SYMBOLS:,} symbols, not {count}")
        self._count = count
        self._chance = RandomStream(seed, self.name)
        self.symbols = self._names()
        self._log_price = np.log(10 + 190 * self._chance.uniforms(count))
        self._volatility = 0.15 + 0.35 * self._chance.uniforms(count)
        self._drift = 0.1 * self._chance.uniforms(count)

    def steps(self, start: int, seconds: float) -> Iterator[tuple[int, list[Invented]]]:
        """Yield each second with the quotes in it."""
        end = start + round(seconds * SECOND)
        for begin in range(start, end, _GROUP * _STEP):
            yield begin, [one for one in self._quoted(begin) if one.at < end]

    def _names(self) -> list[str]:
        found: dict[str, None] = {}
        while len(found) < self._count:
            found["".join(_LETTERS[self._chance.below(26)] for _ in range(4))] = None
        return list(found)

    def _quoted(self, begin: int) -> list[Invented]:
        prices = self._moved()
        chosen = self._chance.uniforms(_GROUP * self._count) < _QUOTED
        when, who = np.nonzero(chosen.reshape(_GROUP, self._count))
        at = begin + np.sort(when * _STEP + (self._chance.uniforms(len(who)) * _STEP).astype(np.int64))
        middle = np.round(np.exp(prices[when, who]) / TICK)
        spread = 1 + np.floor(self._chance.uniforms(len(who)) * _WIDEST)
        bid = np.maximum(1, middle - np.floor(spread / 2))
        ask = bid + spread
        sizes = _LOT * (1 + np.floor(self._chance.uniforms(3 * len(who)) * 50)).reshape(3, len(who))
        side = self._chance.uniforms(len(who))
        traded = np.where(side < _TRADED / 2, bid, ask)
        columns = (at, who, bid, ask, traded, *sizes, side < _TRADED)
        return [self._row(*values) for values in zip(*(one.tolist() for one in columns), strict=True)]

    def _row(
        self,
        at: int,
        who: int,
        bid: float,
        ask: float,
        traded: float,
        bid_size: float,
        ask_size: float,
        traded_size: float,
        trade: bool,
    ) -> Invented:
        symbol = self.symbols[who]
        row = {
            "at": at,
            "symbol": symbol,
            "bid": bid / 100,
            "bid_size": bid_size,
            "ask": ask / 100,
            "ask_size": ask_size,
            "last": traded / 100 if trade else None,
            "last_size": traded_size if trade else None,
        }
        return Invented(at, symbol, row)

    def _moved(self) -> Floats:
        """Let the moments of a group pass, and return the logarithms of the prices at each."""
        years = _STEP / SECOND / _YEAR
        drift = (self._drift - self._volatility**2 / 2) * years
        normals = self._chance.normals(_GROUP * self._count).reshape(_GROUP, self._count)
        noise = self._volatility * np.sqrt(years) * normals
        prices: Floats = np.round(self._log_price + np.cumsum(drift + noise, axis=0), 12)
        self._log_price = prices[-1]
        return prices
