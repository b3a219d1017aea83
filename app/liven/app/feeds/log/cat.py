"""`liven feeds cat`: the records of a feed as lines of JSON, decoded by their types."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator
from itertools import islice

from liven.app.feeds.arguments import add_feed, add_ids, add_range, author_names, feed_of, range_of
from liven.app.feeds.encrypted_feed import add_key, decoder_of
from liven.app.feeds.nothing_found import names_in, nothing_found
from liven.app.network.cli import complain
from liven.liveobjects.feeds.author_names import AuthorNames
from liven.liveobjects.feeds.description import FeedDescription, read_description
from liven.liveobjects.feeds.errors import DamagedError
from liven.liveobjects.feeds.exchange.json_form import json_record
from liven.liveobjects.feeds.filter import RecordFilter, filtered
from liven.liveobjects.feeds.record import Record
from liven.liveobjects.feeds.segment.reader import Log
from liven.runtime.exit_codes import NO, OK


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `liven feeds cat`."""
    add_feed(parser)
    add_range(parser)
    add_filter(parser)
    parser.add_argument("--limit", "-n", type=_count, metavar="N", help="print at most so many records")
    add_ids(parser)
    add_key(parser)
    parser.add_argument("--raw", action="store_true", help="do not decode payloads")
    parser.epilog = (
        "Each line has the record's number as `sequence`, its columns, and `value`, the decoded payload;\n"
        "a payload that is no value of its type is printed as it is, with the reason as `error`."
    )


def add_filter(parser: argparse.ArgumentParser) -> None:
    """Add the arguments that choose records by name."""
    for name in ("object", "channel", "author", "type"):
        only = f"only this {name}; may be repeated"
        parser.add_argument(f"--{name}", action="append", default=[], metavar="NAME", help=only)
    parser.add_argument("--match", metavar="REGEX", help="only objects or channels that the expression finds")


def filter_of(arguments: argparse.Namespace, described: FeedDescription) -> RecordFilter:
    """Return the filter that the arguments choose, authors by id or by name; raise FeedError if the
    expression is none."""
    return RecordFilter.of(
        object=arguments.object,
        channel=arguments.channel,
        author=AuthorNames.of(described).ids_of(arguments.author),
        type=arguments.type,
        match=arguments.match,
    )


def run(arguments: argparse.Namespace) -> int:
    """Print the records. Each recorder's follow one another, since they are recordings of one feed."""
    place = feed_of(arguments)
    described = read_description(place.feed.path)
    wanted = filter_of(arguments, described)
    author = author_names(arguments, described)
    problems: list[DamagedError] = []
    decoder = None if arguments.raw else decoder_of(arguments, arguments.feed, described)
    folders = place.recorders()
    rows = (
        (folder.name, row) for folder in folders for row in _rows(Log(folder), arguments, wanted, problems)
    )
    write, written = sys.stdout.write, 0
    for recorder, (sequence, record) in islice(rows, arguments.limit):
        record = record._replace(author=author(record.author))
        line = json_record(sequence, record, decoder, recorder if len(folders) > 1 else "")
        write(json.dumps(line, ensure_ascii=False) + "\n")
        written += 1
    if not written and not wanted.is_open and not problems:
        there = names_in(map(Log, folders))
        raise nothing_found(arguments.feed, wanted.names, there, AuthorNames.of(described))
    for problem in problems:
        complain(str(problem), NO)
    return NO if problems else OK


def _rows(
    log: Log, arguments: argparse.Namespace, wanted: RecordFilter, problems: list[DamagedError]
) -> Iterator[tuple[int, Record]]:
    for block in log.blocks(*range_of(arguments, log), problems.append):
        yield from filtered(block, wanted)


def _count(text: str) -> int:
    if not text.isdigit():
        raise argparse.ArgumentTypeError(f"{text!r} is not a number of records")
    return int(text)
