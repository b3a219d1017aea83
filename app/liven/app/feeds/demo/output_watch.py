"""The lines that other processes write, and for how long there was none that says something new."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from typing import IO, Final

from liven.app.feeds.activity_line import is_about_the_same

_MOST: Final = 1 << 16
_PREFIX: Final = "liven: "


class OutputWatch:
    """Follows files that processes write to."""

    def __init__(self, *files: IO[bytes], clock: Callable[[], float] = time.monotonic) -> None:
        self._rests = dict.fromkeys(files, b"")
        self._places = dict.fromkeys(files, 0)
        self._clock = clock
        self._heard = clock()
        self.line = ""
        """The last line."""

    def quiet_seconds(self) -> float:
        """Look at the files, and return the seconds since a line was new. One that only counts the seconds of
        a step is not."""
        for file in self._rests:
            for line in self._lines(file):
                self.line = line.removeprefix(_PREFIX)
                if not is_about_the_same(line):
                    self._heard = self._clock()
        return self._clock() - self._heard

    def _lines(self, file: IO[bytes]) -> list[str]:
        # The process writes at the place of the same open file, so this one must not move it.
        data = os.pread(file.fileno(), _MOST, self._places[file])
        self._places[file] += len(data)
        *lines, self._rests[file] = (self._rests[file] + data).split(b"\n")
        return [line.decode(errors="replace").strip() for line in lines if line.strip()]
