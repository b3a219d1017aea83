"""From decoded records to the rows of a table and of the quarantine."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from liven.liveobjects.feeds.table.columns import Column, ddl
from liven.liveobjects.feeds.table.decoder import ERROR, PAYLOAD
from liven.liveobjects.feeds.table.row_choice import RowChoice
from liven.liveobjects.feeds.table.schema import FAR_TIME, QUARANTINE_COLUMNS, TableSchema
from liven.liveobjects.feeds.table.survey import EARLIEST, LATEST

if TYPE_CHECKING:
    from pyspark.sql import Column as Condition
    from pyspark.sql import DataFrame

DAY = "day"


def decoded_schema(schema: TableSchema) -> str:
    """Return the columns in which the data source decodes a table's records."""
    return ddl([*schema.columns, Column(ERROR, "STRING"), Column(PAYLOAD, "BINARY")])


def good_rows(decoded: DataFrame) -> DataFrame:
    """Return the rows of the table."""
    from pyspark.sql import functions as f

    return decoded.where(f.col(ERROR).isNull()).drop(ERROR, PAYLOAD)


def bad_rows(decoded: DataFrame, reason: str) -> DataFrame:
    """Return the rows for the quarantine."""
    from pyspark.sql import functions as f

    return quarantined(decoded.where(f.col(ERROR).isNotNull()), reason, ERROR)


def is_near() -> Condition:
    """Return the condition that both times of a row are in the years 1 to 9999."""
    from pyspark.sql import functions as f

    times = (f.expr("unix_micros(received)"), f.expr("unix_micros(sent)"))
    return times[0].between(EARLIEST, LATEST) & times[1].between(EARLIEST, LATEST)


def is_chosen(choice: RowChoice) -> Condition:
    """Return the condition that a record is chosen."""
    from pyspark.sql import functions as f

    if not choice.channels:
        return f.lit(not choice.inside)
    found = f.col("channel").isin(*choice.channels) & f.col("type").isin(*choice.types)
    return found if choice.inside else ~found


def far_rows(rows: DataFrame) -> DataFrame:
    """Return the rows with other times for the quarantine, without those times, which nobody could show."""
    from pyspark.sql import functions as f

    said = f.expr(
        "concat('received ', unix_micros(received), ', sent ', unix_micros(sent), ' µs since 1970')"
    )
    far = rows.where(~is_near()).withColumn("said", said)
    none = f.lit(None).cast("timestamp")
    return quarantined(far.withColumn("received", none).withColumn("sent", none), FAR_TIME, "said")


def quarantined(rows: DataFrame, reason: str, detail: str) -> DataFrame:
    """Return rows in the form of the quarantine; the column `detail` says more than the reason."""
    from pyspark.sql import functions as f

    return (
        rows.withColumn("reason", f.lit(reason))
        .withColumn("detail", f.col(detail))
        .select(_names(QUARANTINE_COLUMNS))
    )


def with_day(rows: DataFrame) -> DataFrame:
    """Return the rows with the day of `received`, UTC."""
    from pyspark.sql import functions as f

    return rows.withColumn(DAY, f.date_format("received", "yyyy-MM-dd"))


def _names(columns: Sequence[Column]) -> list[str]:
    return [column.name for column in columns]
