"""A first look at a stretch of a log, without decoding payloads: its types, its days, its damage, and whether
any of its records may be in the tables already.

It costs about 60 ms for a million records and spares Spark work: types that do not occur are not read, one
day needs no partitioning, and records whose serials only grow need no search for duplicates."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Final

import numpy as np
import numpy.typing as npt

from liven.liveobjects.feeds.errors import DamagedError
from liven.liveobjects.feeds.record import FORK
from liven.liveobjects.feeds.segment.block import Block
from liven.liveobjects.feeds.segment.reader import Log
from liven.liveobjects.feeds.table.commits.commit import Skipped
from liven.liveobjects.feeds.table.commits.layout import day_of
from liven.liveobjects.feeds.table.row_choice import ALL, RowChoice, without_payloads

MANY: Final = "*"
"""The mark that says: there were too many authors to keep marks, so every batch is searched."""
ANYBODY: Final = "\x1f"
"""Stands for all authors with a name in the mark of a channel."""
MOST_MARKS: Final = 4096
UNNUMBERED: Final = 0
"""The serial of records without a number, which are never duplicates."""
EARLIEST: Final = -62_135_596_800_000_000
"""The first microsecond of the year 1: Python shows no earlier one, so no reader of tables does."""
LATEST: Final = 253_402_300_799_999_999
"""The last microsecond of the year 9999."""
DAY_LENGTH: Final = 86_400_000_000
"""Microseconds of a day."""


@dataclass(slots=True)
class Survey:
    """A stretch of one recorder's log."""

    recorder: str
    low: int
    high: int
    types: Counter[str] = field(default_factory=Counter)
    """The number of records of each type."""
    days: set[str] = field(default_factory=set)
    skipped: list[Skipped] = field(default_factory=list)
    fresh: bool = True
    """True if no record can be a duplicate of another, here or before."""
    marks: dict[str, int] = field(default_factory=dict)
    """The highest serials after this stretch, where they changed."""
    forks: dict[str, list[int]] = field(default_factory=dict)
    """The sequences of the forks up to the end of this stretch, of the channels that got another in it."""
    far: int = 0
    """The number of records with a time that no calendar has."""
    left_out: int = 0
    """The number of records that were not chosen."""
    serials: tuple[int, int] | None = None
    """The least and the greatest serial, as tables have them; None if all records have no number."""

    @property
    def rows(self) -> int:
        """The number of records that can be read."""
        return self.types.total()


def mark_key(channel: str, author: str) -> str:
    """Return the key of an author's highest serial on a channel."""
    return f"{channel}\x1f{author}"


def _fork_key(recorder: str, channel: str) -> str:
    return f"{recorder}\x1f{channel}"


def forks_by_channel(forks: Mapping[str, list[int]]) -> dict[tuple[str, str], list[int]]:
    """Return forks by recorder and channel."""
    found: dict[tuple[str, str], list[int]] = {}
    for key, places in forks.items():
        recorder, _, channel = key.partition("\x1f")
        found[recorder, channel] = places
    return found


def survey(
    log: Log,
    recorder: str,
    low: int,
    high: int,
    marks: Mapping[str, int],
    forks: Mapping[str, list[int]] = MappingProxyType({}),
    choice: RowChoice = ALL,
) -> Survey:
    """Look at the chosen records from `low` to before `high`; `marks` are the highest serials before them,
    `forks` the forks."""
    found = Survey(recorder, low, high)

    def note(damage: DamagedError) -> None:
        found.skipped.append(Skipped(recorder, damage.first, damage.end, str(damage)))

    if MANY in marks:
        found.fresh = False
    for whole in log.blocks(low, high, note):
        rows = choice.rows(whole)
        _note_forks(found, whole, rows, forks)
        block = whole if rows.all() else without_payloads(whole, rows)
        found.left_out += len(whole) - len(block)
        if not len(block):
            continue
        found.types.update(_type_counts(block))
        near = is_near(block.received) & is_near(block.sent)
        found.far += int(len(block) - near.sum())
        if near.any():
            found.days.update(_days(block.received[near]))
        _look_at_serials(found, block, marks)
    return found


def _type_counts(block: Block) -> dict[str, int]:
    counts = np.bincount(block.type.codes, minlength=len(block.type.table))
    return {block.type.table[code]: int(counts[code]) for code in np.flatnonzero(counts).tolist()}


def is_near(times: npt.NDArray[np.int64]) -> npt.NDArray[np.bool_]:
    """Return for each time if it is in the years 1 to 9999."""
    found: npt.NDArray[np.bool_] = (times >= EARLIEST) & (times <= LATEST)
    return found


def _days(received: npt.NDArray[np.int64]) -> list[str]:
    first, last = int(received.min()) // DAY_LENGTH, int(received.max()) // DAY_LENGTH
    numbers = [first] if first == last else np.unique(received // DAY_LENGTH).tolist()
    return [day_of(number * DAY_LENGTH) for number in numbers]


def _note_forks(
    found: Survey, block: Block, rows: npt.NDArray[np.bool_], forks: Mapping[str, list[int]]
) -> None:
    for row in np.flatnonzero(rows & (block.flags & np.uint32(FORK) != 0)).tolist():
        key = _fork_key(found.recorder, block.channel[row])
        before = found.forks.get(key, forks.get(key, []))
        found.forks[key] = [*before, block.first + row]


def _look_at_serials(found: Survey, block: Block, marks: Mapping[str, int]) -> None:
    """Advance the marks, and note if a serial is not above the mark before it, and the least and greatest."""
    signed = block.serial[block.serial != UNNUMBERED].view(np.int64)
    if len(signed):
        least, most = found.serials or (int(signed[0]), int(signed[0]))
        found.serials = min(least, int(signed.min())), max(most, int(signed.max()))
    if MANY in found.marks or MANY in marks:
        return
    authors = len(block.author.table)
    keys = block.channel.codes.astype(np.int64) * authors + block.author.codes
    serials = block.serial
    numbered = serials != UNNUMBERED
    if not numbered.all():
        keys, serials = keys[numbered], serials[numbered]
    if not len(keys):
        return
    if keys[0] != keys[-1] or not (keys == keys[0]).all():
        order = np.argsort(keys, kind="stable")
        keys, serials = keys[order], serials[order]
    same = keys[1:] == keys[:-1]
    if not (serials[1:][same] > serials[:-1][same]).all():
        found.fresh = False
    begins = np.concatenate(([0], np.flatnonzero(~same) + 1))
    highest = np.maximum.reduceat(serials, begins)
    for begin, high in zip(begins.tolist(), highest.tolist(), strict=True):
        channel, author = divmod(int(keys[begin]), authors)
        key = mark_key(block.channel.table[channel], block.author.table[author])
        before = found.marks.get(key, marks.get(key, -1))
        # A record without an author may be one that another recorder has with it, and the other way round.
        other = mark_key(block.channel.table[channel], "" if block.author.table[author] else ANYBODY)
        if int(serials[begin]) <= max(before, found.marks.get(other, marks.get(other, -1))):
            found.fresh = False
        found.marks[key] = max(before, high)
        if block.author.table[author]:
            anybody = mark_key(block.channel.table[channel], ANYBODY)
            found.marks[anybody] = max(found.marks.get(anybody, marks.get(anybody, -1)), high)
    if len(found.marks) > MOST_MARKS or len(marks) > MOST_MARKS:
        found.marks = {MANY: 0}
