"""The limits on a text that is read. Files made by people stay far below: the largest seen so far has 35
kB and elements nested 40 deep."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Limits:
    """The limits of a reader; they bound its memory and its time as well."""

    size: int = 4 << 20
    """Bytes of the text."""
    depth: int = 128
    """Elements inside each other."""
    nodes: int = 100_000
    """Tags, comments and attributes together, counted before anything is parsed."""
    attributes: int = 64
    """Of one element: parsing and validating take time by their square."""
    namespaces: int = 64
    """Declarations of namespaces in the whole text: each may be looked through for each name."""


LIMITS = Limits()
