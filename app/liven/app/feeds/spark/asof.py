"""`liven feeds asof`: the states of all objects of a recording at a moment, printed or as a table."""

from __future__ import annotations

import argparse
import json
import sys

from liven.app.feeds.activity_line import ActivityLine
from liven.app.feeds.arguments import add_feed, duration, feed_of, moment, shown_time
from liven.app.feeds.encrypted_feed import refuse_encrypted
from liven.app.feeds.spark.job_arguments import add_job, run_job
from liven.app.feeds.spark.job_progress import SparkProgress
from liven.app.network.cli import complain, many, printable
from liven.liveobjects.feeds.asof.merged_blocks import MergedBlocks
from liven.liveobjects.feeds.asof.states import ObjectState, states_as_of
from liven.liveobjects.feeds.description import read_description
from liven.liveobjects.feeds.exchange.json_form import json_value
from liven.liveobjects.feeds.payload_decoder import PayloadDecoder, UndecodableError
from liven.liveobjects.feeds.replay.source.merged_logs import MergedLogs
from liven.liveobjects.feeds.replay.source.recorders import recorded
from liven.liveobjects.feeds.segment.reader import Log
from liven.runtime.exit_codes import BAD_USE, OK

_WIDEST = 100


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `liven feeds asof`."""
    add_feed(parser)
    at = "the moment: a time such as 2026-11-02T09:30 (UTC), or a record's number (the end)"
    parser.add_argument("--at", type=moment, action="append", metavar="WHEN", help=at)
    parser.add_argument("--object", action="append", default=[], metavar="NAME", help="only this object")
    table = "have Spark write the states to the table asof instead, for each --at or for each --every"
    parser.add_argument("--table", action="store_true", help=table)
    every = "with --table: a moment each 10m, 1h or 1d (1h)"
    parser.add_argument("--every", type=duration, metavar="TIME", help=every)
    add_job(parser)
    parser.epilog = (
        "A state is the last value of a stream, or the last checkpoint of a channel and the number of\n"
        "changes since. With --json, each object is a line of JSON with the bytes of both."
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
        sequence = arguments.at[0].in_log(source) if arguments.at else source.end
        states = list(states_as_of(blocks, sequence))
    for state in states:
        if not arguments.object or state.key.object in arguments.object:
            row = _row(state, decoder)
            print(json.dumps(row, ensure_ascii=False) if arguments.json else _line(row))
    sys.stdout.flush()
    return OK


def _write_table(arguments: argparse.Namespace) -> int:
    moments = []
    for at in arguments.at or ():
        if at.time is None:
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


def _line(row: dict[str, object]) -> str:
    changes = row["changes"]
    assert isinstance(changes, int)
    state = str(row.get("error", "began empty"))
    if "state" in row:
        state = json.dumps(row["state"], ensure_ascii=False)
    shown = state if len(state) <= _WIDEST else state[: _WIDEST - 1] + "…"
    after = f", then {many(changes, 'change')}" if changes else ""
    return f"{row['received']}  {printable(str(row['object']))}: {printable(shown)}{after}"
