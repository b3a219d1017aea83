"""`liven feeds ls`: the feeds of this computer, a line each."""

from __future__ import annotations

import argparse
import json
from contextlib import suppress
from pathlib import Path
from typing import Any

from liven.app.feeds.arguments import root, shown_time
from liven.app.network.cli import many, printable
from liven.liveobjects.feeds.description import read_description
from liven.liveobjects.feeds.errors import FeedError
from liven.liveobjects.feeds.feed_folder import FeedFolder, listed_feeds
from liven.liveobjects.feeds.segment.log_lock import is_locked
from liven.liveobjects.feeds.segment.statistics import size_of
from liven.runtime.exit_codes import OK
from liven.runtime.files import readable_size


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `liven feeds ls`."""
    parser.add_argument("folder", metavar="FOLDER", nargs="?", help="the folder of feeds (your own)")
    parser.add_argument("--json", action="store_true", help="print the list as one JSON array")


def run(arguments: argparse.Namespace) -> int:
    """Print the list."""
    place = Path(arguments.folder) if arguments.folder else root()
    found = [_row(feed) for feed in listed_feeds(place)]
    if arguments.json:
        print(json.dumps(found, indent=1))
        return OK
    for row in found:
        print(_line(row))
    if not found:
        print(f"no feeds below {place}; `liven feeds record --help` says how to record one")
    return OK


def _row(feed: FeedFolder) -> dict[str, Any]:
    row: dict[str, Any] = {"name": feed.name, "recorders": [], "records": 0, "bytes": 0}
    latest: list[int] = []
    with suppress(FeedError, OSError):  # what is wrong with it is told below, or by info
        row["encrypted"] = bool(read_description(feed.path).encrypted)
    for log in feed.logs():
        row["recorders"].append(log.folder.name)
        row["recording"] = row.get("recording", False) or is_locked(log.folder)
        try:
            row["records"] += log.end - log.begin
            row["bytes"] += size_of(log.folder)
            if (time := log.latest) is not None:
                latest.append(time)
        except (FeedError, OSError) as error:
            row["trouble"] = str(error)
    row["latest"] = max(latest, default=None)
    return row


def _line(row: dict[str, Any]) -> str:
    words = [many(row["records"], "record"), readable_size(row["bytes"])]
    if len(row["recorders"]) > 1:
        words.append(many(len(row["recorders"]), "recorder"))
    if row["latest"] is not None:
        words.append(f"last {shown_time(row['latest'])}")
    if row.get("encrypted"):
        words.append("encrypted")
    if row.get("recording"):
        words.append("recording")
    if "trouble" in row:
        words.append(printable(row["trouble"]))
    return f"{printable(row['name'])}  {', '.join(words)}"
