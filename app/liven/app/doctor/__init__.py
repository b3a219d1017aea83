"""The doctor: what this machine has, what it lacks, and how to mend it."""

from liven.app.doctor.all_checks import examine
from liven.app.doctor.finding import Finding, State

__all__ = ["Finding", "State", "examine"]
