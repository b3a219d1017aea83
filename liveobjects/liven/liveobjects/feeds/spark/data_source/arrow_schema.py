"""The Arrow schema that Spark demands of a data source, derived from Spark's own."""

from __future__ import annotations

from functools import lru_cache

import pyarrow as pa
from pyspark.sql.pandas.types import to_arrow_schema
from pyspark.sql.types import StructType


def arrow_schema(schema: StructType) -> pa.Schema:
    """Return the schema that the first batch must have exactly: times are UTC, texts and bytes the small
    kinds."""
    return _made(schema.json())


@lru_cache(maxsize=16)
def _made(text: str) -> pa.Schema:
    import json

    return to_arrow_schema(StructType.fromJson(json.loads(text)), timezone="UTC")
