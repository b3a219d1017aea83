"""`liven feeds records`: the records that a job of Spark chooses, as blocks, which a replay reads."""

from __future__ import annotations

import argparse

from liven.app.feeds.arguments import add_feed
from liven.app.feeds.spark.job_arguments import add_job, run_job
from liven.app.feeds.spark.row_stream import RowStream


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `liven feeds records`."""
    add_feed(parser)
    name = "once, states, seconds, or a function of your own as MODULE:FUNCTION"
    parser.add_argument("--job", required=True, metavar="NAME", help=name)
    add_job(parser)
    parser.epilog = "`liven feeds replay FEED --job NAME` plays them."


def run(arguments: argparse.Namespace) -> int:
    """Write the records to standard output."""
    given = {"feed": arguments.feed, "name": arguments.job}
    return run_job("records", given, arguments, RowStream())
