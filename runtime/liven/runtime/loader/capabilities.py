"""The capabilities of a recipe: those of the classes in it, with their parameters, and those of its code."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import islice
from typing import Any
from urllib.parse import urlsplit

from liven.runtime.capability import Capability, CapabilityKind
from liven.runtime.checking.type_knowledge import TypeKnowledge
from liven.runtime.loader.classes import Installed
from liven.runtime.loader.values import ValueFault, local
from liven.runtime.reference import ids
from liven.runtime.reference.model import Composite, Object, ParameterUse, Reference, Value
from liven.types.declare.declaration import Parameter, ProxyDeclaration

MOST_OBJECTS = 20_000
"""The most objects that are looked at: a small recipe may unfold to any number."""
DEEPEST = 160
"""The deepest nesting that is looked at, that of a check."""


def capabilities_of(thing: Object, known: TypeKnowledge) -> tuple[Capability, ...]:
    """Return what a recipe reaches, as far as its classes are known, each once, in the order of the recipe.

    Runs no code but the classes' own statements. The answer of a folder is known only when it is asked.
    """
    found: dict[Capability, None] = {}
    classes = _Known(Installed(known))
    for each in islice(_all(_Placed(thing, {})), MOST_OBJECTS):
        one = each.thing
        found.update(dict.fromkeys(_of_libraries(one)))
        if isinstance(one, Reference) and one.source is None and not one.null:
            listed = _of_reference(one, each.given, classes)
            found.update(dict.fromkeys(as_source(listed) if each.source else listed))
    return tuple(found)


def as_source(capabilities: Iterable[Capability]) -> tuple[Capability, ...]:
    """Return what remains of a folder's capabilities where the loader alone asks it for items."""
    return tuple(one for one in capabilities if one.kind is not CapabilityKind.WRITE_FOLDER)


def stated(declaration: ProxyDeclaration, values: Mapping[str, object]) -> tuple[Capability, ...]:
    """Return what an object of a class states to reach, with these values of its parameters.

    Anything that the class's own function raises is raised here.
    """
    state: Callable[..., Iterable[Capability]] | None = getattr(declaration.cls, "capabilities", None)
    if not callable(state):
        return ()
    named = {declaration.names.get(name, name): value for name, value in values.items()}
    takes = inspect.signature(state).parameters
    found = tuple(state(**{name: value for name, value in named.items() if name in takes}))
    for one in found:
        if not isinstance(one, Capability):
            raise TypeError(f"its capabilities include a {type(one).__name__}")
    return found


@dataclass(frozen=True, slots=True)
class _Placed:
    """A value, with the values of the parameters of the composite around it."""

    value: Value | None
    given: Mapping[str, _Placed]

    def used(self) -> _Placed:
        """Return the value that a use of a parameter stands for."""
        return self.given.get(self.value.id, self) if isinstance(self.value, ParameterUse) else self


class _Known:
    """The classes that state something, each with its parameters, looked up once."""

    def __init__(self, installed: Installed) -> None:
        self._installed = installed
        self._seen: dict[str, tuple[ProxyDeclaration, Mapping[str, Parameter]] | None] = {}

    def of(self, thing: Reference) -> tuple[ProxyDeclaration, Mapping[str, Parameter]] | None:
        """Return the class of an object; None if it is unknown, or states nothing."""
        if thing.id not in self._seen:
            found = self._installed.component(thing)
            declaration = None if found is None else found.declaration
            self._seen[thing.id] = (
                None
                if declaration is None or not callable(getattr(declaration.cls, "capabilities", None))
                else (declaration, {one.name: one for one in declaration.values(declaration.open())})
            )
        return self._seen[thing.id]


@dataclass(frozen=True, slots=True)
class _Found:
    """One object of the recipe."""

    thing: Object
    given: Mapping[str, _Placed]
    """The parameters that hold there."""
    source: bool
    """True for a folder that the loader reads from, and that nothing else is connected to."""


def _all(here: _Placed, depth: int = 0, *, source: bool = False) -> Iterator[_Found]:
    """Yield every object. Nothing is substituted before it is needed: a small recipe may unfold to any
    size."""
    thing, given = here.value, here.given
    if not isinstance(thing, Reference | Composite) or depth > DEEPEST:
        return
    yield _Found(thing, given, source)
    named = {item.id: _Placed(item.value, given).used() for item in thing.parameters}
    for placed in named.values():
        yield from _all(placed, depth + 1)
    if isinstance(thing, Composite):
        for component in thing.components:
            yield from _all(_Placed(component.object, named), depth + 1)
    elif thing.source is not None:
        yield from _all(_Placed(thing.source, given), depth + 1, source=True)
    if thing.authority is not None:
        yield from _all(_Placed(thing.authority, given), depth + 1)


def _of_libraries(thing: Object) -> Iterator[Capability]:
    for need in thing.requires:
        yield Capability(CapabilityKind.RUN_CODE, ids.brief(need.library))
        host = _host(need.url)
        if host:
            yield Capability(CapabilityKind.REACH_HOST, host)


def _host(url: str) -> str:
    try:
        return urlsplit(url.strip()).hostname or ""
    except ValueError:
        return ""


def _of_reference(thing: Reference, given: Mapping[str, _Placed], classes: _Known) -> tuple[Capability, ...]:
    found = classes.of(thing)
    if found is None:
        return ()
    declaration, takes = found
    try:
        return stated(declaration, dict(_values(thing, given, takes)))
    except (Exception, SystemExit):  # a parameter is missing, or its author erred: the object is not built
        return ()


def _values(
    thing: Reference, given: Mapping[str, _Placed], takes: Mapping[str, Parameter]
) -> Iterator[tuple[str, Any]]:
    for item in thing.parameters:
        value = _Placed(item.value, given).used().value
        if item.id in takes and value is not None:
            try:
                yield item.id, local(value, takes[item.id].shape)
            except ValueFault:
                continue
