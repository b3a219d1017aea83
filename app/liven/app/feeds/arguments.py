"""Arguments that several subcommands share: which feed, which records, and times as people write them."""

from __future__ import annotations

import argparse
import os
import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Final, Protocol

from liven.liveobjects.feeds.author_names import AuthorNames
from liven.liveobjects.feeds.description import FeedDescription
from liven.liveobjects.feeds.feed_folder import FeedPlace, feeds_root, resolve
from liven.liveobjects.feeds.recorder.log.limits import BadLimitError, seconds_of
from liven.runtime.user_folders import UserFolders

if TYPE_CHECKING:
    from liven.liveobjects.feeds.segment.reader import Log  # loads numpy

_SECONDS: Final = 1_000_000
_NUMBER: Final = re.compile(r"\d+")
_FEED_HELP: Final = "NAME, NAME/RECORDER, or the path of a feed's folder"


def root() -> Path:
    """Return the folder of the user's feeds."""
    return feeds_root(UserFolders.of_user(os.environ))


def add_feed(parser: argparse.ArgumentParser) -> None:
    """Add the argument that names a feed."""
    parser.add_argument("feed", metavar="FEED", help=_FEED_HELP)


def feed_of(arguments: argparse.Namespace) -> FeedPlace:
    """Return the feed that was named; raise UnknownFeedError."""
    return resolve(arguments.feed, root())


def add_ids(parser: argparse._ActionsContainer) -> None:
    """Add the argument that shows the ids of authors."""
    parser.add_argument("--ids", action="store_true", help="show the ids of authors in place of their names")


def author_names(arguments: argparse.Namespace, described: FeedDescription) -> Callable[[str], str]:
    """Return a function that returns an author as the person wants to read it."""
    return str if arguments.ids else AuthorNames.of(described).shown


def add_range(parser: argparse.ArgumentParser) -> None:
    """Add the arguments that choose records by number or time."""
    start = "begin there: a record's number, or a time such as 2026-11-02T09:30 (UTC)"
    parser.add_argument("--from", dest="start", type=moment, metavar="WHEN", help=start)
    parser.add_argument("--to", dest="stop", type=moment, metavar="WHEN", help="end before there")


class HasTimes(Protocol):
    """Records that are found by time."""

    def sequence_at(self, time: int) -> int:
        """Return the sequence of the first record at this time or later."""


@dataclass(frozen=True, slots=True)
class Moment:
    """A place in a log, by number or by time."""

    sequence: int | None
    time: int | None = None

    def in_log(self, log: HasTimes) -> int:
        """Return its sequence in a log, or in several together."""
        if self.sequence is not None:
            return self.sequence
        assert self.time is not None
        return log.sequence_at(self.time)


def range_of(arguments: argparse.Namespace, log: Log) -> tuple[int | None, int | None]:
    """Return the sequences that the arguments choose in a log, with None for its begin and its end."""
    start, stop = arguments.start, arguments.stop
    return (None if start is None else start.in_log(log), None if stop is None else stop.in_log(log))


def moment(text: str) -> Moment:
    """Return the moment that a person wrote; raise ArgumentTypeError."""
    if _NUMBER.fullmatch(text):
        return Moment(int(text))
    try:
        found = datetime.fromisoformat(text)
    except ValueError:
        raise argparse.ArgumentTypeError(
            f"{text!r} is neither a record's number nor a time such as 2026-11-02T09:30"
        ) from None
    return Moment(None, microseconds(found if found.tzinfo else found.replace(tzinfo=UTC)))


def duration(text: str) -> int:
    """Return the microseconds of a span of time as people write it; raise ArgumentTypeError."""
    try:
        found = round(seconds_of(text) * _SECONDS)
    except BadLimitError as error:
        raise argparse.ArgumentTypeError(str(error)) from None
    if found <= 0:
        raise argparse.ArgumentTypeError(f"{text!r} is no time at all; write one such as 10min or 1h")
    return found


def microseconds(moment: datetime) -> int:
    """Return a time as microseconds since 1970."""
    since = moment - datetime(1970, 1, 1, tzinfo=UTC)
    return (since.days * 86_400 + since.seconds) * _SECONDS + since.microseconds


def shown_time(time: int | None) -> str:
    """Return microseconds since 1970 as a time that people read and `--from` takes."""
    if time is None:
        return "–"
    try:
        return datetime.fromtimestamp(time // _SECONDS, UTC).replace(microsecond=time % _SECONDS).isoformat()
    except (OverflowError, ValueError, OSError):
        return f"{time} µs"  # a clock that was far off
