"""Types whose values can leave this process, and endpoints that can tunnel to another one.

A local handle means nothing elsewhere, so a value that holds one cannot be serialized, and an endpoint
whose events carry one cannot tunnel. A UI endpoint never tunnels. A *reference to an object* with such
endpoints can be sent: its receiver builds a proxy of its own.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeAlias

from liven.types.explanation import Explanation
from liven.types.terms.endpoint_types import EndpointType
from liven.types.terms.type_text import brief
from liven.types.terms.value_types import (
    EndpointTo,
    Integer,
    ListOf,
    Local,
    MapOf,
    Opaque,
    OptionalOf,
    Record,
    Recursive,
    Union,
    ValueType,
)

WIRE_LOW, WIRE_HIGH = -(2**63), 2**64 - 1
"""The whole numbers that MessagePack can write."""

_Places: TypeAlias = Iterator[tuple[str, ValueType]]


def is_serializable(type_: ValueType) -> Explanation:
    """True if values of the type can be written here and read elsewhere; the explanation names the parts that
    cannot."""
    reasons = tuple(_refusals("", type_))
    said = "can travel" if not reasons else "cannot travel"
    return Explanation(not reasons, f"{brief(type_)} {said}", reasons, left=brief(type_))


def can_tunnel(endpoint: EndpointType) -> Explanation:
    """True if the two ends of such an endpoint may be in different processes."""
    reasons = tuple(_tunnel_refusals(endpoint))
    said = "can tunnel" if not reasons else "cannot tunnel"
    return Explanation(not reasons, f"{brief(endpoint)} {said}", reasons, left=brief(endpoint))


def _refusal(type_: ValueType) -> str:
    """Return why this part of a type cannot be serialized, its own parts left aside; empty if it can."""
    match type_:
        case Local(name):
            return f"local<{name}> is valid in this process only and cannot be sent"
        case Opaque(tag):
            return f"{tag.alias} is known by name only and cannot be sent"
        case Integer(low, high) if low < WIRE_LOW or high > WIRE_HIGH:
            return f"{brief(type_)} is wider than 64 bits; the wire has no such number"
        case EndpointTo(endpoint) if endpoint.local:
            return f"an endpoint of the local kind `{endpoint.local}` never tunnels, nor do references to it"
    return ""


def _refusals(path: str, type_: ValueType) -> Iterator[Explanation]:
    """Yield a refusal for each part that cannot be serialized, under the path that leads to it."""
    todo, met = [(path, type_)], set[int]()
    while todo:
        place, part = todo.pop()
        if id(part) in met:
            continue
        met.add(id(part))
        if said := _refusal(part):
            yield Explanation(False, f"{place}: {said}" if place else said, subject=place)
        todo.extend(_inner(place, part))


def _tunnel_refusals(endpoint: EndpointType) -> Iterator[Explanation]:
    if endpoint.local:
        yield Explanation(False, f"an endpoint of the local kind `{endpoint.local}` never tunnels")
    for name, held in (*endpoint.inputs, *endpoint.outputs):
        yield from _refusals(name, held)


def _inner(path: str, part: ValueType) -> _Places:
    match part:
        case ListOf(item) | MapOf(item):
            yield f"{path}[]", item
        case OptionalOf(item):
            yield path, item
        case Recursive(_, body):
            yield path, body
        case Record(held) | Union(held):
            yield from ((f"{path}.{name}", inner) for name, inner in held)
        case EndpointTo(endpoint):
            for events in (endpoint.inputs, endpoint.outputs):
                yield from ((f"{path}→{name}", inner) for name, inner in events)
