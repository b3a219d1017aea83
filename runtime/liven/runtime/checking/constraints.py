"""The constraints that a file adds to a class: `ObjectConstraint` and `EndpointConstraint`."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any

from liven.runtime.checking.fault_collector import FaultCollector
from liven.runtime.checking.report import FaultKind
from liven.runtime.reference import ids
from liven.runtime.reference.model import EndpointConstraint, ObjectClass, ObjectConstraint, Path
from liven.types.catalogue import Catalogue
from liven.types.formalism.plugin import Formalism, FormulaError, Vocabulary
from liven.types.terms.endpoint_types import Constraint, EndpointType, ObjectType


@dataclass(frozen=True, slots=True)
class ConstraintReader:
    """Reads constraints with the formalisms that the catalogue knows."""

    catalogue: Catalogue
    findings: FaultCollector

    def added(self, type_: ObjectType, written: ObjectClass, path: Path) -> ObjectType:
        """Return `type_` with the constraints that `written` adds to it."""
        if not written.constraints and not written.endpoint_constraints:
            return type_
        endpoints = dict(type_.endpoints)
        for item in written.endpoint_constraints:
            if item.endpoint not in endpoints:
                self._no_endpoint(item, endpoints, path)
                continue
            endpoint = endpoints[item.endpoint]
            read = self._read(item, _vocabulary(endpoint), (*path, "EndpointConstraint"))
            endpoints[item.endpoint] = _with(endpoint, item.kind, read)
        whole = Vocabulary(endpoints=tuple((name, _vocabulary(one)) for name, one in type_.endpoints))
        done = replace(type_, endpoints=tuple(endpoints.items()))
        for constraint in written.constraints:
            read = self._read(constraint, whole, (*path, "ObjectConstraint"))
            done = _with(done, constraint.kind, read)
        return done

    def _no_endpoint(self, item: EndpointConstraint, known: Iterable[str], path: Path) -> None:
        has = ", ".join(sorted(known)) or "none"
        what = f"the class has no endpoint {item.endpoint!r} to constrain; it has {has}"
        self.findings.fault(FaultKind.CONSTRAINT, (*path, "EndpointConstraint"), what)

    def _read(
        self, item: ObjectConstraint | EndpointConstraint, names: Vocabulary, path: Path
    ) -> Constraint | None:
        formalism = self._formalism(item.formalism)
        if formalism is None:
            self.findings.unknown_class(path, item.formalism, "formalism", [], ())
            return None
        try:
            predicate = formalism.parse(item.text, names)
        except FormulaError as error:
            self.findings.fault(FaultKind.CONSTRAINT, path, f"{formalism.name} {item.text!r}: {error}")
            return None
        return None if formalism.trivial(predicate) else Constraint(formalism.id, predicate, item.text)

    def _formalism(self, name: str) -> Formalism[Any] | None:
        formalisms = self.catalogue.formalisms
        found = ids.parse(name)
        if found is None:
            return next((one for one in formalisms if one.name == name.removeprefix("liven:")), None)
        return next((one for one in formalisms if one.id.component == found.component), None)


def _vocabulary(endpoint: EndpointType) -> Vocabulary:
    inputs = frozenset(name for name, _ in endpoint.inputs)
    return Vocabulary(inputs, frozenset(name for name, _ in endpoint.outputs))


def _with(type_: Any, kind: str, constraint: Constraint | None) -> Any:
    if constraint is None:
        return type_
    if kind == "provided":
        return replace(type_, provides=(*type_.provides, constraint))
    return replace(type_, requires=(*type_.requires, constraint))
