"""Checking a plain value of a file against the type of its parameter."""

from __future__ import annotations

from liven.runtime.reference import ids, literals
from liven.runtime.reference.model import (
    Configuration,
    ObjectClass,
    OtherClass,
    Plain,
    Properties,
    Token,
    Value,
)
from liven.types.terms.recursion import unfold
from liven.types.terms.type_text import brief
from liven.types.terms.value_types import (
    EndpointTo,
    Float,
    Integer,
    MapOf,
    Opaque,
    OptionalOf,
    Recursive,
    Scalar,
    ValueType,
)

_TEXT = Scalar("text")


def misfit(value: Value, wanted: ValueType) -> str:
    """Return why `value`, which is not an object, does not fit `wanted`;
    empty if it fits or that is unknown."""
    if isinstance(wanted, Recursive):
        wanted = unfold(wanted)
    if isinstance(wanted, OptionalOf):
        return "" if getattr(value, "nil", False) else misfit(value, wanted.item)
    if isinstance(wanted, Opaque):
        return ""  # known by name only: its structure is not checked
    if isinstance(wanted, EndpointTo):
        return "a file cannot hold a running endpoint; leave the parameter open and connect it"
    match value:
        case Plain() | Token():
            return _literal(value, wanted)
        case Configuration():
            return "" if wanted == MapOf(_TEXT) else f"settings are given, but {brief(wanted)} is expected"
        case Properties():
            return f"properties are given, but {brief(wanted)} is expected"
        case ObjectClass() | OtherClass():
            return f"a class is given, but {brief(wanted)} is expected"
    return ""


def _literal(item: Plain | Token, wanted: ValueType) -> str:
    if item.nil:
        # The original program wrote a missing text as nil, but never a number.
        nothing = isinstance(wanted, Integer | Float) or wanted == Scalar("bool")
        return f"no value is given, but {brief(wanted)} is expected" if nothing else ""
    try:
        content = literals.value(item)
    except literals.LiteralError as error:
        return str(error)
    return "" if _fits(content, wanted) else f"{content!r} is given, but {brief(wanted)} is expected"


def _fits(content: literals.Literal, wanted: ValueType) -> bool:
    match wanted:
        case Scalar("bool"):
            return isinstance(content, bool)
        case Scalar("text"):
            return isinstance(content, str)
        case Scalar("id"):
            return isinstance(content, int) or (isinstance(content, str) and ids.parse(content) is not None)
        case Integer(low, high):
            return isinstance(content, int) and not isinstance(content, bool) and low <= content <= high
        case Float():
            return isinstance(content, int | float) and not isinstance(content, bool)
    return False
