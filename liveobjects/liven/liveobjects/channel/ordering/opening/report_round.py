"""The report round: collecting the reports of a view until the decision follows from them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from liven.liveobjects.channel.ordering.messages import Judged, Message, Open, Report, Verdict
from liven.liveobjects.channel.ordering.opening.decision import Decision, contenders, decide, needs_verdicts

_EARLY_BYTES: Final = 64 * 1024 * 1024
_OLD_VIEWS: Final = 64
"""Ended views whose late messages are recognized."""


class ReportRound:
    """The reports and verdicts of a view so far."""

    def __init__(self, view_id: bytes, view: tuple[int, ...], *, everybody: bool = True) -> None:
        self._view_id = view_id
        self._view = view
        self._everybody = everybody
        """False if a member of the group was left out of the view."""
        self._reports: dict[int, Report] = {}
        self._verdicts: dict[int, tuple[Judged, ...]] = {}
        self._opened = False
        self.decision: Decision | None = None

    def put(self, node: int, message: Report | Verdict | Open) -> None:
        """Store a member's message. Only the first member of the view may end the wait."""
        match message:
            case Report():
                self._reports.setdefault(node, message)
            case Verdict(judged=judged) if len(judged) == len(self._view):
                self._verdicts[node] = judged
            case Open() if node == self._view[0]:
                self._opened = True

    def knows(self, node: int) -> bool:
        """True if a member has reported."""
        return node in self._reports

    def lacks(self, node: int, message: Report | Verdict | Open) -> bool:
        """True if a message brings something new."""
        match message:
            case Report():
                return node not in self._reports
            case Verdict():
                return node not in self._verdicts
        return not self._opened

    def awaited(self, me: int) -> set[int]:
        """Return the members without whose messages there is no decision, or no end of the wait for others
        that it includes."""
        missing = {node for node in self._view if node not in self._reports}
        if not missing and self.decision is None:
            missing = {judge for judge in self._judges(self.reports) if judge not in self._verdicts}
        if self.decision is not None and not self.may_open:
            missing = {self._view[0]}
        return missing - {me}

    @property
    def reports(self) -> dict[int, Report]:
        """The reports in the order of the view; empty while some are missing."""
        if len(self._reports) < len(self._view):
            return {}
        return {node: self._reports[node] for node in self._view}

    def _judges(self, reports: dict[int, Report]) -> list[int]:
        return contenders(reports) if reports and needs_verdicts(reports) else []

    def asks(self, me: int) -> dict[int, Report] | None:
        """Return the reports that this member has still to judge."""
        reports = self.reports
        return reports if me in self._judges(reports) and me not in self._verdicts else None

    def judged(self, me: int, judged: Sequence[Judged]) -> Verdict:
        """Record and return this member's own verdict."""
        self._verdicts[me] = tuple(judged)
        return Verdict(self._view_id, self._verdicts[me])

    def decide(self) -> Decision | None:
        """Return the decision, once everything that it depends on is known."""
        reports = self.reports
        judges = self._judges(reports)
        if self.decision is None and reports and all(judge in self._verdicts for judge in judges):
            verdicts = {judge: self._verdicts[judge] for judge in judges}
            self.decision = decide(self._view_id, reports, verdicts, everybody=self._everybody)
        return self.decision

    @property
    def may_open(self) -> bool:
        """True if nobody else is waited for."""
        return self.decision is not None and (self._opened or not self.decision.waits)


class EarlyMessages:
    """Messages of views that are not installed here yet."""

    __slots__ = (
        "_bytes",
        "_kept",
        "_old",
    )

    def __init__(self) -> None:
        self._kept: dict[bytes, list[tuple[int, Message, int]]] | None = None
        self._bytes = 0
        self._old: tuple[bytes, ...] = ()

    def past(self, view_id: bytes) -> None:
        """Record that a view ended: its later messages are ignored."""
        if view_id and view_id not in self._old:
            self._old = (*self._old[-(_OLD_VIEWS - 1) :], view_id)

    def keep(self, node: int, message: Message, view_id: bytes, size: int) -> bool:
        """Keep a message unless its view ended. Return False if too much is kept."""
        if view_id in self._old:
            return True
        if self._bytes + size > _EARLY_BYTES:
            self.clear()
            return False
        self._bytes += size
        if self._kept is None:
            self._kept = {}
        self._kept.setdefault(view_id, []).append((node, message, size))
        return True

    def take(self, view_id: bytes) -> list[tuple[int, Message]]:
        """Return the messages of a view that begins here."""
        if self._kept is None:
            return []
        kept = self._kept.pop(view_id, [])
        self._kept = self._kept or None
        self._bytes -= sum(size for _, _, size in kept)
        return [(node, message) for node, message, _ in kept]

    def clear(self) -> None:
        """Drop all messages."""
        self._kept = None
        self._bytes = 0
