"""`liven feeds remove`: a feed to the trash, back from it, or deleted for good."""

from __future__ import annotations

import argparse
import shlex
import sys
from datetime import UTC, datetime
from pathlib import Path

from liven.app.feeds.arguments import feed_of, root
from liven.app.network.cli import complain, many, printable
from liven.liveobjects.feeds.errors import FeedError
from liven.liveobjects.feeds.feed_folder import FeedFolder
from liven.liveobjects.feeds.segment.log_lock import is_locked
from liven.liveobjects.feeds.trash import RemovedFeed, delete, remove, removed_feeds, restore, size_below
from liven.runtime.exit_codes import BAD_USE, ENVIRONMENT, NO, OK
from liven.runtime.files import readable_size
from liven.runtime.os_error_text import explain_os_error


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `liven feeds remove`."""
    parser.add_argument("feed", metavar="FEED", nargs="?", default="", help="the feed's name or folder")
    other = parser.add_mutually_exclusive_group()
    undo = "put the feed of this name that was removed last back"
    other.add_argument("--undo", action="store_true", help=undo)
    empty = "delete the removed feeds for good (with FEED: those of this name)"
    other.add_argument("--empty", action="store_true", help=empty)
    parser.add_argument("--yes", action="store_true", help="do not ask")
    parser.epilog = (
        "A removed feed lies in the folder .trash beside the others and still takes its room on the disk,\n"
        "until --empty deletes it for good. Tables that were made of it stay. A feed that is being recorded\n"
        "is refused.\n"
        "Exit code: 0 done; 1 not done; 2 wrong use; 3 the feed is being recorded, or the disk refused."
    )


def run(arguments: argparse.Namespace) -> int:
    """Remove a feed, put it back, or empty the trash."""
    if not arguments.feed and not arguments.empty:
        return complain("name a feed; `liven feeds ls` lists those there are", BAD_USE)
    try:
        if arguments.empty:
            return _empty(arguments)
        if arguments.undo:
            feed = restore(*_named(arguments.feed))
            print(f"{printable(feed.name)} is back")
            return OK
        return _remove(arguments)
    except OSError as error:
        return complain(explain_os_error(error), ENVIRONMENT)


def _remove(arguments: argparse.Namespace) -> int:
    place = feed_of(arguments)
    if place.recorder is not None:
        return complain("a recorder alone cannot be removed; name the feed", BAD_USE)
    feed = place.feed
    recorded = [folder.name for folder in feed.recorders() if is_locked(folder)]
    if recorded:
        return complain(f"{printable(feed.name)} is being recorded; stop that first", ENVIRONMENT)
    what = f"{printable(feed.name)}: {_contents(feed)}"
    if not arguments.yes and not _agreed(f"{what}\nMove it to the trash?"):
        return NO
    remove(feed, datetime.now(UTC))
    undo = f"liven feeds remove --undo {shlex.quote(arguments.feed)}"
    print(f"{what}, moved to the trash; `{printable(undo)}` brings it back")
    return OK


def _contents(feed: FeedFolder) -> str:
    size = readable_size(size_below(feed.path))
    try:
        logs = feed.logs()
        records = sum(log.end - log.begin for log in logs)
    except FeedError:
        return f"records that cannot be read, {size}"
    recorders = f" of {many(len(logs), 'recorder')}" if len(logs) > 1 else ""
    return f"{many(records, 'record')}{recorders}, {size}"


def _named(which: str) -> tuple[str, Path]:
    """Return the name of a feed that is removed, and the folder where it was."""
    if "/" not in which:
        return which, root()
    place = Path(which).expanduser().absolute()
    return place.name, place.parent


def _empty(arguments: argparse.Namespace) -> int:
    name, place = _named(arguments.feed)
    found = [one for one in removed_feeds(place) if not name or one.name == name]
    if not found:
        if arguments.feed:
            return complain(f"no feed {printable(arguments.feed)} is in the trash", BAD_USE)
        print("the trash is empty")
        return OK
    for one in found:
        print(f"{printable(one.name)}, removed {one.when:%Y-%m-%d %H:%M} UTC, {readable_size(one.size)}")
    if not arguments.yes and not _agreed(f"Delete {_all_of(found)} for good?"):
        return NO
    for one in found:
        delete(one)
    print(f"{many(len(found), 'feed')} deleted")
    return OK


def _all_of(found: list[RemovedFeed]) -> str:
    return "it" if len(found) == 1 else f"these {len(found)} feeds"


def _agreed(question: str) -> bool:
    """Ask in the terminal; print how to go on where nobody can answer."""
    if not (sys.stdin is not None and sys.stdin.isatty() and sys.stderr.isatty()):
        complain(f"{question.replace(chr(10), '. ')} Nobody can be asked here; add --yes", NO)
        return False
    sys.stderr.write(f"{question} [y/N] ")
    sys.stderr.flush()
    return sys.stdin.readline().strip().lower() in ("y", "yes")
