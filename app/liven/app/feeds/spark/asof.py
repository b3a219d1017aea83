"""`liven feeds asof`: the states of all objects of a recording at a moment, printed or as a table."""

from __future__ import annotations

import argparse
import json
import sys

from liven.app.feeds.activity_line import ActivityLine
from liven.app.feeds.arguments import Moment, add_feed, duration, feed_of, moment, shown_time
from liven.app.feeds.encrypted_feed import refuse_encrypted
from liven.app.feeds.nothing_found import nothing_found
from liven.app.feeds.readable_state import readable_states
from liven.app.feeds.spark.job_arguments import add_job, run_job
from liven.app.feeds.spark.job_progress import SparkProgress
from liven.app.network.cli import complain, many, printable
from liven.liveobjects.feeds.asof.merged_blocks import MergedBlocks
from liven.liveobjects.feeds.asof.states import ObjectState, states_as_of
from liven.liveobjects.feeds.author_names import AuthorNames
from liven.liveobjects.feeds.description import read_description
from liven.liveobjects.feeds.exchange.json_form import json_value
from liven.liveobjects.feeds.payload_decoder import PayloadDecoder, UndecodableError
from liven.liveobjects.feeds.replay.bookmarks import BOOKMARK, Bookmarked, Bookmarks
from liven.liveobjects.feeds.replay.source.merged_logs import MergedLogs
from liven.liveobjects.feeds.replay.source.recorders import recorded
from liven.liveobjects.feeds.segment.reader import Log
from liven.runtime.exit_codes import BAD_USE, OK

_WIDEST = 100


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `liven feeds asof`."""
    add_feed(parser)
    at = "the moment: a time such as 2026-11-02T09:30 (UTC), a record's number, or a bookmark @NAME (the end)"
    parser.add_argument("--at", type=_at, action="append", metavar="WHEN", help=at)
    parser.add_argument("--object", action="append", default=[], metavar="NAME", help="only this object")
    table = "have Spark write the states to the table asof instead, for each --at or for each --every"
    parser.add_argument("--table", action="store_true", help=table)
    every = "with --table: a moment each 10m, 1h or 1d (1h)"
    parser.add_argument("--every", type=duration, metavar="TIME", help=every)
    add_job(parser)
    parser.epilog = (
        "Of notes, desktops and their like, the state is in words. Of others, it is the last value of a\n"
        "stream, or the last checkpoint of a channel and the number of changes since. With --json, each\n"
        "object is a line of JSON with the value of the checkpoint and the bytes of the changes."
    )


def run(arguments: argparse.Namespace) -> int:
    """Print the states, or have Spark write them."""
    if arguments.table:
        return _write_table(arguments)
    if arguments.every or len(arguments.at or ()) > 1:
        return complain("several moments need --table; without it, give one --at", BAD_USE)
    place = feed_of(arguments)
    described = read_description(place.feed.path)
    refuse_encrypted(arguments.feed, described, "`liven feeds replay --key FILE` shows its states")
    decoder = PayloadDecoder(described.types)
    with ActivityLine() as activity:
        activity.step("reading the recording")
        folders = place.recorders() or [place.log().folder]
        source = recorded(folders, described.by_author(), lambda error: complain(str(error), OK))
        blocks = MergedBlocks(source) if isinstance(source, MergedLogs) else Log(folders[0])
        marks = Bookmarked(source, Bookmarks(place.feed.path), tuple(one.name for one in folders))
        sequence = _sequence(arguments.at[0], marks) if arguments.at else source.end
        states = list(states_as_of(blocks, sequence))
        words = {} if arguments.json else readable_states(source, described, sequence)
    chosen = [one for one in states if not arguments.object or one.key.object in arguments.object]
    if arguments.object and not chosen:
        there = {"object": {one.key.object for one in states}}
        raise nothing_found(arguments.feed, {"object": arguments.object}, there, AuthorNames.of(described))
    for state in chosen:
        row = _row(state, decoder)
        said = words.get(state.key.channel, "")
        print(json.dumps(row, ensure_ascii=False) if arguments.json else _line(row, said))
    sys.stdout.flush()
    return OK


def _at(text: str) -> Moment | str:
    """Return a moment that a person wrote; a bookmark with its sign."""
    return text if text.startswith(BOOKMARK) else moment(text)


def _sequence(at: Moment | str, marks: Bookmarked) -> int:
    return marks.sequence(at) if isinstance(at, str) else at.in_log(marks.source)


def _write_table(arguments: argparse.Namespace) -> int:
    moments = []
    for at in arguments.at or ():
        if isinstance(at, str) or at.time is None:
            return complain("--table takes times, such as --at 2026-11-02T09:30", BAD_USE)
        moments.append(at.time)
    given = {
        "feeds": [arguments.feed],
        "tables": ["asof"],
        "moments": moments,
        "every": arguments.every,
    }
    return run_job("derive", given, arguments, SparkProgress("deriving", "derived", as_json=arguments.json))


def _row(state: ObjectState, decoder: PayloadDecoder) -> dict[str, object]:
    """Return what is said of one object."""
    row: dict[str, object] = {
        "object": state.key.object,
        "channel": state.key.channel,
        "sequence": state.sequence,
        "received": shown_time(state.received),
        "changes": len(state.operations),
    }
    if state.state is not None:
        try:
            row["state"] = json_value(decoder.decode(state.type, state.state))
        except UndecodableError as error:
            row |= {"bytes": state.state.hex(), "error": str(error)}
    row["operations"] = [operation.hex() for operation in state.operations]
    return row


def _line(row: dict[str, object], said: str) -> str:
    """Return a line about one object; `said` is its state in words, if there are some."""
    changes = 0 if said else row["changes"]
    assert isinstance(changes, int)
    state = str(row.get("error", "began empty"))
    if said:
        state = said
    elif "state" in row:
        state = json.dumps(row["state"], ensure_ascii=False)
    shown = state if len(state) <= _WIDEST else state[: _WIDEST - 1] + "…"
    after = f", then {many(changes, 'change')}" if changes else ""
    return f"{row['received']}  {printable(str(row['object']))}: {printable(shown)}{after}"
