"""Notice decoder: from notices of the core to events of a group, for the engine and the simulation."""

from __future__ import annotations

import struct
from collections.abc import Callable
from typing import Protocol

from liven.multicast.engine import error_text
from liven.multicast.group import (
    Behind,
    Demoted,
    Dropped,
    Evicted,
    Expelled,
    GroupEvent,
    Joined,
    Lagging,
    Left,
    Lost,
    Member,
    Missed,
    Paused,
    Refused,
    Resumed,
    Sent,
    Stable,
    Uncertain,
    View,
    Withdrawn,
)

LEFT, REFUSED, VIEW_CHANGED, WITHDRAWN, EVICTED, STOPPED, EXPELLED = 2, 4, 5, 12, 16, 17, 22
UNREADABLE = 24
"""Datagrams in the name of a member do not open."""
WHOLE_NODE = 0xFFFFFFFF
"""The group number of a notice about all groups of a node."""
NOT_ASKED = -13
"""The code of a payload that arrived after it was withdrawn."""
_MEMBER = struct.Struct("=QQQQ")


class Notice(Protocol):
    """The numbers of a notice."""

    @property
    def code(self) -> int: ...
    @property
    def group(self) -> int: ...
    @property
    def sender(self) -> int: ...
    @property
    def number(self) -> int: ...
    @property
    def last(self) -> int: ...
    @property
    def amount(self) -> int: ...
    @property
    def cookie(self) -> int: ...
    @property
    def payload(self) -> bytes: ...


def members(payload: bytes) -> tuple[Member, ...]:
    """Return the members in a MEMBERS notice: short name, both halves of the id, incarnation of each."""
    rows = _MEMBER.iter_unpack(payload)
    return tuple(Member(node, high << 64 | low, incarnation) for node, high, low, incarnation in rows)


def event_of(
    kind: int, notice: Notice, members_of: Callable[[bytes], tuple[Member, ...]]
) -> GroupEvent | None:
    """Return the event of a notice; None for one that does not concern applications."""
    match kind:
        case 1:
            return Joined()
        case 2:
            return Left()
        case 4:
            return Refused(notice.cookie, notice.code, error_text(notice.code))
        case 6:
            return View(notice.number, members_of(notice.payload))
        case 7:
            return Sent(notice.cookie, notice.number)
        case 8:
            return Stable(notice.sender, notice.number)
        case 9:
            return Lost(notice.sender, notice.number, notice.last)
        case 10:
            return Dropped(notice.sender, notice.number, notice.amount)
        case 11:
            return Uncertain(notice.cookie)
        case 12:
            return Withdrawn(notice.cookie)
        case 13:
            return Paused()
        case 14:
            return Resumed()
        case 15:
            return Lagging() if notice.group == WHOLE_NODE else Demoted()
        case 16:
            return Evicted(notice.code)
        case 21:
            return Behind(notice.amount)
        case 22:
            return Expelled()
        case 23:
            return Missed(notice.sender, notice.number, notice.amount)
        case _:
            return None
