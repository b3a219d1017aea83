"""`liven feeds SUBCOMMAND …`: finds the subcommand that was typed and runs it.

A row names a module with `configure(parser)` and `run(arguments)`, so that listing them imports none.
"""

from __future__ import annotations

import argparse
from dataclasses import dataclass
from difflib import get_close_matches
from importlib import import_module
from typing import Final, cast

from liven.app.cli.dispatch import Command, Parser
from liven.app.network.cli import complain
from liven.liveobjects.feeds.errors import BadUseError, FeedError, LockedError
from liven.runtime.exit_codes import BAD_USE, ENVIRONMENT, NO


@dataclass(frozen=True, slots=True)
class Row:
    """One subcommand."""

    name: str
    module: str
    help: str


ROWS: Final = (
    Row("ls", "liven.app.feeds.log.listing", "list the feeds of this computer"),
    Row("info", "liven.app.feeds.log.info", "show counts, times, types, size and growth of a feed"),
    Row("cat", "liven.app.feeds.log.cat", "print the records of a feed as lines of JSON"),
    Row("diff", "liven.app.feeds.log.diff", "show what changed between two moments, and who did it"),
    Row("verify", "liven.app.feeds.log.verify", "look for damage in a feed, and change nothing"),
    Row("repair", "liven.app.feeds.log.repair", "set damage aside and keep every good record"),
    Row("remove", "liven.app.feeds.log.removal", "move a feed to the trash, or bring it back"),
    Row("export", "liven.app.feeds.log.exporting", "write a feed as JSON lines, CSV, Parquet or MCAP"),
    Row("import", "liven.app.feeds.log.importing", "read such a file as a recording of a feed"),
    Row("generate", "liven.app.feeds.generate", "make up an airspace, quotes or earthquakes from a seed"),
    Row("record", "liven.app.feeds.record", "record an object, a channel or a desktop with all on it"),
    Row("replay", "liven.app.feeds.replay.command", "play a feed again, in a copy of the recorded object"),
    Row("asof", "liven.app.feeds.spark.asof", "show the states of all objects at a moment"),
    Row("ingest", "liven.app.feeds.spark.ingest", "turn records into rows of typed tables, with Spark"),
    Row("compact", "liven.app.feeds.spark.compact", "join the small files of tables"),
    Row("stats", "liven.app.feeds.spark.stats", "find sessions, gaps and figures of each minute, with Spark"),
    Row("backfill", "liven.app.feeds.spark.backfill", "bring all tables up to date with what was recorded"),
    Row("sql", "liven.app.feeds.spark.sql", "query tables and records"),
    Row("cluster", "liven.app.feeds.spark.cluster", "run a Spark cluster on this computer, or join one"),
    Row("records", "liven.app.feeds.spark.records", "choose records with a job of Spark, for a replay"),
    Row("watch", "liven.app.feeds.spark.watch", "query a feed as it grows, with Spark"),
    Row("serve", "liven.app.feeds.spark.serve", "keep Spark running for the next commands"),
    Row("demo", "liven.app.feeds.demo.command", "record, ingest, query and replay, in one go"),
    Row("prepare", "liven.app.feeds.spark.prepare", "make the next starts of Spark faster"),
)


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `liven feeds`."""
    width = max(len(row.name) for row in ROWS)
    parser.usage = "liven feeds SUBCOMMAND …"
    parser.epilog = (
        "subcommands:\n"
        + "\n".join(f"  {row.name:<{width}}  {row.help}" for row in ROWS)
        + "\n\n`liven feeds SUBCOMMAND --help` explains one of them."
    )
    parser.add_argument("subcommand", nargs="?", default="", help=argparse.SUPPRESS)
    parser.add_argument("words", nargs=argparse.REMAINDER, help=argparse.SUPPRESS)
    parser.set_defaults(parser=parser)


def run(arguments: argparse.Namespace) -> int:
    """Run the subcommand and return its exit code."""
    rows = {row.name: row for row in ROWS}
    if not arguments.subcommand:
        arguments.parser.print_help()
        return 0
    if arguments.subcommand not in rows:
        near = get_close_matches(arguments.subcommand, rows, n=1)
        hint = f"; did you mean {near[0]!r}?" if near else ""
        arguments.parser.error(f"there is no subcommand {arguments.subcommand!r}{hint}")
    row = rows[arguments.subcommand]
    parser = Parser(
        prog=f"liven feeds {row.name}",
        description=row.help[0].upper() + row.help[1:] + ".",
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    command = cast(Command, import_module(row.module))
    command.configure(parser)
    try:
        return command.run(parser.parse_args(arguments.words))
    except BadUseError as error:
        return complain(str(error), BAD_USE)
    except LockedError as error:
        return complain(str(error), ENVIRONMENT)
    except FeedError as error:
        return complain(str(error), NO)
