"""`liven feeds prepare`: makes the next starts of Spark twice as fast."""

from __future__ import annotations

import argparse
import os

from liven.app.feeds.activity_line import ActivityLine
from liven.app.network.cli import complain
from liven.liveobjects.feeds.spark.runner import Places
from liven.liveobjects.feeds.spark.virtual_machine import NoSparkError
from liven.runtime.exit_codes import ENVIRONMENT, OK
from liven.runtime.user_folders import UserFolders

_LOWEST_PRIORITY = 19


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `liven feeds prepare`."""
    parser.add_argument(
        "--background", action="store_true", help="with the lowest priority, and without a word"
    )
    parser.epilog = (
        "Java writes a cache of 200 MB to the cache folder after a run of a minute; you may delete it.\n"
        "The first successful job starts this by itself in the background."
    )


def run(arguments: argparse.Namespace) -> int:
    """Prepare the start."""
    from liven.liveobjects.feeds.spark.training import prepare

    if arguments.background:
        os.nice(_LOWEST_PRIORITY)
    places = Places.of(UserFolders.of_user(os.environ))
    try:
        with ActivityLine() as activity:
            if not arguments.background:
                activity.step("preparing the start of Java")
            path = prepare(places.cache, places.logs / "spark-prepare.log")
    except NoSparkError as error:
        return complain(str(error), ENVIRONMENT)
    if not arguments.background:
        print(
            f"prepared: {path}" if path else "the start is prepared already, or another process does it now"
        )
    return OK
