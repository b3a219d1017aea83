"""`liven feeds replay`: the arguments."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import Final

from liven.app.feeds.arguments import add_ids
from liven.app.feeds.encrypted_feed import add_key
from liven.app.feeds.replay.keys import HELP
from liven.app.feeds.spark.job_arguments import add_spark
from liven.app.network.settings import add_arguments
from liven.liveobjects.feeds.replay.errors import ReplayError
from liven.liveobjects.feeds.replay.options import Options
from liven.liveobjects.feeds.replay.pace import MAX, checked_speed
from liven.liveobjects.feeds.replay.remap import Remap
from liven.liveobjects.feeds.replay.selection import Selection
from liven.runtime.exit_codes import BAD_USE

_LIVE: Final = "live:"
_WHEN: Final = "WHEN"
_EPILOG: Final = f"""\
WHEN is a time (2026-11-16T09:00, 09:00:30; UTC unless it says otherwise), a time from the start (+1m30s) or
from the end (-10s), a record's number (#1234), a share (25%), or a bookmark (@name).
{HELP}
Exit code: 0 played, or quit; 1 the recording or the target failed; 2 wrong use; 3 this computer lacks
something."""


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `liven feeds replay`."""
    feed = (
        "NAME (all recorders together), NAME/RECORDER, a path, a table of `liven feeds ingest` (its name or a"
        " folder of it), or Parquet files (a file or a folder)"
    )
    parser.add_argument("feed", metavar="FEED", nargs="?", default="", help=feed)
    add_key(parser)
    _add_pace(parser)
    _add_choice(parser)
    _add_target(parser)
    parser.epilog = _EPILOG


def _add_pace(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("pace")
    speed = "0.1 to 1000 times as fast as recorded, or max (1)"
    group.add_argument("--speed", type=_speed, default=1.0, metavar="X", help=speed)
    group.add_argument("--max", action="store_const", dest="speed", const=MAX, help="as fast as possible")
    group.add_argument("--from", dest="start", default="", metavar=_WHEN, help="begin there")
    to = "end before there; a time such as +2h counts from --from"
    group.add_argument("--to", dest="end", default="", metavar=_WHEN, help=to)
    group.add_argument("--loop", action="store_true", help="begin again at the end")
    group.add_argument("--a", default="", metavar=_WHEN, help="repeat the part from here …")
    group.add_argument("--b", default="", metavar=_WHEN, help="… to here; +2m counts from --a")
    group.add_argument("--seek", default="", metavar=_WHEN, help="begin to play there, inside the window")
    group.add_argument("--bookmark", metavar="NAME", default="", help="the same as --seek @NAME")
    group.add_argument("--paused", action="store_true", help="begin paused")
    group.add_argument("--burst", type=_count, default=0, metavar="N", help="give N events at once, first")
    ends = "quit at the end; the default where no keys are read"
    group.add_argument("--until-end", action="store_true", help=ends)


def _add_choice(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("choice")
    for name in ("object", "channel", "author", "type"):
        text = f"only {name}s that match, such as 'plane*'; !PATTERN leaves out; may be repeated"
        group.add_argument(f"--{name}", action="append", default=[], metavar="PATTERN", help=text)
    group.add_argument("--regex", action="store_true", help="patterns are regular expressions")
    remap = "play a recorded channel or object under another name; may be repeated"
    group.add_argument("--remap", action="append", default=[], metavar="OLD=NEW", help=remap)
    times = group.add_mutually_exclusive_group()
    times.add_argument("--shift", action="store_true", help="give events the time at which they are played")
    times.add_argument(
        "--original-time", action="store_false", dest="shift", help="keep the recorded times (the default)"
    )
    spark = group.add_mutually_exclusive_group()
    spark.add_argument("--sql", default="", metavar="QUERY", help="play what a query of Spark selects")
    job = (
        "play what a job of Spark selects from the feed: once (each record, of all recorders), states"
        " (states and values alone), seconds (a value a second), or your own MODULE:FUNCTION"
    )
    spark.add_argument("--job", default="", metavar="NAME", help=job)
    add_spark(parser, "Spark, for --sql and --job")


def _add_target(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("target")
    into = "sandbox: a copy of the recorded object (default); live:CHANNEL: a channel of others; nothing"
    group.add_argument("--into", type=_into, default="sandbox", metavar="TARGET", help=into)
    live = "the same as --into live:CHANNEL"
    group.add_argument("--into-live", type=_live, dest="into", metavar="CHANNEL", help=live)
    group.add_argument("--yes", action="store_true", help="play into the live channel without asking")
    group.add_argument("--print", action="store_true", dest="prints", help="print each event")
    add_ids(group)
    log = "write the events as a new recording, each marked as replayed"
    group.add_argument("--log", type=Path, metavar="FOLDER", help=log)
    group.add_argument("--digest", action="store_true", help="print a hash of the state when it quits")
    keys = group.add_mutually_exclusive_group()
    keys.add_argument(
        "--keys", action="store_true", default=None, help="read keys; an error without a terminal"
    )
    keys.add_argument("--no-keys", action="store_false", dest="keys", help="read no keys")
    group.add_argument("--json", action="store_true", help="print everything as lines of JSON")
    group.add_argument("--network", default="", metavar="NAME", help="the network of the live channel (home)")
    add_arguments(parser)


def options_of(arguments: argparse.Namespace) -> Options:
    """Return the options that the arguments choose; raise ReplayError."""
    selection = Selection(
        tuple(arguments.object),
        tuple(arguments.channel),
        tuple(arguments.author),
        tuple(arguments.type),
        arguments.regex,
    )
    return Options(
        arguments.speed,
        arguments.start,
        arguments.end,
        arguments.loop,
        arguments.a,
        arguments.b,
        selection,
        Remap.parse(arguments.remap),
        arguments.shift,
    )


def run(arguments: argparse.Namespace) -> int:
    """Play."""
    from liven.app.feeds.replay.program import play  # slow to import

    if not arguments.feed and not arguments.sql:
        sys.stderr.write("liven: name a feed; `liven feeds ls` lists those there are\n")
        return BAD_USE
    return play(arguments, options_of(arguments))


def _speed(text: str) -> float:
    if text == "max":
        return MAX
    try:
        return checked_speed(float(text))
    except (ValueError, ReplayError):
        raise argparse.ArgumentTypeError(f"{text!r} is no speed; choose 0.1 to 1000, or max") from None


def _count(text: str) -> int:
    if not text.isdecimal() or len(text) > 9:
        raise argparse.ArgumentTypeError(f"{text!r} is not a number of events")
    return int(text)


def _into(text: str) -> str:
    if text in ("sandbox", "nothing"):
        return text
    if text.startswith(_LIVE):
        return _live(text.removeprefix(_LIVE))
    raise argparse.ArgumentTypeError(f"{text!r} is no target; choose sandbox, live:CHANNEL or nothing")


def _live(text: str) -> str:
    if not text or not text.isprintable():
        raise argparse.ArgumentTypeError("name the live channel, such as live:talk")
    return f"{_LIVE}{text}"
