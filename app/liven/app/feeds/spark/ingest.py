"""`liven feeds ingest`: records become rows of typed tables, each once."""

from __future__ import annotations

import argparse

from liven.app.feeds.spark.decryption import add_decryption, keys_for_job
from liven.app.feeds.spark.job_arguments import add_job, run_job, settings_of
from liven.app.feeds.spark.job_progress import SparkProgress


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `liven feeds ingest`."""
    parser.add_argument("feeds", nargs="*", metavar="FEED", help="NAME, NAME/RECORDER or a path (all feeds)")
    repair = "set a damaged commit and later ones aside, and ingest their records again"
    parser.add_argument("--repair", action="store_true", help=repair)
    first = "records of the first batch, so that rows are seen soon (20000)"
    parser.add_argument("--first-rows", type=int, metavar="N", help=first)
    most = "the most records of a batch, which is committed in one step (1000000)"
    parser.add_argument("--most-rows", type=int, metavar="N", help=most)
    follow = "go on with what is recorded from now on, every so many seconds (1), until you stop it"
    parser.add_argument("--follow", nargs="?", type=float, const=1.0, metavar="SECONDS", help=follow)
    add_decryption(parser)
    add_job(parser)
    parser.epilog = (
        "It takes everything that is recorded now, and may be stopped (Ctrl+C) or killed at any time:\n"
        "the next run goes on at the last commit. Tables: docs/feeds-spark.md.\n"
        "Exit code: 0 done; 1 it failed; 3 this computer lacks something; 130 stopped."
    )


def run(arguments: argparse.Namespace) -> int:
    """Ingest the feeds."""
    with keys_for_job(arguments, is_local=settings_of(arguments).local) as keys:
        given = {
            "feeds": arguments.feeds,
            "repair": arguments.repair,
            "first_rows": arguments.first_rows,
            "most_rows": arguments.most_rows,
            "follow": arguments.follow,
            "keys": keys,
        }
        progress = SparkProgress("ingesting", "ingested", as_json=arguments.json)
        return run_job("ingest", given, arguments, progress)
