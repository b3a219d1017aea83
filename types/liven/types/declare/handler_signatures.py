"""Compares the annotations of a proxy's methods with the events that they handle."""

from __future__ import annotations

import inspect
import uuid
from typing import Any

from liven.types.declare.annotation.reader import Reader
from liven.types.declare.annotation.shapes import IdShape, ScalarShape
from liven.types.declare.declaration import Member, Method, ProxyDeclaration
from liven.types.declare.decorate import scope_of
from liven.types.declare.errors import DeclarationError
from liven.types.terms.value_types import Float, Integer, Scalar

_PYTHON: dict[str, type] = {"bool": bool, "text": str, "bytes": bytes, "id": uuid.UUID}
_GOES_FOR = {(bool, int), (bool, float), (int, float)}


def mistaken_parameter(declaration: ProxyDeclaration, method: Method) -> str:
    """Return the parameter that the method annotates with another plain type; empty if there is none.

    Anything that is not a plain type may be a base, a protocol or `object`; that is left to a type
    checker.
    """
    cls = declaration.cls
    owner = next((one for one in cls.__mro__ if method.name in vars(one)), cls)
    handler = vars(owner).get(method.name)
    if not inspect.isfunction(handler):
        return ""
    for name, shape in method.parameters:
        member = Member(name, handler.__annotations__.get(name), scope_of(owner, cls, declaration.scope))
        taken, sent = _said(member), _plain(shape)
        if taken and sent and taken is not sent and (sent, taken) not in _GOES_FOR:
            told = f"the event carries {sent.__name__} and the method takes {taken.__name__}"
            return f"{cls.__name__}.{method.name}({name}): {told}"
    return ""


def _said(member: Member) -> type | None:
    if member.annotation is None:
        return None
    try:
        return _plain(Reader(member.name, {}).value(member.resolve(member.name)))
    except DeclarationError:
        return None  # `object`, a protocol, a class that only a type checker sees


def _plain(shape: Any) -> type | None:
    match shape:
        case IdShape():
            return uuid.UUID
        case ScalarShape(Integer()):
            return int
        case ScalarShape(Float()):
            return float
        case ScalarShape(Scalar(kind)):
            return _PYTHON[kind]
    return None
