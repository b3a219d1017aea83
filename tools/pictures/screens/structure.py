"""The structure of a screen: its parts with their places, colours by token, and words. Two can be compared.

Pictures of the same window differ in a few pixels from machine to machine. Its structure does not, so this is
what is kept beside each picture and compared.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import groupby, zip_longest
from pathlib import Path

TOLERANCE = 8
"""Pixels by which a side of a part may differ: letters are a little wider on some machines."""
_FAR = 6
"""Steps of a colour channel by which a colour without a token may differ."""
_TIMES = (
    (re.compile(r"\d{4}-\d\d-\d\d"), "0000-00-00"),
    (re.compile(r"\b\d{1,2}:\d\d(:\d\d)?(\.\d+)?"), "0:00"),
    (re.compile(r"\b\d+ (second|minute|hour|operation|event|change)s?\b"), "0 s"),
)
Area = tuple[int, int, int, int]


@dataclass(frozen=True, slots=True)
class Part:
    """A control, an island or a card of a screen."""

    kind: str
    name: str
    area: Area
    """Left, top, width and height in the window."""
    ground: str = ""
    """The token of the colour that most of it has, or the colour itself if no token has it."""
    words: str = ""
    """The text on a card."""


@dataclass(frozen=True, slots=True)
class Screen:
    """All parts of a screen, in the order of reading."""

    size: tuple[int, int]
    look: str
    parts: tuple[Part, ...] = field(default=())


def timeless(words: str) -> str:
    """Return words without the times in them, which are other ones each day."""
    for found, stands_for in _TIMES:
        words = found.sub(stands_for, words)
    return " ".join(words.split())


def token_of(
    colour: tuple[int, int, int], tokens: Mapping[str, tuple[int, int, int]], *, near: int = 3
) -> str:
    """Return the token of a colour: the nearest one, of several the first. Without one, return the colour."""
    apart = {name: max(abs(a - b) for a, b in zip(colour, one, strict=True)) for name, one in tokens.items()}
    nearest = min(apart, key=lambda name: apart[name], default="")
    return nearest if nearest and apart[nearest] <= near else "#{:02x}{:02x}{:02x}".format(*colour)


def differences(kept: Screen, found: Screen) -> list[str]:
    """Return what is different in the screen that was found, a sentence each; nothing if they are alike."""
    if kept.size != found.size or kept.look != found.look:
        return [f"the screen is {found.look} {found.size}, and {kept.look} {kept.size} was kept"]
    told: list[str] = []
    for before, now in _pairs(kept, found):
        if before is not None and now is not None:
            told += _changes(before, now)
        elif before is not None:
            told.append(f"{_called(before)} is missing; it was at {_place(before)}")
        elif now is not None:
            told.append(f"{_called(now)} is new, at {_place(now)}")
    return told


def write(screen: Screen, path: Path) -> None:
    """Write a screen as JSON, a line for each part, so that a change is read at a glance."""
    lines = ",\n".join("  " + json.dumps(_as_dict(part), ensure_ascii=False) for part in screen.parts)
    head = f'"size": {json.dumps(screen.size)}, "look": {json.dumps(screen.look)}'
    path.write_text(f'{{{head}, "parts": [\n{lines}\n]}}\n', encoding="utf-8")


def read(path: Path) -> Screen:
    """Read a screen that `write` wrote."""
    kept = json.loads(path.read_text(encoding="utf-8"))
    parts = tuple(Part(**{**one, "area": tuple(one["area"])}) for one in kept["parts"])
    return Screen(tuple(kept["size"]), kept["look"], parts)


def _as_dict(part: Part) -> dict[str, object]:
    made: dict[str, object] = {"kind": part.kind, "name": part.name, "area": part.area}
    return made | {key: one for key, one in (("ground", part.ground), ("words", part.words)) if one}


def _pairs(kept: Screen, found: Screen) -> Iterator[tuple[Part | None, Part | None]]:
    """Yield parts of the same kind and name together; of several, those of the same place in reading."""
    before, now = _by_name(kept), _by_name(found)
    for key in sorted(before.keys() | now.keys()):
        yield from zip_longest(before.get(key, ()), now.get(key, ()))


def _by_name(screen: Screen) -> dict[tuple[str, str], list[Part]]:
    ordered = sorted(screen.parts, key=lambda one: (one.kind, one.name, one.area[1], one.area[0]))
    return {key: list(parts) for key, parts in groupby(ordered, key=lambda one: (one.kind, one.name))}


def _changes(before: Part, now: Part) -> Iterator[str]:
    if any(abs(a - b) > TOLERANCE for a, b in zip(before.area, now.area, strict=True)):
        yield f"{_called(now)} is at {_place(now)}, and not at {_place(before)}"
    if not _alike(before.ground, now.ground):
        yield f"{_called(now)} has the colour {now.ground}, and not {before.ground}"
    if before.words != now.words:
        yield f"{_called(now)} says {now.words!r}, and not {before.words!r}"


def _alike(one: str, other: str) -> bool:
    if one.startswith("#") and other.startswith("#"):
        channels = ([int(each[at : at + 2], 16) for at in (1, 3, 5)] for each in (one, other))
        return all(abs(a - b) <= _FAR for a, b in zip(*channels, strict=True))
    return one == other


def _called(part: Part) -> str:
    return f"the {part.kind} “{part.name}”"


def _place(part: Part) -> str:
    left, top, width, height = part.area
    return f"{left}, {top} ({width} × {height})"
