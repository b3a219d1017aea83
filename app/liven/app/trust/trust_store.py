"""The code that the user trusts permanently, by the hash of its content.

Signers are shown but not remembered: signatures are not verified, so anyone could claim any name.
"""

from __future__ import annotations

import json
import time
from dataclasses import dataclass
from pathlib import Path

from liven.runtime.files import read_json, write_file
from liven.runtime.library.trust import Question
from liven.runtime.user_folders import UserFolders

LARGEST = 1024 * 1024


@dataclass(frozen=True, slots=True)
class Entry:
    """One trusted content."""

    sha256: str
    library: str
    version: int
    day: str
    url: str = ""
    """The source; empty in files of earlier versions."""


class TrustStore:
    """The file of trusted contents. If it cannot be read, nothing is trusted."""

    def __init__(self, path: Path) -> None:
        self._path = path

    @classmethod
    def of(cls, folders: UserFolders) -> TrustStore:
        """Return the store of the user."""
        return cls(folders.config / "trusted.json")

    def entries(self) -> tuple[Entry, ...]:
        """Return everything that is trusted, newest last."""
        try:
            return tuple(
                Entry(
                    str(one["sha256"]),
                    str(one["library"]),
                    int(one["version"]),
                    str(one["day"]),
                    str(one.get("url", "")),
                )
                for one in read_json(self._path, LARGEST)
            )
        except (OSError, ValueError, TypeError, KeyError, AttributeError):
            return ()

    def allows(self, question: Question) -> bool:
        """Return True if exactly this content is trusted. Content without a hash never is."""
        return bool(question.sha256) and question.sha256 in {one.sha256 for one in self.entries()}

    def remember(self, question: Question) -> None:
        """Trust this content from now on; raise OSError if that cannot be saved."""
        if not question.sha256:
            raise ValueError("code without a hash may be different next time")
        day = time.strftime("%Y-%m-%d")
        new = Entry(question.sha256, question.library, question.version, day, question.url)
        self._write((*(one for one in self.entries() if one.sha256 != new.sha256), new))

    def forget(self, sha256: str) -> None:
        """Stop trusting a content."""
        self._write(tuple(one for one in self.entries() if one.sha256 != sha256))

    def _write(self, entries: tuple[Entry, ...]) -> None:
        self._path.parent.mkdir(parents=True, exist_ok=True)
        rows = [
            {
                "sha256": one.sha256,
                "library": one.library,
                "version": one.version,
                "day": one.day,
                "url": one.url,
            }
            for one in entries
        ]
        write_file(self._path, json.dumps(rows, indent=1).encode(), 0o600)
