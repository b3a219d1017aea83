"""The members of a view: those that the transport named, without those that were left out for giving no
answer.

A member of the group whose program hangs never reports, though its engine keeps its place. After a limit each
member that waits goes on without it: it says so, and begins a view of the others, as if the transport had
named only them. Whoever hears that leaves out the same members, so all end up in one view. A member that
hears that it was left out rejoins.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import Final

from liven.liveobjects.channel.ordering.phase import view_identity

ANSWER_WITHIN: Final = 12.0
"""Seconds that a member may take to answer. A little longer than the engine waits for a hung program."""
ANSWER_AGAIN_WITHIN: Final = 2.0
"""The same for a member that was left out of the view before, and has said nothing since."""
_LOOK_MOST: Final = 1.0
"""The most that the time between two looks counts: this member may have been the one that stood still."""


class ViewMembers:
    """The members of the present view, and how long this member has waited for an answer."""

    __slots__ = ("_left_out", "_looked_at", "_number", "_silent", "_waited", "nodes")

    def __init__(self) -> None:
        self._number = 0
        self.nodes: tuple[int, ...] = ()
        """The members that the transport named."""
        self._left_out: tuple[int, ...] = ()
        self._silent: tuple[int, ...] = ()
        self._waited = self._looked_at = 0.0

    def names(self, number: int, nodes: Sequence[int]) -> bool:
        """True if this is the view that the transport named last."""
        return (self._number, self.nodes) == (number, tuple(nodes))

    def begin(self, number: int, nodes: Sequence[int]) -> None:
        """Begin a view of the transport."""
        self._number, self.nodes = number, tuple(nodes)
        self._silent = tuple(node for node in self._silent if node in self.nodes)
        self._left_out = ()

    @property
    def present(self) -> tuple[int, ...]:
        """The members that were not left out."""
        return tuple(node for node in self.nodes if node not in self._left_out)

    @property
    def left_out(self) -> tuple[int, ...]:
        """The members that were left out."""
        return self._left_out

    @property
    def announced_as(self) -> bytes:
        """The identity of the view as the transport named it."""
        return view_identity(self._number, self.nodes)

    @property
    def identity(self) -> bytes:
        """The identity of the view without those that were left out."""
        return view_identity(self._number, self.nodes, self._left_out)

    def leave_out(self, nodes: Iterable[int]) -> tuple[int, ...]:
        """Leave out members and return those that were not left out before."""
        more = tuple(node for node in sorted(nodes) if node in self.nodes and node not in self._left_out)
        self._left_out = tuple(sorted((*self._left_out, *more)))
        self._silent = tuple({*self._silent, *more})
        return more

    def answered(self, node: int) -> None:
        """Record that a member says something in this view."""
        if node in self._silent:
            self._silent = tuple(each for each in self._silent if each != node)

    def restart(self, now: float) -> None:
        """Begin to wait anew, because something that was waited for has come."""
        self._waited, self._looked_at = 0.0, now

    @property
    def waited(self) -> float:
        """Seconds that this member has waited since the last answer."""
        return self._waited

    def is_overdue(self, awaited: Collection[int], now: float) -> bool:
        """True if the members have been waited for long enough."""
        self._waited += min(max(0.0, now - self._looked_at), _LOOK_MOST)
        self._looked_at = now
        within = ANSWER_AGAIN_WITHIN if all(node in self._silent for node in awaited) else ANSWER_WITHIN
        return bool(awaited) and self._waited >= within
