"""The report of a trial import, read strictly: unknown code ran in the child process that wrote it."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, field
from typing import Any

from liven.runtime.reference import ids
from liven.types.catalogue.entry import KINDS

MOST_DECLARED = 10_000
_WORDS = ("kind", "id", "alias", "module", "name")


class ProbeReportError(ValueError):
    """This is not a report; the text says why."""


@dataclass(frozen=True, slots=True)
class Declared:
    """One class that a library declares, as its trial import reported it."""

    kind: str
    id: str
    """In canonical spelling; empty for a class without an id."""
    alias: str
    module: str
    """The included module that declares it."""
    name: str
    """The class's name there."""
    lines: tuple[str, ...] = ()
    """Its structure, for people."""
    form: Any = field(default=None, compare=False)
    """Its structure, for a process that does not run its code (`class_form`); None if it has none."""


@dataclass(frozen=True, slots=True)
class ProbeReport:
    """The declarations of a library, or the reason why its code cannot be imported."""

    declares: tuple[Declared, ...] = ()
    problem: str = ""
    detail: str = ""

    def as_record(self) -> dict[str, object]:
        """Return it as plain values, for JSON."""
        if self.problem:
            return {"problem": self.problem, "detail": self.detail}
        return {"declares": [asdict(one) for one in self.declares]}


def parsed(text: str | bytes) -> object:
    """Return the value of a JSON text; raise AnswerError."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as error:
        raise ProbeReportError("it is not JSON") from error


def read_report(record: object) -> ProbeReport:
    """Return the report in a JSON text; raise AnswerError for anything else."""
    if not isinstance(record, dict):
        raise ProbeReportError("it is not a JSON object")
    if "problem" in record:
        problem, detail = record["problem"], record.get("detail")
        if not isinstance(problem, str) or not problem or not isinstance(detail, str):
            raise ProbeReportError("its problem is not a text")
        return ProbeReport((), problem, detail)
    rows = record.get("declares")
    if not isinstance(rows, list) or len(rows) > MOST_DECLARED:
        raise ProbeReportError(f"it lists no declared classes, or more than {MOST_DECLARED:,}")
    return ProbeReport(tuple(_declared(row) for row in rows))


def _declared(row: Any) -> Declared:
    if not isinstance(row, dict) or row.keys() != {*_WORDS, "lines", "form"}:
        raise ProbeReportError(
            "a declared class has fields other than " + ", ".join((*_WORDS, "lines", "form"))
        )
    words = [row[name] for name in _WORDS]
    lines = row["lines"]
    if not isinstance(lines, list) or not all(isinstance(text, str) for text in (*words, *lines)):
        raise ProbeReportError("a field of a declared class is not a text")
    if row["kind"] not in KINDS or (row["id"] and ids.parse(row["id"]) is None):
        raise ProbeReportError("a declared class has an unknown kind or an invalid id")
    return Declared(**{**row, "lines": tuple(lines)})
