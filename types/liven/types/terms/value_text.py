"""The printed form of a value for people, as an inspector or an error shows it.

No program reads it back: long texts, long lists and deep nests are cut.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Any

from liven.types.terms.recursion import unfold
from liven.types.terms.type_text import spell_name
from liven.types.terms.value_types import (
    EndpointTo,
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
_MOST_PARTS = 200


def show(type_: ValueType, value: Any) -> str:
    """Return a checked neutral value of the type as one line."""
    return _Showing().show(type_, value)


class _Showing:
    """Shows one value, of bounded depth and size."""

    def __init__(self) -> None:
        self._room = _DEEPEST
        self._left = _MOST_PARTS

    def show(self, type_: ValueType, value: Any) -> str:
        if isinstance(type_, Recursive):
            type_ = unfold(type_)
        if isinstance(type_, OptionalOf):
            return "nothing" if value is None else self.show(type_.item, value)
        if self._room <= 0 or self._left <= 0:
            return "…"
        self._room -= 1
        self._left -= 1
        shown = self._part(type_, value)
        self._room += 1
        return shown

    def _part(self, type_: ValueType, value: Any) -> str:
        match type_:
            case ListOf(item):
                return f"[{_cut(self.show(item, part) for part in value)}]"
            case MapOf(item):
                return self._braced((key, item, part) for key, part in sorted(value.items()))
            case Record(fields):
                return self._braced((name, held, value[name]) for name, held in fields)
            case Union(tags):
                [(tag, held)] = value.items()
                return f"{spell_name(tag)}({self.show(dict(tags)[tag], held)})"
        return _leaf(type_, value)

    def _braced(self, parts: Iterable[tuple[str, ValueType, Any]]) -> str:
        return f"{{{_cut(f'{spell_name(name)}: {self.show(held, part)}' for name, held, part in parts)}}}"


def _cut(shown: Iterator[str]) -> str:
    first = list(islice(shown, _MOST_ITEMS + 1))
    return ", ".join(first if len(first) <= _MOST_ITEMS else [*first[:_MOST_ITEMS], "…"])


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
        case RefTo() | EndpointTo():
            return f"reference of {len(value)} characters"
    return str(value)
