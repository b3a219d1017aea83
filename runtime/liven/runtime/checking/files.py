"""Checking files: a file parses, is valid, type-checks, and can be built here."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace

from liven.runtime.checking.checker import Checker
from liven.runtime.checking.chosen_code import Provided
from liven.runtime.checking.report import Fault, FaultKind, Report
from liven.runtime.reference.errors import ReadError
from liven.runtime.reference.model import Object
from liven.runtime.reference.xml import read, source_locations
from liven.runtime.reference.xml.decoding import utf8
from liven.runtime.reference.xml.limits import LIMITS
from liven.runtime.reference.xml.schema import Schema


@dataclass(frozen=True, slots=True)
class FileReport:
    """The result for one file."""

    path: str
    parses: bool
    valid: bool
    report: Report | None = None
    problems: tuple[str, ...] = ()
    """Every fault, each with its line, column and element."""
    unbrought: bool = False
    """True if code that it names is not available."""
    unread: bool = False
    """True if the file could not be read."""

    @property
    def types(self) -> bool:
        """True if the reference type-checks, also if the file holds no object."""
        return self.parses and (self.report is None or self.report.ok)

    @property
    def dereferences(self) -> bool:
        """True if a proxy could be built here: it type-checks, and there is code for each of its classes."""
        return self.types and not self.unbrought and (self.report is None or not self.report.unbuilt())

    @property
    def ok(self) -> bool:
        """True if the file itself has no fault."""
        return self.valid and self.types

    def as_record(self) -> dict[str, object]:
        """Return the row that `liven check --json` prints."""
        return {
            "path": self.path,
            "parses": self.parses,
            "valid": self.valid,
            "unknown_ids": list(self.report.unknown) if self.report is not None else [],
            "types": self.types,
            "dereferences": self.dereferences,
            "problem": self._problem(),
        }

    def _problem(self) -> str | None:
        if self.problems:
            more = f" (and {len(self.problems) - 1} more)" if len(self.problems) > 1 else ""
            return self.problems[0].splitlines()[0] + more
        unbuilt = self.report.unbuilt() if self.report is not None else ()
        if not unbuilt:
            return None
        names = dict.fromkeys(part.entry.alias if part.entry else "unknown" for part in unbuilt)
        return f"known by name only, without code here: {', '.join(names)}"


def examine(
    path: str,
    data: bytes,
    checker: Checker,
    schema: Schema,
    bring: Callable[[Object], Provided] = Provided,
) -> FileReport:
    """Check the bytes of one file. Any bytes at all give a report.

    `bring` makes the classes in an object known, and returns its choices and problems.
    """
    try:
        document = read(data)
    except ReadError as error:
        return FileReport(path, False, False, None, (str(error),))
    invalid = schema.faults(data)
    brought = bring(document.object) if document.object is not None else None
    report = checker.check(brought.thing, brought.choices) if brought is not None else None
    if report is not None and document.object is not None:
        report = checker.with_partners(document.object, report)
    unbrought = brought.problems if brought is not None else ()
    faults, others = _with_reasons(report.faults if report is not None else (), unbrought)
    text = utf8(data, LIMITS)
    problems = (*invalid, *map(str, others), *(_placed(fault, text) for fault in faults))
    return FileReport(path, True, not invalid, report, problems, bool(unbrought))


def _with_reasons(
    faults: Iterable[Fault], problems: Iterable[Exception]
) -> tuple[list[Fault], list[Exception]]:
    """Return the faults, with the reason for each missing library, and the other problems.

    One error is reported once, and where it is.
    """
    told, others = list(faults), []
    for problem in problems:
        library = getattr(problem, "library", "")
        missing = [
            index
            for index, fault in enumerate(told)
            if fault.kind is FaultKind.UNKNOWN and library and library in fault.advice
        ]
        for index in missing:
            told[index] = replace(told[index], advice=str(problem))
        if not missing:
            others.append(problem)
    return told, others


def _placed(fault: Fault, text: bytes) -> str:
    place = source_locations.of_path(text, ("Root", *fault.path))
    return f"line {place.line}, column {place.column}, in {fault}" if place is not None else str(fault)
