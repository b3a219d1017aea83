"""The states of objects at places of a recording, computed from its checkpoints and messages."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any, Final, TypeVar, cast

from liven.liveobjects.feeds.history.kind import Follower, Kind
from liven.liveobjects.feeds.record import CHECKPOINT, CONTROL, FORK, GAP
from liven.liveobjects.feeds.recorder.log.marks import FORK_TYPE, GAP_TYPE
from liven.liveobjects.feeds.replay.moments import RANGE, Fork, Keeps, Moments
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

Found = TypeVar("Found")


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
    forks: list[Fork] = field(default_factory=list)
    """The places where another history won, as far as they are known."""
    highest: int = -1
    """The greatest number of a record that the state follows from."""


class Reconstruction:
    """The states of the channels of one recording. It remembers where it was, so that the next moment costs
    only what happened in between. Use it on one thread at a time."""

    def __init__(self, source: Source, followed: Callable[[], object] = lambda: None) -> None:
        """`followed` is called after each record that a state followed. It may raise an error, which ends the
        question."""
        self._source = source
        self._took = followed
        self._moments = Moments(source, Selection(), Remap(), source.begin)
        self._followed: dict[str, ChannelPast] = {}

    def channel(self, name: str, kind: Kind, at: int, *, every_step: bool = False) -> ChannelPast | None:
        """Return a channel after all records before the sequence `at`; None if nothing of it is recorded by
        then. The result follows when another moment is asked for: take its state at once. With `every_step`,
        go on from where it is, so that the authors of all that changed since then are known."""
        past = self._followed.get(name)
        if past is None or past.kind is not kind or past.at > at:
            past = None
        elif not every_step and self._base(name, at, ())[0] > past.at:
            past = None  # a later checkpoint is nearer
        if past is None:
            past = self._begun(name, kind, at)
        self._followed.pop(name, None)  # until it is there: an error on the way leaves it in between
        while (fork := self._go_on(past, name, at)) is not None:
            past = self._begun_again(past, name, fork, at, every_step=every_step)
        if len(self._followed) >= _MOST_FOLLOWED:
            self._followed.clear()
        self._followed[name] = past
        return past if past.records else None

    def opening(self, name: str, kind: Kind) -> ChannelPast | None:
        """Return a channel as its recording begins, if that is with a state: it was there before. Operations
        without an author came with that state."""
        first = _result(self._moments.first_state(name))
        if first < 0:
            return None
        past = ChannelPast(kind, kind.follower(), *_codecs(kind), at=first)
        for rows in self._source.rows(first, min(first + RANGE, self._source.end)):
            for event in _of_channel(rows.for_objects(), name):
                if event.sequence > first and (event.record.author or event.record.flags & CHECKPOINT):
                    return past if past.known else None
                _follow(past, event)
        return past if past.known else None

    def begin(self, name: str) -> int | None:
        """Return the first sequence at which the state of a channel is known; None if it never is."""
        if _result(self._moments.first_state(name)) >= 0:
            return self._source.begin
        for rows in self._source.rows(self._source.begin, self._source.end):
            for event in _of_channel(rows.for_objects(), name):
                return event.sequence + 1
        return None

    def _go_on(self, past: ChannelPast, name: str, at: int) -> Fork | None:
        """Follow a channel up to `at`, or up to a fork that takes back part of the state; return that fork,
        and leave `past.at` where it was."""
        for rows in self._source.rows(past.at, at):
            for event in _of_channel(rows, name):
                if event.record.flags & FORK:
                    fork = Fork(event.sequence, event.record.serial)
                    if past.highest > fork.after:
                        return fork
                _follow(past, event)
                self._took()
        past.at = at
        return None

    def _begun(self, name: str, kind: Kind, at: int, forks: Sequence[Fork] = ()) -> ChannelPast:
        """Return a channel at its last checkpoint before `at` that no fork takes back."""
        base, between = self._base(name, at, forks)
        follower = kind.follower()
        follower.begin(None)
        begin = max(base, self._source.begin)
        return ChannelPast(kind, follower, *_codecs(kind), at=begin, forks=[*between, *forks])

    def _begun_again(
        self, past: ChannelPast, name: str, fork: Fork, at: int, *, every_step: bool
    ) -> ChannelPast:
        """Return a channel without the history that lost in a fork: before `at`; with `every_step` at the
        place where it was, so that the authors since then stay known."""
        if not every_step:
            return self._begun(name, past.kind, at)
        marked, forks = past.at, [*past.forks, fork]
        again = self._begun(name, past.kind, marked, forks)
        earlier = self._go_on(again, name, marked)
        assert earlier is None, "every fork before this place is known"
        again.follower.mark()
        return again

    def _base(self, name: str, at: int, forks: Sequence[Fork]) -> tuple[int, list[Fork]]:
        """Return the sequence of the last checkpoint before `at` that none of these later forks takes back,
        or -1, and the forks between it and `at`."""
        between: list[Fork] = []
        while True:
            bases = _result(self._moments.find({name: Keeps.STATE}, at))
            base = bases[name]
            between = [*bases.forks.get(name, ()), *between]
            if base < 0 or not self._is_gone(name, base, [*between, *forks]):
                return base, between
            at = base

    def _is_gone(self, name: str, sequence: int, forks: Sequence[Fork]) -> bool:
        for rows in self._source.rows(sequence, sequence + 1):
            for event in _of_channel(rows, name):
                return _is_taken_back(event, forks)
        return False


def _result(search: Generator[None, None, Found]) -> Found:
    while True:
        try:
            next(search)
        except StopIteration as found:
            return cast(Found, found.value)


def _is_taken_back(event: Event, forks: Sequence[Fork]) -> bool:
    """Return True if a record is in a history that lost."""
    return any(event.sequence < fork.sequence and event.record.serial > fork.after for fork in forks)


@cache
def _codecs(kind: Kind) -> tuple[Codec, Codec]:
    """Return the codecs of messages and checkpoints; to make one takes longer than to decode many values."""
    return Codec(kind.messages()), Codec(OptionalOf(kind.checkpoints()))


def _of_channel(rows: Rows, name: str) -> list[Event]:
    names = rows.names[CHANNEL]
    if name not in names.table:
        return []
    return rows.where(names.rows_of([names.table.index(name)])).events()


def _follow(past: ChannelPast, event: Event) -> None:
    record = event.record
    if record.flags & CONTROL:
        return
    past.records += 1
    past.gap = past.gap or bool(record.flags & GAP)
    if record.type in _MARKS or _is_taken_back(event, past.forks):
        return
    past.highest = max(past.highest, record.serial)
    try:
        if record.flags & CHECKPOINT:
            past.follower.begin(_decoded(past.checkpoints, record.payload))
            past.known, past.gap = True, False
        else:
            when = record.received if record.author else 0  # without one, it came with a later state
            past.follower.take(_decoded(past.messages, record.payload), record.author, when)
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
