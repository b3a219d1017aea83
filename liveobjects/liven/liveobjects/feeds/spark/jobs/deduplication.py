"""Rows that several recorders of a feed have are kept once.

The key of a record is its channel, author and serial, its kind (an event, a state, or a recorder's note), and
its epoch: how many forks of the channel its recorder had noted before it, since a history that wins gives the
numbers anew. A recorder that got an operation from a state does not know its author; such a record is the
same as one with an author. A record without a number is never a duplicate. Of several, the one that was
received first stays, of those with an author if there are any."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Final

from liven.liveobjects.feeds.record import CHECKPOINT, FORK, GAP, GAP_TYPE
from liven.liveobjects.feeds.table.survey import UNNUMBERED

if TYPE_CHECKING:
    from pyspark.sql import Column, DataFrame

KEY_SCHEMA: Final = (
    "seq BIGINT, recorder STRING, channel STRING, author STRING, type STRING, serial BIGINT, flags INT"
)
_OPERATION: Final = ("channel", "_epoch", "_kind", "serial")
"""The key without the author."""
Forks = Mapping[tuple[str, str], Sequence[int]]
"""The sequences of the forks, by recorder and channel."""


def forks_in(rows: DataFrame) -> Forks:
    """Return the forks that are noted among these rows."""
    from pyspark.sql import functions as f

    found: dict[tuple[str, str], list[int]] = {}
    noted = rows.where(f.col("flags").bitwiseAND(FORK) != 0).select("recorder", "channel", "seq")
    for recorder, channel, sequence in noted.collect():
        found.setdefault((recorder, channel), []).append(sequence)
    return found


def without_duplicates(rows: DataFrame, forks: Forks | None = None) -> DataFrame:
    """Return the rows with each key once; without `forks`, those noted among the rows count."""
    from pyspark.sql import Window
    from pyspark.sql import functions as f

    keyed = _keyed(rows, forks_in(rows) if forks is None else forks)
    operation = Window.partitionBy(*_OPERATION)
    order = Window.partitionBy(*_OPERATION, "author").orderBy("received", "recorder", "seq")
    keyed = keyed.withColumn("_named", f.max(f.col("author") != "").over(operation))
    keyed = keyed.withColumn("_number", f.row_number().over(order))
    is_known = (f.col("author") == "") & f.col("_named")
    kept = ((f.col("_number") == 1) & ~is_known) | (f.col("serial") == UNNUMBERED)
    return keyed.where(kept).select(rows.columns)


def without_known(rows: DataFrame, known: DataFrame, forks: Forks) -> DataFrame:
    """Return the rows whose key is not among those of `known`."""
    from pyspark.sql import functions as f

    keys = _keyed(known.where(f.col("serial") != UNNUMBERED), forks).select(
        *(f.col(name).alias(f"{name}_known") for name in (*_OPERATION, "author"))
    )
    keyed = _keyed(rows, forks)
    same = (
        (f.col("author") == f.col("author_known")) | (f.col("author") == "") | (f.col("author_known") == "")
    )
    for name in _OPERATION:
        same &= f.col(name) == f.col(f"{name}_known")
    return keyed.join(keys, same, "left_anti").select(rows.columns)


def _keyed(rows: DataFrame, forks: Forks) -> DataFrame:
    """Return the rows with the columns of the key."""
    from pyspark.sql import functions as f

    flags = f.col("flags")
    is_gap = (flags.bitwiseAND(GAP) != 0) & (f.col("type") == GAP_TYPE)
    kind = f.when(is_gap, GAP).otherwise(flags.bitwiseAND(CHECKPOINT | FORK))
    return rows.withColumn("_kind", kind).withColumn("_epoch", _epoch(forks))


def _epoch(forks: Forks) -> Column:
    """Return how many forks of a row's channel its recorder noted before it."""
    from pyspark.sql import functions as f

    found = f.lit(0)
    for (recorder, channel), places in forks.items():
        here = (f.col("recorder") == recorder) & (f.col("channel") == channel)
        listed = f.array(*(f.lit(place) for place in places))
        before = f.size(f.filter(listed, lambda place: place < f.col("seq")))
        found = f.when(here, before).otherwise(found)
    return found
