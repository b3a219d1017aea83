"""`liven run`: run objects without a screen, and log the events at chosen endpoints."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from liven.runtime.commands import module_option
from liven.runtime.commands.input_file import read_file
from liven.runtime.exit_codes import BAD_USE
from liven.runtime.os_error_text import explain_os_error, reason_unreadable

if TYPE_CHECKING:
    from liven.runtime.library.placement import Placement
    from liven.runtime.process.headless import HostServices

_FOR_HELP = "stop after this time, counted from when everything is loaded"
_CONNECT_HELP = "connect two endpoints, each FILE-STEM.ENDPOINT; may be repeated"
_MONITOR_HELP = "watch the connections of ENDPOINT, or of PATH.ENDPOINT, only; may be repeated"
_ALLOW_HELP = "let the objects read and write this file or folder; may be repeated"
_ALLOW_HOST_HELP = "let the objects exchange data with this computer; may be repeated"
_ALLOW_QUERY_HELP = "let the objects run queries on this recorded feed; may be repeated"
_LOG_HELP = "log the events of ENDPOINT, of STEM.ENDPOINT, or of `all`; may be repeated"


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments."""
    parser.add_argument("files", metavar="F", nargs="+", help="a .liveobject file")
    parser.add_argument("--for", dest="seconds", type=float, metavar="SECONDS", help=_FOR_HELP)
    parser.add_argument("--connect", nargs=2, action="append", default=[], metavar="END", help=_CONNECT_HELP)
    parser.add_argument("--log", action="append", default=[], metavar="ENDPOINT", help=_LOG_HELP)
    module_option.configure(parser)
    parser.add_argument("--allow", type=Path, action="append", default=[], metavar="PATH", help=_ALLOW_HELP)
    parser.add_argument(
        "--allow-host", action="append", default=[], metavar="HOST:PORT", help=_ALLOW_HOST_HELP
    )
    parser.add_argument("--allow-query", action="append", default=[], metavar="FEED", help=_ALLOW_QUERY_HELP)
    parser.add_argument("--monitor", action="store_true", help="watch every connection for broken promises")
    parser.add_argument("--monitor-at", action="append", default=[], metavar="ENDPOINT", help=_MONITOR_HELP)
    parser.add_argument("--json", action="store_true", help="print one JSON object per line")
    parser.add_argument(
        "--time-limit", type=float, default=30.0, metavar="SECONDS", help="the time limit for loading (30)"
    )


def run(
    arguments: argparse.Namespace,
    services: HostServices | None = None,
    placement: Placement | None = None,
) -> int:
    """Run until interrupted or the time is over; return 1 if an object could not be run. `placement` says
    which libraries run in processes of their own."""
    given = {"--for": arguments.seconds, "--time-limit": arguments.time_limit}
    for option, seconds in given.items():
        if seconds is not None and not 0 <= seconds < float("inf"):
            print(f"{option} takes a number of seconds, not {seconds}", file=sys.stderr)
            return BAD_USE
    texts = _read(arguments.files)
    if texts is None or not _are_there(arguments.module):
        return BAD_USE
    from liven.runtime.process.headless import RunOptions, run_headless  # slow to import, and only needed now

    options = RunOptions(
        texts,
        tuple(arguments.module),
        tuple((left, right) for left, right in arguments.connect),
        tuple(arguments.log),
        arguments.seconds,
        arguments.time_limit,
        ("all",) if arguments.monitor else tuple(arguments.monitor_at),
        arguments.json,
        tuple(arguments.allow),
        tuple(arguments.allow_host),
        tuple(arguments.allow_query),
    )
    return run_headless(options, services, placement)


def _are_there(modules: Sequence[Path]) -> bool:
    """Return True if all files are readable; print the first error otherwise."""
    for path in modules:
        if why := reason_unreadable(path):
            print(why, file=sys.stderr)
            return False
    return True


def _read(names: Sequence[str]) -> dict[str, bytes] | None:
    """Return the files' bytes by the names of their objects: the stem, numbered if two have the same."""
    found: dict[str, bytes] = {}
    for name in names:
        path = Path(name)
        try:
            data = read_file(path)
        except OSError as error:
            print(explain_os_error(error, name), file=sys.stderr)
            return None
        stem = path.stem
        alike = sum(1 for one in found if one == stem or one.startswith(f"{stem}-"))
        found[stem if stem not in found else f"{stem}-{alike + 1}"] = data
    return found
