"""Authorities: objects that vouch for others. Some classes demand one, of a certain class."""

from __future__ import annotations

import re
from dataclasses import dataclass

from liven.runtime.checking.fault_collector import FaultCollector
from liven.runtime.checking.report import FaultKind
from liven.runtime.checking.scope import Scope
from liven.types.catalogue import Catalogue, CatalogueError, Entry
from liven.types.catalogue.notation import NotationError
from liven.types.declare.annotation.reader import declaration_of
from liven.types.declare.declaration import Declaration
from liven.types.ids import ClassId
from liven.types.matching import Matcher
from liven.types.terms.endpoint_types import ObjectType

AUTHENTICATED = ClassId(0xAC3EEF4F190D46ED97E3030EB7D93B24)
"""The class of objects that demand an authority; its argument is the authority's class."""
_ANY = "liven:authenticating1<liven:object>"
"""The endpoint of every authority, which says if it vouches for an object."""
_DEMAND = re.compile(r": liven:authenticated-object<(.*)>")


@dataclass(frozen=True, slots=True)
class Authorities:
    """Judges authorities."""

    catalogue: Catalogue
    matcher: Matcher
    findings: FaultCollector

    def judge(self, entry: Entry | None, given: bool, actual: ObjectType | None, scope: Scope) -> None:
        """Record a missing authority, or one of the wrong class."""
        wanted = _demanded(entry) if entry is not None else ""
        if wanted and not given:
            advice = "give it an Authority"
            self.findings.fault(
                FaultKind.AUTHORITY, scope.path, f"{entry} demands an authority and has none", advice
            )
        if actual is not None:
            self._judge_class(wanted or _ANY, actual, scope.at("Authority"))

    def _judge_class(self, wanted: str, actual: ObjectType, scope: Scope) -> None:
        try:
            expected = self.catalogue.object(wanted)
        except (CatalogueError, NotationError):
            return  # the demand depends on a class that is unknown here
        answer = self.matcher.object_subtype(actual, expected)
        if not answer:
            what = f"this is not an authority of class {wanted}"
            self.findings.fault(FaultKind.AUTHORITY, scope.path, what, explanation=answer)


def _demanded(entry: Entry) -> str:
    """Return the class of authority that a class of objects demands, as text; empty if none."""
    declaration = getattr(entry.source, "declaration", None)
    if isinstance(declaration, Declaration):
        bases = (declaration_of(base) for base in declaration.cls.__mro__)
        return _ANY if any(base is not None and base.tag.id == AUTHENTICATED for base in bases) else ""
    found = next((match for line in entry.source.lines() if (match := _DEMAND.fullmatch(line))), None)
    return found[1] if found else ""
