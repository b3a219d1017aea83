"""The places of tables on the disk.

    lock                                            held by the one process that writes, and by its Java
    commits/<feed>/<number>.json                    one commit each
    <table>/feed=<feed>/day=<day>/<name>.parquet    a file of a table, if a commit says so
    staging/                                        drafts of the batch at work
    damaged/<path>                                  files of commits that a repair set aside

The folders are named as Hive names partitions, so other tools find the columns `feed` and `day`.
"""

from __future__ import annotations

import re
import secrets
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Final
from urllib.parse import quote, unquote

COMMITS: Final = "commits"
STAGING: Final = "staging"
SET_ASIDE: Final = "damaged"
NO_DAY: Final = "none"
_MICROSECONDS: Final = 1_000_000
_PART: Final = re.compile(r"(?:.*/)?feed=(?P<feed>[^/]+)/day=(?P<day>[^/]+)/[^/]+")


@dataclass(frozen=True, slots=True)
class Layout:
    """The folder of all tables."""

    root: Path

    @property
    def lock(self) -> Path:
        """The file that the writing process locks."""
        return self.root / "lock"

    @property
    def staging(self) -> Path:
        """The folder of drafts, which the next writer deletes."""
        return self.root / STAGING

    @property
    def damaged(self) -> Path:
        """The folder of files that a repair set aside, which a person may delete."""
        return self.root / SET_ASIDE

    def draft(self) -> Path:
        """Return a folder for a draft, which does not exist yet; raise OSError."""
        self.staging.mkdir(parents=True, exist_ok=True, mode=0o700)
        return self.staging / secrets.token_hex(8)

    def commits(self, feed: str) -> Path:
        """Return the folder of a feed's commits."""
        return self.root / COMMITS / escaped(feed)

    def feeds(self) -> list[str]:
        """Return the feeds that have commits."""
        folder = self.root / COMMITS
        return sorted(unquote(path.name) for path in folder.iterdir()) if folder.is_dir() else []

    def partition(self, table: str, feed: str, day: str) -> str:
        """Return the folder of one day of a table, relative to the root."""
        return f"{table}/feed={escaped(feed)}/day={day}"


def escaped(name: str) -> str:
    """Return a name as one part of a path; other tools decode it as they decode Hive's."""
    return quote(name, safe=" !()+,-._~@")


def partition_of(path: str) -> tuple[str, str]:
    """Return the feed and the day of a file; raise ValueError."""
    match = _PART.fullmatch(path)
    if match is None:
        raise ValueError(f"{path!r} is not in a folder feed=…/day=…")
    return unquote(match["feed"]), match["day"]


def day_of(microseconds: int) -> str:
    """Return the day (UTC) of a time since 1970, as in the folders."""
    return datetime.fromtimestamp(microseconds / _MICROSECONDS, UTC).date().isoformat()
