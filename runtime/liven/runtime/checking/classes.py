"""Conversion of the classes in a file to types: value, interface, endpoint and object classes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from liven.runtime.checking.constraints import ConstraintReader
from liven.runtime.checking.fault_collector import FaultCollector
from liven.runtime.checking.report import FaultKind
from liven.runtime.checking.scope import Scope
from liven.runtime.reference import ids
from liven.runtime.reference.model import (
    ClassKind,
    ObjectClass,
    OtherClass,
    Parameter,
    ParameterUse,
    Value,
)
from liven.types.catalogue import Catalogue, CatalogueError, Entry, Kind, TypeParameter, UnknownClassError
from liven.types.catalogue.entry import KIND_NAMES
from liven.types.ids import ClassId
from liven.types.terms.endpoint_types import ObjectType

KINDS: dict[ClassKind, Kind] = {
    "ValueClass": "value",
    "InterfaceClass": "interface",
    "EndpointClass": "endpoint",
}


class Unknown:
    """A type that cannot be made: anything that depends on it is not judged."""


UNKNOWN = Unknown()


@dataclass(frozen=True, slots=True)
class ClassReader:
    """Makes types of written classes."""

    catalogue: Catalogue
    findings: FaultCollector

    def entry(self, kind: Kind, id_: str, scope: Scope) -> Entry | None:
        """Return the known class with that id or alias; record a fault if there is none."""
        found = ids.parse(id_)
        near: list[str] = []
        if found is not None:
            entry = known_class(self.catalogue, kind, found)
        elif (kind, id_) in self.findings.strangers:
            entry = None  # searching for similar names takes time, and they were already given
        else:
            entry, near = self._by_alias(kind, id_)
        if entry is None:
            self.findings.strangers.add((kind, id_))
            self.findings.unknown_class(scope.path, id_, KIND_NAMES[kind], near, scope.needs)
        return entry

    def object_class(self, written: ObjectClass, scope: Scope) -> ObjectType | None:
        """Return the object type of `written`, with its added constraints; None if unknown."""
        if not written.id:
            made: Any = ObjectType()
        else:
            made = self._made("object", written.id, written.parameters, scope)
        if isinstance(made, Unknown):
            return None
        return ConstraintReader(self.catalogue, self.findings).added(made, written, scope.path)

    def arguments(
        self, wanted: tuple[TypeParameter, ...], given: Iterable[Parameter], scope: Scope
    ) -> tuple[Any, ...] | Unknown:
        """Return the terms of a template's type parameters, in its order; `UNKNOWN` if one of them is."""
        by_name = {item.id: item for item in given}
        terms = tuple(self._argument(one, by_name.get(one.name), scope) for one in wanted)
        return UNKNOWN if any(isinstance(term, Unknown) for term in terms) else terms

    def _by_alias(self, kind: Kind, alias: str) -> tuple[Entry | None, list[str]]:
        """Return the class of that alias, or record a fault with similar aliases."""
        try:
            return self.catalogue.find(alias, kind), []
        except UnknownClassError as error:
            return None, error.near
        except CatalogueError:
            return None, []

    def _made(self, kind: Kind, id_: str, given: tuple[Parameter, ...], scope: Scope) -> Any:
        self.findings.step(scope.path)
        entry = self.entry(kind, id_, scope)
        if entry is None:
            return UNKNOWN
        wanted = entry.source.type_parameters()
        self._strangers(entry, wanted, given, scope)
        arguments = self.arguments(wanted, given, scope)
        return UNKNOWN if isinstance(arguments, Unknown) else self.catalogue.term(entry, arguments)

    def _strangers(
        self, entry: Entry, wanted: tuple[TypeParameter, ...], given: tuple[Parameter, ...], scope: Scope
    ) -> None:
        names = [one.name for one in wanted]
        for name, times in Counter(item.id for item in given).items():
            if name not in names:
                has = ", ".join(names) or "none"
                what = f"{entry} has no parameter {name!r}; it has {has}"
                self.findings.fault(FaultKind.CLASS, scope.at(f"Parameter[{name}]").path, what)
            elif times > 1:
                what = f"{name!r} is given {times} times"
                self.findings.fault(FaultKind.CLASS, scope.at(f"Parameter[{name}]").path, what)

    def _argument(self, wanted: TypeParameter, given: Parameter | None, scope: Scope) -> Any:
        where = scope.at(f"Parameter[{wanted.name}]")
        if given is None or given.value is None:
            what = f"the parameter {wanted.name!r} is not given"
            advice = f"name {_article(wanted.kind)} for it"
            self.findings.fault(FaultKind.CLASS, where.path if given else scope.path, what, advice)
            return UNKNOWN
        return self._class(wanted, given.value, where.at("Value"))

    def _class(self, wanted: TypeParameter, value: Value, scope: Scope) -> Any:
        if isinstance(value, ParameterUse):
            inner = (scope.given or {}).get(value.id)
            return UNKNOWN if inner is None else self._class(wanted, inner, scope)
        if isinstance(value, ObjectClass) and wanted.kind == "object":
            made = self.object_class(value, scope)
            return UNKNOWN if made is None else made
        if isinstance(value, OtherClass) and KINDS[value.kind] == wanted.kind:
            return self._made(wanted.kind, value.id, value.parameters, scope)
        what = f"{wanted.name!r} takes {_article(wanted.kind)}; this is {kind_of(value)}"
        self.findings.fault(FaultKind.CLASS, scope.path, what)
        return UNKNOWN


def known_class(catalogue: Catalogue, kind: Kind, id_: ClassId) -> Entry | None:
    """Return the class with that id.

    Short ids count within a namespace; a long one is the same in any library.
    """
    entry = catalogue.by_id(kind, id_)
    if entry is None and id_.namespace and id_.component >= 2**64:
        return catalogue.by_id(kind, ClassId(id_.component, id_.version))
    return entry


def kind_of(value: Value) -> str:
    """Return the kind of a value in words."""
    match value:
        case ObjectClass():
            return "an object class"
        case OtherClass():
            return _article(KINDS[value.kind])
    names = {"Plain": "a plain value", "Token": "a plain value", "Reference": "an object"}
    return names.get(type(value).__name__, f"a {type(value).__name__.lower()}")


def _article(kind: Kind) -> str:
    name = KIND_NAMES[kind]
    return f"an {name}" if name[0] in "aeio" else f"a {name}"
