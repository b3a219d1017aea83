"""When the program looks for garbage: not while it starts, and never again among what it started with.

Python looks through all objects whenever many were made. While a program starts, hardly anything that is made
is garbage; and with the fifty thousand objects that it has then, looking through all of them stops the window
for the time of several frames. What is there after the start is therefore set aside, and younger objects are
looked through less often than a script would.
"""

from __future__ import annotations

import gc
from typing import Final

YOUNGEST: Final = 20_000
"""So many more are made than go until the youngest are looked through; Python's own choice is 700."""


def hold_off() -> None:
    """From here on, nothing is looked for: the program starts."""
    gc.disable()


def begin() -> None:
    """The program has started."""
    gc.freeze()
    gc.set_threshold(YOUNGEST, 10, 10)
    gc.enable()
