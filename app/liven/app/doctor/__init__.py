"""`liven doctor`: the checks of this machine, each with a finding and advice.

Start at `all_checks`; every check is a function that returns findings.
"""

from liven.app.doctor.all_checks import examine
from liven.app.doctor.finding import Finding, State

__all__ = ["Finding", "State", "examine"]
