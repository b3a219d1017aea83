"""The options of the data source, read from the texts that a person or a job gives."""

from __future__ import annotations

import socket
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from liven.liveobjects.feeds.errors import FeedError, UnknownFeedError
from liven.liveobjects.feeds.feed_folder import FeedFolder, is_log
from liven.liveobjects.feeds.segment.reader import Log
from liven.liveobjects.feeds.table.reading import Reading

ROWS_IN_A_BATCH: Final = 8192
"""Spark is slower with larger Arrow batches (1.1 against 1.4 million rows a second with 65,536)."""
_NO_END: Final = 2**62


class BadOptionError(ValueError):
    """An option of the data source has no meaning; the text says which ones do."""


class NotSharedError(FeedError):
    """A worker does not see the records that the session sees."""

    def __init__(self, folder: Path, end: int, wanted: int) -> None:
        super().__init__(
            f"{folder} ends at record {end} on the worker {socket.gethostname()}, and records up to {wanted}"
            " are there for the session: all computers must see the same folder"
        )


@dataclass(frozen=True, slots=True)
class ReadOptions:
    """The part of a feed to read, and in which form."""

    path: Path
    """The folder of a feed, or of one of its recorders."""
    low: int
    high: int
    """Sequences: records from `low` to before `high`."""
    ends: Mapping[str, tuple[int, int]] | None
    """The same for each recorder, in place of `low` and `high`: `ranges="a=0:500,b=20:90"`."""
    partitions: int
    batch_rows: int
    most_rows: int | None
    """The most records of a streaming batch."""
    first_rows: int
    """The number of records of the first streaming batch, if it is to be smaller; the next ones grow."""
    since: int
    """The time in microseconds at which a stream begins; 0 for the beginning of each recorder."""
    readings: tuple[Reading, ...]
    """The types to decode; none to return payloads as they are."""
    skip_damage: bool

    @classmethod
    def of(cls, given: Mapping[str, str], partitions: int) -> ReadOptions:
        """Return the options of a reader; raise BadOptionError."""
        path = given.get("path", "")
        if not path:
            raise BadOptionError(
                "the data source liven needs a path: the folder of a feed or of one of its recorders"
            )
        return cls(
            path=Path(path),
            low=_whole(given, "from", 0),
            high=_whole(given, "to", _NO_END),
            ends=_ranges(given["ranges"]) if "ranges" in given else None,
            partitions=max(1, _whole(given, "partitions", partitions)),
            batch_rows=max(1, _whole(given, "batchrows", ROWS_IN_A_BATCH)),
            most_rows=_whole(given, "maxrows", 0) or None,
            first_rows=_whole(given, "firstrows", 0),
            since=_whole(given, "since", 0),
            readings=_readings(given),
            skip_damage=given.get("damage", "fail") == "skip",
        )

    def logs(self) -> dict[str, Log]:
        """Return the logs by the names of their recorders; raise FeedError."""
        return logs_in(self.path)

    def span(self, recorder: str, log: Log) -> tuple[int, int]:
        """Return the sequences to read of one recorder, of those on the disk."""
        if self.ends is not None:
            low, high = self.ends.get(recorder, (0, 0))
            return low, min(log.end, high)
        return max(log.begin, self.low), min(log.end, self.high)


def logs_in(path: Path) -> dict[str, Log]:
    """Return the logs of a feed's folder, or the one of a recorder's folder; raise FeedError."""
    if is_log(path):
        return {path.name: Log(path)}
    found = {each.name: Log(each) for each in FeedFolder(path).recorders()}
    if not found:
        raise UnknownFeedError(f"{path}: there is no recording here; `liven feeds ls` lists those there are")
    return found


def dump_ranges(ranges: Iterable[tuple[str, int, int]]) -> str:
    """Return the text for the option `ranges`."""
    return ",".join(f"{recorder}={low}:{high}" for recorder, low, high in ranges)


def _ranges(text: str) -> dict[str, tuple[int, int]]:
    found = {}
    for part in filter(None, text.split(",")):
        recorder, _, numbers = part.rpartition("=")
        low, _, high = numbers.partition(":")
        try:
            found[recorder] = (int(low), int(high))
        except ValueError:
            raise BadOptionError(f"ranges: {part!r} is not RECORDER=FROM:TO") from None
    return found


def _whole(given: Mapping[str, str], name: str, default: int) -> int:
    text = given.get(name, "")
    if not text:
        return default
    try:
        number = int(text)
    except ValueError:
        number = -1
    if number < 0:
        raise BadOptionError(f"{name}: {text!r} is not a whole number")
    return number


def _readings(given: Mapping[str, str]) -> tuple[Reading, ...]:
    if "readings" in given:
        return tuple(Reading.load(given["readings"]))
    return ()
