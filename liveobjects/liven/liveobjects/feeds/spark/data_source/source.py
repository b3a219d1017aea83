"""The data source `liven`.

    spark.read.format("liven").option("path", "…/feeds/board").load()
    spark.readStream.format("liven").option("path", "…/feeds/board").option("maxrows", "100000").load()
    frame.write.format("liven").mode("append").option("path", "…/feeds/copy/spark").save()

Spark prunes no columns of a Python source. Name those you need with `.schema("seq BIGINT, payload BINARY")`:
it is more than twice as fast."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Final

from pyspark.sql.datasource import DataSource, DataSourceReader, DataSourceStreamReader
from pyspark.sql.types import StructType

from liven.liveobjects.feeds.spark.data_source import stream_reader
from liven.liveobjects.feeds.spark.data_source.batch_reader import (
    FeedReader,
    FilteredFeedReader,
    default_partitions,
)
from liven.liveobjects.feeds.spark.data_source.options import BadOptionError, ReadOptions
from liven.liveobjects.feeds.spark.data_source.stream_reader import FeedStreamReader
from liven.liveobjects.feeds.table.columns import RECORD_COLUMNS, Column, ddl

if TYPE_CHECKING:
    from liven.liveobjects.feeds.spark.data_source.segment_writer import SegmentWriter

NAME: Final = "liven"
PLAIN_SCHEMA: Final = ddl(
    [*(Column(name, kind) for name, kind in RECORD_COLUMNS), Column("payload", "BINARY")]
)
_WRITER: Final = re.compile(r"[A-Za-z0-9_-]{1,64}")


class LivenSource(DataSource):
    """Feeds as tables. Spark calls its methods by keyword, so the names of the parameters are Spark's."""

    @classmethod
    def name(cls) -> str:
        """Return the name for `format`."""
        return NAME

    def schema(self) -> str:
        """Return the columns of records with their payloads as they are."""
        return PLAIN_SCHEMA

    def reader(self, schema: StructType) -> DataSourceReader:
        """Return a reader for one query."""
        options = ReadOptions.of(self.options, default_partitions())
        filtered = self.options.get("pushdown", "false").lower() == "true"
        return FilteredFeedReader(options, schema) if filtered else FeedReader(options, schema)

    def streamReader(self, schema: StructType) -> DataSourceStreamReader:
        """Return a reader for a stream."""
        return FeedStreamReader(ReadOptions.of(self.options, stream_reader.DEFAULT_PARTITIONS), schema)

    def writer(self, schema: StructType, overwrite: bool) -> SegmentWriter:  # noqa: ARG002
        """Return a writer that appends to a log; raise BadOptionError."""
        if overwrite:
            raise BadOptionError("a log cannot be overwritten: use mode('append'), or another folder")
        return self._segment_writer()

    def streamWriter(self, schema: StructType, overwrite: bool) -> SegmentWriter:  # noqa: ARG002
        """Return a writer that appends each batch of a stream once."""
        return self._segment_writer()

    def _segment_writer(self) -> SegmentWriter:
        from liven.liveobjects.feeds.spark.data_source.segment_writer import SegmentWriter

        path, writer = self.options.get("path", ""), self.options.get("writer", "spark")
        if not path:
            raise BadOptionError(
                "the data source liven needs a path: the folder of the log to write, FEED/RECORDER"
            )
        if not _WRITER.fullmatch(writer):
            raise BadOptionError(f"writer: {writer!r} is not a name of letters, digits, - and _")
        return SegmentWriter(Path(path), writer)
