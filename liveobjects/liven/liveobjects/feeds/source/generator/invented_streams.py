"""The generators as objects: an airspace, quotes and earthquakes as value streams, for trials and
demonstrations."""

from __future__ import annotations

import time
from collections import deque
from typing import Any, Final

from liven.liveobjects.channel.api.endpoints import Value, ValueClient
from liven.liveobjects.feeds.source.formats.records import Aircraft, Earthquake, Quote
from liven.liveobjects.feeds.source.generator.invention import SECOND, Generator, Invented
from liven.liveobjects.feeds.source.row_stream import ENDPOINT, FASTEST, STEP, RowStream
from liven.runtime.capability import Capability
from liven.runtime.capability.capability import sends
from liven.runtime.errors import CallFailedError
from liven.runtime.objects.context import Context
from liven.types.declare import Dual, Int32, Int64, proxy

MOST: Final = 10_000.0
"""Rows a second: a generator runs on the thread of all objects."""
FASTEST_TIME: Final = 100_000.0
_FOREVER: Final = 10 * 366 * 86_400.0
_ROW: Final = 300
"""Bytes of a row, about."""


class InventedStream:
    """Gives the rows of a generator when their time has come. Time stands still while nobody is connected."""

    def __init__(self, context: Context, generator: Generator, speed: float, rows_a_second: float) -> None:
        if not 0 < speed <= FASTEST_TIME:
            raise CallFailedError(f"a speed is above 0 and up to {FASTEST_TIME:,.0f}, not {speed:g}")
        if not rows_a_second * speed <= MOST:
            rows = f"this would be {rows_a_second * speed:,.0f} rows a second; the limit is {MOST:,.0f}"
            raise CallFailedError(f"{rows}: choose a smaller count or speed")
        self._context = context
        self._speed = speed
        self._start = time.time_ns() // 1000
        self._steps = generator.steps(self._start, _FOREVER)
        self._passed = 0.0
        self._reached = self._start
        self._ahead: deque[Invented] = deque()
        self._record = generator.record
        self._runs = False
        self._stream = RowStream(context, FASTEST, self._begin)
        context.serve(ENDPOINT, self._stream)

    def _begin(self) -> None:
        if not self._runs:
            self._runs = True
            self._context.spawn(self._run())

    async def _run(self) -> None:
        before = self._context.now()
        while self._context.connected(ENDPOINT):
            await self._context.sleep(STEP)
            now = self._context.now()
            self._passed += (now - before) * self._speed
            before = now
            self._stream.give(self._due())
        self._runs = False

    def _due(self) -> list[Any]:
        """Return the rows whose time has come."""
        moment = self._start + round(self._passed * SECOND)
        while self._reached <= moment:
            self._reached, rows = next(self._steps)
            self._ahead.extend(rows)
        found = []
        while self._ahead and self._ahead[0].at <= moment:
            found.append(self._record(**self._ahead.popleft().row))
        return found


def _made(name: str, count: int, seed: int) -> Generator:
    """Return the generator of this name; raise CallFailedError."""
    from liven.liveobjects.feeds.source.generator.generators import GENERATORS  # loads numpy

    try:
        return GENERATORS[name](seed, count)
    except ValueError as error:
        raise CallFailedError(str(error)) from None


@proxy(id="F7FDB96D3B458FD8751EED2AE65C4009", alias="liven:airspace", delegates=(ENDPOINT,))
class AirspaceStream:
    """Made-up aircraft over the middle of Europe, each reported once a second; `speed` makes time run
    faster."""

    Endpoint: Dual[Value[Aircraft], ValueClient[Aircraft]]

    def __init__(self, context: Context, seed: Int64 = 1, count: Int32 = 50, speed: float = 1.0) -> None:
        self._stream = InventedStream(context, _made("airspace", count, seed), speed, count)

    @staticmethod
    def capabilities(count: int = 50, speed: float = 1.0) -> tuple[Capability, ...]:
        """State the rate of the rows."""
        return (sends(count * speed * _ROW),)


@proxy(id="E5C666C78FA768FAF16990978E06C5C1", alias="liven:quotes", delegates=(ENDPOINT,))
class QuotesStream:
    """Made-up quotes of a number of symbols, each quoted about four times a second."""

    Endpoint: Dual[Value[Quote], ValueClient[Quote]]

    def __init__(self, context: Context, seed: Int64 = 1, count: Int32 = 20, speed: float = 1.0) -> None:
        self._stream = InventedStream(context, _made("quotes", count, seed), speed, 4.0 * count)

    @staticmethod
    def capabilities(count: int = 20, speed: float = 1.0) -> tuple[Capability, ...]:
        """State the rate of the rows."""
        return (sends(4 * count * speed * _ROW),)


@proxy(id="F902C18F01B5038EF8AE572F03AD73EE", alias="liven:earthquakes", delegates=(ENDPOINT,))
class EarthquakesStream:
    """Made-up earthquakes, so many an hour and their aftershocks; with a speed of 3,600, an hour each
    second."""

    Endpoint: Dual[Value[Earthquake], ValueClient[Earthquake]]

    def __init__(self, context: Context, seed: Int64 = 1, count: Int32 = 20, speed: float = 1.0) -> None:
        generator = _made("earthquakes", count, seed)
        self._stream = InventedStream(context, generator, speed, 8.0 * count / 3600)

    @staticmethod
    def capabilities(count: int = 20, speed: float = 1.0) -> tuple[Capability, ...]:
        """State the rate of the rows."""
        return (sends(8 * count / 3600 * speed * _ROW),)
