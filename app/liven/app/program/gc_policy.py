"""When the program looks for garbage: not while it starts, and never again among what it started with.

Python looks through all objects whenever many were made. While a program starts, hardly anything that is made
is garbage; and with the fifty thousand objects that it has then, looking through all of them stops the window
for the time of several frames. What is there after the start is therefore set aside, and younger objects are
looked through less often than a script would.

Python looks in whichever thread happens to make one object more, and what it finds ends there. A window, or a
timer of Qt, that is ended by another thread than its own takes the program with it; so the thread of the
windows alone looks, now and then.
"""

from __future__ import annotations

import gc
from typing import Final

YOUNGEST: Final = 20_000
"""So many more are made than go until the youngest are looked through; Python's own choice is 700."""
TIMES: Final = 10
"""So often are the youngest looked through until those are that outlived it, and so on."""
EVERY_MS: Final = 500
"""How often the thread of the windows sees whether there is something to look through."""


def hold_off() -> None:
    """From here on, nothing is looked for: the program starts."""
    gc.disable()


def begin() -> None:
    """The program has started: from here on, what is there is passed over, and `look` looks."""
    gc.disable()
    gc.freeze()


def look() -> None:
    """Looks for garbage if there may be enough; in the thread of the windows."""
    youngest, middle, oldest = gc.get_count()
    if youngest >= YOUNGEST:
        gc.collect(0 if middle < TIMES else 1 if oldest < TIMES else 2)
