"""From decoded records to the rows of a table and of the quarantine."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from liven.liveobjects.feeds.table.columns import Column, ddl
from liven.liveobjects.feeds.table.decoder import ERROR, PAYLOAD
from liven.liveobjects.feeds.table.schema import QUARANTINE_COLUMNS, TableSchema

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

DAY = "day"
UNDECODABLE = "undecodable"
UNKNOWN_TYPE = "unknown-type"
DAMAGED = "damaged"


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
