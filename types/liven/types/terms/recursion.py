"""Recursive types: the meaning of `Recursive` and `Loop`.

A recursive type equals its unfolding. Each unfolding is made once and kept on the type itself, so a walk
over a recursive type visits finitely many *objects*, and may remember terms by identity instead of hashing
them.
"""

from __future__ import annotations

from dataclasses import replace

from liven.types.terms.endpoint_types import EndpointType, Events, ObjectType
from liven.types.terms.value_types import (
    EndpointTo,
    ListOf,
    Loop,
    MapOf,
    OptionalOf,
    Record,
    Recursive,
    RefTo,
    Union,
    ValueType,
)


class UnguardedRecursionError(ValueError):
    """A recursive type that is nothing but itself, such as `rec T. optional<T>`."""


def unfold(whole: Recursive) -> ValueType:
    """Return the body with the type itself in place of its loops; never a `Recursive`, never a `Loop`."""
    if not whole.unfolded:
        demand_guard(whole)
        body = _value(whole.body, whole)
        whole.unfolded.append(unfold(body) if isinstance(body, Recursive) else body)
    return whole.unfolded[0]


def bare(term: ValueType) -> ValueType:
    """Return the type without its outer recursion and optionals."""
    while isinstance(term, OptionalOf | Recursive):
        term = term.item if isinstance(term, OptionalOf) else unfold(term)
    return term


def demand_guard(whole: Recursive) -> None:
    """Raise UnguardedRecursionError for a type that is nothing but itself; only the head is examined."""
    names: set[str] = set()
    head: ValueType = whole
    while isinstance(head, Recursive | OptionalOf):
        if isinstance(head, Recursive):
            names.add(head.name)
            head = head.body
        else:
            head = head.item
    if isinstance(head, Loop) and head.name in names:
        raise UnguardedRecursionError(
            f"`{head.name}` is defined as itself alone; put a list, map, record or union between"
        )


def _value(term: ValueType, whole: Recursive) -> ValueType:
    """Return `term` with `whole` for its free loops; the very same object where there are none."""
    match term:
        case Loop(name):
            return whole if name == whole.name else term
        case ListOf(item) | MapOf(item) | OptionalOf(item):
            changed = _value(item, whole)
            return term if changed is item else replace(term, item=changed)
        case Record(fields):
            held = _named(fields, whole)
            return term if held is fields else replace(term, fields=held)
        case Union(tags):
            held = _named(tags, whole)
            return term if held is tags else replace(term, tags=held)
        case Recursive(name, body):
            changed = body if name == whole.name else _value(body, whole)
            return term if changed is body else Recursive(name, changed)
        case RefTo(target):
            target_object = _object(target, whole)
            return term if target_object is target else RefTo(target_object)
        case EndpointTo(target_endpoint):
            changed_endpoint = _endpoint(target_endpoint, whole)
            return term if changed_endpoint is target_endpoint else EndpointTo(changed_endpoint)
    return term


def _named(items: Events, whole: Recursive) -> Events:
    changed = tuple((name, _value(held, whole)) for name, held in items)
    return items if all(a is b for (_, a), (_, b) in zip(items, changed, strict=True)) else changed


def _endpoint(term: EndpointType, whole: Recursive) -> EndpointType:
    """Return the endpoint type with `whole` for the free loops in its events."""
    inputs, outputs = _named(term.inputs, whole), _named(term.outputs, whole)
    if inputs is term.inputs and outputs is term.outputs:
        return term
    return replace(term, inputs=inputs, outputs=outputs)


def _object(term: ObjectType, whole: Recursive) -> ObjectType:
    """Return the object type with `whole` for the free loops in its events."""
    changed = tuple((name, _endpoint(endpoint, whole)) for name, endpoint in term.endpoints)
    if all(a is b for (_, a), (_, b) in zip(term.endpoints, changed, strict=True)):
        return term
    return replace(term, endpoints=changed)
