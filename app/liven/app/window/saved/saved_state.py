"""The saved state of each object's window: position, open panels and view settings. One file for each object.

It belongs to one user, and to one of the programs that they run at the same time: otherwise a second window
on an object would open exactly over the first.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import math
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

from liven.liveobjects.view.contract import ViewState
from liven.runtime.files import PRIVATE, read_json, write_file

MOST_FILES = 500
"""Most objects to remember; the least recently used are forgotten."""
LARGEST = 64 * 1024
_MOST_WORDS, _LONGEST = 32, 200
_FAR = 100_000
_LONGEST_LAYOUT = 32 * 1024
_LARGEST_NUMBER = 2**63


@dataclass(frozen=True, slots=True)
class SavedState:
    """The state of one window."""

    area: tuple[int, int, int, int]
    """Left, top, width and height on the screen when not maximized."""
    maximized: bool = False
    panels: tuple[str, ...] = ()
    layout: str = ""
    """The layout of the panels, encoded by Qt."""
    outlook: ViewState = field(default_factory=dict)


class SavedWindowStates:
    """The saved window states of one program of one user.

    `identity` returns a key for the recipe of an object, and raises ValueError for a recipe that has none.
    Errors while writing are ignored.
    """

    def __init__(self, folder: Path, identity: Callable[[object], str]) -> None:
        self._folder = folder
        self._identity = identity
        self._known: dict[Path, SavedState] = {}

    def recall(self, recipe: object) -> SavedState | None:
        """Return the saved state of an object's window; None if there is none."""
        path = self._path(recipe)
        if path is None:
            return None
        try:
            return _left(read_json(path, LARGEST))
        except (OSError, ValueError, TypeError, KeyError, OverflowError, AttributeError):
            return None

    def keep(self, recipe: object, left: SavedState) -> None:
        """Save the state of an object's window."""
        path = self._path(recipe)
        left = replace(left, outlook=_sound(left.outlook))  # it comes from the view's author
        if path is None or self._known.get(path) == left:
            return
        facts = {**asdict(left), "sum": _sum(left.layout)}
        with contextlib.suppress(OSError):
            self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            write_file(
                path, json.dumps(facts).encode(), PRIVATE, sync=False
            )  # losing it in a crash is harmless
            self._known[path] = left

    def forget_oldest(self) -> None:
        """Delete the oldest files if there are too many."""
        with contextlib.suppress(OSError):
            found = [(one.stat().st_mtime, one) for one in self._folder.iterdir()]
            for _, path in sorted(found, reverse=True)[MOST_FILES:]:
                path.unlink(missing_ok=True)

    def _path(self, recipe: object) -> Path | None:
        try:
            return self._folder / self._identity(recipe)
        except ValueError:
            return None


def _left(found: dict[str, Any]) -> SavedState:
    left, top, width, height = (max(-_FAR, min(int(number), _FAR)) for number in found["area"])
    return SavedState(
        (left, top, width, height),
        found["maximized"] is True,
        tuple(str(name) for name in found["panels"])[:_MOST_WORDS],
        _layout(found["layout"], found.get("sum")),
        _sound(found["outlook"]),
    )


def _layout(text: object, digest: object) -> str:
    """Return the layout if its checksum matches. Qt aborts the program on some invalid layouts."""
    good = isinstance(text, str) and len(text) <= _LONGEST_LAYOUT and digest == _sum(text)
    return str(text) if good else ""


def _sum(layout: str) -> str:
    return hashlib.blake2b(layout.encode(errors="replace"), digest_size=8).hexdigest()


def _sound(outlook: Mapping[Any, Any]) -> ViewState:
    found = [(key, value) for key, value in outlook.items() if _is_sound(key) and _is_sound(value)]
    return {str(key): value for key, value in found[:_MOST_WORDS]}


def _is_sound(value: object) -> bool:
    if isinstance(value, str):
        return len(value) <= _LONGEST
    if isinstance(value, int):
        return abs(value) < _LARGEST_NUMBER
    return isinstance(value, float) and math.isfinite(value)
