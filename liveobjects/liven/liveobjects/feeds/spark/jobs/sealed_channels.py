"""The encrypted channels of a feed in an ingest: which of them keys open, and how far they are in the tables.

Sealed records become rows only once they are opened, each in the table of what is inside. So each encrypted
channel has an end of its own in the manifest, and an ingest with the key goes on there, whatever an ingest
without it has passed over since.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Final

import numpy as np

from liven.liveobjects.feeds.description import FeedDescription, TypeEntry
from liven.liveobjects.feeds.errors import DamagedError
from liven.liveobjects.feeds.key_file import ChannelKey, read_keys
from liven.liveobjects.feeds.payload_decoder import UndecodableError
from liven.liveobjects.feeds.segment.block import Block
from liven.liveobjects.feeds.segment.reader import Log
from liven.liveobjects.feeds.table.reading import Reading, Sealing
from liven.liveobjects.feeds.table.row_choice import RowChoice
from liven.liveobjects.feeds.table.schema import TableSchema
from liven.liveobjects.feeds.table.typed_tables import Plan, TypedTable, tables_for

_TRIED: Final = 64
"""Records of a channel that are tried with each key: some may have been forged by somebody without it."""
_SHOWN: Final = 3
_END: Final = "{}#{}"
"""The name in the manifest of how far a channel of a log is."""


@dataclass(frozen=True, slots=True)
class Opened:
    """Channels of one log that keys open, from where on, and the file with the keys."""

    low: int
    channels: Mapping[str, ChannelKey]
    types: frozenset[str]
    """The names of the types of sealed values."""
    keys: Path
    ends: tuple[str, ...]
    """The names of their ends in the manifest."""

    @property
    def choice(self) -> RowChoice:
        """The records of these channels that are sealed."""
        return RowChoice(frozenset(self.channels), self.types, inside=True)

    def plan(self, known: Mapping[str, TableSchema]) -> Plan:
        """Return the tables of what is inside."""
        inside = [
            each for key in self.channels.values() for each in (key.message, key.state) if each is not None
        ]
        entries = {each.name: TypeEntry(each.notation) for each in inside}
        plan = tables_for(entries, entries, known)
        return replace(plan, tables=tuple(map(self._table, plan.tables)))

    def _table(self, table: TypedTable) -> TypedTable:
        readings = [made for each in table.readings for made in self._readings(each)]
        return replace(table, readings=tuple(readings))

    def _readings(self, reading: Reading) -> Iterator[Reading]:
        for channel, key in self.channels.items():
            for type_, states in ((key.message, False), (key.state, True)):
                if type_ is not None and type_.name == reading.type:
                    which = None if key.state is None else states
                    sealing = Sealing(str(self.keys), channel, tuple(sorted(self.types)), which)
                    yield replace(reading, sealing=sealing)


@dataclass(slots=True)
class SealedChannels:
    """The encrypted channels of one feed."""

    channels: frozenset[str]
    types: frozenset[str]
    file: Path | None
    keys: Sequence[ChannelKey]
    found: dict[str, ChannelKey] = field(default_factory=dict)
    """The keys of the channels that were opened."""

    @classmethod
    def of(cls, described: FeedDescription, file: Path | None) -> SealedChannels:
        """Return the channels that a description lists, with the keys of a file; raise BadKeysError."""
        if not described.encrypted:
            return cls(frozenset(), frozenset(), file, ())
        from liven.liveobjects.feeds.encryption import is_sealed_type  # loads cryptography

        types = frozenset(name for name, each in described.types.items() if is_sealed_type(each.notation))
        return cls(frozenset(described.encrypted), types, file, () if file is None else read_keys(file))

    @property
    def clear(self) -> RowChoice:
        """The records that are not sealed."""
        return RowChoice(self.channels, self.types)

    def opened(self, log: Log, key: str, ends: Mapping[str, int], high: int) -> list[Opened]:
        """Return what the keys open of a log before `high`; `key` is the name of its end."""
        if not self.keys or self.file is None:
            return []
        lows = {channel: max(ends.get(_END.format(key, channel), 0), log.begin) for channel in self.channels}
        self._look(log, lows, high)
        groups: dict[int, dict[str, ChannelKey]] = {}
        for channel, found in self.found.items():
            if lows[channel] < high:
                groups.setdefault(lows[channel], {})[channel] = found
        return [
            Opened(low, some, self.types, self.file, tuple(_END.format(key, each) for each in some))
            for low, some in groups.items()
        ]

    def left(self, log: Log, key: str, ends: Mapping[str, int], high: int) -> Counter[str]:
        """Return the number of sealed records of each channel that were not opened."""
        lows = {channel: max(ends.get(_END.format(key, channel), 0), log.begin) for channel in self.channels}
        counts: Counter[str] = Counter()
        for block in _blocks(log, min(lows.values(), default=high), high):
            for channel in self.channels & set(block.channel.table):
                rows = self._rows(block, channel, lows[channel])
                counts[channel] += len(rows)
        return +counts

    def _look(self, log: Log, lows: Mapping[str, int], high: int) -> None:
        """Find the keys of the channels that have records."""
        from liven.liveobjects.feeds.encryption import SealedValues

        closed = {channel: low for channel, low in lows.items() if channel not in self.found and low < high}
        tries = dict.fromkeys(closed, _TRIED)
        values = [SealedValues([bytes.fromhex(each.key)]) for each in self.keys]
        for block in _blocks(log, min(closed.values(), default=high), high):
            for channel in closed.keys() & set(block.channel.table):
                rows = self._rows(block, channel, closed[channel])[: tries[channel]]
                tries[channel] -= len(rows)
                for row in rows:
                    key = _key_of(block.payload_of(row), values)
                    if key is not None:
                        self.found[channel] = self.keys[key]
                        break
                if channel in self.found or not tries[channel]:
                    del closed[channel]
            if not closed:
                return

    def _rows(self, block: Block, channel: str, low: int) -> list[int]:
        chosen = RowChoice(frozenset((channel,)), self.types, inside=True).rows(block)
        rows: list[int] = np.flatnonzero(chosen & (block.sequences >= low)).tolist()
        return rows


def sealed_text(feed: str, left: Mapping[str, int], *, has_keys: bool) -> str:
    """Return a sentence about records that stayed sealed, by channel."""
    names = sorted(left)
    more = f" and {len(names) - _SHOWN} more" if len(names) > _SHOWN else ""
    where = ", ".join(names[:_SHOWN]) + more
    command = f"liven feeds ingest {feed} --decrypt --key FILE"
    advice = f"`{command}` reads them, with the file of an object that has a key"
    if has_keys:
        advice = "none of the keys opens them; name the file of each object with --key, as often as needed"
    return f"records that stayed sealed: {sum(left.values())} (channel {where}); {advice}"


def _key_of(payload: bytes, keys: Sequence[Any]) -> int | None:
    """Return the place of the key that opens a payload."""
    from liven.liveobjects.feeds.encryption import sealed_in
    from liven.liveobjects.feeds.payload_decoder import unchecked

    try:
        sealed = sealed_in(unchecked(payload))
    except UndecodableError:
        return None
    for place, key in enumerate(keys if sealed is not None else ()):
        try:
            key.open(sealed)
        except UndecodableError:
            continue
        return place
    return None


def _blocks(log: Log, low: int, high: int) -> Iterator[Block]:
    ignored: list[DamagedError] = []
    if low < high:
        yield from log.blocks(low, high, ignored.append)  # the survey says what is damaged
