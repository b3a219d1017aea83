"""`liven feeds backfill`: ingest, compaction and all derived tables for everything that was recorded."""

from __future__ import annotations

import argparse

from liven.app.feeds.arguments import duration
from liven.app.feeds.spark.job_arguments import add_job, run_job
from liven.app.feeds.spark.job_progress import SparkProgress


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `liven feeds backfill`."""
    parser.add_argument("feeds", nargs="*", metavar="FEED", help="the name of a feed (all)")
    every = "time between the moments of the table asof, such as 10m, 1h or 1d (1h)"
    parser.add_argument("--every", type=duration, metavar="TIME", help=every)
    add_job(parser)
    parser.epilog = "It may be stopped or killed at any time: the next run goes on at the last commit."


def run(arguments: argparse.Namespace) -> int:
    """Bring all tables up to date."""
    given = {"feeds": arguments.feeds, "every": arguments.every}
    progress = SparkProgress("bringing up to date:", "brought up to date:", as_json=arguments.json)
    return run_job("backfill", given, arguments, progress)
