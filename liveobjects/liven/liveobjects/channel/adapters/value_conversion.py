"""Conversion of values between classes that differ, as a function for each pair of classes.

Numbers convert to texts and back, numbers to other kinds of numbers where they fit, and records field by
field. A value that cannot be converted, such as a text that is not a number or a number that is too large, is
an error of that value.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, Final, TypeAlias

from liven.liveobjects.channel.adapters.base import UnfitError
from liven.types.terms.value_types import (
    Float,
    Integer,
    ListOf,
    MapOf,
    OptionalOf,
    Record,
    Scalar,
    Union,
    ValueType,
)

Conversion: TypeAlias = Callable[[Any], Any]
_DEEPEST: Final = 40
_WORDS: Final = {"true": True, "false": False}


def conversion(given: ValueType, wanted: ValueType, depth: int = 0) -> Conversion | None:
    """Return the conversion from `given` to `wanted`; None if there is no sensible one."""
    if given == wanted:
        return _same
    if depth > _DEEPEST:
        return None
    match given, wanted:
        case OptionalOf(item), OptionalOf(other):
            return _optional(conversion(item, other, depth + 1))
        case _, OptionalOf(other):
            return conversion(given, other, depth + 1)
        case OptionalOf(item), _:
            return _present(conversion(item, wanted, depth + 1))
        case ListOf(item), ListOf(other):
            return _each(conversion(item, other, depth + 1))
        case MapOf(item), MapOf(other):
            return _values(conversion(item, other, depth + 1))
        case Record(fields), Record(others):
            return _record(dict(fields), others, depth)
        case Union(cases), Union(others):
            return _union(dict(cases), dict(others), depth)
    return _scalar(given, wanted)


def _same(value: Any) -> Any:
    return value


def _scalar(given: ValueType, wanted: ValueType) -> Conversion | None:
    match given, wanted:
        case Integer() | Float(), Scalar("text"):
            return _spelled
        case Scalar("bool"), Scalar("text"):
            return lambda value: "true" if value else "false"
        case Scalar("text"), Scalar("bool"):
            return _truth
        case Scalar("text") | Integer() | Float(), Integer(low, high):
            return lambda value: _whole(value, low, high)
        case Scalar("text") | Integer() | Float(), Float():
            return _real
    return None


def _spelled(value: float) -> str:
    return str(value)


def _truth(value: str) -> bool:
    try:
        return _WORDS[value.strip().lower()]
    except KeyError:
        raise UnfitError(f"{value[:40]!r} is neither true nor false") from None


def _whole(value: Any, low: int, high: int) -> int:
    try:
        number = int(value) if isinstance(value, str) else math.floor(value + 0.5)
    except (ValueError, OverflowError):
        raise UnfitError(f"{str(value)[:40]!r} is not a whole number") from None
    if not low <= number <= high:
        raise UnfitError(f"{number} is not between {low} and {high}")
    return number


def _real(value: Any) -> float:
    try:
        return float(value)
    except (ValueError, OverflowError):
        raise UnfitError(f"{str(value)[:40]!r} is not a number") from None


def _optional(inner: Conversion | None) -> Conversion | None:
    return None if inner is None else lambda value: None if value is None else inner(value)


def _present(inner: Conversion | None) -> Conversion | None:
    def convert(value: Any) -> Any:
        assert inner is not None
        if value is None:
            raise UnfitError("a required value is missing")
        return inner(value)

    return None if inner is None else convert


def _each(inner: Conversion | None) -> Conversion | None:
    return None if inner is None else lambda value: [inner(item) for item in value]


def _values(inner: Conversion | None) -> Conversion | None:
    return None if inner is None else lambda value: {key: inner(item) for key, item in value.items()}


def _record(fields: dict[str, ValueType], others: Any, depth: int) -> Conversion | None:
    """Convert field by field. A missing field must be optional."""
    makers: dict[str, Conversion] = {}
    for name, kind in others:
        maker = conversion(fields[name], kind, depth + 1) if name in fields else None
        if maker is not None:
            makers[name] = maker
        elif name in fields or not isinstance(kind, OptionalOf):
            return None
    absent = [name for name, _ in others if name not in makers]
    return lambda value: {
        **{name: make(value[name]) for name, make in makers.items()},
        **dict.fromkeys(absent),
    }


def _union(cases: dict[str, ValueType], others: dict[str, ValueType], depth: int) -> Conversion | None:
    makers = {
        tag: maker
        for tag, kind in cases.items()
        if tag in others and (maker := conversion(kind, others[tag], depth + 1)) is not None
    }
    if len(makers) < len(cases):
        return None

    def convert(value: dict[str, Any]) -> dict[str, Any]:
        ((tag, inner),) = value.items()
        return {tag: makers[tag](inner)}

    return convert
