"""The recordings on this computer with their sizes and growth, out of heads and marks: no record is read."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Final

from liven.liveobjects.feeds.author_names import authors_of
from liven.liveobjects.feeds.description import FeedDescription, read_description
from liven.liveobjects.feeds.errors import FeedError
from liven.liveobjects.feeds.feed_folder import FeedFolder
from liven.liveobjects.feeds.segment.log_lock import is_locked
from liven.liveobjects.feeds.segment.reader import Log
from liven.liveobjects.feeds.segment.statistics import size_of
from liven.runtime.os_error_text import explain_os_error

MOST: Final = 2000
"""Most recordings that are listed."""
_SMOOTHED: Final = 0.5
"""The weight of the latest reading in a rate."""


@dataclass(frozen=True, slots=True)
class ListedRecording:
    """One recording, as it is now."""

    feed: Path
    folder: Path | None
    """The folder of the recorder's log; None if the feed has none, or cannot be read."""
    title: str
    records: int = 0
    size: int = 0
    """Bytes on the disk."""
    latest: int = 0
    """The time of the last event in microseconds since 1970; 0 without any."""
    is_running: bool = False
    """True while a program writes it."""
    records_per_second: float = 0.0
    bytes_per_second: float = 0.0
    error: str = ""
    """The reason why it cannot be read, with advice; empty if nothing is wrong."""
    recipe: str = ""
    encrypted: bool = False
    """True if a channel in it is sealed; the recipe has no key then."""
    authors: Mapping[str, str] = field(default_factory=dict)
    """The names of those who made the events."""

    @property
    def key(self) -> str:
        """The name by which a recording is found again."""
        return str(self.folder or self.feed)

    @property
    def name(self) -> str:
        """The name on the command line."""
        return self.feed.name if self.folder is None else f"{self.feed.name}/{self.folder.name}"


class RecordingList:
    """The list of the recordings in one folder of feeds, read again and again. Use it in one worker at a
    time."""

    def __init__(self, root: Path, clock: Callable[[], float] = time.monotonic) -> None:
        self._root = root
        self._clock = clock
        self._logs: dict[Path, Log] = {}
        """Kept, so that heads that were read once are not read again."""
        self._before: dict[str, tuple[float, ListedRecording]] = {}

    def read(self) -> list[ListedRecording]:
        """Return all recordings, the latest first."""
        found: list[ListedRecording] = []
        try:
            feeds = sorted(one for one in self._root.iterdir() if one.is_dir())
        except FileNotFoundError:
            return []
        for feed in feeds[:MOST]:
            found += self._of_feed(feed)
        now = self._clock()
        rated = [self._rated(one, now) for one in found[:MOST]]
        self._before = {one.key: (now, one) for one in rated}
        return sorted(rated, key=lambda one: (one.is_running, one.latest), reverse=True)

    def _of_feed(self, feed: Path) -> list[ListedRecording]:
        try:
            described = read_description(feed)
            folders = FeedFolder(feed).recorders()
        except (FeedError, OSError) as error:
            return [ListedRecording(feed, None, feed.name, error=_told(error))]
        title = described.title or feed.name
        if not folders:
            return [ListedRecording(feed, None, title)] if described.recipe else []
        return [self._of_log(folder, title, described) for folder in folders]

    def _of_log(self, folder: Path, title: str, described: FeedDescription) -> ListedRecording:
        feed, recipe = folder.parent, described.recipe
        try:
            log = self._logs.setdefault(folder, Log(folder))
            records, latest = log.end - log.begin, log.latest or 0
            size, running = size_of(folder), is_locked(folder)
        except (FeedError, OSError) as error:
            self._logs.pop(folder, None)
            return ListedRecording(feed, folder, title, error=_told(error), recipe=recipe)
        damage = _damage(log)
        return ListedRecording(
            feed,
            folder,
            title,
            records,
            size,
            latest,
            running,
            error=damage,
            recipe=recipe,
            encrypted=bool(described.encrypted),
            authors=authors_of(described),
        )

    def _rated(self, one: ListedRecording, now: float) -> ListedRecording:
        at, before = self._before.get(one.key, (now, one))
        span = now - at
        if span <= 0:
            return one
        rates = [
            old + _SMOOTHED * (max(0, late - early) / span - old)
            for old, early, late in (
                (before.records_per_second, before.records, one.records),
                (before.bytes_per_second, before.size, one.size),
            )
        ]
        return replace(one, records_per_second=rates[0], bytes_per_second=rates[1])


def _damage(log: Log) -> str:
    """Return what the heads tell of damage."""
    for index in log.indexes():
        for damage in index.damages:
            records = damage.end - damage.first
            what = f"{records:,} records cannot be read ({damage.what})" if records > 0 else damage.what
            return f"{index.file.path.name}: {what}; `liven feeds repair` keeps the rest"
    return ""


def _told(error: Exception) -> str:
    return explain_os_error(error) if isinstance(error, OSError) else str(error)
