"""The states of objects at places of a recording, computed from its checkpoints and messages."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any, Final

from liven.liveobjects.feeds.history.kind import Follower, Kind
from liven.liveobjects.feeds.record import CHECKPOINT, CONTROL, FORK, GAP, Record
from liven.liveobjects.feeds.recorder.marks import FORK_TYPE, GAP_TYPE
from liven.liveobjects.feeds.replay.moments import Keeps, Moments
from liven.liveobjects.feeds.replay.remap import Remap
from liven.liveobjects.feeds.replay.rows import CHANNEL, Event, Rows
from liven.liveobjects.feeds.replay.selection import Selection
from liven.liveobjects.feeds.replay.source.source import Source
from liven.runtime.fold import RefusedError
from liven.types.codec import Codec, CodecError
from liven.types.terms.value_types import OptionalOf

_MARKS: Final = (GAP_TYPE, FORK_TYPE)
"""The types of records that are no events of the object."""
_MOST_FOLLOWED: Final = 4096
"""Most objects whose last state is kept for the next question."""


@dataclass(slots=True)
class ChannelPast:
    """One channel at a place of the recording."""

    kind: Kind
    follower: Follower
    messages: Codec
    checkpoints: Codec
    at: int
    """The sequence up to which it has followed."""
    records: int = 0
    known: bool = False
    """True if a checkpoint came. Without one, the recording may lack messages at the beginning."""
    invalid: int = 0
    """Records that could not be decoded; the object skipped them as well."""
    gap: bool = False
    """True if messages before this place are missing, so that the state may lack something."""


class Reconstruction:
    """The states of the channels of one recording. It remembers where it was, so that the next moment costs
    only what happened in between. Use it on one thread at a time."""

    def __init__(self, source: Source) -> None:
        self._source = source
        self._moments = Moments(source, Selection(), Remap(), source.begin)
        self._followed: dict[str, ChannelPast] = {}

    def channel(self, name: str, kind: Kind, at: int, *, every_step: bool = False) -> ChannelPast | None:
        """Return a channel after all records before the sequence `at`; None if nothing of it is recorded by
        then. The result follows when another moment is asked for: take its state at once. With `every_step`,
        go on from where it is, so that the authors of all that changed since then are known."""
        past = self._followed.get(name)
        if past is None or past.kind is not kind or past.at > at:
            past = _at_base(kind, self._base(name, at), self._source.begin)
        elif not every_step and (base := self._base(name, at)) > past.at:
            past = _at_base(kind, base, self._source.begin)
        for rows in self._source.rows(past.at, at):
            for event in _of_channel(rows, name):
                _follow(past, event.record)
        past.at = at
        if len(self._followed) >= _MOST_FOLLOWED:
            self._followed.clear()
        self._followed[name] = past
        return past if past.records else None

    def _base(self, name: str, at: int) -> int:
        """Return the sequence of the last checkpoint before `at`; -1 if there is none."""
        search = self._moments.find({name: Keeps.STATE}, at)
        while True:
            try:
                next(search)
            except StopIteration as found:
                return int(found.value[name])


def _at_base(kind: Kind, base: int, begin: int) -> ChannelPast:
    follower = kind.follower()
    follower.begin(None)
    return ChannelPast(kind, follower, *_codecs(kind), at=max(base, begin))


@cache
def _codecs(kind: Kind) -> tuple[Codec, Codec]:
    """Return the codecs of messages and checkpoints; to make one takes longer than to decode many values."""
    return Codec(kind.messages()), Codec(OptionalOf(kind.checkpoints()))


def _of_channel(rows: Rows, name: str) -> list[Event]:
    names = rows.names[CHANNEL]
    if name not in names.table:
        return []
    return rows.where(names.rows_of([names.table.index(name)])).events()


def _follow(past: ChannelPast, record: Record) -> None:
    if record.flags & CONTROL:
        return
    past.records += 1
    past.gap = past.gap or bool(record.flags & (GAP | FORK))
    if record.type in _MARKS:
        return
    try:
        if record.flags & CHECKPOINT:
            past.follower.begin(_decoded(past.checkpoints, record.payload))
            past.known, past.gap = True, False
        else:
            past.follower.take(_decoded(past.messages, record.payload), record.author, record.received)
    except (CodecError, ValueError, RefusedError):
        past.invalid += 1


def _decoded(codec: Codec, payload: bytes) -> Any:
    return codec.decode(payload, "recorded")


def channels_in(source: Source) -> Iterator[str]:
    """Yield the names of the channels of which something is recorded, each once."""
    seen: set[str] = set()
    for rows in source.rows(source.begin, source.end):
        for name in rows.names[CHANNEL].table:
            if name not in seen:
                seen.add(name)
                yield name
