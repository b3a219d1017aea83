"""One line of the doctor's report."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class State(StrEnum):
    """The result of a check."""

    OK = "ok"
    MISSING = "missing"
    """not there, and something the user may want does not work without it"""
    BROKEN = "broken"
    """not there, and the program needs it"""


@dataclass(frozen=True, slots=True)
class Finding:
    """The subject of a check, its result and advice."""

    subject: str
    state: State
    detail: str
    fix: str = ""
