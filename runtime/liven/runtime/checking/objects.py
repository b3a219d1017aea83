"""Checking objects of every kind: their types and faults, in one walk over the whole recipe."""

from __future__ import annotations

from typing import Any

from liven.runtime.checking.authority import Authorities
from liven.runtime.checking.chosen_code import ChosenCode
from liven.runtime.checking.classes import ClassReader
from liven.runtime.checking.composites import Composites
from liven.runtime.checking.fault_collector import FaultCollector
from liven.runtime.checking.parameters import Parameters
from liven.runtime.checking.report import FaultKind, Part
from liven.runtime.checking.scope import Scope
from liven.runtime.reference import ids
from liven.runtime.reference.model import Composite, Object, Reference, Requirement
from liven.types.catalogue import Catalogue, Entry
from liven.types.catalogue.original import TextSource
from liven.types.matching import Matcher
from liven.types.terms.endpoint_types import ObjectType

_FOLDER = "liven:folder<text, liven:object>"


class Objects:
    """One check of one reference."""

    def __init__(self, catalogue: Catalogue, matcher: Matcher, choices: ChosenCode) -> None:
        self.findings = FaultCollector()
        self._choices = choices
        self._matcher = matcher
        self._catalogue = catalogue
        self._classes = ClassReader(catalogue, self.findings)
        self._authorities = Authorities(catalogue, matcher, self.findings)

    def type_of(self, thing: Object, scope: Scope) -> ObjectType | None:
        """Check `thing` with everything in it; return its type, or None if that is unknown."""
        self.findings.step(scope.path)
        place = len(self.findings.parts)
        self.findings.parts.append(Part(scope.path, thing, None, None, scope.passed))
        entry: Entry | None = None
        here = scope.needing(tuple(_named(item) for item in thing.requires))
        if thing.null:
            type_: ObjectType | None = None
        elif isinstance(thing, Composite):
            type_ = self._composite(thing, here)
        elif thing.source is not None:
            type_ = self._external(thing, thing.source, here)
        else:
            type_, entry = self._plain(thing, here)
        self._authority(thing, entry, here)
        self.findings.parts[place] = Part(scope.path, thing, type_, entry, scope.passed)
        return type_

    # Made when needed: keeping it would form a reference cycle.
    def _parameters(self) -> Parameters:
        return Parameters(self._catalogue, self._matcher, self.findings, self.type_of)

    def _composites(self) -> Composites:
        return Composites(self._catalogue, self._matcher, self.findings, self.type_of)

    def _plain(self, thing: Reference, scope: Scope) -> tuple[ObjectType | None, Entry | None]:
        entry = self._choices.of(thing) or self._classes.entry("component", thing.id, scope)
        if entry is None:
            self._parameters().judge_unknown(thing.parameters, scope)
            actual = None
        else:
            actual = self._parameters().judge(entry, thing, scope)
            actual = actual if _says_what_it_is(entry) else None
        return self._cast(thing, actual, scope), entry

    def _external(self, thing: Reference, source: Object, scope: Scope) -> ObjectType | None:
        """Check a reference that a folder returns, which is known by its `as` clause alone until then."""
        folder = self.type_of(source, scope.at("From"))
        if source.null:
            what = f"{thing.id!r} is requested from nothing"
            self.findings.fault(FaultKind.SOURCE, scope.at("From").path, what, "name the folder")
        elif folder is not None:
            answer = self._matcher.object_subtype(folder, self._catalogue.object(_FOLDER))
            if not answer:
                what = f"{thing.id!r} is requested from an object that is not a folder"
                self.findings.fault(FaultKind.SOURCE, scope.at("From").path, what, explanation=answer)
        self._parameters().judge_unknown(thing.parameters, scope)
        return self._cast(thing, None, scope)

    def _composite(self, thing: Composite, scope: Scope) -> ObjectType | None:
        derived = self._composites().judge(thing, scope)
        wanted = self._class(thing, scope)
        if wanted is None or derived is None:
            return wanted if derived is None else derived
        return self._composites().judge_cast(derived, wanted, scope)

    def _cast(self, thing: Reference, actual: ObjectType | None, scope: Scope) -> ObjectType | None:
        wanted = self._class(thing, scope)
        if wanted is None or actual is None:
            return wanted if actual is None else actual
        answer = self._matcher.cast(actual, wanted)
        if not answer:
            what = "the object is not what its ObjectClass says"
            self.findings.fault(FaultKind.CAST, scope.at("ObjectClass").path, what, explanation=answer)
        return wanted

    def _class(self, thing: Object, scope: Scope) -> ObjectType | None:
        if thing.object_class is None:
            return None
        return self._classes.object_class(thing.object_class, scope.at("ObjectClass"))

    def _authority(self, thing: Object, entry: Entry | None, scope: Scope) -> None:
        given = thing.authority
        actual: Any = None
        if given is not None:
            actual = self.type_of(given, scope.at("Authority"))
        present = given is not None and not given.null
        self._authorities.judge(entry, present, actual if present else None, scope)


def _named(item: Requirement) -> str:
    name = ids.brief(item.library)
    return f"library {name} version {item.version}" if item.version else f"library {name}"


def _says_what_it_is(entry: Entry) -> bool:
    """True unless the class is one of the original's without a written type,
    which does not mean no endpoints."""
    if not isinstance(entry.source, TextSource):
        return True
    return any(line.startswith(":") for line in entry.source.lines())
