"""Says that nobody answers: a program that waits for a membership service looks as if nothing was there."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from liven.liveobjects.channel.line.traffic_counters import GroupTraffic
from liven.runtime.dispatcher.dispatcher import Dispatcher
from liven.runtime.problems import Kind, Problem, Report

PATIENCE: Final = 12.0
"""Seconds until that is a problem; after a crash, what the crashed program was in takes five to be free."""


class NoServiceWarning:
    """Looks until the first group has been joined; says once that none has."""

    def __init__(
        self,
        groups: Callable[[], Sequence[GroupTraffic]],
        dispatcher: Dispatcher,
        report: Report,
        service: str,
    ) -> None:
        """`service` is where the settings say that the membership service is; empty for that of this
        machine."""
        self._groups = groups
        self._dispatcher = dispatcher
        self._report = report
        self._service = service
        self._entry = dispatcher.call_later(PATIENCE, self._look)

    def close(self) -> None:
        """Looks no longer."""
        self._entry.cancel()

    def _look(self) -> None:
        groups = self._groups()
        if not groups:
            self._entry = self._dispatcher.call_later(PATIENCE, self._look)
        elif not any(one.members for one in groups):
            where = f"at {self._service}" if self._service else "on this machine"
            what = f"no membership service answers {where}, so nothing that others did can be seen"
            advice = "`liven doctor` says what is in the way; it goes on by itself once one answers"
            self._report(Problem(Kind.PEER, ("network",), what, advice))
