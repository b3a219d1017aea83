"""Errors for a value that does not match its declaration, found on its way out of the module that made
it."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any, NoReturn
from uuid import UUID

from liven.types.declare.annotation.markers import EndpointRef, Ref
from liven.types.declare.annotation.reader import declaration_of
from liven.types.declare.annotation.shapes import (
    ClassShape,
    EndpointRefShape,
    IdShape,
    ListShape,
    MapShape,
    OptionalShape,
    RefShape,
    ScalarShape,
    UnionShape,
    ValueShape,
)
from liven.types.declare.declaration import ValueDeclaration
from liven.types.terms.type_text import spell
from liven.types.terms.value_types import Float, Integer, Scalar

_NAMES = {str: "text", bytes: "bytes", bool: "bool", float: "float64", list: "list", dict: "map"}
_PYTHON = {"bool": bool, "text": str, "bytes": bytes}


class ValueMismatchError(TypeError):
    """A value that its declaration does not allow; names the path, as `send.note.x: expected …, got …`."""


class Mismatch(Exception):  # noqa: N818  a signal inside this package, never seen outside
    """The exception of generated code, which keeps no path; `locate` finds it afterwards."""


def refuse() -> NoReturn:
    """Raise Mismatch; generated code calls this when a check fails."""
    raise Mismatch


def as_float(value: object) -> float:
    """Return the float for a whole number."""
    if type(value) is int and abs(value) <= 2**53:
        return float(value)
    raise Mismatch


def mismatch_error(
    event: str, parameters: tuple[tuple[str, ValueShape], ...], values: tuple[Any, ...]
) -> ValueMismatchError:
    """Return the error for the first of these values that does not match."""
    for (name, shape), value in zip(parameters, values, strict=True):
        if problem := locate(shape, value):
            path, expected = problem
            return ValueMismatchError(f"{event}.{name}{path[0]}: expected {expected}, got {path[1]}")
    return ValueMismatchError(f"{event}: a value changed while it was sent")


def too_deep(event: str) -> ValueMismatchError:
    """Return the error for a value that contains itself, or nests nearly without end."""
    return ValueMismatchError(f"{event}: a value is nested too deep to be sent; it may contain itself")


def locate(shape: ValueShape, value: Any) -> tuple[tuple[str, str], str] | None:
    """Return the path where the value leaves its shape, and the kinds found and expected there; None if it
    fits."""
    match shape:
        case OptionalShape(item):
            return None if value is None else locate(item, value)
        case ListShape(item):
            if not isinstance(value, list | tuple):
                return ("", value_kind(value)), "list"
            return _first((f"[{place}]", item, part) for place, part in enumerate(value))
        case MapShape(item):
            if not isinstance(value, dict):
                return ("", value_kind(value)), "map"
            if odd := [key for key in value if type(key) is not str]:
                return (f"[{odd[0]!r}]", value_kind(odd[0])), "a text as a key"
            return _first((f"[{key!r}]", item, part) for key, part in value.items())
        case ClassShape():
            return _locate_in_class(shape, value)
        case UnionShape(cases):
            fitting = [case for case in cases if isinstance(value, case.cls)]
            return locate(fitting[0], value) if fitting else _two_names(value, [case.cls for case in cases])
    return None if _plain_fits(shape, value) else (("", value_kind(value)), _expected(shape))


def value_kind(value: object) -> str:
    """Return a value's type, and the value of a number, for an error text."""
    if value is None:
        return "nothing"
    if type(value) is int:
        return f"{value}" if value.bit_length() <= 70 else f"an integer of {value.bit_length()} bits"
    return _NAMES.get(type(value), type(value).__name__)


def _locate_in_class(shape: ClassShape, value: Any) -> tuple[tuple[str, str], str] | None:
    if not isinstance(value, shape.cls):
        return _two_names(value, (shape.cls,))
    declaration: ValueDeclaration = declaration_of(shape.cls)
    if declaration.cases:
        return None
    fields = declaration.fields(shape.arguments)
    return _first((f".{name}", held, getattr(value, name)) for name, held in fields)


def _two_names(value: object, wanted: Collection[type]) -> tuple[tuple[str, str], str]:
    """Return the kind found and the kind expected; with their modules if two classes have one name."""
    expected, got = [cls.__name__ for cls in wanted], value_kind(value)
    if got in expected:
        got = f"{type(value).__module__}.{got}"
        expected = [f"{cls.__module__}.{cls.__name__}" for cls in wanted]
    return ("", got), " or ".join(expected)


def _first(parts: Any) -> tuple[tuple[str, str], str] | None:
    for step, shape, value in parts:
        if problem := locate(shape, value):
            (path, got), expected = problem
            return (step + path, got), expected
    return None


def _plain_fits(shape: ValueShape, value: object) -> bool:
    match shape:
        case ScalarShape(Integer(low, high)):
            return type(value) is int and low <= value <= high
        case ScalarShape(Float()):
            return type(value) is float or (type(value) is int and abs(value) <= 2**53)
        case ScalarShape(Scalar(kind)):
            return type(value) is _PYTHON.get(kind)
        case IdShape():
            return isinstance(value, UUID)
        case RefShape():
            return isinstance(value, Ref)
        case EndpointRefShape():
            return isinstance(value, EndpointRef)
    return True


def _expected(shape: ValueShape) -> str:
    match shape:
        case ScalarShape(term):
            return spell(term)
        case IdShape():
            return "UUID"
        case RefShape():
            return "Ref"
    return "EndpointRef"
