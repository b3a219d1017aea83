"""The entry point: checking whole references against a catalogue."""

from __future__ import annotations

from dataclasses import replace

from liven.runtime.checking.chosen_code import NO_CHOICES, ChosenCode
from liven.runtime.checking.composites import judge_use
from liven.runtime.checking.fault_collector import DEEPEST, MOST_STEPS, EndlessError
from liven.runtime.checking.objects import Objects
from liven.runtime.checking.partners import partner_faults
from liven.runtime.checking.report import FaultKind, Report
from liven.runtime.checking.scope import Scope
from liven.runtime.reference.composite import uses
from liven.runtime.reference.model import Object
from liven.types.catalogue import Catalogue, CatalogueError
from liven.types.catalogue.entry import KINDS
from liven.types.ids import ClassId
from liven.types.matching import Matcher


class Checker:
    """Checks references; keep one, because the matcher caches its answers."""

    def __init__(self, catalogue: Catalogue, matcher: Matcher) -> None:
        self.catalogue = catalogue
        self.matcher = matcher

    def check(self, thing: Object, choices: ChosenCode = NO_CHOICES) -> Report:
        """Return every fault of `thing` and its parts, and the type of each part. Runs no code of it.

        `choices` is the chosen code where several versions of a class are known.
        """
        run = Objects(self.catalogue, self.matcher, choices)
        found = run.findings
        for path, use in uses(thing, Scope().path):
            judge_use(found, use, path, None)
        try:
            type_ = run.type_of(thing, Scope())
        except EndlessError:
            type_ = None
            what = f"it unfolds to more than {MOST_STEPS:,} objects and classes, or {DEEPEST} levels"
            found.fault(FaultKind.SIZE, Scope().path, what, "use the parameters of a composite fewer times")
        return Report(
            type_, tuple(found.faults), tuple(found.parts), tuple(found.asserted), tuple(found.unknown)
        )

    def with_partners(self, thing: Object, report: Report) -> Report:
        """Return the report of a recipe with the faults of its partners added.

        `thing` is the recipe as it was signed: the checked one may have requirements copied into its parts.
        """
        found = partner_faults(thing, report, self.matcher, self.lookup)
        return replace(report, faults=(*report.faults, *found)) if found else report

    def lookup(self, kind: str, alias: str) -> ClassId | None:
        """Return the id of a known alias of that kind, for identities."""
        wanted = next((one for one in KINDS if one == kind), None)
        try:
            return self.catalogue.find(alias, wanted).id if wanted is not None else None
        except CatalogueError:
            return None
