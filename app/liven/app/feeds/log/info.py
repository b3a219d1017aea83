"""`liven feeds info`: counts, times, types, size and growth of a feed."""

from __future__ import annotations

import argparse
import json
import re
from collections import Counter
from collections.abc import Callable, Mapping
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
_ID = re.compile(r"[0-9A-Fa-f]{16,}")
_DIGITS = 6
"""Digits of an id that are printed."""
_MADE_UP = "type-"
"""The beginning of the names that a recorder makes up for types without one."""
_LONGEST = 160
"""Characters of a type that are printed."""


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
        print(f"  told of the recording, without objection: {printable(', '.join(found['people']))}")
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
            of_types = found["types"]
            readable = {type_name(one, of_types) if column == "type" else one: n for one, n in names.items()}
            _print_names(column, readable)
    for channel in found["by_author"]:
        print(f"channel {_short(channel)}: no order; a serial is its author's own number")
    for channel in found["encrypted"]:
        print(f"channel {_short(channel)}: encrypted, here as well")
    used = {name for each in found["recorders"] for name in each.get("by", {}).get("type", {})}
    types = found["types"]
    for name in [name for name in types if name in used and not _explains_itself(name, types[name])]:
        print(f"type {type_name(name, types)}: {_cut(printable(types[name]))}")
    if not found["recorders"]:
        print("nothing was recorded here yet")


def _print_names(column: str, names: dict[str, int]) -> None:
    shown = [f"{_short(name) or '(none)'} {count}" for name, count in list(names.items())[:_MOST_NAMES]]
    if len(names) > _MOST_NAMES:
        shown.append(f"and {len(names) - _MOST_NAMES} more")
    print(f"  {column}: {', '.join(shown)}")


def _short(name: str) -> str:
    """Return a name for people: ids in it keep their first digits; `--json` has all."""
    return printable(_ID.sub(lambda found: f"{found[0][:_DIGITS]}…", name))


def type_name(name: str, types: Mapping[str, str]) -> str:
    """Return the name of a type for people: one that was made up for an optional value is named after that
    value, and a long one is cut."""
    if name.startswith(_MADE_UP):
        notation = types.get(name, "")
        inner = notation.removeprefix("optional<").removesuffix(">")
        named = next((other for other, known in types.items() if known == inner and other != name), "")
        return f"optional {printable(named)}" if named else _cut(printable(notation or name))
    return _cut(printable(name))


def _explains_itself(name: str, notation: str) -> bool:
    return name == notation or name.startswith(_MADE_UP)


def _cut(text: str) -> str:
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 1]}…"
