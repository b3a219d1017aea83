"""Interfaces as terms: methods that are events, or operations with a result.

An event carries a record of its parameters by name. An operation is two events: its own, with the number
of the call beside the parameters, and its reply the other way, with that number and a result or an error.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from liven.types.structure import Events
from liven.types.values import TEXT, UINT64, Record, Union, ValueType

CALL = "call"
REPLY = ".reply"


@dataclass(frozen=True, slots=True)
class Method:
    """One event, or, with a result, one operation."""

    name: str
    parameters: tuple[tuple[str, ValueType], ...]
    result: ValueType | None = None


Methods: TypeAlias = tuple[Method, ...]


def incoming(exported: Methods, imported: Methods) -> Events:
    """What an endpoint receives that exports one interface and imports the other."""
    return tuple(sorted([*map(_asked, exported), *map(_answered, filter(_answers, imported))]))


def outgoing(exported: Methods, imported: Methods) -> Events:
    """What it sends."""
    return incoming(imported, exported)


def _answers(method: Method) -> bool:
    return method.result is not None


def _asked(method: Method) -> tuple[str, ValueType]:
    number = [(CALL, UINT64)] if method.result is not None else []
    return method.name, Record(tuple(sorted([*method.parameters, *number])))


def _answered(method: Method) -> tuple[str, ValueType]:
    assert method.result is not None
    answer = Union((("error", TEXT), ("value", method.result)))
    return method.name + REPLY, Record((("answer", answer), (CALL, UINT64)))
