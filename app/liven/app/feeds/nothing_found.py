"""The sentence about names that nothing in a feed has."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from difflib import get_close_matches
from typing import Final

from liven.liveobjects.feeds.author_names import AuthorNames
from liven.liveobjects.feeds.errors import BadUseError
from liven.liveobjects.feeds.replay.source.source import Source
from liven.liveobjects.feeds.segment.block import NAME_COLUMNS
from liven.liveobjects.feeds.segment.reader import Log
from liven.runtime.foreign_text import visible

Names = Mapping[str, Collection[str]]
"""Names by their column: object, channel, author and type."""
_MOST_NEAR: Final = 3


class NothingFoundError(BadUseError):
    """No record of a feed is what was asked for."""


def names_in(logs: Iterable[Log]) -> dict[str, set[str]]:
    """Return all names in the records of logs."""
    found: dict[str, set[str]] = {column: set() for column in NAME_COLUMNS}
    for log in logs:
        for block in log.blocks(None, None, lambda _: None):
            for column, names in zip(NAME_COLUMNS, block.names(), strict=True):
                found[column].update(names.table)
    return found


def names_of(source: Source) -> dict[str, set[str]]:
    """Return all names in the records of a source."""
    found: dict[str, set[str]] = {column: set() for column in NAME_COLUMNS}
    for rows in source.rows(source.begin, source.end):
        for column, names in zip(NAME_COLUMNS, rows.names, strict=True):
            found[column].update(names.table)
    return found


def nothing_found(feed: str, wanted: Names, there: Names, authors: AuthorNames) -> NothingFoundError:
    """Return the error that no record of a feed has the wanted names, with the nearest ones there."""
    said, hints = [], []
    for column, asked in wanted.items():
        known = set(there[column])
        if column == "author":
            known = {name for one in known for name in authors.all_of(one)}
        missing = [name for name in asked if name not in known]
        if len(missing) < len(asked) or not missing:
            continue
        said.append(f"the {column} {' or '.join(repr(visible(name)) for name in missing)}")
        near = [each for name in missing for each in get_close_matches(name, known, n=_MOST_NEAR)]
        hints += [repr(visible(name)) for name in dict.fromkeys(near)]
    if not said:
        return NothingFoundError(f"no record of {visible(feed)} is all of that; leave out an option")
    hint = f"`liven feeds info {visible(feed)}` lists the names"
    if hints:
        hint = f"did you mean {' or '.join(hints)}?"
    return NothingFoundError(f"no record of {visible(feed)} has {' and '.join(said)}; {hint}")
