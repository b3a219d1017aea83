"""Composites: the names inside them, the parameters they pass on, and the faults of both.

This module knows only names; the types of the endpoints are checked in `checking`.
"""

from __future__ import annotations

import heapq
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

from liven.runtime.reference.errors import RecipeError
from liven.runtime.reference.model import (
    Component,
    Composite,
    Object,
    ObjectClass,
    OtherClass,
    Parameter,
    ParameterUse,
    Path,
    Reference,
    Value,
)

_MOST_NAMED = 8
"""The most names that a fault lists: a composite may have any number of parts and of faults."""
_COMPONENT = re.compile(r"[A-Za-z0-9_]+")


class PortError(RecipeError):
    """A text that does not name an endpoint of a part."""


@dataclass(frozen=True, slots=True)
class Port:
    """An endpoint of a part of a composite."""

    component: str
    endpoint: str

    @classmethod
    def parse(cls, text: str) -> Port:
        """Read `component.endpoint`; raise PortError."""
        component, dot, endpoint = text.strip().partition(".")
        if not dot or "." in endpoint or not component or not endpoint:
            raise PortError(f"{text!r} is not an endpoint; write component.endpoint, with one dot")
        return cls(component, endpoint)

    def __str__(self) -> str:
        return f"{self.component}.{self.endpoint}"


@dataclass(frozen=True, slots=True)
class NameFault:
    """A wrong name in a composite, and the element that holds it."""

    path: Path
    reason: str


def name_faults(thing: Composite) -> Iterator[NameFault]:
    """Return every fault of the names directly inside `thing`."""
    yield from _repeated("Component", (part.id for part in thing.components))
    yield from _repeated("Endpoint", (item.id for item in thing.exports))
    yield from _repeated("Parameter", (item.id for item in thing.parameters))
    for part in thing.components:
        if _COMPONENT.fullmatch(part.id) is None:
            reason = (
                f"a component's name is made of letters, digits and underscores, which {part.id!r} is not"
            )
            yield NameFault((f"Component[{part.id}]",), reason)
    known = {part.id for part in thing.components}
    for item in thing.exports:
        yield from _port_faults((f"Endpoint[{item.id}]",), item.origin, known)
    for joint in thing.connections:
        for end in (joint.left, joint.right):
            yield from _port_faults((step(joint.left, joint.right),), end, known)
    yield from _taken_twice(thing)


def step(left: str, right: str) -> str:
    """Return the step of a path that names a connection."""
    return f"Connection[{left} {right}]"


def substitute(thing: Object, given: Mapping[str, Value | None]) -> Object:
    """Return `thing` with each use of the enclosing composite's parameters replaced by its `given` value.

    A nested composite has parameters of its own: uses inside its parts are left for it to fill.
    """
    authority = substitute(thing.authority, given) if thing.authority is not None else None
    object_class = _substitute_class(thing.object_class, given) if thing.object_class else None
    parameters = _substitute_parameters(thing.parameters, given)
    if isinstance(thing, Composite):
        return replace(thing, parameters=parameters, authority=authority, object_class=object_class)
    source = substitute(thing.source, given) if thing.source is not None else None
    return replace(
        thing, parameters=parameters, authority=authority, object_class=object_class, source=source
    )


def substitute_value(value: Value, given: Mapping[str, Value | None]) -> Value | None:
    """Do the same for any value: a use itself, an object, or a class with arguments."""
    return _substitute_value(value, given)


def instantiate(thing: Composite, given: Mapping[str, Value | None]) -> Composite:
    """Return the composite with its parameters set to `given`, or to their defaults, and no open ones."""
    values = {item.id: given.get(item.id, item.value) for item in thing.parameters}
    components = tuple(
        Component(part.id, substitute(part.object, values), part.margin) for part in thing.components
    )
    return replace(thing, parameters=(), components=components)


def uses(thing: Object, path: Path = ()) -> Iterator[tuple[Path, ParameterUse]]:
    """Yield the uses in `thing` of the enclosing composite's parameters, each with its path."""
    yield from _uses_in(thing.parameters, path)
    if thing.object_class is not None:
        yield from _uses_in(thing.object_class.parameters, (*path, "ObjectClass"))
    if isinstance(thing, Reference) and thing.source is not None:
        yield from uses(thing.source, (*path, "From"))
    if thing.authority is not None:
        yield from uses(thing.authority, (*path, "Authority"))


def uses_of(value: Value | None, path: Path = ()) -> Iterator[tuple[Path, ParameterUse]]:
    """Yield the uses in any value: itself, or in an object or a class with arguments."""
    match value:
        case ParameterUse():
            yield path, value
        case Reference() | Composite():
            yield from uses(value, path)
        case ObjectClass() | OtherClass():
            yield from _uses_in(value.parameters, path)


def _uses_in(parameters: Iterable[Parameter], path: Path) -> Iterator[tuple[Path, ParameterUse]]:
    for item in parameters:
        yield from uses_of(item.value, (*path, f"Parameter[{item.id}]", "Value"))


def _repeated(tag: str, names: Iterable[str]) -> Iterator[NameFault]:
    for name, times in Counter(names).items():
        if times > 1:
            yield NameFault((f"{tag}[{name}]",), f"{name!r} is given {times} times; one name, one {tag}")


def _port_faults(path: Path, text: str, known: set[str]) -> Iterator[NameFault]:
    try:
        port = Port.parse(text)
    except PortError as error:
        yield NameFault(path, str(error))
        return
    if port.component not in known:
        more = f" and {len(known) - _MOST_NAMED:,} more" if len(known) > _MOST_NAMED else ""
        has = ", ".join(heapq.nsmallest(_MOST_NAMED, known)) or "none"
        yield NameFault(path, f"there is no component {port.component!r}; there is {has}{more}")


def _taken_twice(thing: Composite) -> Iterator[NameFault]:
    """Return the endpoints used twice: each joins one other, and an exported one is not joined inside."""
    ends = Counter(end.strip() for joint in thing.connections for end in (joint.left, joint.right))
    for joint in thing.connections:
        for end in {joint.left.strip(), joint.right.strip()}:
            if ends[end] > 1:
                reason = f"{end} is in {ends[end]} connections; an endpoint joins one other"
                yield NameFault((step(joint.left, joint.right),), reason)
    shown = Counter(item.origin.strip() for item in thing.exports)
    for item in thing.exports:
        origin = item.origin.strip()
        if origin in ends:
            yield NameFault(
                (f"Endpoint[{item.id}]",), f"{origin} is connected inside; it cannot be exported as well"
            )
        if shown[origin] > 1:
            yield NameFault(
                (f"Endpoint[{item.id}]",), f"{origin} is exported {shown[origin]} times; export it once"
            )


def _substitute_class(item: ObjectClass, given: Mapping[str, Value | None]) -> ObjectClass:
    return replace(item, parameters=_substitute_parameters(item.parameters, given))


def _substitute_parameters(
    items: tuple[Parameter, ...], given: Mapping[str, Value | None]
) -> tuple[Parameter, ...]:
    return tuple(replace(item, value=_substitute_value(item.value, given)) for item in items)


def _substitute_value(value: Value | None, given: Mapping[str, Value | None]) -> Value | None:
    match value:
        case ParameterUse():
            return given.get(value.id, value)
        case Reference() | Composite():
            return substitute(value, given)
        case ObjectClass():
            return _substitute_class(value, given)
        case OtherClass():
            return replace(value, parameters=_substitute_parameters(value.parameters, given))
    return value
