"""The source that the arguments name: a feed's log, a table, Parquet files, or the rows of a query."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from importlib.util import find_spec
from pathlib import Path
from typing import Final

from liven.app.feeds.arguments import feed_of, root
from liven.app.feeds.encrypted_feed import keyed_recipe
from liven.app.feeds.spark.job_arguments import places_of, spark_words
from liven.app.network.cli import complain, many, printable
from liven.liveobjects.feeds.author_names import AuthorNames
from liven.liveobjects.feeds.description import FeedDescription, read_description
from liven.liveobjects.feeds.errors import UnknownFeedError
from liven.liveobjects.feeds.feed_folder import FeedPlace, resolve
from liven.liveobjects.feeds.replay.bookmarks import Bookmarked, Bookmarks
from liven.liveobjects.feeds.replay.errors import ReplayError
from liven.liveobjects.feeds.replay.options import Options
from liven.liveobjects.feeds.replay.source.chosen_records import ChosenRecords
from liven.liveobjects.feeds.replay.source.merged_logs import MergedLogs, Origin
from liven.liveobjects.feeds.replay.source.parquet_files import SUFFIX, ParquetFiles
from liven.liveobjects.feeds.replay.source.recorders import recorded
from liven.liveobjects.feeds.replay.source.source import Source
from liven.liveobjects.feeds.replay.source.spark_rows import SparkRows
from liven.liveobjects.feeds.segment.reader import Log
from liven.liveobjects.feeds.table.table_records import TablePlace, table_records
from liven.runtime.reference.xml import compact

_LINES_MOST: Final = 10
"""Lines about what is missing or left out."""
_PROGRAM: Final = (sys.executable, "-m", "liven.app.main")


@dataclass(frozen=True, slots=True)
class Opened:
    """A source, with what is known about its feed."""

    source: Source
    title: str
    description: FeedDescription = field(default_factory=FeedDescription)
    bookmarks: Bookmarks | None = None
    recorders: tuple[str, ...] = ()
    feed: str = ""
    """The name of the feed on the command line; empty for a source that is none."""

    @property
    def name(self) -> str:
        """The name by which the person called it."""
        return self.feed or self.title

    def place(self, text: str) -> str:
        """Return a place that a person wrote, with a bookmark replaced by its number."""
        return Bookmarked(self.source, self.bookmarks, self.recorders).place(text)

    def origin(self, sequence: int) -> Origin:
        """Return the recorder and the number there of the record at a place, for a bookmark."""
        if isinstance(self.source, MergedLogs):
            return self.source.origin(sequence)
        return Origin(self.recorders[0] if self.recorders else "", sequence)

    def places(self, options: Options) -> Options:
        """Return options with bookmarks replaced by their numbers, and the names of authors."""
        start, end, a, b = (self.place(text) for text in (options.start, options.end, options.a, options.b))
        selection = replace(options.selection, author_names=self.author_names)
        return replace(options, start=start, end=end, a=a, b=b, selection=selection)

    @property
    def author_names(self) -> AuthorNames:
        """The names of the authors."""
        return AuthorNames.of(self.description)


def open_source(arguments: argparse.Namespace, on_more: Callable[[], object]) -> Opened:
    """Open the source; raise FeedError. `on_more` is called, in another thread, when a query has more
    rows."""
    if arguments.sql or arguments.job:
        return _query(arguments, on_more)
    path = Path(arguments.feed).expanduser()
    try:
        place = feed_of(arguments)
    except UnknownFeedError:
        table = TablePlace.of(path) or TablePlace.of(places_of(arguments).tables / arguments.feed)
        if table is not None:
            return _table(table)
        if path.suffix == SUFFIX or (path.is_dir() and next(path.rglob(f"*{SUFFIX}"), None) is not None):
            return Opened(ParquetFiles.below(path), path.name)
        raise
    description = read_description(place.feed.path)
    keyed = keyed_recipe(arguments, place.feed.name, description)
    if keyed is not None:
        description = replace(description, recipe=compact(keyed))
    title = printable(description.title or place.feed.name)
    source = _recorded(place, description)
    recorders = tuple(folder.name for folder in place.recorders())
    return Opened(source, title, description, Bookmarks(place.feed.path), recorders, arguments.feed)


def _table(table: TablePlace) -> Opened:
    """Return the records behind the rows of a table, from the recording; raise FeedError."""
    if find_spec("pyarrow") is None:
        raise ReplayError("tables need pyarrow", "install it: pip install 'liven[feeds]'")
    records = table_records(table)
    place = resolve(records.feed, root())
    description = read_description(place.feed.path)
    chosen = {name: ChosenRecords(*places) for name, places in records.by_recorder.items()}
    logs = [Log(folder) for folder in place.recorders() if folder.name in chosen]
    source = MergedLogs(logs, description.by_author(), lambda error: complain(str(error), 0), chosen=chosen)
    gone = sum(len(each) - each.found for each in chosen.values())
    if gone:
        text = f"the records of {many(gone, 'row')} are no longer in the recording of {records.feed}"
        if source.end == 0:
            raise ReplayError(text, "its limits have deleted them; query the table with `liven feeds sql`")
        complain(f"{text}, and are left out", 0)
    return Opened(source, f"{printable(table.part)} of {printable(records.feed)}", description)


def _recorded(place: FeedPlace, description: FeedDescription) -> Source:
    """Return the log of the only recorder, or those of several put together."""
    folders = place.recorders() or [place.log().folder]
    source = recorded(folders, description.by_author(), lambda error: complain(str(error), 0))
    for line in _doubts(source) if isinstance(source, MergedLogs) else ():
        complain(line, 0)
    return source


def _doubts(merged: MergedLogs) -> list[str]:
    """Return what is missing in all logs, and what is left out of some, as lines."""
    lines = [
        f"{merged.recorders[one.log]}: from number {one.first} of the channel {printable(one.channel)} on,"
        " it has another history than the recorder that goes on further; that part is left out"
        for one in merged.contradictions
    ]
    for one in merged.missing:
        whose = f" of {printable(one.author)}" if one.author else ""
        where = printable(one.channel)
        lines.append(f"numbers {one.first} to {one.last}{whose} of the channel {where} are in no recording")
    more = len(lines) - _LINES_MOST
    return lines if more <= 0 else [*lines[:_LINES_MOST], f"and {more:,} more places like these"]


def _query(arguments: argparse.Namespace, on_more: Callable[[], object]) -> Opened:
    """Start the query in a process of its own. A feed that is named as well gives the recipe."""
    description = FeedDescription()
    if arguments.feed:
        place = feed_of(arguments)
        description = read_description(place.feed.path)
    words = ["sql", arguments.sql, "--stream"]
    if arguments.job:
        words = ["records", arguments.feed, "--job", arguments.job]
    source = SparkRows([*_PROGRAM, "feeds", *words, *spark_words(arguments)], on_more)
    return Opened(source, printable(arguments.sql or arguments.job), description)
