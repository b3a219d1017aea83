"""The pace of a worker that compares moments beside a window."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from typing import Final

_WORK: Final = 0.002
"""Seconds of work until the worker rests. A window that paints gives the interpreter away at each call of Qt,
and gets it back only when the worker gives it away: without rests after up to 5 ms, a thousand times a
second."""
_REST: Final = 0.003


class CancelledError(Exception):
    """The comparison is not wanted any more."""


@dataclass
class Pace:
    """The work for one question: how far it is, and whether it is still wanted."""

    events: int = 0
    """The events that were followed."""
    cancelled: bool = False
    _since: float = field(default_factory=time.perf_counter)

    def event(self) -> None:
        """Count an event, and rest now and then; raise CancelledError if the answer is not wanted."""
        self.events += 1
        if self.cancelled:
            raise CancelledError
        if time.perf_counter() - self._since > _WORK:
            time.sleep(_REST)
            self._since = time.perf_counter()
