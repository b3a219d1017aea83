"""The code that a recipe needs: its references without `From`,
each with the libraries required around it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from liven.runtime.problems import Path
from liven.runtime.reference.model import (
    Component,
    Composite,
    Object,
    Parameter,
    Reference,
    Requirement,
    parts,
)


@dataclass(frozen=True, slots=True)
class Need:
    """One reference that needs code."""

    thing: Reference
    path: Path


def enclosed(thing: Object) -> Object:
    """Return `thing` with the requirements of each object copied into all objects inside it.

    Then a part means the same wherever it is put: filled into another part, or passed on to be dereferenced
    later.
    """
    return _enclosed(thing, ()) if _requires(thing) else thing


def needs_of(thing: Object, path: Path) -> Iterator[Need]:
    """Yield every reference without `From`, with its place."""
    if thing.null:
        return
    if isinstance(thing, Reference) and thing.source is None:
        yield Need(thing, path)
    for steps, inner in parts(thing):
        yield from needs_of(inner, (*path, *steps))


def _requires(thing: Object) -> bool:
    return bool(thing.requires) or any(_requires(inner) for _, inner in parts(thing))


def _enclosed(thing: Object, above: tuple[Requirement, ...]) -> Object:
    if thing.null:
        return thing
    requires = _innermost_last(above, thing.requires)
    parameters = tuple(_parameter(item, requires) for item in thing.parameters)
    authority = _enclosed(thing.authority, requires) if thing.authority is not None else None
    if isinstance(thing, Composite):
        components = tuple(
            Component(part.id, _enclosed(part.object, requires), part.margin) for part in thing.components
        )
        return replace(
            thing, parameters=parameters, authority=authority, requires=requires, components=components
        )
    source = _enclosed(thing.source, requires) if thing.source is not None else None
    return replace(thing, parameters=parameters, authority=authority, requires=requires, source=source)


def _innermost_last(above: tuple[Requirement, ...], own: tuple[Requirement, ...]) -> tuple[Requirement, ...]:
    """Return all requirements of both, each once; later ones are nearer to the part and win."""
    if not own:
        return above
    said = set(own)
    return (*(one for one in above if one not in said), *own)


def _parameter(item: Parameter, requires: tuple[Requirement, ...]) -> Parameter:
    if isinstance(item.value, Reference | Composite):
        return replace(item, value=_enclosed(item.value, requires))
    return item
