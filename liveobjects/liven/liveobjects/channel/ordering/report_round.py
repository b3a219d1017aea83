"""The beginning of a regime: reports are gathered until the decision follows from them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from liven.liveobjects.channel.ordering.decision import Decision, contenders, decide, needs_verdicts
from liven.liveobjects.channel.ordering.messages import Judged, Message, Open, Report, Verdict

_EARLY_BYTES: Final = 64 * 1024 * 1024
_OLD_REGIMES: Final = 64


class Gathering:
    """What the members of a view told of themselves so far."""

    def __init__(self, regime: bytes, view: tuple[int, ...]) -> None:
        self._regime = regime
        self._view = view
        self._reports: dict[int, Report] = {}
        self._verdicts: dict[int, tuple[Judged, ...]] = {}
        self._opened = False
        self.decision: Decision | None = None

    def put(self, node: int, message: Report | Verdict | Open) -> None:
        """Files what a member told; the first in the view alone may end a wait."""
        match message:
            case Report():
                self._reports.setdefault(node, message)
            case Verdict(judged=judged) if len(judged) == len(self._view):
                self._verdicts[node] = judged
            case Open() if node == self._view[0]:
                self._opened = True

    def knows(self, node: int) -> bool:
        """Whether a member has reported."""
        return node in self._reports

    @property
    def reports(self) -> dict[int, Report]:
        """The reports in the order of the view; empty while some are missing."""
        if len(self._reports) < len(self._view):
            return {}
        return {node: self._reports[node] for node in self._view}

    def _judges(self, reports: dict[int, Report]) -> list[int]:
        return contenders(reports) if reports and needs_verdicts(reports) else []

    def asks(self, me: int) -> dict[int, Report] | None:
        """The reports on which a member still has to judge."""
        reports = self.reports
        return reports if me in self._judges(reports) and me not in self._verdicts else None

    def judged(self, me: int, judged: Sequence[Judged]) -> Verdict:
        """This member's own verdict."""
        self._verdicts[me] = tuple(judged)
        return Verdict(self._regime, self._verdicts[me])

    def decide(self) -> Decision | None:
        """The decision, as soon as all is known that it follows from."""
        reports = self.reports
        judges = self._judges(reports)
        if self.decision is None and reports and all(judge in self._verdicts for judge in judges):
            verdicts = {judge: self._verdicts[judge] for judge in judges}
            self.decision = decide(self._regime, reports, verdicts)
        return self.decision

    @property
    def may_open(self) -> bool:
        """Whether nobody else is waited for."""
        return self.decision is not None and (self._opened or not self.decision.waits)


class Early:
    """Messages of regimes whose view was not told here yet."""

    __slots__ = (
        "_bytes",
        "_kept",
        "_old",
    )

    def __init__(self) -> None:
        self._kept: dict[bytes, list[tuple[int, Message, int]]] | None = None
        self._bytes = 0
        self._old: tuple[bytes, ...] = ()

    def past(self, regime: bytes) -> None:
        """A regime ended: what still comes of it is not looked at."""
        if regime and regime not in self._old:
            self._old = (*self._old[-(_OLD_REGIMES - 1) :], regime)

    def keep(self, node: int, message: Message, regime: bytes, size: int) -> bool:
        """Keeps a message, unless it is of an old regime; False if there is too much."""
        if regime in self._old:
            return True
        if self._bytes + size > _EARLY_BYTES:
            self.clear()
            return False
        self._bytes += size
        if self._kept is None:
            self._kept = {}
        self._kept.setdefault(regime, []).append((node, message, size))
        return True

    def take(self, regime: bytes) -> list[tuple[int, Message]]:
        """The messages of a regime that begins here."""
        if self._kept is None:
            return []
        kept = self._kept.pop(regime, [])
        self._kept = self._kept or None
        self._bytes -= sum(size for _, _, size in kept)
        return [(node, message) for node, message, _ in kept]

    def clear(self) -> None:
        """Forgets them."""
        self._kept = None
        self._bytes = 0
