"""The doctor: what this machine has, what it lacks, and how to mend it."""

from liven.app.doctor.finding import Finding, State
from liven.app.doctor.rounds import examine

__all__ = ["Finding", "State", "examine"]
