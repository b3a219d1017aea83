"""The limits on a text that is read. Files made by people stay far below: the largest seen so far has 35
kB and elements nested 40 deep."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Limits:
    """The limits of a reader; they bound its memory and its time as well."""

    size: int = 4 << 20
    """The most bytes in the text."""
    depth: int = 128
    """The deepest nesting of elements."""
    nodes: int = 100_000
    """The most tags, comments and attributes together, counted before parsing."""
    attributes: int = 64
    """The most attributes of one element: parsing and validating take time in proportion to their square."""
    namespaces: int = 64
    """The most declared namespaces: each may be searched for each name."""


LIMITS = Limits()
