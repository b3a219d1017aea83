"""The members of a channel as people know them: their names, and when they were last here.

The names come from the presence of people beside open objects, so a member's name is known only while it is
here. It is kept with the channel's log, because a name is needed most when its owner is gone.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import Final, NamedTuple

import msgpack  # type: ignore[import-untyped]  # it has no stubs

from liven.liveobjects.channel.history import MalformedError, wire
from liven.liveobjects.channel.ordering import Seat
from liven.runtime.foreign_text import shown_line

KNOWN_MOST: Final = 64
"""Members that are remembered; those that were here longest ago are dropped."""
NAME_MOST: Final = 64
"""Characters of a name that are kept."""
LOOK_EVERY: Final = 5.0
"""Seconds between two looks for the names of members that show none yet."""
_TIME_MOST: Final = 1 << 40


class KnownMember(NamedTuple):
    """The data that this process has of one member."""

    name: str
    """The name of its person; empty if it never showed one."""
    last_here: int
    """Seconds since 1970 when it was last seen here."""


class KnownMembers:
    """The members that this process has seen in one channel, and earlier ones from the log."""

    __slots__ = ("_here", "_known", "_looked_at", "_name_of", "_own", "_store")

    def __init__(
        self, kept: bytes, own: bytes, name_of: Callable[[int], str], store: Callable[[bytes], object]
    ) -> None:
        self._known = read_members(kept)
        self._own = own
        self._name_of = name_of
        self._store = store
        self._here: tuple[tuple[int, bytes], ...] = ()
        self._looked_at = 0.0

    def seated(self, seats: Sequence[Seat]) -> None:
        """Record the members of a view. Those who left were last here now."""
        self._look()
        here = tuple((seat.node, each) for seat in seats for each in seat.voter.identities)
        self._here = tuple(each for each in here if each[1] != self._own)
        self._look()
        self._keep()

    def look(self, now: float) -> None:
        """Look for the names of members that had none, once in a while."""
        if now >= self._looked_at + LOOK_EVERY:
            self._looked_at = now
            before = self._names()
            self._look()
            if self._names() != before:
                self._keep()

    def _names(self) -> dict[bytes, str]:
        return {identity: each.name for identity, each in self._known.items()}

    def _look(self) -> None:
        now = int(time.time())
        for node, identity in self._here:
            before = self._known.pop(identity, KnownMember("", now))
            name = self._name_of(node)[:NAME_MOST] or before.name
            self._known[identity] = KnownMember(name, now)
        while len(self._known) > KNOWN_MOST:
            del self._known[next(iter(self._known))]

    def _keep(self) -> None:
        if self._known:
            self._store(packed_members(self._known))

    def person(self, identity: bytes) -> str:
        """Return the name of a member's person; empty if it is not known."""
        member = self._known.get(identity)
        return shown_line(member.name) if member is not None else ""

    def called(self, identity: bytes) -> str:
        """Return the name of a member's person, if it is known, and the beginning of its identity."""
        short, member = identity.hex()[:8], self._known.get(identity)
        named = member is not None and member.name
        return f"{shown_line(named)} ({short})" if named else f"the computer {short}"

    def described(self, identity: bytes) -> str:
        """Return the same, and when this computer last saw the member."""
        member = self._known.get(identity)
        if member is None:
            return self.called(identity)
        when = time.strftime("%Y-%m-%d %H:%M", time.localtime(member.last_here))
        return f"{self.called(identity)}, last here {when}"


def packed_members(known: dict[bytes, KnownMember]) -> bytes:
    """Encode members for the log."""
    packed: bytes = msgpack.packb([[identity, *each] for identity, each in known.items()])
    return packed


def read_members(kept: bytes) -> dict[bytes, KnownMember]:
    """Decode members from the log; none if they cannot be read, because they are names only."""
    try:
        rows = wire.items(msgpack.unpackb(kept), "members", most=KNOWN_MOST) if kept else []
        return dict(_member(row) for row in rows)
    except (MalformedError, ValueError, msgpack.UnpackException):
        return {}


def _member(row: object) -> tuple[bytes, KnownMember]:
    identity, name, last_here = wire.items(row, "a member", 3)
    if not isinstance(name, str):
        raise MalformedError("a member: its name is no text")
    seen = wire.number(last_here, "a member: last here", _TIME_MOST)
    return wire.identity(identity, "a member"), KnownMember(name[:NAME_MOST], seen)
