"""The names of the authors in a recording, as far as its description knows them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Final

from liven.liveobjects.feeds.description import FeedDescription
from liven.runtime.foreign_text import shown_line

AUTHORS: Final = "authors"
"""The entry of a description with the name of each author."""
_ID_PART: Final = 6
"""Letters of an id that tell authors of one name apart."""


def authors_of(described: FeedDescription) -> dict[str, str]:
    """Return the names of authors that a description tells, by their ids."""
    found = described.other.get(AUTHORS)
    rows = found.items() if isinstance(found, dict) else ()
    return {str(author): shown_line(name) for author, name in rows if isinstance(name, str) and name}


class AuthorNames:
    """The names under which authors are shown and asked for. Authors of one name are told apart by a part of
    their ids."""

    def __init__(self, names: Mapping[str, str]) -> None:
        """`names` has the name of each author, by id."""
        times = Counter(names.values())
        self._names = dict(names)
        self._shown = {
            author: name if times[name] == 1 else f"{name} ({author[:_ID_PART]})"
            for author, name in names.items()
        }

    @classmethod
    def of(cls, described: FeedDescription) -> AuthorNames:
        """Return the names that a description tells."""
        return cls(authors_of(described))

    def shown(self, author: str) -> str:
        """Return the name of an author; the id of one without a name."""
        return self._shown.get(author, author)

    def all_of(self, author: str) -> tuple[str, ...]:
        """Return the id and the names by which people may ask for an author."""
        name = self._names.get(author)
        return (author,) if name is None else tuple(dict.fromkeys((author, name, self._shown[author])))

    def ids_of(self, wanted: Iterable[str]) -> list[str]:
        """Return what was asked for, an id or a name each, with the ids of these names."""
        asked = list(wanted)
        ids = [author for author in self._names if set(self.all_of(author)) & set(asked)]
        return list(dict.fromkeys((*asked, *ids)))
