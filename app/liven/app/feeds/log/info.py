"""`liven feeds info`: counts, times, types, size and growth of a feed."""

from __future__ import annotations

import argparse
import json
from collections import Counter
from collections.abc import Callable
from typing import Any

from liven.app.feeds.arguments import add_feed, add_ids, author_names, feed_of, shown_time
from liven.app.feeds.progress import ProgressBar
from liven.app.network.cli import complain, many, printable
from liven.liveobjects.feeds.description import read_description
from liven.liveobjects.feeds.errors import DamagedError
from liven.liveobjects.feeds.segment.log_lock import is_locked
from liven.liveobjects.feeds.segment.reader import Log
from liven.liveobjects.feeds.segment.segment_files import segment_files
from liven.liveobjects.feeds.segment.statistics import Counts, counted, size_of
from liven.runtime.exit_codes import NO, OK
from liven.runtime.files import readable_size

_MOST_NAMES = 12
"""Names of a column that are printed; `--json` has all."""
_HOUR = 3_600_000_000


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `liven feeds info`."""
    add_feed(parser)
    add_ids(parser)
    parser.add_argument(
        "--quick", action="store_true", help="read only the heads of blocks: no counts by name"
    )
    parser.add_argument("--json", action="store_true", help="print it as JSON")


def run(arguments: argparse.Namespace) -> int:
    """Print what is known of each recorder's log."""
    place = feed_of(arguments)
    description = read_description(place.feed.path)
    author = author_names(arguments, description)
    problems: list[DamagedError] = []
    recorders = [
        _recorder(Log(folder), author, quick=arguments.quick, problems=problems)
        for folder in place.recorders()
    ]
    found = {
        "name": place.feed.name,
        "title": description.title,
        "path": str(place.feed.path),
        "people": list(description.people),
        "by_author": sorted(description.by_author()),
        "encrypted": list(description.encrypted),
        "types": {name: entry.notation for name, entry in description.types.items()},
        "recorders": recorders,
    }
    if arguments.json:
        print(json.dumps(found, indent=1))
    else:
        _print(found)
    for problem in problems:
        complain(str(problem), NO)
    return NO if problems else OK


def _recorder(
    log: Log, author: Callable[[str], str], *, quick: bool, problems: list[DamagedError]
) -> dict[str, Any]:
    earliest, latest = log.earliest, log.latest
    found: dict[str, Any] = {
        "name": log.folder.name,
        "begin": log.begin,
        "end": log.end,
        "records": log.end - log.begin,
        "earliest": earliest,
        "latest": latest,
        "files": len(segment_files(log.folder)),
        "bytes": size_of(log.folder),
        "recording": is_locked(log.folder),
        "bytes_per_hour": _growth(size_of(log.folder), earliest, latest),
    }
    if not quick:
        bar = ProgressBar("counting")
        counts = counted(log, bar.show, problems.append)
        bar.end()
        found |= _counted(counts, author)
    return found


def _counted(counts: Counts, author: Callable[[str], str]) -> dict[str, Any]:
    by = {column: dict(names.most_common()) for column, names in counts.names.items()}
    authors: Counter[str] = Counter()
    for one, count in by.get("author", {}).items():
        authors[author(one)] += count  # a person has another id on each channel
    by["author"] = dict(authors.most_common())
    return {
        "records": counts.records,
        "payload_bytes": counts.payload,
        "checkpoints": counts.checkpoints,
        "gaps": counts.gaps,
        "by": by,
    }


def _growth(size: int, earliest: int | None, latest: int | None) -> int | None:
    """Return bytes in an hour over the whole recording; None if it is shorter than a second."""
    if earliest is None or latest is None or latest - earliest < _HOUR // 3600:
        return None
    return size * _HOUR // (latest - earliest)


def _print(found: dict[str, Any]) -> None:
    print(printable(found["title"] or found["name"]) + f"  ({found['path']})")
    if found["people"]:
        print(f"  recorded with the consent of {printable(', '.join(found['people']))}")
    for each in found["recorders"]:
        state = ", recording" if each["recording"] else ""
        has = each["end"] > each["begin"]
        numbers = f"numbers {each['begin']} to {each['end'] - 1}" if has else "no numbers"
        print(f"{printable(each['name'])}: {many(each['records'], 'record')}, {numbers}{state}")
        print(f"  from {shown_time(each['earliest'])} to {shown_time(each['latest'])}")
        growth = each["bytes_per_hour"]
        rate = f", {readable_size(growth)} an hour" if growth is not None else ""
        print(f"  {readable_size(each['bytes'])} in {many(each['files'], 'file')}{rate}")
        if each.get("gaps"):
            print(f"  {many(each['gaps'], 'place')} where numbers of an author are missing")
        for column, names in each.get("by", {}).items():
            _print_names(column, names)
    for channel in found["by_author"]:
        print(f"channel {printable(channel)}: no order; a serial is its author's own number")
    for channel in found["encrypted"]:
        print(f"channel {printable(channel)}: encrypted, here as well")
    for name, notation in found["types"].items():
        print(f"type {printable(name)}: {printable(notation)}")
    if not found["recorders"]:
        print("nothing was recorded here yet")


def _print_names(column: str, names: dict[str, int]) -> None:
    shown = [f"{printable(name) or '(none)'} {count}" for name, count in list(names.items())[:_MOST_NAMES]]
    if len(names) > _MOST_NAMES:
        shown.append(f"and {len(names) - _MOST_NAMES} more")
    print(f"  {column}: {', '.join(shown)}")
