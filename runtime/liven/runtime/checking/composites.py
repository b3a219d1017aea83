"""Checking composites: names, connections, exported endpoints, and the type that follows from them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from liven.runtime.checking.fault_collector import FaultCollector, mending
from liven.runtime.checking.parameters import TypeOf
from liven.runtime.checking.report import Asserted, FaultKind
from liven.runtime.checking.scope import Scope
from liven.runtime.reference.composite import (
    Port,
    PortError,
    name_faults,
    step,
    substitute_value,
    uses,
    uses_of,
)
from liven.runtime.reference.model import Composite, Connection, Parameter, ParameterUse, Value
from liven.types.catalogue import Catalogue
from liven.types.matching import Matcher
from liven.types.terms.endpoint_types import EndpointType, ObjectType


@dataclass(frozen=True, slots=True)
class Composites:
    """Judges composites."""

    catalogue: Catalogue
    matcher: Matcher
    findings: FaultCollector
    type_of: TypeOf

    def judge(self, thing: Composite, scope: Scope) -> ObjectType | None:
        """Return the derived type, which is the exported endpoints;
        None if the type of one of them is unknown."""
        for fault in name_faults(thing):
            self.findings.fault(FaultKind.NAME, (*scope.path, *fault.path), fault.reason)
        given = {item.id: _value(item, scope) for item in thing.parameters}
        inner = scope.inside(given)
        types: dict[str, ObjectType | None] = {}
        for part in thing.components:
            place = inner.at(f"Component[{part.id}]", "Object")
            for path, use in uses(part.object, place.path):
                judge_use(self.findings, use, path, given)
            types[part.id] = self.type_of(part.object, place)
        for joint in thing.connections:
            self._judge_connection(joint, types, scope)
        return self._derived(thing, types, scope)

    def judge_cast(self, derived: ObjectType, wanted: ObjectType, scope: Scope) -> ObjectType:
        """Return the type that an `ObjectClass` on a composite gives it. Its promises are trusted."""
        for constraint in wanted.provides:
            self.findings.asserted.append(Asserted(scope.path, constraint))
        vouched = replace(derived, provides=wanted.provides)
        answer = self.matcher.object_subtype(vouched, wanted)
        if not answer:
            what = "the composite is not what its ObjectClass says"
            self.findings.fault(FaultKind.CAST, scope.at("ObjectClass").path, what, explanation=answer)
        return wanted

    def _judge_connection(
        self, joint: Connection, types: Mapping[str, ObjectType | None], scope: Scope
    ) -> None:
        place = scope.at(step(joint.left, joint.right))
        left = self._endpoint(joint.left, types, place)
        right = self._endpoint(joint.right, types, place)
        if left is None or right is None:
            return
        answer = self.matcher.matches(left, right)
        if not answer:
            what = f"{joint.left} and {joint.right} do not match"
            advice = mending(self.catalogue, self.matcher, left, right)
            self.findings.fault(FaultKind.CONNECTION, place.path, what, advice, answer)

    def _derived(
        self, thing: Composite, types: Mapping[str, ObjectType | None], scope: Scope
    ) -> ObjectType | None:
        exports = {
            item.id: self._endpoint(item.origin, types, scope.at(f"Endpoint[{item.id}]"))
            for item in thing.exports
        }
        known = {name: type_ for name, type_ in exports.items() if type_ is not None}
        if len(known) < len(exports):
            return None
        return ObjectType(tuple(sorted(known.items(), key=lambda pair: pair[0])))

    def _endpoint(
        self, text: str, types: Mapping[str, ObjectType | None], scope: Scope
    ) -> EndpointType | None:
        """Return the endpoint's type; record a fault if the component is known and lacks it."""
        try:
            port = Port.parse(text)
        except PortError:
            return None  # already reported among the names
        owner = types.get(port.component)
        if owner is None:
            return None
        endpoints = dict(owner.endpoints)
        if port.endpoint not in endpoints:
            has = ", ".join(sorted(endpoints)) or "none"
            what = f"{port.component!r} has no open endpoint {port.endpoint!r}; it has {has}"
            self.findings.fault(FaultKind.CONNECTION, scope.path, what)
        return endpoints.get(port.endpoint)


def _value(item: Parameter, scope: Scope) -> Value | None:
    """Check a default. It may use the parameters of an outer composite, but not its own."""
    outer = scope.given or {}
    if item.value is None or any(use.id not in outer for _, use in uses_of(item.value)):
        return None
    return substitute_value(item.value, outer)


def judge_use(
    findings: FaultCollector,
    use: ParameterUse,
    path: tuple[str, ...],
    given: Mapping[str, Value | None] | None,
) -> None:
    """Record a use of a parameter that the enclosing composite does not have."""
    if given is None:
        what = f"the parameter {use.id!r} is used outside of any composite"
        findings.fault(FaultKind.NAME, path, what, "give a value")
    elif use.id not in given:
        has = ", ".join(sorted(given)) or "none"
        findings.fault(FaultKind.NAME, path, f"the composite has no parameter {use.id!r}; it has {has}")
