"""Tables and feeds as DataFrames, and as views for SQL."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import reduce
from typing import TYPE_CHECKING, Final

from liven.liveobjects.feeds.feed_folder import FeedFolder
from liven.liveobjects.feeds.table.columns import RECORD_COLUMNS, Column, quoted
from liven.liveobjects.feeds.table.commits.commit import DataFile
from liven.liveobjects.feeds.table.commits.layout import Layout
from liven.liveobjects.feeds.table.commits.manifest import State
from liven.liveobjects.feeds.table.schema import (
    QUARANTINE,
    QUARANTINE_COLUMNS,
    RECORDS,
    TableSchema,
    merged,
)

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

PARTITION_COLUMNS: Final = "`feed` STRING, `day` STRING"


def file_frame(spark: SparkSession, layout: Layout, files: Iterable[DataFile], schema: str) -> DataFrame:
    """Return the rows of these files with the columns of `schema`, and the columns `feed` and `day`."""
    whole = f"{schema}, {PARTITION_COLUMNS}"
    of_table: dict[str, list[str]] = {}  # Spark reads the folders of one table at a time
    for file in files:
        of_table.setdefault(file.table, []).append(str(layout.root / file.path))
    frames = [
        spark.read.schema(whole).option("basePath", str(layout.root / table)).parquet(*paths)
        for table, paths in of_table.items()
    ]
    return (
        reduce(lambda left, right: left.union(right), frames) if frames else spark.createDataFrame([], whole)
    )


def table_frame(spark: SparkSession, layout: Layout, states: Mapping[str, State], table: str) -> DataFrame:
    """Return a table of all these feeds, with the union of their columns."""
    parts = [
        (state.files_of(table), state.schemas[table]) for state in states.values() if table in state.schemas
    ]
    schema = joined([schema for _, schema in parts])
    frames = [file_frame(spark, layout, files, schema.ddl) for files, _ in parts if files]
    if not frames:
        return file_frame(spark, layout, (), schema.ddl)
    return reduce(lambda left, right: left.unionByName(right), frames)


def joined(schemas: Sequence[TableSchema]) -> TableSchema:
    """Return the schema with the columns of all."""
    found = schemas[0]
    for schema in schemas[1:]:
        found, _ = merged(found, found.type, schema.columns)
    return found


def forget_views(spark: SparkSession) -> None:
    """Drop the views of an earlier query, whose tables may be gone."""
    for view in spark.catalog.listTables():
        spark.catalog.dropTempView(view.name)


def register_tables(spark: SparkSession, layout: Layout, states: Mapping[str, State]) -> list[str]:
    """Make a view of each table, and of the quarantine even if nothing is in it; return their names."""
    names = sorted({name for state in states.values() for name in state.schemas})
    for name in names:
        table_frame(spark, layout, states, name).createOrReplaceTempView(quoted(name))
    if QUARANTINE not in names:
        empty = TableSchema(QUARANTINE, QUARANTINE_COLUMNS)
        file_frame(spark, layout, (), empty.ddl).createOrReplaceTempView(quoted(QUARANTINE))
    return sorted({*names, QUARANTINE})


def register_records(spark: SparkSession, feeds: Sequence[FeedFolder]) -> None:
    """Make the view `records` of all feeds as they were recorded, with a column `feed`."""
    from pyspark.sql import functions as f

    frames = [
        spark.read.format("liven").option("path", str(feed.path)).load().withColumn("feed", f.lit(feed.name))
        for feed in feeds
        if feed.recorders()
    ]
    if frames:
        reduce(lambda left, right: left.unionByName(right), frames).createOrReplaceTempView(RECORDS)
    else:
        columns = [*(Column(name, kind) for name, kind in RECORD_COLUMNS), Column("feed", "STRING")]
        schema = ", ".join(f"{quoted(column.name)} {column.kind}" for column in columns)
        spark.createDataFrame([], schema).createOrReplaceTempView(RECORDS)
