"""`liven feeds export`: a feed as a file of another format."""

from __future__ import annotations

import argparse
import shutil
import sys
import tempfile
from itertools import chain
from pathlib import Path

from liven.app.feeds.arguments import add_feed, add_range, feed_of, range_of
from liven.app.feeds.encrypted_feed import refuse_encrypted
from liven.app.feeds.log.cat import add_filter, filter_of
from liven.app.feeds.nothing_found import names_in, nothing_found
from liven.app.feeds.progress import ProgressBar
from liven.app.network.cli import complain
from liven.liveobjects.feeds.author_names import AuthorNames
from liven.liveobjects.feeds.description import read_description
from liven.liveobjects.feeds.errors import DamagedError
from liven.liveobjects.feeds.exchange.formats import Format, format_of
from liven.liveobjects.feeds.exchange.transfer import chosen_blocks, export
from liven.runtime.exit_codes import BAD_USE, NO, OK

_STDOUT = "-"
_SEALED = "a copy of its folder stays encrypted, and `liven feeds cat --key FILE` prints it in clear"


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `liven feeds export`."""
    add_feed(parser)
    parser.add_argument("file", metavar="FILE", help="the file to write, or - for standard output")
    add_format(parser)
    add_range(parser)
    add_filter(parser)
    parser.add_argument("--force", action="store_true", help="replace a file that is there")
    parser.add_argument("--json", action="store_true", help="report progress as lines of JSON")
    parser.epilog = (
        "The file is there whole or not at all. Every format gives the same records when it is imported.\n"
        "Parquet needs pyarrow (pip install 'liven[feeds]'), which MCAP uses to compress."
    )


def add_format(parser: argparse.ArgumentParser) -> None:
    """Add the argument that names a format."""
    names = [each.value for each in Format]
    parser.add_argument("--format", choices=names, help="the format; by default the ending of FILE says it")


def run(arguments: argparse.Namespace) -> int:
    """Write the file."""
    place = feed_of(arguments)
    log = place.log()
    to_stdout = arguments.file == _STDOUT
    if to_stdout and arguments.format is None:
        return complain("name the format of standard output by --format", BAD_USE)
    path = Path(arguments.file)
    kind = format_of(path, arguments.format)
    if not to_stdout and path.exists() and not arguments.force:
        return complain(f"{path} exists already; name another file, or replace it with --force", BAD_USE)
    problems: list[DamagedError] = []
    bar = ProgressBar("exporting", as_json=arguments.json)
    description = read_description(place.feed.path)
    refuse_encrypted(arguments.feed, description, _SEALED)
    wanted = filter_of(arguments, description)
    blocks = chosen_blocks(log, *range_of(arguments, log), wanted, problems.append, bar.show)
    first = next(blocks, None)
    if first is None and not wanted.is_open and not problems:
        bar.end()
        raise nothing_found(arguments.feed, wanted.names, names_in([log]), AuthorNames.of(description))
    blocks = chain(() if first is None else (first,), blocks)
    try:
        if to_stdout:
            with tempfile.TemporaryDirectory() as folder:
                whole = Path(folder) / "whole"  # a pipe takes no half file, either
                export(kind, blocks, whole, description)
                with whole.open("rb") as source:
                    shutil.copyfileobj(source, sys.stdout.buffer)
        else:
            export(kind, blocks, path, description)
    finally:
        bar.end()
    for problem in problems:
        complain(str(problem), NO)
    return NO if problems else OK
