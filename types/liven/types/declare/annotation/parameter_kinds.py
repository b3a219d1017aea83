"""The kind of class that each type parameter takes, found from the places where it is used."""

from __future__ import annotations

from collections.abc import Iterator

from liven.types.declare.annotation.reader import declaration_of
from liven.types.declare.annotation.shapes import (
    ClassShape,
    EndpointRefShape,
    EndpointUse,
    InterfaceUse,
    ListShape,
    MapShape,
    ObjectUse,
    OptionalShape,
    ParameterKind,
    ParameterUse,
    RefShape,
    UnionShape,
    Use,
)
from liven.types.declare.errors import DeclarationError

Place = tuple[Use, ParameterKind]


def kinds_of(where: str, places: Iterator[Place]) -> dict[str, ParameterKind]:
    """Return the kind of each open parameter in `places`; a parameter used as two kinds is an error."""
    found: dict[str, ParameterKind] = {}
    for use, kind in places:
        for name, needed in _open(use, kind, frozenset()):
            if found.setdefault(name, needed) != needed:
                raise DeclarationError(
                    f"{where}[{name}]",
                    f"it is used as a class of {found[name]} in one place and of {needed} in another",
                    "use two type variables",
                )
    return found


def _open(use: Use, kind: ParameterKind, busy: frozenset[type]) -> Iterator[tuple[str, ParameterKind]]:
    match use:
        case ParameterUse(name):
            yield name, kind
        case ListShape(item) | MapShape(item) | OptionalShape(item):
            yield from _open(item, "value", busy)
        case UnionShape(cases):
            for case in cases:
                yield from _open(case, "value", busy)
        case RefShape(target):
            yield from _open(target, "object", busy)
        case EndpointRefShape(endpoint):
            yield from _open(endpoint, "endpoint", busy)
        case EndpointUse(exported, imported):
            for side in (exported, imported):
                if side is not None:
                    yield from _open(side, "interface", busy)
        case ClassShape(cls, arguments) | InterfaceUse(cls, arguments) | ObjectUse(cls, arguments):
            if arguments and cls not in busy:
                yield from _arguments(cls, arguments, busy | {cls})


def _arguments(
    cls: type, arguments: tuple[Use, ...], busy: frozenset[type]
) -> Iterator[tuple[str, ParameterKind]]:
    declaration = declaration_of(cls)
    kinds: dict[str, ParameterKind] = {}
    for use, kind in declaration.places():
        for name, needed in _open(use, kind, busy):
            kinds.setdefault(name, needed)
    for parameter, argument in zip(declaration.parameters, arguments, strict=True):
        yield from _open(argument, kinds.get(parameter.__name__, "value"), busy)
