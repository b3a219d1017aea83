"""Published statistics: each engine of a user writes its measurements to a file, for `liven top` and others.

There is a file for each engine, in a folder that only the user may enter, rewritten at most once a second and
only while there is something to poll for.
"""

from __future__ import annotations

import itertools
import json
import os
import secrets
import time
from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from liven.multicast.laggard import Laggard, of_row

_EVERY = 1.0
_NAMES_SHOWN = 20


@dataclass(frozen=True, slots=True)
class EngineStats:
    """The statistics that one engine published."""

    engine: str
    pid: int
    at: float
    """The time of publication, in seconds since the machine started."""
    groups: tuple[str, ...]
    """The names of the first of its groups."""
    stats: Mapping[str, int]
    node: int = 0
    """The short name of the engine's node; 0 before it has one."""
    laggards: tuple[Laggard, ...] = ()
    """The members that it waits for."""
    stopped: bool = False
    """True if a signal stopped its process, as Ctrl-Z does."""


class StatsFile:
    """The file of one engine."""

    def __init__(self, folder: Path) -> None:
        self._path = folder / f"{os.getpid()}-{secrets.token_hex(3)}.json"
        self._next = 0.0
        self._last: tuple[Mapping[str, int], tuple[Laggard, ...]] = {}, ()

    def is_due(self) -> bool:
        """True if the last publication is old enough."""
        return time.monotonic() >= self._next

    def publish(
        self,
        stats: Mapping[str, int],
        groups: Collection[str],
        node: int = 0,
        laggards: tuple[Laggard, ...] = (),
    ) -> None:
        """Write the numbers, the names of some groups, and the members that the engine waits for. A full disk
        does not stop the engine."""
        self._next = time.monotonic() + _EVERY
        if (stats, laggards) == self._last:
            return
        self._last = dict(stats), laggards
        facts = {
            "pid": os.getpid(),
            "at": time.monotonic(),
            "groups": list(itertools.islice(groups, _NAMES_SHOWN)),
            "stats": self._last[0],
            "node": node,
            "laggards": [one.row() for one in laggards],
        }
        fresh = self._path.with_suffix(".new")
        try:
            self._path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            fresh.write_text(json.dumps(facts), encoding="utf-8")
            fresh.replace(self._path)
        except OSError:
            self._next = time.monotonic() + 60 * _EVERY

    def clear(self) -> None:
        """Remove the file."""
        self._path.unlink(missing_ok=True)


def read_published_stats(folder: Path) -> list[EngineStats]:
    """Return the statistics of running engines, and remove the files of dead ones."""
    found = []
    for path in sorted(folder.glob("*.json")):
        try:
            facts = json.loads(path.read_text(encoding="utf-8"))
            entry = _read(path.stem, facts)
        except (OSError, ValueError, KeyError, TypeError):
            continue  # removed meanwhile, or not one of our files
        state = _state(entry.pid)
        if state:
            found.append(replace(entry, stopped=state in "Tt"))
        else:
            path.unlink(missing_ok=True)
    return found


def _state(pid: int) -> str:
    """Return the letter that the kernel has for the state of a process; empty if it has ended, even if its
    parent has not yet collected its exit status."""
    try:
        facts = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""
    letter = facts.rpartition(") ")[2][:1]  # the name before it may have brackets of its own
    return "" if letter in "ZX" else letter


def _read(engine: str, facts: Mapping[str, Any]) -> EngineStats:
    """Read one file; those of earlier versions have no laggards."""
    return EngineStats(
        engine,
        int(facts["pid"]),
        float(facts["at"]),
        tuple(facts["groups"]),
        dict(facts["stats"]),
        int(facts.get("node", 0)),
        tuple(of_row(row) for row in facts.get("laggards", ())),
    )
