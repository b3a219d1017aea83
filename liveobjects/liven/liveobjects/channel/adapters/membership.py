"""Group membership over any FIFO channel of bytes, for channels that do not report their members.

Each member has a random name and sends heartbeats. The oldest member leads: it defines the view and removes
silent members. If it is silent itself, the next oldest leads. Two leaders that did not know of each other
agree on the one with the smaller name. Heartbeats contain the highest known number and the sender's view, so
that a member that did not follow is led again.

This is a state machine without clock or endpoints: received messages go in, messages to send come out.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

import msgpack  # type: ignore[import-untyped]  # it has no stubs

ALIVE_EVERY: Final = 1.0
SILENT_AFTER: Final = 5.0
WAITS_FOR_OTHERS: Final = 0.3
_MEMBERS_MOST: Final = 256
_NAME_MOST: Final = 2**63
_HELLO, _VIEW, _MESSAGE = 0, 1, 2


@dataclass(frozen=True, slots=True)
class MessageSeen:
    """A message of a member."""

    node: int
    payload: bytes


@dataclass(frozen=True, slots=True)
class MembersChanged:
    """The members of the present view, oldest first, including this one."""

    number: int
    nodes: tuple[int, ...]


Happening: TypeAlias = MessageSeen | MembersChanged


class Membership:
    """One member of the group."""

    def __init__(self, me: int, send: Callable[[bytes], object], now: float) -> None:
        self.me = me
        self.number = 0
        self.nodes: tuple[int, ...] = ()
        self._send = send
        self._heard: dict[int, float] = {}
        self._said_at = now
        self._begun_at = now
        self._in_view = 0
        self._gathered_at = now
        self._hello()

    @property
    def leads(self) -> bool:
        """True if this member defines the view."""
        return self.nodes[:1] == (self.me,)

    def send(self, payload: bytes) -> None:
        """Send to all members."""
        self._say(_MESSAGE, payload)

    def heard(self, data: bytes, now: float) -> list[Happening]:
        """Process a message of the channel, and return the events that follow."""
        said = _read(data)
        if said is None:
            return []
        kind, node, content = said
        self._heard[node] = now
        match kind, content:
            case 2, bytes():
                return [MessageSeen(node, content)]
            case 1, [int(number), list(nodes)]:
                return self._view(node, number, nodes, now)
            case 0, [int(highest), int(view)] if highest < _NAME_MOST:
                self.number = max(self.number, highest)
                if self.leads and node not in self.nodes:
                    return self._gather(now, *self.nodes, node)
                if self.leads and view != self._in_view and now - self._gathered_at >= ALIVE_EVERY:
                    return self._gather(now, *self.nodes)
        return []

    def tick(self, now: float) -> list[Happening]:
        """Advance the time, and return the events that follow."""
        if now - self._said_at >= ALIVE_EVERY:
            self._said_at = now
            self._hello()
        if not self.nodes:
            return self._gather(now, self.me) if now - self._begun_at >= WAITS_FOR_OTHERS else []
        living = tuple(
            one for one in self.nodes if one == self.me or now - self._heard.get(one, now) < SILENT_AFTER
        )
        for node in self.nodes:
            self._heard.setdefault(node, now)
        if living != self.nodes and living[0] == self.me:
            return self._gather(now, *living)
        return []

    def _gather(self, now: float, *nodes: int) -> list[Happening]:
        """Lead the group into a new view."""
        self.number += 1
        self.nodes = nodes[:_MEMBERS_MOST]
        self._in_view, self._gathered_at = self.number, now
        self._say(_VIEW, [self.number, list(self.nodes)])
        return [MembersChanged(self.number, self.nodes)]

    def _view(self, leader: int, number: int, nodes: list[Any], now: float) -> list[Happening]:
        names = tuple(one for one in nodes if type(one) is int and 0 < one < _NAME_MOST)
        if leader == self.me or names[:1] != (leader,) or len(names) != len(nodes):
            return []
        if self.me in names:
            if (number, -leader) <= (self.number, -self.nodes[0] if self.nodes else 0):
                return []
            self.number, self.nodes, self._in_view = number, names, number
            return [MembersChanged(number, names)]
        self.number = max(self.number, number)
        if not self.nodes or leader < self.nodes[0]:
            self.nodes, self._in_view = (), 0
            self._begun_at = float("inf")  # it waits to be let in
            self._hello()
            return []
        if self.leads:
            return self._gather(now, *self.nodes, *(one for one in names if one not in self.nodes))
        return []

    def _hello(self) -> None:
        self._say(_HELLO, [self.number, self._in_view])

    def _say(self, kind: int, content: object) -> None:
        self._send(msgpack.packb([kind, self.me, content]))


def _read(data: bytes) -> tuple[int, int, Any] | None:
    try:
        said = msgpack.unpackb(data)
    except (ValueError, msgpack.UnpackException):
        return None
    match said:
        case [int(kind), int(node), content] if 0 < node < _NAME_MOST:
            return kind, node, content
    return None
