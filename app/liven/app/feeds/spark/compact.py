"""`liven feeds compact`: many small files of a day become few large ones, sorted by object."""

from __future__ import annotations

import argparse

from liven.app.feeds.spark.job_arguments import add_job, run_job
from liven.app.feeds.spark.job_progress import SparkProgress


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `liven feeds compact`."""
    parser.add_argument("feeds", nargs="*", metavar="FEED", help="the name of a feed with tables (all)")
    least = "compact days with at least this many files (4)"
    parser.add_argument("--least-files", type=int, metavar="N", help=least)
    add_job(parser)


def run(arguments: argparse.Namespace) -> int:
    """Compact the tables."""
    given = {"feeds": arguments.feeds, "least_files": arguments.least_files}
    return run_job(
        "compact", given, arguments, SparkProgress("compacting", "compacted", as_json=arguments.json)
    )
