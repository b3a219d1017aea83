"""Recursive types: what `Recursive` and `Loop` mean.

A recursive type equals its unfolding. Each unfolding is made once and kept on the type itself, so that
walking a recursive type meets finitely many *objects*: whoever walks may remember terms by identity,
which never hashes a deep structure.
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
    """The body with the type itself in place of its loops; never a `Recursive`, never a `Loop`."""
    if not whole.unfolded:
        demand_guard(whole)
        body = _value(whole.body, whole)
        whole.unfolded.append(unfold(body) if isinstance(body, Recursive) else body)
    return whole.unfolded[0]


def bare(term: ValueType) -> ValueType:
    """What is left when recursion is unfolded and every optional taken off."""
    while isinstance(term, OptionalOf | Recursive):
        term = term.item if isinstance(term, OptionalOf) else unfold(term)
    return term


def demand_guard(whole: Recursive) -> None:
    """Raises UnguardedRecursionError for a type that is nothing but itself; looks no deeper than its head."""
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
    """`term` with `whole` for its free loops; the very same object where there are none."""
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
    """The endpoint type with `whole` for the loops in its events that it leaves free."""
    inputs, outputs = _named(term.inputs, whole), _named(term.outputs, whole)
    if inputs is term.inputs and outputs is term.outputs:
        return term
    return replace(term, inputs=inputs, outputs=outputs)


def _object(term: ObjectType, whole: Recursive) -> ObjectType:
    """The object type with `whole` for the loops in its events that it leaves free."""
    changed = tuple((name, _endpoint(endpoint, whole)) for name, endpoint in term.endpoints)
    if all(a is b for (_, a), (_, b) in zip(term.endpoints, changed, strict=True)):
        return term
    return replace(term, endpoints=changed)
