"""The output of generators: rows with their time and the thing they are about, in the order of time."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple, Protocol

from liven.liveobjects.feeds.source.formats.decoded import Row

SECOND = 1_000_000


class Invented(NamedTuple):
    """One row."""

    at: int
    """µs since 1970."""
    subject: str
    """The thing that it is about, and its author: an aircraft, a symbol, an earthquake."""
    row: Row


class Generator(Protocol):
    """A generator of rows."""

    @property
    def name(self) -> str:
        """Its name."""

    @property
    def record(self) -> type:
        """The class of the rows."""

    def steps(self, start: int, seconds: float) -> Iterator[tuple[int, list[Invented]]]:
        """Yield for each step its time and its rows, whose times lie in it, in order; from `start`, in µs
        since 1970."""
