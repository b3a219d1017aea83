"""Checking the parameters of an object against those that its class takes.

A parameter that holds a reference and an endpoint of the same name are one thing: given the parameter, the
object there must have exactly one endpoint that matches.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeAlias

from liven.runtime.checking.classes import ClassReader, Unknown, kind_of
from liven.runtime.checking.fault_collector import FaultCollector, mending
from liven.runtime.checking.report import FaultKind, can_build
from liven.runtime.checking.scope import Scope
from liven.runtime.checking.values import misfit
from liven.runtime.reference.model import (
    Composite,
    Object,
    Parameter,
    ParameterUse,
    Reference,
    Value,
)
from liven.types.catalogue import Catalogue, CatalogueError, Entry, ValueParameter
from liven.types.catalogue.notation import NotationError
from liven.types.catalogue.notation_terms import OpenTemplateError
from liven.types.declare.declaration import ProxyDeclaration
from liven.types.matching import Matcher
from liven.types.terms.endpoint_types import EndpointType, ObjectType
from liven.types.terms.type_text import brief
from liven.types.terms.value_types import RefTo, ValueType

TypeOf: TypeAlias = Callable[[Object, Scope], ObjectType | None]
"""Checks an object in its place and returns its type."""


@dataclass(frozen=True, slots=True)
class Parameters:
    """Judges the parameters of one object."""

    catalogue: Catalogue
    matcher: Matcher
    findings: FaultCollector
    type_of: TypeOf

    def judge(self, entry: Entry, thing: Reference, scope: Scope) -> ObjectType | None:
        """Return the object's type with its parameters given; record faults for those that do not fit."""
        wanted = entry.source.type_parameters()
        classes = ClassReader(self.catalogue, self.findings)
        arguments = classes.arguments(wanted, thing.parameters, scope)
        given = None if isinstance(arguments, Unknown) else arguments
        actual: ObjectType | None = self.catalogue.term(entry, given) if given is not None else None
        takes = {one.name: one for one in self._taken(entry)[0]}
        ports = dict(actual.endpoints) if actual is not None else {}
        self._judge_names(entry, thing, {one.name for one in wanted}, takes, ports, scope)
        for item in thing.parameters:
            place = scope.at(f"Parameter[{item.id}]", "Value")
            if item.id in takes and item.value is not None:
                # A class without code here may build its arguments; one with code takes references.
                inside = place.handed() if can_build(entry) else place
                self._judge_value(takes[item.id], item.value, given, inside)
            elif item.id in ports and item.value is not None:
                self._judge_port(item.id, ports[item.id], item.value, place)
            elif isinstance(item.value, Reference | Composite):
                self.type_of(item.value, place)
        return _without_filled(actual, thing.parameters)

    def judge_unknown(self, given: tuple[Parameter, ...], scope: Scope) -> None:
        """Check the objects among the parameters of an unknown class."""
        for item in given:
            if isinstance(item.value, Reference | Composite):
                self.type_of(item.value, scope.at(f"Parameter[{item.id}]", "Value"))

    def _taken(self, entry: Entry) -> tuple[tuple[ValueParameter, ...], frozenset[str]]:
        """Return the parameters of a class, and those with defaults."""
        known = self.findings.taken.get(id(entry))
        if known is None:
            known = tuple(entry.source.value_parameters()), _optional(entry)
            self.findings.taken[id(entry)] = known
        return known

    def _judge_names(
        self,
        entry: Entry,
        thing: Reference,
        classes: set[str],
        takes: dict[str, ValueParameter],
        ports: dict[str, EndpointType],
        scope: Scope,
    ) -> None:
        known = classes | takes.keys() | ports.keys()
        for name, times in Counter(item.id for item in thing.parameters).items():
            place = scope.at(f"Parameter[{name}]").path
            if name not in known:
                has = ", ".join(sorted(known)) or "none"
                self.findings.fault(
                    FaultKind.PARAMETER, place, f"{entry} has no parameter {name!r}; it has {has}"
                )
            elif times > 1:
                self.findings.fault(FaultKind.PARAMETER, place, f"{name!r} is given {times} times")
        given = {item.id for item in thing.parameters}
        optional = self._taken(entry)[1]
        for name, parameter in takes.items():
            if name not in given and name not in ports and name not in optional:
                what = f"{entry} is not given its parameter {name!r}, {parameter.written}"
                self.findings.fault(FaultKind.PARAMETER, scope.path, what, "write it, or write it as null")

    def _judge_value(
        self, parameter: ValueParameter, value: Value, given: tuple[Any, ...] | None, scope: Scope
    ) -> None:
        value, known = _used(value, scope)
        if not known:
            return
        wanted = self._type(parameter, given)
        if isinstance(value, Reference | Composite):
            self._judge_object(parameter, value, wanted, scope)
        elif wanted is not None:
            why = misfit(value, wanted)
            why = why or (
                f"{kind_of(value)} is given, but {parameter.written} is expected" if _is_ref(wanted) else ""
            )
            if why:
                self.findings.fault(FaultKind.VALUE, scope.path, f"{parameter.name}: {why}")

    def _judge_object(
        self, parameter: ValueParameter, thing: Object, wanted: ValueType | None, scope: Scope
    ) -> None:
        actual = self.type_of(thing, scope)
        if thing.null or actual is None or wanted is None:
            return
        answer = self.matcher.value_subtype(RefTo(actual), wanted)
        if not answer:
            what = f"this object is not what {parameter.name!r} takes, {parameter.written}"
            self.findings.fault(FaultKind.VALUE, scope.path, what, explanation=answer)

    def _judge_port(self, name: str, port: EndpointType, value: Value, scope: Scope) -> None:
        value, known = _used(value, scope)
        if not known:
            return
        if not isinstance(value, Reference | Composite):
            what = f"{name!r} is an endpoint and takes an object; this is {kind_of(value)}"
            self.findings.fault(FaultKind.VALUE, scope.path, what)
            return
        actual = self.type_of(value, scope)
        if value.null or actual is None:
            return
        answers = [(other, self.matcher.matches(port, type_)) for other, type_ in actual.endpoints]
        fitting = [other for other, answer in answers if answer]
        if len(fitting) > 1:
            what = f"{', '.join(fitting)} of this object all match {name!r}"
            self.findings.fault(FaultKind.VALUE, scope.path, what, "name the right one in a composite")
        elif not fitting:
            what = f"no endpoint of this object matches {name!r}, {brief(port)}"
            explanation, advice = None, ""
            if len(answers) == 1:
                explanation = answers[0][1]
                advice = mending(self.catalogue, self.matcher, port, actual.endpoints[0][1])
            self.findings.fault(FaultKind.VALUE, scope.path, what, advice, explanation)

    def _type(self, parameter: ValueParameter, given: tuple[Any, ...] | None) -> ValueType | None:
        """Return the type of a parameter, with the given classes; None if it depends on an unknown one."""
        try:
            return parameter.type_with(given) if given is not None else None
        except (CatalogueError, NotationError, OpenTemplateError):
            return None


def _used(value: Value, scope: Scope) -> tuple[Value, bool]:
    """Return the value of a use of the composite's parameter, and True if it is known."""
    if not isinstance(value, ParameterUse):
        return value, True
    inner = (scope.given or {}).get(value.id)
    return (value, False) if inner is None or isinstance(inner, ParameterUse) else (inner, True)


def _optional(entry: Entry) -> frozenset[str]:
    """Return the parameters with defaults."""
    declaration = getattr(entry.source, "declaration", None)
    if not isinstance(declaration, ProxyDeclaration):
        return frozenset(getattr(entry.source, "optional", ()))
    return frozenset(one.name for one in declaration.values(declaration.open()) if not one.required)


def _is_ref(wanted: ValueType) -> bool:
    return isinstance(wanted, RefTo)


def _without_filled(type_: ObjectType | None, given: tuple[Parameter, ...]) -> ObjectType | None:
    """Return the type without the endpoints that parameters are connected to: they are no longer open."""
    filled = {
        item.id for item in given if isinstance(item.value, Reference | Composite) and not item.value.null
    }
    if type_ is None or not any(name in filled for name, _ in type_.endpoints):
        return type_
    left = tuple(pair for pair in type_.endpoints if pair[0] not in filled)
    return ObjectType(left, type_.provides, type_.requires, type_.tag)
