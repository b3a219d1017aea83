"""Interfaces as terms: methods are events, or operations where they have a result.

An event carries a record of its parameters by name. An operation is two events: the call, with its number
beside the parameters, and the reply in the other direction, with that number and a value or an error. An
interface is the events of all its methods; those whose names end in `.reply` go the other way.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from liven.types.terms.endpoint_types import Events
from liven.types.terms.value_types import TEXT, UINT64, Record, Union, ValueType

CALL = "call"
REPLY = ".reply"


@dataclass(frozen=True, slots=True)
class Method:
    """One event, or one operation if it has a result."""

    name: str
    parameters: tuple[tuple[str, ValueType], ...]
    result: ValueType | None = None


def interface_events(methods: Iterable[Method]) -> Events:
    """Return the interface that has these methods."""
    return _ordered(event for method in methods for event in _events(method))


def incoming(exported: Events, imported: Events) -> Events:
    """Return the events that an endpoint receives if it exports one interface and imports the other."""
    asked = [event for event in exported if not event[0].endswith(REPLY)]
    return _ordered([*asked, *(event for event in imported if event[0].endswith(REPLY))])


def outgoing(exported: Events, imported: Events) -> Events:
    """Return the events that an endpoint sends if it exports one interface and imports the other."""
    return incoming(imported, exported)


def _events(method: Method) -> Iterator[tuple[str, ValueType]]:
    if method.result is None:
        yield method.name, Record(_ordered(method.parameters))
        return
    yield method.name, Record(_ordered([*method.parameters, (CALL, UINT64)]))
    answer = Union((("error", TEXT), ("value", method.result)))
    yield method.name + REPLY, Record((("answer", answer), (CALL, UINT64)))


def _ordered(events: Iterable[tuple[str, ValueType]]) -> Events:
    return tuple(sorted(events, key=lambda event: event[0]))
