"""The Spark to use, and the settings of a session on it."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from liven.liveobjects.feeds.spark import worker_daemon
from liven.liveobjects.feeds.spark.virtual_machine import LOOPBACK

TASK_ATTEMPTS: Final = 4
"""Spark's local mode never tries a task again unless the master says so."""


@dataclass(frozen=True, slots=True)
class SparkSettings:
    """The Spark to use, as a person names it on the command line."""

    master: str = ""
    """A master such as `spark://host:7077`; empty for this computer."""
    remote: str = ""
    """A Spark Connect server, `sc://host:15002`."""
    conf: Mapping[str, str] = field(default_factory=dict)
    """Settings of Spark that replace ours."""
    cores: int = field(default_factory=lambda: len(os.sched_getaffinity(0)))

    @property
    def executor_memory(self) -> str:
        """The memory that a worker must have free."""
        return self.conf.get("spark.executor.memory", "1g")

    @property
    def local(self) -> bool:
        """True if all the work is done by this process and its children."""
        return not self.remote and (not self.master or self.master.startswith("local"))

    def spark_conf(self, scratch: Path, address: str | None = LOOPBACK) -> dict[str, str]:
        """Return the settings of a session, those of the person last. Workers find it at `address`."""
        return {
            "spark.app.name": "liven feeds",
            "spark.master": self.master or f"local[{self.cores},{TASK_ATTEMPTS}]",
            **({"spark.driver.host": address, "spark.driver.bindAddress": address} if address else {}),
            "spark.local.dir": str(scratch),
            "spark.log.level": "ERROR",
            "spark.python.daemon.module": worker_daemon.MODULE,
            "spark.sql.catalogImplementation": "in-memory",
            "spark.sql.parquet.outputTimestampType": "TIMESTAMP_MICROS",  # the default reads as ns elsewhere
            "spark.sql.python.filterPushdown.enabled": "true",
            "spark.sql.session.timeZone": "UTC",
            **({"spark.sql.shuffle.partitions": str(max(2, self.cores))} if self.local else {}),
            "spark.sql.warehouse.dir": str(scratch / "warehouse"),
            "spark.ui.enabled": "false",
            "spark.ui.showConsoleProgress": "false",
            **self.conf,
        }
