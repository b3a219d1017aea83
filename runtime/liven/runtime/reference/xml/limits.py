"""The limits on a text that is read. Files made by people stay far below: the largest seen so far has 35
kB and elements nested 40 deep."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final


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
    name: int = 1_000
    """The most letters of an id, a key or another name. The schema has the same number."""
    value: int = 65_536
    """The most letters of any other attribute that means something. The schema has the same number."""

    def most_letters(self, attribute: str) -> int:
        """Return the most letters of an attribute."""
        return self.value if attribute in _LONG else self.name


_LONG: Final = frozenset({"value", "url"})


LIMITS = Limits()
