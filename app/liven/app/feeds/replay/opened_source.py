"""The source that the arguments name: a feed's log, Parquet files, or the rows of a query."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Final

from liven.app.feeds.arguments import feed_of
from liven.app.network.cli import complain, printable
from liven.liveobjects.feeds.description import FeedDescription, read_description
from liven.liveobjects.feeds.errors import UnknownFeedError
from liven.liveobjects.feeds.feed_folder import FeedPlace
from liven.liveobjects.feeds.replay.bookmarks import Bookmarks
from liven.liveobjects.feeds.replay.errors import ReplayError
from liven.liveobjects.feeds.replay.options import Options
from liven.liveobjects.feeds.replay.source.parquet_files import SUFFIX, ParquetFiles
from liven.liveobjects.feeds.replay.source.segment_log import SegmentLog
from liven.liveobjects.feeds.replay.source.source import Source
from liven.liveobjects.feeds.replay.source.spark_rows import SparkRows
from liven.liveobjects.feeds.segment.reader import Log

_BOOKMARK: Final = "@"
_PROGRAM: Final = (sys.executable, "-m", "liven.app.main")


@dataclass(frozen=True, slots=True)
class Opened:
    """A source, with what is known about its feed."""

    source: Source
    title: str
    description: FeedDescription = field(default_factory=FeedDescription)
    bookmarks: Bookmarks | None = None
    recorder: str = ""

    def place(self, text: str) -> str:
        """Return a place that a person wrote, with a bookmark replaced by its number."""
        if not text.startswith(_BOOKMARK):
            return text
        if self.bookmarks is None:
            raise ReplayError(f"{text!r}: only recorded feeds have bookmarks", "write a time or a number")
        return f"#{self.bookmarks.find(text.removeprefix(_BOOKMARK), self.recorder).sequence}"

    def places(self, options: Options) -> Options:
        """Return options with bookmarks replaced by their numbers."""
        start, end, a, b = (self.place(text) for text in (options.start, options.end, options.a, options.b))
        return replace(options, start=start, end=end, a=a, b=b)


def open_source(arguments: argparse.Namespace, on_more: Callable[[], object]) -> Opened:
    """Open the source; raise FeedError. `on_more` is called, in another thread, when a query has more
    rows."""
    if arguments.sql:
        return _query(arguments, on_more)
    path = Path(arguments.feed).expanduser()
    try:
        place = feed_of(arguments)
    except UnknownFeedError:
        if path.suffix == SUFFIX or (path.is_dir() and next(path.rglob(f"*{SUFFIX}"), None) is not None):
            return Opened(ParquetFiles.below(path), path.name)
        raise
    log = _log(place)
    source = SegmentLog(log, lambda error: complain(str(error), 0))
    description = read_description(place.feed.path)
    title = printable(description.title or place.feed.name)
    return Opened(source, title, description, Bookmarks(place.feed.path), log.folder.name)


def _log(place: FeedPlace) -> Log:
    return place.log()


def _query(arguments: argparse.Namespace, on_more: Callable[[], object]) -> Opened:
    """Start the query in a process of its own. A feed that is named as well gives the recipe."""
    description = FeedDescription()
    if arguments.feed:
        place = feed_of(arguments)
        description = read_description(place.feed.path)
    source = SparkRows([*_PROGRAM, "feeds", "sql", arguments.sql, "--stream"], on_more)
    return Opened(source, printable(arguments.sql), description)
