"""`liven feeds import`: a file of another format as a recording of a feed."""

from __future__ import annotations

import argparse
from pathlib import Path

from liven.app.feeds.arguments import root
from liven.app.feeds.log.exporting import add_format
from liven.app.feeds.progress import ProgressBar
from liven.app.network.cli import complain, many, printable
from liven.liveobjects.feeds.exchange.formats import format_of
from liven.liveobjects.feeds.exchange.transfer import import_file
from liven.liveobjects.feeds.feed_folder import feed_to_write
from liven.runtime.exit_codes import BAD_USE, OK
from liven.runtime.os_error_text import reason_unreadable

_RECORDER = "import"


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `liven feeds import`."""
    parser.add_argument("file", metavar="FILE", help="the file to read")
    feed = "the feed to add it to, by name or path; made if it is new"
    parser.add_argument("feed", metavar="FEED", help=feed)
    add_format(parser)
    name = f"the name of the recording in the feed ({_RECORDER})"
    parser.add_argument("--as", dest="recorder", default=_RECORDER, metavar="RECORDER", help=name)
    parser.add_argument("--append", action="store_true", help="add to the end of a recording that is there")
    parser.add_argument("--json", action="store_true", help="report progress as lines of JSON")
    parser.epilog = (
        "A new recording is there whole or not at all. JSON lines and CSV need a column `received` (a time,\n"
        "or microseconds since 1970) and take object, channel, author, type, sent, serial, flags, value and\n"
        "payload (base64). Topics of other programs' MCAP files become objects."
    )


def run(arguments: argparse.Namespace) -> int:
    """Read the file."""
    path = Path(arguments.file)
    unreadable = reason_unreadable(path)
    if unreadable:
        return complain(unreadable, BAD_USE)
    kind = format_of(path, arguments.format)
    feed = feed_to_write(arguments.feed, root())
    bar = ProgressBar("importing", "bytes", as_json=arguments.json)
    try:
        count = import_file(kind, path, feed, arguments.recorder, append=arguments.append, progress=bar.show)
    finally:
        bar.end()
    print(f"{many(count, 'record')} imported as {printable(feed.name)}/{printable(arguments.recorder)}")
    return OK
