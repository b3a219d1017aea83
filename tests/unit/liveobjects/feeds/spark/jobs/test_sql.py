"""SQL over tables and records."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from decimal import Decimal
from typing import Any

import pytest

from liven.liveobjects.feeds.record import Record
from liven.liveobjects.feeds.spark.jobs import sql
from liven.liveobjects.feeds.spark.jobs.job import JobError
from liven.liveobjects.feeds.spark.jobs.sql import explained


def test_tables_of_all_feeds_and_their_records_are_views(
    workplace: Any, make_point: Callable[..., Record]
) -> None:
    for feed, count in (("f", 3), ("g h", 4)):
        workplace.record((make_point(n) for n in range(count)), feed=feed)
    workplace.ingest()
    (table,) = [row[1] for row in workplace.sql("show views") if row[1] not in ("records", "quarantine")]
    counts = [["f", 3], ["g h", 4]]
    assert workplace.sql(f"select feed, count(*) from {table} group by feed order by feed") == counts
    assert workplace.sql("select feed, count(*) from records group by feed order by feed") == counts


def test_the_quarantine_is_there_while_nothing_is_in_it(workplace: Any) -> None:
    assert workplace.sql("select count(reason), count(payload) from quarantine") == [[0, 0]]


def test_a_query_that_cannot_run_says_which_views_there_are(workplace: Any) -> None:
    with pytest.raises(JobError, match=r"nothing_here.*the views are: .*quarantine, records"):
        workplace.sql("select * from nothing_here")
    with pytest.raises(JobError, match="Syntax error"):
        workplace.sql("selekt 1")


def test_a_limit_cuts_the_rows(workplace: Any) -> None:
    sql.run(workplace.context, {"query": "select * from range(5000)", "limit": 1500})
    assert [len(event["rows"]) for event in workplace.told("rows")] == [1000, 500]
    assert workplace.told("columns")[0]["columns"] == [["id", "bigint"]]


def test_values_are_plain_json() -> None:
    assert sql.plain(datetime(2026, 1, 2, tzinfo=UTC)) == "2026-01-02T00:00:00+00:00"
    assert sql.plain([bytearray(b"\x01"), Decimal(2**64 - 1), {"a": (1,)}]) == ["01", 2**64 - 1, {"a": [1]}]
    assert sql.plain(Decimal("0.5")) == "0.5"


def test_a_view_that_there_is_not_is_told_with_the_nearest() -> None:
    error = (
        "[TABLE_OR_VIEW_NOT_FOUND] The table or view `aircrft` cannot be found. Verify the spelling and"
        " correctness of the schema and catalog."
    )
    said = explained(error, ["aircraft", "quarantine", "records"])
    assert said == (
        "there is no table or view aircrft; did you mean aircraft?"
        " The views are: aircraft, quarantine, records"
    )
    assert explained("[PARSE_SYNTAX_ERROR] near 'x'", ["records"]).endswith("; the views are: records")
