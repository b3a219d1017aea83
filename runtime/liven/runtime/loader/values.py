"""Conversion of the values in a file to those that a constructor takes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any
from uuid import UUID

from liven.runtime.reference import ids, literals
from liven.runtime.reference.model import (
    Composite,
    Configuration,
    Plain,
    Reference,
    Token,
    Value,
)
from liven.runtime.reference.model import Parameter as ParameterItem
from liven.runtime.reference.xml import compact
from liven.types.declare import Ref
from liven.types.declare.annotation.shapes import IdShape, OptionalShape, RefShape, ScalarShape, ValueShape
from liven.types.declare.declaration import Parameter
from liven.types.terms.value_types import Float, Scalar


class ValueFault(ValueError):  # noqa: N818 it becomes the text of a DereferenceError
    """A value that the constructor cannot take; the text says why."""

    parameter: str = ""
    """The name of the parameter it is given for."""


def constructor_values(given: Iterable[ParameterItem], takes: Mapping[str, Parameter]) -> dict[str, object]:
    """Return the values that a reference gives to a constructor, by their names; raise ValueFault."""
    values: dict[str, object] = {}
    for item in given:
        if item.id in takes and (item.value is not None or takes[item.id].required):
            try:
                values[item.id] = local(item.value, takes[item.id].shape)
            except ValueFault as fault:
                fault.parameter = item.id
                raise
    return values


def local(value: Value | None, shape: ValueShape | None) -> Any:
    """Return the value as Python has it; raise ValueFault."""
    if isinstance(shape, OptionalShape):
        return None if _nothing(value) else local(value, shape.item)
    match value:
        case Reference() | Composite() if isinstance(shape, RefShape):
            if value.null:
                raise ValueFault("the null reference is given where an object is needed")
            return Ref(compact(value))
        case Plain() | Token():
            return _literal(value, shape)
        case Configuration():
            return {setting.name: setting.value for setting in value.settings}
    raise ValueFault(
        f"a {type(value).__name__ if value is not None else 'missing value'} cannot be given here"
    )


def _nothing(value: Value | None) -> bool:
    return value is None or bool(getattr(value, "nil", False)) or bool(getattr(value, "null", False))


def _literal(item: Plain | Token, shape: ValueShape | None) -> Any:
    try:
        content = literals.value(item)
    except literals.LiteralError as error:
        raise ValueFault(str(error)) from None
    if isinstance(shape, IdShape):
        return _id(content)
    if content is None and isinstance(shape, ScalarShape) and shape.term == Scalar("text"):
        return ""  # the original program wrote a missing text as nil
    if isinstance(shape, ScalarShape) and isinstance(shape.term, Float) and isinstance(content, int):
        return float(content)
    if content is None:
        raise ValueFault("no value is given where one is needed")
    return content


def _id(content: literals.Literal) -> UUID:
    if isinstance(content, int):
        return UUID(int=content)
    found = ids.parse(content) if isinstance(content, str) else None
    if found is None:
        raise ValueFault(f"{content!r} is not a 128-bit id")
    return UUID(int=found.component)
