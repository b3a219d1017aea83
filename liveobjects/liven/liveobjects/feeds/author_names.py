"""The names of the authors in a recording, as far as its description knows them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

from liven.liveobjects.feeds.description import FeedDescription
from liven.runtime.foreign_text import shown_line

AUTHORS: Final = "authors"
"""The entry of a description with the name of each author."""


def authors_of(described: FeedDescription) -> dict[str, str]:
    """Return the names of authors that a description tells, by their ids."""
    found = described.other.get(AUTHORS)
    rows = found.items() if isinstance(found, dict) else ()
    return {str(author): shown_line(name) for author, name in rows if isinstance(name, str) and name}


class AuthorNames:
    """The names under which authors are shown and asked for. A person has another id on each channel, so
    several ids may have one name."""

    def __init__(self, names: Mapping[str, str]) -> None:
        """`names` has the name of each author, by id."""
        self._names = dict(names)

    @classmethod
    def of(cls, described: FeedDescription) -> AuthorNames:
        """Return the names that a description tells."""
        return cls(authors_of(described))

    def shown(self, author: str) -> str:
        """Return the name of an author; the id of one without a name."""
        return self._names.get(author, author)

    def all_of(self, author: str) -> tuple[str, ...]:
        """Return the id and the name by which people may ask for an author."""
        return tuple(dict.fromkeys((author, self.shown(author))))

    def ids_of(self, wanted: Iterable[str]) -> list[str]:
        """Return what was asked for, an id or a name each, with the ids of these names."""
        asked = list(wanted)
        ids = [author for author, name in self._names.items() if name in asked]
        return list(dict.fromkeys((*asked, *ids)))
