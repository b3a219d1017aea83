"""The printed form of a value, for people: what an inspector or an error shows of an event.

It is read by eyes, not by programs: long texts, long lists and deep nests are cut.
"""

from __future__ import annotations

from typing import Any

from liven.types.recursion import unfold
from liven.types.values import (
    ListOf,
    MapOf,
    OptionalOf,
    Record,
    Recursive,
    RefTo,
    Scalar,
    Union,
    ValueType,
)

_LONGEST_TEXT = 60
_MOST_ITEMS = 12
_DEEPEST = 8


def show(type_: ValueType, value: Any) -> str:
    """A checked neutral value of the type, as one line."""
    return _show(type_, value, _DEEPEST)


def _show(type_: ValueType, value: Any, room: int) -> str:
    if isinstance(type_, Recursive):
        type_ = unfold(type_)
    if room <= 0:
        return "…"
    match type_:
        case OptionalOf(item):
            return "nothing" if value is None else _show(item, value, room)
        case ListOf(item):
            return f"[{_cut([_show(item, part, room - 1) for part in value[: _MOST_ITEMS + 1]])}]"
        case MapOf(item):
            return _braced([(repr(key), item, part) for key, part in sorted(value.items())], room)
        case Record(fields):
            return _braced([(name, held, value[name]) for name, held in fields], room)
        case Union(tags):
            [(tag, held)] = value.items()
            return f"{tag}({_show(dict(tags)[tag], held, room - 1)})"
    return _leaf(type_, value)


def _braced(pairs: list[tuple[str, ValueType, Any]], room: int) -> str:
    shown = [f"{name}: {_show(held, part, room - 1)}" for name, held, part in pairs[: _MOST_ITEMS + 1]]
    return f"{{{_cut(shown)}}}"


def _cut(shown: list[str]) -> str:
    return ", ".join(shown if len(shown) <= _MOST_ITEMS else [*shown[:_MOST_ITEMS], "…"])


def _leaf(type_: ValueType, value: Any) -> str:
    match type_:
        case Scalar("bool"):
            return "true" if value else "false"
        case Scalar("text"):
            return repr(value if len(value) <= _LONGEST_TEXT else value[: _LONGEST_TEXT - 1] + "…")
        case Scalar("id"):
            return str(value.hex().upper())
        case Scalar("bytes"):
            return f"{len(value)} bytes"
        case RefTo():
            return f"reference of {len(value)} characters"
    return str(value)
