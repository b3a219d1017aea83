"""`liven feeds watch`: runs a query on a feed as it grows, and prints each new result."""

from __future__ import annotations

import argparse
import os
import signal
import sys
import threading
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any, Final

from liven.app.feeds.spark.job_arguments import add_job, run_job
from liven.app.feeds.spark.job_progress import SparkProgress
from liven.app.feeds.spark.text_table import text_table
from liven.liveobjects.feeds.recorder.log.limits import seconds_of

_MILLION: Final = 1_000_000
_CLEAR: Final = "\x1b[H\x1b[J"


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `liven feeds watch`."""
    parser.add_argument("feed", metavar="FEED", help="NAME, NAME/RECORDER, or the path of a feed's folder")
    parser.add_argument("query", metavar="QUERY", help="a query of Spark SQL over the views of the feed")
    every = "the least seconds between two results (1); 0 for as many as the computer can"
    parser.add_argument("--every", type=float, default=1.0, metavar="SECONDS", help=every)
    keys = "the columns that tell rows apart, separated by commas: only changed rows are computed"
    parser.add_argument("--keys", default="", metavar="COLUMNS", help=keys)
    since = "begin so long ago, such as 2h (with the first record)"
    parser.add_argument("--since", default="", metavar="TIME", help=since)
    parser.add_argument(
        "--rows", type=int, default=1000, metavar="N", help="the most rows of a result (1000)"
    )
    late = "records that come later than others by this may be left out of windows (10s)"
    parser.add_argument("--lateness", default="10s", metavar="TIME", help=late)
    parser.add_argument("--attached", action="store_true", help="end when standard input ends")
    add_job(parser)
    parser.epilog = (
        "Views: one for each type in the feed, with the columns of its table, and records. Group by\n"
        "window(received, '10 seconds') for figures of each 10 seconds. Without --keys, each result is\n"
        "computed whole, in the order of the query; windows are never forgotten then."
    )


def run(arguments: argparse.Namespace) -> int:
    """Run the query until it is interrupted."""
    given = {
        "feed": arguments.feed,
        "query": arguments.query,
        "every": max(0.0, arguments.every),
        "keys": [key.strip() for key in arguments.keys.split(",") if key.strip()],
        "since": seconds_of(arguments.since) if arguments.since else 0.0,
        "rows": arguments.rows,
        "lateness": seconds_of(arguments.lateness),
    }
    if arguments.attached:
        threading.Thread(target=_interrupt_at_end_of_input, daemon=True).start()
    return run_job(
        "watch",
        given,
        arguments,
        _Tables("", "", as_json=arguments.json, work="waiting for the first result"),
    )


class _Tables(SparkProgress):
    """Prints each result: on a terminal in place of the one before."""

    def show(self, event: Mapping[str, Any]) -> None:
        """Print a result, or show another event."""
        if event["event"] != "table" or self._json:
            super().show(event)
            return
        self.end()
        at = datetime.fromtimestamp(event["at"] / _MILLION, UTC)
        lines = text_table([name for name, _ in event["columns"]], _told(event))
        note = ", cut" if event["cut"] else ""
        print(f"{_CLEAR if sys.stdout.isatty() else ''}{at:%Y-%m-%d %H:%M:%S} UTC{note}")
        print("\n".join(lines), end="\n\n", flush=True)


def _told(event: Mapping[str, Any]) -> list[list[Any]]:
    """Return the rows with times as people read them."""
    times = {place for place, (_, kind) in enumerate(event["columns"]) if kind == "time"}
    return [
        [_time(value) if place in times else value for place, value in enumerate(row)]
        for row in event["rows"]
    ]


def _time(value: int | None) -> str | None:
    if value is None:
        return None
    try:
        return f"{datetime.fromtimestamp(value / _MILLION, UTC):%Y-%m-%d %H:%M:%S}"
    except (OverflowError, ValueError, OSError):  # no calendar has it
        return str(value)


def _interrupt_at_end_of_input() -> None:
    """Interrupt this process as Ctrl+C does, once nobody can write to it any more.

    It reads the descriptor: a thread inside sys.stdin would be a fatal error of Python at the end of the
    process.
    """
    while os.read(0, 4096):
        pass
    os.kill(os.getpid(), signal.SIGINT)
