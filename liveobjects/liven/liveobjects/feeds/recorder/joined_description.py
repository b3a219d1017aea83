"""The description that several recorders of a feed write: each adds to what the others wrote.

Members choose their names, so there is a bound on how many of them it holds, and how long they are.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import Any, Final

from liven.liveobjects.feeds.author_names import AUTHORS
from liven.liveobjects.feeds.description import FeedDescription, read_description, write_description
from liven.liveobjects.feeds.errors import BadDescriptionError

NAME_MOST: Final = 100
"""Characters of a name."""
AUTHORS_MOST: Final = 2000
PEOPLE_MOST: Final = 1000


def last_authors(authors: Mapping[str, Any]) -> dict[str, Any]:
    """Return the authors that came last, as many as a description holds."""
    return dict(islice(authors.items(), max(0, len(authors) - AUTHORS_MOST), None))


def first_people(names: Iterable[str]) -> tuple[str, ...]:
    """Return each name once, as many as a description holds."""
    return tuple(islice(dict.fromkeys(names), PEOPLE_MOST))


def write_joined(feed: Path, description: FeedDescription) -> None:
    """Write a description, joined with what other recorders of the feed wrote meanwhile; raise OSError or
    FeedError."""
    try:
        there = read_description(feed)
    except BadDescriptionError:
        there = FeedDescription()
    authors = [each.other.get(AUTHORS) for each in (there, description)]
    known = {key: name for each in authors if isinstance(each, dict) for key, name in each.items()}
    joined = replace(
        description,
        types={**there.types, **description.types},
        people=first_people((*there.people, *description.people)),
        numbering={**there.numbering, **description.numbering},
        encrypted=tuple(dict.fromkeys((*there.encrypted, *description.encrypted))),
        other={**there.other, **description.other, AUTHORS: last_authors(known)},
    )
    if joined != there:
        write_description(feed, joined)
