"""The warning that no membership service answers; without it, a waiting program looks simply empty."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from liven.liveobjects.channel.line.traffic_counters import GroupTraffic
from liven.runtime.dispatcher.dispatcher import Dispatcher
from liven.runtime.problems import Kind, Problem, Report

PATIENCE: Final = 12.0
"""Seconds until the warning. After a crash, the groups of the crashed program take 5 seconds to become
free."""


class NoServiceWarning:
    """Waits for the first group to be joined, and reports a problem once if none is."""

    def __init__(
        self,
        groups: Callable[[], Sequence[GroupTraffic]],
        dispatcher: Dispatcher,
        report: Report,
        service: str,
    ) -> None:
        """Begin to wait. `service` is the configured address of the membership service; empty for this
        machine."""
        self._groups = groups
        self._dispatcher = dispatcher
        self._report = report
        self._service = service
        self._entry = dispatcher.call_later(PATIENCE, self._look)

    def close(self) -> None:
        """Stop waiting."""
        self._entry.cancel()

    def _look(self) -> None:
        groups = self._groups()
        if not groups:
            self._entry = self._dispatcher.call_later(PATIENCE, self._look)
        elif not any(one.members for one in groups):
            where = f"at {self._service}" if self._service else "on this machine"
            what = f"no membership service answers {where}, so changes by others do not arrive"
            advice = (
                "run `liven doctor` to find the reason; sharing continues by itself once a service answers"
            )
            self._report(Problem(Kind.PEER, ("network",), what, advice))
