"""The recordings of a channel, as its members tell each other, and the objections to them.

A recorder says so in every view of the group, to everybody who has the channel open. A member answers with
the name of its person, and with an objection if its person does not want to be recorded. These messages are
not part of the order, and are forgotten with the member.
"""

from __future__ import annotations

import enum
from collections.abc import Callable, Collection
from dataclasses import dataclass
from typing import Final

import msgpack  # type: ignore[import-untyped]  # it has no stubs

from liven.liveobjects.channel.history import MalformedError, wire
from liven.runtime.foreign_text import shown_line

SIGN: Final = b"\xc1"
"""The first byte of these messages; those of replicas are MessagePack, which never uses it."""
NAME_MOST: Final = 64
RECORDERS_MOST: Final = 64
"""Recorders of one channel that are remembered."""


class Says(enum.IntEnum):
    """The kinds of messages."""

    RECORDS = 0
    STOPS = 1
    OBJECTS = 2
    AGREES = 3
    """Withdraws an objection, or tells the name of a person who has none."""


@dataclass(frozen=True, slots=True)
class Notice:
    """One message."""

    says: Says
    author: bytes
    """The life of the replica that says so."""
    name: str
    """Its person's name; empty if unknown."""
    recording: str = ""
    """The title of the recording."""

    def packed(self) -> bytes:
        """Encode the message."""
        fields = [int(self.says), self.author, self.name[:NAME_MOST], self.recording[:NAME_MOST]]
        packed: bytes = msgpack.packb(fields)
        return SIGN + packed


def is_notice(payload: bytes) -> bool:
    """True for a message of this kind."""
    return payload.startswith(SIGN)


def unpacked(payload: bytes) -> Notice:
    """Decode a message. Raises MalformedError."""
    try:
        fields = msgpack.unpackb(payload[len(SIGN) :])
    except (ValueError, msgpack.UnpackException) as error:
        raise MalformedError(f"not a notice about recording: {error}") from None
    says, author, name, recording = wire.items(fields, "a notice about recording", 4)
    kind = Says(wire.number(says, "a notice about recording", len(Says) - 1))
    life = wire.identity(author, "the author of a notice")
    return Notice(kind, life, _text(name), _text(recording))


def _text(value: object) -> str:
    if not isinstance(value, str) or len(value) > NAME_MOST:
        raise MalformedError(f"a notice about recording: expected a text of up to {NAME_MOST} characters")
    return shown_line(value)


class Recordings:
    """The recorders of all channels that are open in this process."""

    def __init__(self) -> None:
        self._recorders: dict[str, dict[bytes, Notice]] = {}
        self._listeners: list[Callable[[str], object]] = []

    def of(self, channel: str) -> tuple[Notice, ...]:
        """Return the recorders of a channel, the earliest first."""
        return tuple(self._recorders.get(channel, {}).values())

    def listen(self, listener: Callable[[str], object]) -> Callable[[], object]:
        """Call `listener` with the name of each channel whose recorders change. Return a function that ends
        this."""
        self._listeners.append(listener)
        return lambda: self._listeners.remove(listener) if listener in self._listeners else None

    def heard(self, channel: str, notice: Notice) -> bool:
        """Take a message. Return True if it is to be answered: a recorder says in each view that it records,
        and an objection may have been lost with the view before."""
        known = self._recorders.get(channel, {})
        if notice.says is Says.RECORDS and (notice.author in known or len(known) < RECORDERS_MOST):
            if known.get(notice.author) != notice:
                self._set(channel, {**known, notice.author: notice})
            return True
        if notice.says is Says.STOPS and notice.author in known:
            self._set(channel, {author: each for author, each in known.items() if author != notice.author})
        return False

    def keep(self, channel: str, authors: Collection[bytes]) -> None:
        """Forget recorders that are not among the members any more."""
        known = self._recorders.get(channel)
        if known and not known.keys() <= set(authors):
            self._set(channel, {author: each for author, each in known.items() if author in authors})

    def forget(self, channel: str) -> None:
        """Forget a channel that nobody here has open."""
        if channel in self._recorders:
            self._set(channel, {})

    def _set(self, channel: str, recorders: dict[bytes, Notice]) -> None:
        self._recorders[channel] = recorders
        if not recorders:
            del self._recorders[channel]
        for listener in tuple(self._listeners):
            listener(channel)
