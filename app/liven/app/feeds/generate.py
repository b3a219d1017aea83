"""`liven feeds generate`: a feed that is made up from a seed, for trials, tests and demonstrations."""

from __future__ import annotations

import argparse
import re
import time
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

from liven.app.feeds.arguments import microseconds, root
from liven.app.feeds.progress import ProgressBar
from liven.app.network.cli import complain, many
from liven.liveobjects.feeds.errors import FeedError
from liven.liveobjects.feeds.feed_folder import feed_to_write
from liven.runtime.exit_codes import BAD_USE, NO, OK

_UNITS: Final = {"s": 1.0, "m": 60.0, "h": 3600.0, "d": 86_400.0, "w": 7 * 86_400.0}
_SPAN: Final = re.compile(r"([0-9]{1,9}(?:\.[0-9]{1,3})?)([smhdw])")
_LONGEST: Final = 3660 * 86_400.0
_NAMES: Final = ("airspace", "quotes", "earthquakes")
_START: Final = "2026-11-02T06:00"
_ENDINGS: Final = {".jsonl": "jsonl", ".csv": "csv"}
_PARTS: Final = 1000
_HEARD: Final = {"airspace": (2, 0.02)}
"""Recorders and loss of a feed, unless it has one recorder that hears everything."""
_EPILOG: Final = """\
examples:
  liven feeds generate airspace --seed 1 --for 10m --into sky
  liven feeds generate earthquakes --for 1w --start 2026-11-02 --into shakes
  liven feeds generate quotes --for 1m --file quotes.csv --format quotes

The same words give the same records, whenever and wherever they are typed."""


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `liven feeds generate`."""
    parser.epilog = _EPILOG
    parser.add_argument("what", choices=_NAMES, help="what is made up")
    parser.add_argument(
        "--seed", type=int, default=1, metavar="N", help="another number gives other records (1)"
    )
    parser.add_argument(
        "--for",
        dest="seconds",
        type=span,
        default=600.0,
        metavar="TIME",
        help="as 90s, 10m, 6h, 2d or 1w (10m)",
    )
    count = "aircraft (100), symbols (20), or earthquakes an hour (20)"
    parser.add_argument("--count", type=int, metavar="N", help=count)
    start = f"the time of the first record, in UTC ({_START})"
    parser.add_argument("--start", type=_moment, default=_moment(_START), metavar="WHEN", help=start)
    place = parser.add_mutually_exclusive_group(required=True)
    place.add_argument("--into", metavar="FEED", help="make this feed: a name, or a path with a slash")
    place.add_argument("--file", type=Path, metavar="FILE", help="write this file instead, in one step")
    parser.add_argument(
        "--recorders", type=int, metavar="N", help="recorders that hear it (2 for airspace, else 1)"
    )
    loss = "the percentage of records that each recorder misses (2 for airspace, else 0)"
    parser.add_argument("--loss", type=_percentage, metavar="P", help=loss)
    forms = (
        "the format of the file: jsonl, csv, opensky, aircraft.json, basestation, usgs, quotes, ohlc, klines"
    )
    parser.add_argument("--format", default="", metavar="F", help=f"{forms} (by the ending)")
    parser.add_argument("--json", action="store_true", help="print the result, and the progress, as JSON")


def run(arguments: argparse.Namespace) -> int:
    """Make the feed or the file."""
    from liven.liveobjects.feeds.source.generator.generators import COUNTS, GENERATORS

    count = COUNTS[arguments.what] if arguments.count is None else arguments.count
    try:
        generator = GENERATORS[arguments.what](arguments.seed, count)
    except ValueError as error:
        return complain(str(error), BAD_USE)
    bar = ProgressBar("making up", as_json=arguments.json)
    begun = time.monotonic()
    try:
        if arguments.into is not None:
            rows, place = _feed(arguments, generator, bar)
        else:
            rows, place = _file(arguments, generator, bar)
    except FeedError:
        raise
    except ValueError as error:
        return complain(str(error), BAD_USE)
    except OSError as error:
        return complain(f"{error.filename or arguments.into or arguments.file}: {error.strerror}", NO)
    finally:
        bar.end()
    _say(arguments, rows, place, time.monotonic() - begun)
    return OK


def _feed(arguments: argparse.Namespace, generator: Any, bar: ProgressBar) -> tuple[int, str]:
    from liven.liveobjects.feeds.source.generator.invented_log import Hearing, write_invented

    recorders, loss = _HEARD.get(arguments.what, (1, 0.0))
    hearing = Hearing(
        recorders if arguments.recorders is None else arguments.recorders,
        loss if arguments.loss is None else arguments.loss,
    )
    feed = feed_to_write(arguments.into, root())

    def progress(rows: int, part: int) -> None:
        bar.show(rows, rows * _PARTS // part if part else _PARTS * max(rows, 1))

    rows = write_invented(
        feed, generator, arguments.seed, arguments.start, arguments.seconds, hearing, progress
    )
    return rows, arguments.into


def _file(arguments: argparse.Namespace, generator: Any, bar: ProgressBar) -> tuple[int, str]:
    from liven.liveobjects.feeds.source.generator.public_formats import written
    from liven.runtime.files import write_file

    rows = 0

    def steps() -> Iterator[Any]:
        nonlocal rows
        for begin, step in generator.steps(arguments.start, arguments.seconds):
            yield from (one.row for one in step)
            rows += len(step)
            part = (begin - arguments.start) / 1e6 / arguments.seconds
            bar.show(rows, round(rows / part) if part else _PARTS * max(rows, 1))

    form = arguments.format or _ENDINGS.get(arguments.file.suffix.lower(), arguments.file.suffix)
    write_file(arguments.file, written(form, generator.name, steps()))
    return rows, str(arguments.file)


def _say(arguments: argparse.Namespace, rows: int, place: str, seconds: float) -> None:
    if arguments.json:
        import json

        print(json.dumps({"into": place, "records": rows, "seconds": round(seconds, 3)}))
        return
    rate = f", {rows / seconds:,.0f} a second" if seconds >= 1 else ""
    print(f"{place}: {many(rows, 'record')}{rate}")


def span(text: str) -> float:
    """Return the seconds of a span of time as people write it; raise ArgumentTypeError."""
    found = _SPAN.fullmatch(text.strip())
    seconds = float(found[1]) * _UNITS[found[2]] if found else 0.0
    if not 0 < seconds <= _LONGEST:
        raise argparse.ArgumentTypeError(
            f"{text!r} is not a time such as 90s, 10m, 6h, 2d or 1w, up to ten years"
        )
    return seconds


def _moment(text: str) -> int:
    try:
        found = datetime.fromisoformat(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r} is not a time such as {_START}") from None
    return microseconds(found if found.tzinfo else found.replace(tzinfo=UTC))


def _percentage(text: str) -> float:
    try:
        found = float(text.removesuffix("%"))
    except ValueError:
        found = -1.0
    if not 0 <= found <= 100:
        raise argparse.ArgumentTypeError(f"{text!r} is not a percentage from 0 to 100")
    return found / 100
