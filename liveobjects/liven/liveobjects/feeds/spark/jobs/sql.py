"""SQL over all tables, and over the records of all feeds as the view `records`."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date, datetime
from decimal import Decimal
from difflib import get_close_matches
from itertools import islice
from typing import Any, Final

from liven.liveobjects.feeds.feed_folder import listed_feeds
from liven.liveobjects.feeds.spark.jobs.job import Arguments, JobContext, JobError
from liven.liveobjects.feeds.spark.jobs.views import forget_views, register_records, register_tables
from liven.liveobjects.feeds.spark.session import first_line
from liven.liveobjects.feeds.table.commits.manifest import all_states

_IN_AN_EVENT: Final = 1000
_UNKNOWN: Final = re.compile(r"TABLE_OR_VIEW_NOT_FOUND.*?((?:`[^`]+`\.?)+)")
"""The name in Spark's error about a view that there is not."""


def run(context: JobContext, arguments: Arguments) -> None:
    """Run `query` and report its columns and at most `limit` rows (0: all); raise JobError."""
    from pyspark.errors import AnalysisException, ParseException

    spark = context.session.spark
    forget_views(spark)
    register_tables(spark, context.layout, all_states(context.layout))
    register_records(spark, listed_feeds(context.feeds) if context.feeds.is_dir() else [])
    limit = int(arguments.get("limit") or 0)
    try:
        frame = spark.sql(str(arguments["query"]))
    except (ParseException, AnalysisException) as error:
        raise JobError(explained(first_line(error), _names(spark))) from None
    tell_rows(context, frame.limit(limit) if limit else frame)


def tell_rows(context: JobContext, frame: Any) -> None:
    """Report the columns and the rows of a result."""
    columns = [[field.name, field.dataType.simpleString()] for field in frame.schema.fields]
    context.tell("columns", columns=columns)
    rows = frame.toLocalIterator()
    while chunk := list(islice(rows, _IN_AN_EVENT)):
        context.check()
        context.tell("rows", rows=[[plain(value) for value in row] for row in chunk])


def explained(error: str, views: Sequence[str]) -> str:
    """Return Spark's words about a query with the views that there are; for a view that there is not, with
    the nearest ones."""
    there = f"the views are: {', '.join(views)}"
    unknown = _UNKNOWN.search(error)
    if unknown is None:
        return f"{error}; {there}"
    name = unknown[1].replace("`", "")
    near = get_close_matches(name, views, n=3)
    hint = f"did you mean {' or '.join(near)}? T{there[1:]}" if near else there
    return f"there is no table or view {name}; {hint}"


def _names(spark: Any) -> list[str]:
    return sorted(table.name for table in spark.catalog.listTables())


def plain(value: Any) -> Any:
    """Return a value of Spark as one of JSON: times in ISO 8601, bytes as hexadecimal digits."""
    match value:
        case datetime() | date():
            return value.isoformat()
        case bytes() | bytearray():
            return bytes(value).hex()
        case Decimal():
            return int(value) if value == value.to_integral_value() else str(value)
        case tuple() if hasattr(value, "asDict"):
            return {name: plain(item) for name, item in value.asDict().items()}
        case list() | tuple():
            return [plain(item) for item in value]
        case dict():
            return {str(key): plain(item) for key, item in value.items()}
        case _:
            return value
