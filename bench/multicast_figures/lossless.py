"""The highest rate at which datagrams without recovery lose nothing."""

from __future__ import annotations

from collections.abc import Callable

from multicast_figures.flows import NoRateError, Run

CLOSE = 1.03
"""The distance to which the highest rate without a loss and the lowest with one have to come."""
_LEAST = 500.0


def lossless(measure: Callable[[float], Run], low: float) -> Run:
    """Return the rate: doubled from `low` until there is a loss, or the sender cannot keep up; then
    halved in
    between."""
    best: Run | None = None
    high = 0.0
    while not high or high / low > CLOSE:
        rate = (low * high) ** 0.5 if high and best is not None else low * 2 if best is not None else low
        try:
            run = measure(rate)
        except NoRateError:
            high = rate
            if best is None:
                low = rate / 2
                if low < _LEAST:
                    raise
            continue
        best = run if best is None or run.rate > best.rate else best
        if run.rate < rate * 0.9:
            break  # the sender cannot keep up, which also ends the search
        low = rate
    assert best is not None
    return best
