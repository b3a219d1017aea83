"""Object types of packages installed on this machine with Python's own tools.

A package names its modules as entry points of the group `liven.objects`; each is imported and learned.
"""

from __future__ import annotations

import traceback
from collections.abc import Iterable
from importlib import import_module
from importlib.metadata import EntryPoint, entry_points
from typing import Final

from liven.runtime.checking.type_knowledge import TypeKnowledge
from liven.runtime.problems import Kind, Problem, Report
from liven.types.catalogue import register
from liven.types.declare import scan

GROUP: Final = "liven.objects"


def learn_packages(
    known: TypeKnowledge, report: Report, points: Iterable[EntryPoint] | None = None
) -> TypeKnowledge:
    """Add the declarations of the packages to `known`.

    A package that fails is one problem; the others are learned.
    """
    for point in sorted(entry_points(group=GROUP) if points is None else points):
        try:
            register(known.catalogue, scan(import_module(point.module)), known.matcher)
        except (Exception, SystemExit) as error:
            report(_problem(point, error))
    return known


def _problem(point: EntryPoint, error: BaseException) -> Problem:
    package = point.dist.name if point.dist is not None else "a package"
    what = f"its module {point.module} cannot be used: {type(error).__name__}: {error}"
    detail = "".join(traceback.format_exception(error))
    return Problem(Kind.UNBUILT, (package, point.name), what, f"update or remove {package}", detail)
