"""The selection of a replay: which records of a feed are played, by the names in them."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fnmatch import translate
from functools import lru_cache
from typing import Final, TypeAlias

from liven.liveobjects.feeds.author_names import AuthorNames
from liven.liveobjects.feeds.replay.errors import BadChoiceError
from liven.liveobjects.feeds.replay.rows import AUTHOR, CHANNEL, NAMES, OBJECT, TYPE, Rows

_CACHED: Final = 65_536
"""Names whose answer is remembered: a feed may hold any number of them."""
Test: TypeAlias = Callable[[str], bool]


@dataclass(frozen=True, slots=True)
class Selection:
    """Patterns by column. A record is chosen if each of its names matches one pattern of that column, or the
    column has none. A pattern that begins with `!` excludes. Patterns are globs, or regular expressions that
    have to match a part of the name."""

    objects: tuple[str, ...] = ()
    channels: tuple[str, ...] = ()
    authors: tuple[str, ...] = ()
    types: tuple[str, ...] = ()
    regex: bool = False
    author_names: AuthorNames = field(default=AuthorNames({}), compare=False)
    """Patterns of authors match their ids and their names."""

    @property
    def is_partial(self) -> bool:
        """True if it may choose some records of a channel and not others. A recorded checkpoint then holds
        the effects of records that are left out."""
        return bool(self.objects or self.authors or self.types)

    def filter(self) -> Filter:
        """Return the filter of rows; raise BadChoiceError for a pattern that is not a regular expression."""
        return Filter(tuple(self._tests()))

    def unmatched(self, there: Mapping[str, Collection[str]]) -> dict[str, tuple[str, ...]]:
        """Return the patterns of the columns in which no name that is there is chosen, by column."""
        patterns = {OBJECT: self.objects, CHANNEL: self.channels, AUTHOR: self.authors, TYPE: self.types}
        return {
            NAMES[column]: patterns[column]
            for column, test in self._tests()
            if not any(map(test, there[NAMES[column]]))
        }

    def _tests(self) -> Iterator[tuple[int, Test]]:
        columns = (
            (OBJECT, self.objects),
            (CHANNEL, self.channels),
            (AUTHOR, self.authors),
            (TYPE, self.types),
        )
        for column, patterns in columns:
            if patterns:
                yield column, _test(patterns, column, self._called(column), regex=self.regex)

    def _called(self, column: int) -> Callable[[str], Sequence[str]]:
        """Return a function that returns all that a name in this column may be called."""
        return self.author_names.all_of if column == AUTHOR else lambda name: (name,)


class Filter:
    """A selection, ready to be applied to rows."""

    def __init__(self, tests: Sequence[tuple[int, Test]]) -> None:
        self._tests = tuple((column, lru_cache(_CACHED)(test)) for column, test in tests)

    @property
    def takes_all(self) -> bool:
        """True if it chooses every record."""
        return not self._tests

    def takes_channel(self, name: str) -> bool:
        """True if records of a channel may be chosen."""
        return all(test(name) for column, test in self._tests if column == CHANNEL)

    def chosen(self, rows: Rows) -> Rows:
        """Return the rows that are played."""
        for column, test in self._tests:
            names = rows.names[column]
            wanted = [code for code, name in enumerate(names.table) if test(name)]
            if not wanted:
                return rows.cut(0, 0)
            if len(wanted) < len(names.table):
                rows = rows.where(names.rows_of(wanted))
        return rows


def _test(
    patterns: Sequence[str], column: int, called: Callable[[str], Sequence[str]], *, regex: bool
) -> Test:
    included = [_matcher(one, column, regex=regex) for one in patterns if not one.startswith("!")]
    excluded = [_matcher(one[1:], column, regex=regex) for one in patterns if one.startswith("!")]

    def test(name: str) -> bool:
        names = called(name)
        taken = not included or any(match(one) for match in included for one in names)
        return taken and not any(match(one) for match in excluded for one in names)

    return test


def _matcher(pattern: str, column: int, *, regex: bool) -> Test:
    try:
        compiled = re.compile(pattern if regex else translate(pattern))
    except re.error as error:
        what = f"--{NAMES[column]} {pattern!r} is not a regular expression: {error}"
        raise BadChoiceError(what, "correct it, or leave out --regex to use * and ?") from None
    found = compiled.search if regex else compiled.match
    return lambda name: found(name) is not None
