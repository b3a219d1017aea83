"""`liven top`: a table that renews itself."""

from __future__ import annotations

import argparse
import json
import shutil
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import asdict

from liven.app.network.command import BAD_USE, ENVIRONMENT, OK, complain, config_of, printable
from liven.app.network.settings import add_arguments
from liven.app.top.board import COLUMNS, Row, rows, screen
from liven.app.top.keys import Keys
from liven.multicast.board import read_board
from liven.multicast.errors import MulticastError
from liven.multicast.metrics import openmetrics
from liven.multicast.service_process import Place, service_status
from liven.multicast.wireshark import dissector

_HOME, _CLEAR_BELOW, _CLEAR_LINE = "\x1b[H", "\x1b[J", "\x1b[K"
_HEAD, _PLAIN = "\x1b[7m", "\x1b[m"
_HEAD_LINE = 2
_LAST = "q ends"


def configure(parser: argparse.ArgumentParser) -> None:
    """Adds the arguments of `liven top`."""
    parser.add_argument("--interval", type=float, default=1.0, help="seconds between two looks (1)")
    parser.add_argument("--looks", type=int, default=0, help="end after so many (never)")
    form = parser.add_mutually_exclusive_group()
    form.add_argument("--json", action="store_true", help="print one look as a JSON object, and end")
    form.add_argument("--openmetrics", action="store_true", help="print all counters as OpenMetrics, and end")
    form.add_argument(
        "--dissector",
        action="store_true",
        help="print where the script for Wireshark and tshark is, and end",
    )
    add_arguments(parser)
    columns = "\n".join(f"  {name:<7} {meaning}" for name, meaning in COLUMNS)
    parser.epilog = f"columns:\n{columns}\n\nRates are those between two looks. q ends it, and Ctrl-C."


def run(arguments: argparse.Namespace) -> int:
    """Looks until it is ended."""
    if not 0.1 <= arguments.interval <= 3600:
        return complain("--interval takes 0.1 to 3600 seconds", BAD_USE)
    if arguments.dissector:
        print(dissector())
        return OK
    place = config_of(arguments).place
    try:
        if arguments.openmetrics:
            print(openmetrics(service_status(place), read_board(place.board)), end="")
            return OK
        return _watch(place, arguments)
    except MulticastError as error:
        return complain(str(error), ENVIRONMENT)


def _watch(place: Place, arguments: argparse.Namespace) -> int:
    before = read_board(place.board)
    looks = 0
    renewed = sys.stdout.isatty() and not arguments.json
    if renewed:
        print(_HOME + _CLEAR_BELOW, end="", flush=True)
    with Keys(wanted=renewed) as keys:
        while (arguments.looks == 0 or looks < arguments.looks) and not keys.end_within(arguments.interval):
            now = read_board(place.board)
            table = rows(before, now, time.monotonic())
            service = service_status(place)
            if arguments.json:
                print(json.dumps({"service": service, "engines": [asdict(row) for row in table]}))
                return OK
            _print(service, table, _LAST if keys.heard else "")
            before, looks = now, looks + 1
    return OK


def _print(service: Mapping[str, int] | None, table: Sequence[Row], last: str) -> None:
    size = shutil.get_terminal_size((80, 24))
    lines = [printable(line) for line in screen(service, table, size.columns, size.lines - 1, last)]
    if sys.stdout.isatty():
        lines[_HEAD_LINE] = f"{_HEAD}{lines[_HEAD_LINE]:<{size.columns}}{_PLAIN}"
        print(_HOME + "\n".join(line + _CLEAR_LINE for line in lines) + _CLEAR_BELOW, flush=True)
    else:
        print("\n".join(lines), flush=True)
