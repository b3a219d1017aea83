"""The board: where each engine of a user shows what it measures, for those who look on.

A file an engine, in a folder that the user alone may enter, rewritten at most once a second and only
while there is something to poll for.
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
class Shown:
    """What one engine showed."""

    engine: str
    pid: int
    at: float
    """When, by the clock that counts since the machine's start."""
    groups: tuple[str, ...]
    """The names of the first of its groups."""
    stats: Mapping[str, int]
    node: int = 0
    """The engine's short name among its members; 0 before it has one."""
    laggards: tuple[Laggard, ...] = ()
    """Whom it waits for."""
    stopped: bool = False
    """Whether a signal stopped its process, as Ctrl-Z does."""


class Board:
    """One engine's place on it."""

    def __init__(self, folder: Path) -> None:
        self._path = folder / f"{os.getpid()}-{secrets.token_hex(3)}.json"
        self._next = 0.0
        self._last: tuple[Mapping[str, int], tuple[Laggard, ...]] = {}, ()

    def is_due(self) -> bool:
        """Whether the last showing is old enough."""
        return time.monotonic() >= self._next

    def show(
        self,
        stats: Mapping[str, int],
        groups: Collection[str],
        node: int = 0,
        laggards: tuple[Laggard, ...] = (),
    ) -> None:
        """Shows the numbers, the names of some groups, and whom the engine waits for. A full disk is no
        reason to stop the engine."""
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
        """Takes it down."""
        self._path.unlink(missing_ok=True)


def read_board(folder: Path) -> list[Shown]:
    """What the engines that live show; what dead ones left is removed."""
    shown = []
    for path in sorted(folder.glob("*.json")):
        try:
            facts = json.loads(path.read_text(encoding="utf-8"))
            entry = _shown(path.stem, facts)
        except (OSError, ValueError, KeyError, TypeError):
            continue  # it went down while we looked, or is no entry
        state = _state(entry.pid)
        if state:
            shown.append(replace(entry, stopped=state in "Tt"))
        else:
            path.unlink(missing_ok=True)
    return shown


def _state(pid: int) -> str:
    """The letter that the kernel has for what a process does; empty when it has ended, though nobody may have
    asked yet how."""
    try:
        facts = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""
    letter = facts.rpartition(") ")[2][:1]  # the name before it may have brackets of its own
    return "" if letter in "ZX" else letter


def _shown(engine: str, facts: Mapping[str, Any]) -> Shown:
    """An entry; one of an earlier version names nobody that it waits for."""
    return Shown(
        engine,
        int(facts["pid"]),
        float(facts["at"]),
        tuple(facts["groups"]),
        dict(facts["stats"]),
        int(facts.get("node", 0)),
        tuple(of_row(row) for row in facts.get("laggards", ())),
    )
