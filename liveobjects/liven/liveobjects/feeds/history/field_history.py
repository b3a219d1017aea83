"""The differences between two values of any type, field by field."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from liven.liveobjects.feeds.history.difference import Act, Difference

MOST: Final = 1000
"""Most differences that are listed; a person reads no more."""
_DEEPEST: Final = 40
_LONGEST: Final = 80
_WHOLE: Final = "value"


def differences(before: Any, after: Any) -> tuple[Difference, ...]:
    """Return the fields that differ between two neutral values, with both contents."""
    found = []
    for difference in _compared((), before, after):
        found.append(difference)
        if len(found) == MOST:
            break
    return tuple(found)


def _compared(path: tuple[str, ...], before: Any, after: Any) -> Iterator[Difference]:
    if before == after and type(before) is type(after):
        return
    if len(path) < _DEEPEST and isinstance(before, dict) and isinstance(after, dict):
        yield from _compared_fields(path, before, after)
    elif len(path) < _DEEPEST and isinstance(before, list) and isinstance(after, list):
        yield from _compared_items(path, before, after)
    else:
        name = ".".join(path) or _WHOLE
        yield Difference(name, Act.CHANGED, name, f"from {shown(before)} to {shown(after)}")


def _compared_fields(
    path: tuple[str, ...], before: dict[Any, Any], after: dict[Any, Any]
) -> Iterator[Difference]:
    for key in sorted({*before, *after}, key=str):
        within = (*path, str(key))
        name = ".".join(within)
        if key not in before:
            yield Difference(name, Act.ADDED, name, shown(after[key]))
        elif key not in after:
            yield Difference(name, Act.REMOVED, name, shown(before[key]))
        else:
            yield from _compared(within, before[key], after[key])


def _compared_items(path: tuple[str, ...], before: list[Any], after: list[Any]) -> Iterator[Difference]:
    """Compare two lists between their common beginning and end, so that one insertion is one difference."""
    start = 0
    while start < min(len(before), len(after)) and before[start] == after[start]:
        start += 1
    end = 0
    while end < min(len(before), len(after)) - start and before[-1 - end] == after[-1 - end]:
        end += 1
    old, new = before[start : len(before) - end], after[start : len(after) - end]
    for at in range(max(len(old), len(new))):
        within = (*path, str(start + at + 1))
        name = ".".join(within)
        if at >= len(old):
            yield Difference(name, Act.ADDED, name, shown(new[at]))
        elif at >= len(new):
            yield Difference(name, Act.REMOVED, name, shown(old[at]))
        else:
            yield from _compared(within, old[at], new[at])


def shown(value: Any) -> str:
    """Return a value as a short text."""
    if isinstance(value, str):
        line = " ".join(value.split())
        return f"“{line}”" if len(line) <= _LONGEST else f"“{line[: _LONGEST - 1]}…”"
    if isinstance(value, bytes):
        return f"{len(value):,} bytes"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if value is None:
        return "nothing"
    if isinstance(value, int):
        return f"{value:,}"
    if isinstance(value, float):
        return f"{value:g}"
    if isinstance(value, dict):
        inner = ", ".join(f"{key} {shown(one)}" for key, one in list(value.items())[:4])
        return inner if len(inner) <= _LONGEST else f"{inner[: _LONGEST - 1]}…"
    return f"{len(value):,} entries" if isinstance(value, list) else str(value)[:_LONGEST]
