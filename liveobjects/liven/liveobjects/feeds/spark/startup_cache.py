"""A prepared start of Java: the classes that a job loads, already linked, in one file.

It halves the time until the first row. Java 25 and newer call it an AOT cache, older ones a dynamic archive.
Java writes it at the end of a run that did the real work (`training`), and maps it at the next start; a
missing, damaged or foreign file costs nothing but the gain. The file's name is derived from all that it
depends on: the versions of Java and Spark, their folders, and the flags."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Final

from liven.liveobjects.feeds.spark.java import Java
from liven.liveobjects.feeds.spark.virtual_machine import spark_home

_AOT: Final = 25
"""The first Java that writes an AOT cache in one step (JEP 514)."""
_KEPT: Final = 2
"""The most caches that are kept, 200 MB each: this one, and the one of another installation."""


@dataclass(frozen=True, slots=True)
class StartupCache:
    """The cache for one Java, one Spark, and one list of flags."""

    path: Path
    java_version: int

    @classmethod
    def of(cls, folder: Path, java: Java, flags: Sequence[str]) -> StartupCache:
        """Return the cache in `folder` for a start with these flags; its file may not exist yet."""
        jars = spark_home() / "jars"
        try:
            spark = version("pyspark")
        except PackageNotFoundError:  # a pyspark that somebody put on the path
            spark = ""
        parts = [
            spark,
            str(jars),
            str(jars.stat().st_mtime_ns),
            str(java.binary.resolve()),
            str(java.version),
            *flags,
        ]
        name = hashlib.sha256(json.dumps(parts).encode()).hexdigest()[:16]
        return cls(folder / f"{name}.startup", java.version)

    @property
    def exists(self) -> bool:
        """True if a training has written it."""
        return self.path.is_file()

    @property
    def failure_note(self) -> Path:
        """The file that says why the last training failed."""
        return self.path.with_suffix(".failed")

    def flags(self) -> list[str]:
        """Return the flags of a start that uses the cache; none without one."""
        if not self.exists:
            return []
        with suppress(OSError):
            os.utime(self.path)  # the newest are kept
        name = "AOTCache" if self.java_version >= _AOT else "SharedArchiveFile"
        return [f"-XX:{name}={self.path}"]

    def training_flags(self, draft: Path) -> list[str]:
        """Return the flags of a run at whose end Java writes the cache to `draft`."""
        name = "AOTCacheOutput" if self.java_version >= _AOT else "ArchiveClassesAtExit"
        return [f"-XX:{name}={draft}"]

    def adopt(self, draft: Path) -> None:
        """Put a finished draft in place, and delete the caches of installations long gone; raise OSError."""
        draft.replace(self.path)
        self.failure_note.unlink(missing_ok=True)
        caches = sorted(self.path.parent.glob("*.startup"), key=lambda path: path.stat().st_mtime)
        for path in caches[:-_KEPT]:
            path.unlink(missing_ok=True)
