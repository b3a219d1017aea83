"""Checking whole references before anything runs. Loader, designer and command line ask one `Checker`."""

from liven.runtime.checking.checker import Checker
from liven.runtime.checking.report import Asserted, Fault, FaultKind, Part, Report

__all__ = ["Asserted", "Checker", "Fault", "FaultKind", "Part", "Report"]
