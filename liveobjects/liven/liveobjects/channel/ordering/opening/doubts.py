"""Doubts about members of a view: their messages cannot be read, they have another history, or they are
silent although the view is open.

The members vote. A member that has more than half of the votes of the others is left out. If a member is
alone with its doubt, the fault is probably on its own side, and it joins again as a new one.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Final

from liven.liveobjects.channel.compact_rows import Rows, with_row

WAIT: Final = 12.0
"""Seconds without any progress after which the one who is waited for in an open view is doubted."""
VOTE: Final = 2.0
"""Seconds that a member waits for the votes of others before it joins again itself."""


class Doubts:
    """The doubts in one view, of this member and of the others."""

    __slots__ = ("_mark", "_rejoin_at", "_since", "_votes", "_why", "refused")

    def __init__(self) -> None:
        self._votes: Rows[tuple[int, int]] = ()
        """Each voter with the node that it doubts."""
        self._rejoin_at: float | None = None
        self._why = ""
        self.refused: tuple[int, ...] = ()
        """Nodes to which this member no longer listens, because a message of theirs cannot be right."""
        self._mark: object = None
        self._since: float | None = None

    def vote(self, voter: int, nodes: Iterable[int]) -> bool:
        """Record votes. Return True if any is new."""
        before = len(self._votes)
        for node in nodes:
            if voter != node and (voter, node) not in self._votes:
                self._votes = with_row(self._votes, (voter, node))
        return len(self._votes) > before

    def of(self, voter: int) -> tuple[int, ...]:
        """Return the nodes that a member doubts."""
        return tuple(node for each, node in self._votes if each == voter)

    def about(self, node: int) -> bool:
        """True if any member doubts a node."""
        return any(node == each for _, each in self._votes)

    def rejected(self, present: Collection[int]) -> set[int]:
        """Return the nodes that more than half of the other members present doubt."""
        doubted = {node for _, node in self._votes if node in present}
        return {
            node
            for node in doubted
            if 2 * sum((voter, node) in self._votes for voter in present) > len(present) - 1
        }

    def wait_for_votes(self, now: float, why: str) -> None:
        """Begin to wait for the votes of others, for this reason."""
        if self._rejoin_at is None:
            self._rejoin_at, self._why = now + VOTE, why

    def restart(self) -> None:
        """Wait for nothing more, because the members agree on a view anew."""
        self._rejoin_at = self._since = None
        self.refused = ()

    def alone(self, now: float) -> str | None:
        """Return the reason for which this member must join again, if the others did not vote in time."""
        if self._rejoin_at is None or now < self._rejoin_at:
            return None
        self._rejoin_at = self._since = None
        return self._why

    def is_overdue(self, awaited: bool, mark: object, now: float) -> bool:
        """True if something is awaited for too long. The wait begins anew when the mark changes."""
        if not awaited:
            self._since = None
        elif self._since is None or mark != self._mark:
            self._since, self._mark = now, mark
        return self._since is not None and now >= self._since + WAIT

    @property
    def wake(self) -> float | None:
        """The time at which this has to be looked at; None if nothing is waited for."""
        if self._rejoin_at is not None:
            return self._rejoin_at
        return None if self._since is None else self._since + WAIT
