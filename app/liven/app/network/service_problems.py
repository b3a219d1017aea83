"""Problems with the membership service that a person has to solve, shown in the windows: a wrong key.

The engine only logs them, because it does not know who listens. Each is reported once, however often the
engine tries again.
"""

from __future__ import annotations

import logging
from collections.abc import Callable

from liven.runtime.problems import Kind, Problem, Report

_ADVICE = {
    "strange-service": (
        "copy the key file from the machine of the service by a secure way, run chmod 600 on it, and restart"
        " Liven; `liven key` on both machines then shows the same fingerprint"
    ),
    "other-version": "install the same version of Liven on both machines, and restart it",
}


class ServiceProblems(logging.Handler):
    """A log handler that turns such events into problems. Any thread may log them."""

    def __init__(self, report: Report) -> None:
        super().__init__(logging.WARNING)
        self._report = report
        self._told: set[str] = set()

    def emit(self, record: logging.LogRecord) -> None:
        """Report a record if it is one of those."""
        facts = getattr(record, "facts", {})
        advice = _ADVICE.get(str(facts.get("event")))
        what = record.getMessage()
        if advice is not None and what not in self._told:
            self._told.add(what)
            self._report(Problem(Kind.PEER, ("network",), what, advice))


def report_service_problems(report: Report) -> Callable[[], None]:
    """Report such problems from now on; call the returned function to stop."""
    logger, handler = logging.getLogger("liven.multicast"), ServiceProblems(report)
    logger.addHandler(handler)
    return lambda: logger.removeHandler(handler)
