"""Checking whole references before anything runs. Loader, designer and command line ask one `Checker`."""

from liven.runtime.checking.checker import Checker
from liven.runtime.checking.choices import NO_CHOICES, Choices, Provided
from liven.runtime.checking.report import Asserted, Fault, FaultKind, Part, Report

__all__ = [
    "NO_CHOICES",
    "Asserted",
    "Checker",
    "Choices",
    "Fault",
    "FaultKind",
    "Part",
    "Provided",
    "Report",
]
