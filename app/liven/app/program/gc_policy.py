"""Garbage collection that does not stall the windows: none during start, and only on the window thread.

Python collects whenever many objects were allocated. While a program starts, hardly any of them are garbage,
and a full collection over 50,000 objects takes several frames. So objects that exist after the start are
frozen (`gc.freeze`), and younger ones are collected less often than by default.

Python also collects on whichever thread happens to allocate. Destroying a widget or a Qt timer on another
thread crashes the program, so automatic collection is off and the window thread collects now and then.
"""

from __future__ import annotations

import gc
from typing import Final

YOUNGEST: Final = 20_000
"""Net allocations before the youngest generation is collected; CPython's default is 700."""
TIMES: Final = 10
"""Collections of a generation before the next older one is collected, as in CPython."""
EVERY_MS: Final = 500
"""Interval of the check for garbage."""


def disable() -> None:
    """Switch garbage collection off while the program starts."""
    gc.disable()


def freeze() -> None:
    """Exempt everything that exists from collection; from now on only `collect_if_due` collects."""
    gc.disable()
    gc.freeze()


def collect_if_due() -> None:
    """Collect garbage if enough objects were allocated. Call it on the window thread."""
    youngest, middle, oldest = gc.get_count()
    if youngest >= YOUNGEST:
        gc.collect(0 if middle < TIMES else 1 if oldest < TIMES else 2)
