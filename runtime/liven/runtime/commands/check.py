"""`liven check`: say if files parse, are valid, type-check, and could be built here.

It builds no object. Installed libraries that the files name are imported, to know their declarations.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from liven.runtime.checking.files import FileReport, examine
from liven.runtime.checking.type_knowledge import TypeKnowledge
from liven.runtime.commands import module_option
from liven.runtime.commands.input_file import read_file
from liven.runtime.exit_codes import BAD_USE, NO, OK
from liven.runtime.problems import Problem
from liven.runtime.process.builtin_objects import learn_stock
from liven.runtime.process.installation import Installation
from liven.runtime.reference.xml.schema import Schema
from liven.runtime.user_folders import UserFolders

_COLUMNS = ("parses", "valid", "types", "dereferences")


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments."""
    parser.add_argument("files", metavar="F", nargs="*", help="a .liveobject file")
    parser.add_argument("--corpus", metavar="DIR", type=Path, help="every .liveobject file below this folder")
    module_option.configure(parser)
    parser.add_argument("--json", action="store_true", help="print one JSON object")


def run(arguments: argparse.Namespace) -> int:
    """Print the faults; return 1 if a file does not parse, is invalid or does not type-check,
    2 if one is unreadable."""
    names = _names(arguments.files, arguments.corpus)
    if names is None:
        return BAD_USE
    known = learn_stock(TypeKnowledge.stock())
    if not module_option.load_modules(arguments.module, known):
        return BAD_USE
    reports = list(_examine(names, known))
    if arguments.json:
        print(json.dumps(_record(reports), indent=1, ensure_ascii=False))
    else:
        _print(reports, every=arguments.corpus is None)
    if any(report.unread for report in reports):
        return BAD_USE
    return OK if all(report.ok for report in reports) else NO


def _names(files: Sequence[str], corpus: Path | None) -> list[str] | None:
    if corpus is not None and not corpus.is_dir():
        print(f"{corpus} is not a folder", file=sys.stderr)
        return None
    below = sorted(str(path) for path in corpus.rglob("*.liveobject")) if corpus is not None else []
    names = [*files, *below]
    if not names:
        print("name a .liveobject file, or a folder that holds some with --corpus", file=sys.stderr)
        return None
    return names


def _examine(names: Sequence[str], known: TypeKnowledge) -> Iterator[FileReport]:
    installation = Installation.learn(known, UserFolders.of_user(os.environ), _warn)
    schema = Schema.load()
    for name in names:
        try:
            data = read_file(Path(name))
        except OSError as error:
            why = f"cannot be read: {error.strerror or error}"
            yield FileReport(name, False, False, None, (why,), unread=True)
            continue
        yield examine(name, data, installation.known.checker, schema, installation.load_for)
    installation.close()


def _warn(problem: Problem) -> None:
    print(problem, file=sys.stderr)


def _totals(reports: Sequence[FileReport]) -> dict[str, int]:
    counts = {column: sum(bool(getattr(report, column)) for report in reports) for column in _COLUMNS}
    unknown = {id_ for report in reports if report.report is not None for id_ in report.report.unknown}
    return {"files": len(reports), **counts, "unknown_ids": len(unknown)}


def _record(reports: Sequence[FileReport]) -> dict[str, object]:
    return {"files": [report.as_record() for report in reports], "totals": _totals(reports)}


def _print(reports: Sequence[FileReport], *, every: bool) -> None:
    for report in reports:
        for problem in report.problems:
            print(f"{report.path}: {problem}")
        if every and report.ok:
            record = report.as_record()["problem"]
            print(f"{report.path}: sound" + (f"; {record}" if record else ""))
    if len(reports) > 1:
        print(_summary(_totals(reports)))


def _summary(totals: dict[str, int]) -> str:
    unknown = totals["unknown_ids"]
    return (
        f"{totals['parses']} of {totals['files']} files read, {totals['valid']} valid, {totals['types']} well"
        f" typed, {totals['dereferences']} could be built here; {unknown} unknown id{'s' * (unknown != 1)}"
    )
