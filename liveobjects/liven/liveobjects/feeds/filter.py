"""Choosing records of a block by object, channel, author and type: each name is looked at once."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass, field
from typing import Self

import numpy as np
import numpy.typing as npt

from liven.liveobjects.feeds.errors import BadUseError
from liven.liveobjects.feeds.record import Record
from liven.liveobjects.feeds.segment.block import NAME_COLUMNS, Block


class BadFilterError(BadUseError):
    """An expression that finds names cannot be read."""


@dataclass(frozen=True, slots=True)
class RecordFilter:
    """The names that are wanted in each column; an empty column wants all."""

    names: dict[str, frozenset[str]] = field(default_factory=dict)
    match: re.Pattern[str] | None = None
    """An expression that the object or the channel must contain."""

    @classmethod
    def of(
        cls,
        *,
        object: Collection[str] = (),  # noqa: A002 - the name of the column
        channel: Collection[str] = (),
        author: Collection[str] = (),
        type: Collection[str] = (),  # noqa: A002
        match: str | None = None,
    ) -> Self:
        """Return a filter of these names; raise BadFilterError for an expression that cannot be read."""
        given = {"object": object, "channel": channel, "author": author, "type": type}
        names = {column: frozenset(wanted) for column, wanted in given.items() if wanted}
        try:
            return cls(names, None if match is None else re.compile(match))
        except re.error as error:
            raise BadFilterError(f"{match!r} is not a regular expression: {error}") from None

    @property
    def is_open(self) -> bool:
        """True if the filter wants everything."""
        return not self.names and self.match is None

    def rows(self, block: Block) -> npt.NDArray[np.intp]:
        """Return the places of the wanted rows."""
        wanted = np.ones(len(block), np.bool_)
        for column, names in zip(NAME_COLUMNS, block.names(), strict=True):
            if column in self.names:
                wanted &= names.rows_among(self.names[column])
        if (match := self.match) is not None:
            objects, channels = (
                names.rows_among({each for each in names.table if match.search(each) is not None})
                for names in (block.object, block.channel)
            )
            wanted &= objects | channels
        return np.flatnonzero(wanted)


def filtered(block: Block, wanted: RecordFilter) -> Iterator[tuple[int, Record]]:
    """Return the wanted records of a block with their sequences."""
    if wanted.is_open:
        yield from enumerate(block.records(), block.first)
        return
    rows = wanted.rows(block)
    if len(rows) == len(block):
        yield from enumerate(block.records(), block.first)
    else:
        for row in rows.tolist():
            yield block.first + row, block.record(row)
