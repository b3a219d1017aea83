"""The check of a query that may come from a stranger's recipe: it reads the views of a feed, and nothing
else.

A person allows a recipe to run Spark on one feed. SQL of Spark can do more: name files, change settings, and
call any method of Java. So it has to be one query (commands are none), files by path are switched off, and
the functions that call Java are refused by name, and so is the clause that makes names out of texts."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from liven.liveobjects.feeds.spark.jobs.job import JobError

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

SETTINGS: Final = {"spark.sql.runSQLOnFiles": "false"}
LONGEST: Final = 64 * 1024
_REFUSED: Final = re.compile(r"\b(reflect|try_reflect|java_method|identifier)\b", re.IGNORECASE)


def demand_safe(spark: SparkSession, query: str) -> None:
    """Raise JobError for a text that is no query of this kind, ParseException for one that is no SQL."""
    if len(query) > LONGEST:
        raise JobError(f"the query has {len(query):,} characters; at most {LONGEST:,} are allowed")
    found = _REFUSED.search(query)
    if found is not None:
        raise JobError(f"{found[1]!r} may not stand in a continuous query, as it can call any code of Java")
    spark._jsparkSession.sessionState().sqlParser().parseQuery(query)
