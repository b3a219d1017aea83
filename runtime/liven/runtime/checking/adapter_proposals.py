"""Adapters: objects that would fit between two endpoints that do not match.

They are proposed, never inserted.

An adapter changes observable behaviour, so all nodes must build the same one: a proposal becomes part of the
reference when a person accepts it.

A template is proposed with the classes that follow from the two endpoints. If its Python class has a static
method `adapts`, that decides if it can work with these.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import islice
from typing import Any, Final

from liven.runtime.checking.report import can_build
from liven.types.catalogue import Catalogue, Entry
from liven.types.ids import ClassId
from liven.types.matching import Matcher
from liven.types.terms.endpoint_types import EndpointType, Events, ObjectType
from liven.types.terms.type_text import brief
from liven.types.terms.value_types import (
    ClassTag,
    ListOf,
    MapOf,
    Opaque,
    OptionalOf,
    Record,
    Union,
    ValueType,
)

_MOST_SHOWN: Final = 5
_HOLE: Final = 2**128 - 2
"""The namespace of the classes that stand for the parameters of a template while they are looked for."""


@dataclass(frozen=True, slots=True)
class Proposal:
    """An object, and the endpoint for each side."""

    entry: Entry
    left: str
    right: str
    classes: tuple[tuple[str, str], ...] = ()
    """For a template, the readable names of the classes to give it, by the names of its parameters."""
    instead: tuple[tuple[str, str], ...] = ()
    """The classes that the right side carries, each with the one it must carry instead."""

    def __str__(self) -> str:
        given = ", ".join(f"{name} = {written}" for name, written in self.classes)
        what = f"{self.entry.alias} ({given})" if given else self.entry.alias
        other = "".join(f", and have that carry {new} instead of {old}" for old, new in self.instead)
        return f"insert {what}: its {self.left} on the left, its {self.right} on the right{other}"


def propose(
    catalogue: Catalogue, matcher: Matcher, left: EndpointType, right: EndpointType
) -> Iterator[Proposal]:
    """Return every object with code here that has only these two endpoints and matches both."""
    for entry in catalogue.entries("component"):
        if can_build(entry):
            yield from _between(catalogue, entry, matcher, left, right)


def advise(catalogue: Catalogue, matcher: Matcher, left: EndpointType, right: EndpointType) -> str:
    """Return the adapters that would make the two fit, as advice; empty if there are none."""
    found = [str(one) for one in islice(propose(catalogue, matcher, left, right), _MOST_SHOWN)]
    return " or ".join(found)


def _between(
    catalogue: Catalogue, entry: Entry, matcher: Matcher, left: EndpointType, right: EndpointType
) -> Iterator[Proposal]:
    parameters = entry.source.type_parameters()
    if any(one.kind != "value" for one in parameters):
        return
    holes = tuple(Opaque(_hole(place)) for place in range(len(parameters)))
    pattern = catalogue.term(entry, holes)
    if not isinstance(pattern, ObjectType) or len(pattern.endpoints) != 2:
        return
    for turned in (False, True):
        (near, one), (far, other) = reversed(pattern.endpoints) if turned else pattern.endpoints
        given = _filled(len(parameters), ((one, left), (other, right)))
        if given is None or not _can(entry, given):
            continue
        ends = dict(catalogue.term(entry, given).endpoints)
        if not _joins(matcher, left, ends[near]):
            continue
        classes = tuple((one.name, brief(given[n])) for n, one in enumerate(parameters))
        if _joins(matcher, ends[far], right):
            yield Proposal(entry, near, far, classes)
            continue
        changed, instead = _carrying(right, ends[far])
        if (
            instead
            and _is_fixed(other)
            and not _joins(matcher, left, _carrying(right, left)[0])
            and _joins(matcher, ends[far], changed)
        ):
            yield Proposal(entry, near, far, classes, instead)


def _filled(count: int, pairs: tuple[tuple[EndpointType, EndpointType], ...]) -> tuple[Any, ...] | None:
    """Return the classes of a template, derived from the two endpoints it would join."""
    found: dict[ClassId, ValueType] = {}
    for pattern, actual in pairs:
        for ours, theirs in ((pattern.inputs, actual.outputs), (pattern.outputs, actual.inputs)):
            _read_events(ours, theirs, found)
    given = [found.get(_hole(place).id) for place in range(count)]
    return None if any(one is None for one in given) else tuple(given)


def _read_events(pattern: Events, actual: Events, found: dict[ClassId, ValueType]) -> None:
    others = dict(actual)
    for name, value in pattern:
        if name in others:
            _read(value, others[name], found)


def _read(pattern: ValueType, actual: ValueType, found: dict[ClassId, ValueType]) -> None:
    match pattern, actual:
        case Opaque(tag), _:
            if tag.id.namespace == _HOLE:
                found.setdefault(tag.id, actual)
        case (ListOf(one), ListOf(other)) | (MapOf(one), MapOf(other)) | (OptionalOf(one), OptionalOf(other)):
            _read(one, other, found)
        case OptionalOf(one), _:
            _read(one, actual, found)
        case (Record(ours), Record(theirs)) | (Union(ours), Union(theirs)):
            _read_events(ours, theirs, found)


def _carrying(right: EndpointType, far: EndpointType) -> tuple[EndpointType, tuple[tuple[str, str], ...]]:
    """Return the right side with a template's classes replaced by those that the far endpoint carries."""
    other: dict[ValueType, ValueType] = {}
    for theirs, ours in ((right.inputs, far.outputs), (right.outputs, far.inputs)):
        wanted = dict(ours)
        for name, record in theirs:
            match record, wanted.get(name):
                case Record(fields), Record(others):
                    new = dict(others)
                    other.update({old: new[key] for key, old in fields if new.get(key, old) != old})
    changed = replace(right, inputs=_renewed(right.inputs, other), outputs=_renewed(right.outputs, other))
    return changed, tuple((brief(old), brief(new)) for old, new in other.items())


def _is_fixed(far: EndpointType) -> bool:
    """True if the adapter itself fixes the type of its far side: any other could be had without it."""
    records = [record for _, record in (*far.inputs, *far.outputs) if isinstance(record, Record)]
    values = [value for record in records for _, value in record.fields]
    return not any(isinstance(value, Opaque) and value.tag.id.namespace == _HOLE for value in values)


def _renewed(events: Events, other: dict[ValueType, ValueType]) -> Events:
    return tuple(
        (name, Record(tuple((key, other.get(old, old)) for key, old in record.fields)))
        if isinstance(record, Record)
        else (name, record)
        for name, record in events
    )


def _hole(place: int) -> ClassTag:
    return ClassTag(ClassId(place + 1, namespace=_HOLE), f"?{place + 1}")


def _can(entry: Entry, given: tuple[Any, ...]) -> bool:
    declaration = getattr(entry.source, "declaration", None)
    adapts = getattr(getattr(declaration, "cls", None), "adapts", None)
    return adapts is None or bool(adapts(*given))


def _joins(matcher: Matcher, one: EndpointType, other: EndpointType) -> bool:
    """True if they match and share an event: two that share none always match."""
    speaks = {name for name, _ in one.outputs} & {name for name, _ in other.inputs}
    hears = {name for name, _ in one.inputs} & {name for name, _ in other.outputs}
    return bool(speaks or hears) and bool(matcher.matches(one, other))
