"""`liven feeds stats`: sessions, gaps and figures of minutes as tables, with Spark."""

from __future__ import annotations

import argparse

from liven.app.feeds.spark.job_arguments import add_job, run_job
from liven.app.feeds.spark.job_progress import SparkProgress

_TABLES = ("sessions", "gaps", "stats_1m")


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `liven feeds stats`."""
    parser.add_argument("feeds", nargs="*", metavar="FEED", help="the name of a feed (all)")
    pause = "seconds without an event that end a session (300)"
    parser.add_argument("--pause", type=float, metavar="SECONDS", help=pause)
    add_job(parser)
    parser.epilog = (
        "sessions: when each object was active, and its longest gap; gaps: numbers that no recorder got;\n"
        "stats_1m: events, bytes and authors of each minute. Ask for them with, for example,\n"
        "  liven feeds sql 'select * from gaps where missing > 10'"
    )


def run(arguments: argparse.Namespace) -> int:
    """Derive the tables."""
    given = {"feeds": arguments.feeds, "tables": _TABLES, "pause": arguments.pause}
    return run_job("derive", given, arguments, SparkProgress("deriving", "derived", as_json=arguments.json))
