"""Checking whole references before anything runs. Loader, designer and command line use one `Checker`.

Deciding if two types match is in the types room. Start with `checker`, then `objects`, the walk over a
recipe.
"""

from liven.runtime.checking.checker import Checker
from liven.runtime.checking.chosen_code import NO_CHOICES, ChosenCode, Provided
from liven.runtime.checking.report import Asserted, Fault, FaultKind, Part, Report

__all__ = [
    "NO_CHOICES",
    "Asserted",
    "Checker",
    "ChosenCode",
    "Fault",
    "FaultKind",
    "Part",
    "Provided",
    "Report",
]
