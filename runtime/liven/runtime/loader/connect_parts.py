"""Connecting built parts: parameters that are endpoints, templates from folders, added constraints."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from typing import TypeAlias

from liven.runtime.checking import Part
from liven.runtime.errors import DereferenceError
from liven.runtime.objects.node import Node
from liven.runtime.objects.proxy import ProxyHandle
from liven.runtime.problems import Path
from liven.runtime.reference.model import Composite, Object, Parameter, Reference
from liven.types.terms.endpoint_types import Constraint, EndpointType, ObjectType

Constraints: TypeAlias = tuple[Constraint, ...]


def join_parameter(node: Node, whole: ProxyHandle, name: str, child: ProxyHandle, shown: Path) -> None:
    """Connect the endpoint `name` to the only endpoint of `child` that matches it."""
    port = whole.endpoint(name)
    answers = [(end, node.matches(port.type, end.type)) for end in child.endpoints.values()]
    fitting = [end for end, answer in answers if answer and not end.connected]
    if len(fitting) > 1:
        names = ", ".join(end.name for end in fitting)
        advice = "name the right one in a composite"
        raise DereferenceError(shown, f"{names} of this object all match {name!r}", advice)
    if not fitting:
        explanation = answers[0][1] if len(answers) == 1 else None
        raise DereferenceError(shown, f"no endpoint of this object matches {name!r}", "", explanation)
    node.connect(port, fitting[0])


def merged(inner: Object, outer: Reference, shown: Path) -> Object:
    """Return a folder's answer with the parameters that the asking reference gives it."""
    if not outer.parameters:
        return inner
    fixed = (
        set()
        if isinstance(inner, Composite)
        else {one.id for one in inner.parameters if one.value is not None}
    )
    for item in outer.parameters:
        if item.id in fixed:
            what = f"the item has a parameter {item.id!r} already, which cannot be given again"
            raise DereferenceError((*shown, f"Parameter[{item.id}]"), what, "remove one of the two")
    given = {item.id: item for item in outer.parameters}
    kept: list[Parameter] = [given.pop(item.id, item) for item in inner.parameters]
    return replace(inner, parameters=(*kept, *given.values()))


def completed(inner: Object, outer: Reference, open_classes: Collection[str]) -> Object:
    """Return a folder's template with its open classes taken from the `as` clause,
    where they have the same names."""
    if isinstance(inner, Composite) or inner.source is not None or outer.object_class is None:
        return inner
    given = {one.id for one in inner.parameters}
    said = outer.object_class.parameters
    taken = tuple(one for one in said if one.id in open_classes and one.id not in given)
    return replace(inner, parameters=(*inner.parameters, *taken)) if taken else inner


def constrained(actual: ObjectType, part: Part | None) -> ObjectType:
    """Return the type with the constraints that the recipe adds to its class.

    Without any, it is the same object, so that caches by type still find their answers.
    """
    said = part.type if part is not None else None
    if said is None or said is actual:
        return actual
    added = dict(said.endpoints)
    endpoints = tuple((name, _with(end, added.get(name))) for name, end in actual.endpoints)
    provides, requires = _union(actual.provides, said.provides), _union(actual.requires, said.requires)
    if endpoints == actual.endpoints and (provides, requires) == (actual.provides, actual.requires):
        return actual
    return replace(actual, endpoints=endpoints, provides=provides, requires=requires)


def _with(actual: EndpointType, said: EndpointType | None) -> EndpointType:
    if said is None or (said.provides == actual.provides and said.requires == actual.requires):
        return actual
    return replace(
        actual,
        provides=_union(actual.provides, said.provides),
        requires=_union(actual.requires, said.requires),
    )


def _union(one: Constraints, other: Constraints) -> Constraints:
    return tuple(dict.fromkeys((*one, *other)))
