"""The process that Spark's Python workers are forked from, with the imports of their work done.

Spark's own daemon has nothing imported, so each worker needs a third of a second before its first record; and
Spark ends workers that had nothing to do for a minute. The reason is that only a process with one thread can
be forked safely, so the libraries are told here to start none. Daemons that plan queries import what they
always do."""

from __future__ import annotations

import gc
import os
import sys
from typing import Final

MODULE: Final = "liven.liveobjects.feeds.spark.worker_daemon"
"""The name for the setting `spark.python.daemon.module`."""
_WORKER: Final = "pyspark.worker"
_NO_THREADS: Final = {"OPENBLAS_NUM_THREADS": "1", "JE_ARROW_MALLOC_CONF": "background_thread:false"}
"""For numpy, and for the allocator that pyarrow brings."""


def load() -> None:
    """Import what workers need, and keep the collector of garbage from looking through it after each task."""
    os.environ.update(_NO_THREADS)
    import pyspark.worker  # noqa: F401

    import liven.liveobjects.feeds.spark.data_source.stretch_reading
    import liven.liveobjects.feeds.table.files.stretch  # noqa: F401
    from liven.liveobjects.feeds.table.decoder import value_type

    value_type("text")  # makes the catalogue
    gc.freeze()


def main() -> None:
    """Fork workers until Spark closes standard input."""
    from pyspark.daemon import manager

    if _WORKER in sys.argv[1:]:
        load()
    manager()


if __name__ == "__main__":
    main()
