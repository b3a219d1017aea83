"""`liven feeds diff`: what differs between two moments of a recorded object, who did it, and when."""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any

from liven.app.feeds.arguments import add_feed, add_ids, feed_of
from liven.app.feeds.encrypted_feed import refuse_encrypted
from liven.app.network.cli import complain, many, printable
from liven.app.time_travel.channel_names import channel_of
from liven.liveobjects.feeds.author_names import authors_of
from liven.liveobjects.feeds.description import FeedDescription, read_description
from liven.liveobjects.feeds.errors import BadUseError
from liven.liveobjects.feeds.history.comparison import Compared, compared, stood
from liven.liveobjects.feeds.history.difference import people_text
from liven.liveobjects.feeds.history.kinds import kind_of
from liven.liveobjects.feeds.history.reconstruction import Reconstruction
from liven.liveobjects.feeds.replay.bookmarks import Bookmarked, Bookmarks
from liven.liveobjects.feeds.replay.opening import opened
from liven.liveobjects.feeds.replay.options import Window, window_of
from liven.liveobjects.feeds.replay.source.recorders import recorded
from liven.runtime.exit_codes import OK
from liven.runtime.reference.errors import ReadError
from liven.runtime.reference.model import Object
from liven.runtime.reference.xml import read_object

_WHEN = "WHEN"


class NoHistoryError(BadUseError):
    """The recorded object has no history that could be followed."""


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `liven feeds diff`."""
    add_feed(parser)
    parser.add_argument("--from", dest="start", default="", metavar=_WHEN, help="the earlier moment")
    to = "the later moment; a time such as +2h counts from --from"
    parser.add_argument("--to", dest="end", default="", metavar=_WHEN, help=to)
    add_ids(parser)
    parser.add_argument("--json", action="store_true", help="print each difference as a line of JSON")
    parser.epilog = (
        "WHEN is a time (2026-11-16T09:00, 09:00:30; UTC unless it says otherwise), a time from the start\n"
        "(+1m30s) or the end (-10s), a record's number (#1234), a share (25%), or a bookmark (@name).\n"
        "Without them, the beginning of the recording and its end are compared, and what stood there before\n"
        "the recording began is listed after that (with --json: the difference is `before`).\n"
        "Where something lies on a desktop belongs to that desktop, and its words belong to the note."
    )


def run(arguments: argparse.Namespace) -> int:
    """Print the differences, in groups, one for each object."""
    place = feed_of(arguments)
    described = read_description(place.feed.path)
    refuse_encrypted(place.feed.name, described, "open the object and go back in time in its window")
    thing = _recorded_object(place.feed.name, described)
    folders = place.recorders() or [place.log().folder]
    source = recorded(folders, described.by_author(), lambda error: complain(str(error), OK))
    marks = Bookmarked(source, Bookmarks(place.feed.path), tuple(one.name for one in folders))
    window = window_of(source, marks.place(arguments.start), marks.place(arguments.end), opened(source))
    names = {} if arguments.ids else authors_of(described)
    moments = window.begin.sequence, window.end.sequence
    recording = Reconstruction(source)
    found = compared(recording, thing, channel_of, moments, names)
    before = () if arguments.start else stood(recording, thing, channel_of, source.begin)
    if arguments.json:
        for row in (*_rows(found), *_rows(before, "before")):
            print(json.dumps(row, ensure_ascii=False))
    else:
        _print(found, window)
        _print_before(before)
    return OK


def _recorded_object(feed: str, described: FeedDescription) -> Object:
    """Return the recorded object; raise NoHistoryError if it is not known, or of another kind."""
    try:
        thing = read_object(described.recipe) if described.recipe else None
    except ReadError:
        thing = None
    if thing is None or kind_of(thing) is None:
        raise NoHistoryError(
            f"{feed}: its object has no history that could be compared; `liven feeds replay {feed} --print`"
            " shows the events"
        )
    return thing


def _rows(found: Sequence[Compared], act: str = "") -> list[dict[str, Any]]:
    return [
        {
            "object": " › ".join(each.then.path) or each.then.kind.name,
            "kind": each.then.kind.name,
            "difference": act or one.act.value,
            "name": one.name,
            "detail": one.detail,
            "by": list(one.people),
            "when": _time(one.when),
        }
        for each in found
        for one in each.differences
    ]


def _print(found: Sequence[Compared], window: Window) -> None:
    count = sum(len(each.differences) for each in found)
    said = many(count, "difference") if count else "no difference"
    print(f"{said} between {_time(window.begin.time)} and {_time(window.end.time)}")
    for each in found:
        _print_name(each)
        for one in each.differences:
            said = f"{one.name} {one.act}{f': {one.detail}' if one.detail else ''}"
            who = ", ".join(filter(None, (people_text(one.people), _time(one.when))))
            print(f"  {printable(said)}{f'; {printable(who)}' if who else ''}")
    if any(not each.then.complete for each in found):
        print("messages before the earlier moment are missing in the recording, so more may differ")


def _print_before(before: Sequence[Compared]) -> None:
    if before:
        print("there before the recording began:")
    for each in before:
        _print_name(each)
        for one in each.differences:
            print(f"  {printable(one.name)}")


def _print_name(each: Compared) -> None:
    print(printable(" › ".join(each.then.path) or f"the {each.then.kind.name}"))


def _time(moment: int) -> str:
    if not moment:
        return ""
    return f"{datetime.fromtimestamp(moment // 1_000_000, UTC):%Y-%m-%d %H:%M:%S} UTC"
