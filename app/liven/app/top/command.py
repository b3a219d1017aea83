"""`liven top`: a table that refreshes until you quit."""

from __future__ import annotations

import argparse
import json
import os
import shutil
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from functools import partial

from liven.app.network.channel_titles import read_titles, with_titles
from liven.app.network.cli import complain, config_of, printable
from liven.app.network.rates import EngineRates, PreviousFigures, rows
from liven.app.network.settings import add_arguments
from liven.app.top.table import COLUMNS, GROUPS, MARK, screen
from liven.app.top.terminal import Terminal
from liven.multicast.errors import MulticastError
from liven.multicast.openmetrics import openmetrics
from liven.multicast.published_stats import read_published_stats
from liven.multicast.service_process import ServicePaths, service_status
from liven.multicast.wireshark import dissector
from liven.runtime.exit_codes import BAD_USE, ENVIRONMENT, OK
from liven.runtime.user_folders import UserFolders

_HOME, _CLEAR_BELOW, _CLEAR_LINE = "\x1b[H", "\x1b[J", "\x1b[K"
_HEAD, _PLAIN = "\x1b[7m", "\x1b[m"
_HEAD_LINE = 2
_FIRST_WITHIN = 1.0
"""Seconds until the first table, shorter than the interval."""
_LAST = MARK.join(("q ends", "liven top --help explains the columns"))


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `liven top`."""
    parser.add_argument("--interval", type=float, default=1.0, help="seconds between two updates (1)")
    parser.add_argument("--looks", type=int, default=0, help="end after this many updates (0: never)")
    form = parser.add_mutually_exclusive_group()
    form.add_argument("--json", action="store_true", help="print one update as a JSON object, and exit")
    form.add_argument(
        "--openmetrics", action="store_true", help="print all counters as OpenMetrics, and exit"
    )
    form.add_argument(
        "--dissector",
        action="store_true",
        help="print the path of the script for Wireshark and tshark, and exit",
    )
    add_arguments(parser)
    names = [*((column.name, column.meaning) for column in COLUMNS), ("groups", GROUPS)]
    columns = "\n".join(f"  {name:<7} {meaning}" for name, meaning in names)
    parser.epilog = (
        f"columns:\n{columns}\n\nRates are averages since the last update. Press q or Ctrl-C to quit."
    )


def run(arguments: argparse.Namespace) -> int:
    """Show the table until the user ends it."""
    if not 0.1 <= arguments.interval <= 3600:
        return complain("--interval takes 0.1 to 3600 seconds", BAD_USE)
    if arguments.looks < 0:
        return complain("--looks takes a number of updates, or 0 for no end", BAD_USE)
    if arguments.dissector:
        print(dissector())
        return OK
    place = config_of(arguments).place
    try:
        if arguments.openmetrics:
            print(openmetrics(service_status(place), read_published_stats(place.stats_folder)), end="")
            return OK
        return _watch(place, arguments)
    except MulticastError as error:
        return complain(str(error), ENVIRONMENT)


def _watch(place: ServicePaths, arguments: argparse.Namespace) -> int:
    past = PreviousFigures(arguments.interval)
    past.before(read_published_stats(place.stats_folder), time.monotonic())
    looks, runtime = 0, UserFolders.of_user(os.environ).runtime
    with Terminal(wanted=sys.stdout.isatty() and not arguments.json) as terminal:
        last = _LAST if terminal.is_interactive else ""
        show: Callable[[], None] = _nothing
        pause = min(arguments.interval, _FIRST_WITHIN)
        while (arguments.looks == 0 or looks < arguments.looks) and not terminal.wait_for_quit(pause, show):
            now, clock = read_published_stats(place.stats_folder), time.monotonic()
            if not arguments.json:  # programs need the stable names
                called = read_titles(runtime)
                now = [with_titles(one, called) for one in now]
            table = rows(past.before(now, clock), now, clock)
            service = service_status(place)
            if arguments.json:
                print(json.dumps({"service": service, "engines": [asdict(row) for row in table]}))
                return OK
            show = partial(_print, service, table, last)
            show()
            looks += 1
            pause = arguments.interval
    return OK


def _nothing() -> None:
    """Show nothing, before there are figures."""


def _size() -> tuple[int, int]:
    """Return the size of the terminal in columns and lines; serial lines report none."""
    if sys.stdout.isatty() and all(known := os.get_terminal_size(sys.stdout.fileno())):
        return known.columns, known.lines
    return shutil.get_terminal_size((80, 24))


def _print(service: Mapping[str, int] | None, table: Sequence[EngineRates], last: str) -> None:
    columns, height = _size()
    lines = [printable(line) for line in screen(service, table, columns, height, last)]
    if sys.stdout.isatty():
        if len(lines) > _HEAD_LINE + 1:
            lines[_HEAD_LINE] = f"{_HEAD}{lines[_HEAD_LINE]:<{columns}}{_PLAIN}"
        print(_HOME + "\n".join(line + _CLEAR_LINE for line in lines) + _CLEAR_BELOW, end="", flush=True)
    else:
        print("\n".join(lines), flush=True)
