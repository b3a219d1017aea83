"""`liven feeds sql`: a query over all tables, and over the records of all feeds."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Mapping
from typing import Any

from liven.app.feeds.spark.job_arguments import add_job, run_job
from liven.app.feeds.spark.job_progress import SparkProgress
from liven.app.feeds.spark.row_stream import RowStream, records_query
from liven.app.feeds.spark.text_table import text_table

_MOST_ROWS = 1000


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `liven feeds sql`."""
    parser.add_argument("query", metavar="QUERY", help="a query of Spark SQL")
    limit = f"the most rows to print, 0 for all ({_MOST_ROWS})"
    parser.add_argument("--limit", type=int, default=_MOST_ROWS, metavar="N", help=limit)
    stream = "write the rows, which need the columns of records, as blocks to standard output"
    parser.add_argument("--stream", action="store_true", help=stream)
    add_job(parser)
    parser.epilog = (
        "Views: one for each table, with the columns feed and day; quarantine; and records, which has the\n"
        "records of all feeds as they were recorded. `show views` lists them, `describe NAME` its columns.\n"
        "With --json, each row is a line of JSON."
    )


def run(arguments: argparse.Namespace) -> int:
    """Run the query and print its rows."""
    if arguments.stream:
        given = {"query": records_query(arguments.query), "limit": 0}
        return run_job("sql", given, arguments, RowStream())
    printer = _RowPrinter(as_json=arguments.json)
    code = run_job("sql", {"query": arguments.query, "limit": arguments.limit}, arguments, printer)
    printer.finish()
    return code


class _RowPrinter(SparkProgress):
    """Prints the rows of a query on standard output."""

    def __init__(self, *, as_json: bool) -> None:
        super().__init__("", "", as_json=False, work="running the query")
        self._lines = as_json
        self._names: list[str] = []
        self._rows: list[list[Any]] = []

    def show(self, event: Mapping[str, Any]) -> None:
        """Print rows, or show another event."""
        if event["event"] == "columns":
            self._names = [name for name, _ in event["columns"]]
        elif event["event"] == "rows" and self._lines:
            self.end()
            for row in event["rows"]:
                print(json.dumps(dict(zip(self._names, row, strict=True)), ensure_ascii=False))
        elif event["event"] == "rows":
            self._rows += event["rows"]
        else:
            super().show(event)

    def finish(self) -> None:
        """Print the rows as a table, whose columns are as wide as their values."""
        if not self._names or self._lines:
            return
        print("\n".join(text_table(self._names, self._rows)))
        sys.stdout.flush()
