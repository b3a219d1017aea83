"""Recordings in memory for the tests of history: what people did, as records of a feed."""

from __future__ import annotations

import uuid
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from liven.liveobjects.desktop.wire import DesktopOperation
from liven.liveobjects.feeds.history.container_kinds import DESKTOP, NOTE
from liven.liveobjects.feeds.history.kind import Kind, conversion
from liven.liveobjects.feeds.record import CHECKPOINT, Record
from liven.liveobjects.feeds.recorder.log.marks import fork_record
from liven.liveobjects.feeds.replay.rows import Event
from liven.liveobjects.feeds.replay.source.event_list import EventList
from liven.liveobjects.text.document import Delta, Document
from liven.liveobjects.text.wire import packed
from liven.runtime.reference.model import Object, Parameter, Plain, Reference
from liven.runtime.reference.xml import write
from liven.types.codec import Codec

MONDAY = 1_763_971_200_000_000
"""24 November 2025, 8:00 UTC, a Monday."""
SECOND = 1_000_000


def channel_of(thing: Object) -> str:
    """Return the channel that `recipe` gave to an object."""
    if not isinstance(thing, Reference):
        return ""
    named = next((one.value for one in thing.parameters if one.id == "name"), None)
    return named.text if isinstance(named, Plain) else ""


def recipe(kind: str, channel: str) -> Reference:
    """Return the recipe of an object whose channel is named in a parameter."""
    return Reference(kind, (Parameter("name", Plain("string", channel)),))


def text(thing: Reference) -> str:
    return write(thing).decode()


@cache
def _codecs(kind: Kind) -> tuple[Codec, Codec]:
    return Codec(kind.messages()), Codec(kind.checkpoints())


@dataclass
class Recording:
    """Records in the order in which they are added, one each second."""

    records: list[Record] = field(default_factory=list)

    @property
    def source(self) -> EventList:
        return EventList([Event(number, record) for number, record in enumerate(self.records)], batch=7)

    @property
    def end(self) -> int:
        return len(self.records)

    def say(self, channel: str, kind: Kind, author: str, message: Any) -> None:
        """Add a message in neutral form."""
        self._add(channel, author, 0, _codecs(kind)[0].encode(message))

    def keep(self, channel: str, kind: Kind, state: Any) -> None:
        """Add a checkpoint in neutral form."""
        self._add(channel, "", CHECKPOINT, _codecs(kind)[1].encode(state))

    def broken(self, channel: str) -> None:
        """Add a message that nobody can decode."""
        self._add(channel, "x", 0, b"\xc1")

    def fork(self, channel: str, after: int) -> None:
        """Add the note that another history won after a number."""
        self.records.append(fork_record(channel, channel, after))

    def gesture(self, channel: str, author: str, *changes: Any) -> None:
        """Add a gesture on a desktop."""
        made = DesktopOperation(uuid.UUID(int=1), len(self.records), author, "Do", list(changes))
        self.say(channel, DESKTOP, author, conversion(DesktopOperation).outward(made))

    def edit(self, channel: str, author: str, document: Document, delta: Delta) -> None:
        """Edit a document, and add the edit."""
        self.say(channel, NOTE, author, packed(document.edit(delta)))

    def _add(self, channel: str, author: str, flags: int, payload: bytes) -> None:
        at = MONDAY + len(self.records) * SECOND
        self.records.append(Record(at, at, channel, channel, author, "t", len(self.records), flags, payload))
