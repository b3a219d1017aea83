"""Recordings for the tests of replay: made in memory, or written as segments."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import msgpack  # type: ignore[import-untyped]

from liven.liveobjects.channel.api.recipes import channel_reference, shared
from liven.liveobjects.channel.builtin import learn_channels
from liven.liveobjects.counter import object as counter
from liven.liveobjects.feeds.record import CHECKPOINT, Record
from liven.liveobjects.feeds.replay.options import Options
from liven.liveobjects.feeds.replay.player import Player
from liven.liveobjects.feeds.replay.rows import Event
from liven.liveobjects.feeds.replay.source.event_list import EventList
from liven.liveobjects.feeds.replay.source.source import Source
from liven.liveobjects.feeds.replay.target.sandbox import Sandbox
from liven.liveobjects.feeds.replay.transport import Transport
from liven.liveobjects.feeds.segment.writer import LogWriter
from liven.runtime.checking.type_knowledge import TypeKnowledge
from liven.runtime.dispatcher.hand_cranked import HandCranked
from liven.runtime.problems import Problem, Problems
from liven.runtime.process.builtin_objects import learn_stock
from liven.runtime.reference.model import Object, OtherClass, Parameter, Reference
from liven.types.catalogue import register
from liven.types.declare import scan

START = 1_750_000_000_000_000
SECOND = 1_000_000
COUNT = "home/feeds/count"


def known_types(*modules: Any) -> TypeKnowledge:
    """Return the catalogue with channels and the objects of these modules."""
    known = learn_channels(learn_stock(TypeKnowledge.stock()))
    for module in modules:
        register(known.catalogue, scan(module), known.matcher)
    return known


def record(
    at: float,
    value: Any = 1,
    *,
    channel: str = COUNT,
    flags: int = 0,
    author: str = "ann",
    type: str = "int64",  # noqa: A002 - the name of the column
    object: str = "count",  # noqa: A002
    serial: int = 0,
) -> Record:
    """Return a record received so many seconds after the start, with this value as its payload."""
    received = START + round(at * SECOND)
    payload = msgpack.packb(value)
    return Record(received, received - 1000, object, channel, author, type, serial, flags, payload)


def numbered(records: Sequence[Record]) -> list[Event]:
    """Return records as events with the sequences from 0 on."""
    return [Event(number, each) for number, each in enumerate(records)]


def recording(records: Sequence[Record], batch: int = 7) -> EventList:
    """Return records as a source that hands them over in small batches."""
    return EventList(numbered(records), batch=batch)


def written(folder: Path, records: Sequence[Record], every: int = 50) -> Path:
    """Write records as the log of a recorder, in blocks of some records; return its folder."""
    with LogWriter(folder) as log:
        for low in range(0, len(records), every):
            log.extend(list(records[low : low + every]))
            log.flush()
    return folder


def checkpoint(at: float, value: Any, **more: Any) -> Record:
    """Return a record of a state."""
    return record(at, value, flags=CHECKPOINT, **more)


def counter_recipe(name: str = COUNT) -> Object:
    """Return the recipe of a counter on a channel of this name."""
    return shared("liven:shared-counter", "Count", typed_channel(name, "liven:int64", "liven:int64"))


def typed_channel(name: str, message: str, state: str) -> Reference:
    """Return the recipe of a channel with its classes."""
    channel = channel_reference(name)
    classes = (
        Parameter("MessageClass", OtherClass("ValueClass", message)),
        Parameter("CheckpointClass", OtherClass("ValueClass", state)),
    )
    return replace(channel, parameters=(*channel.parameters, *classes))


@dataclass
class Given:
    """A target that notes what it is given and rebuilt to."""

    clock: Any
    events: list[tuple[float, Event]] = field(default_factory=list)
    rebuilt: list[int] = field(default_factory=list)
    has_room: bool = True
    parts: int = 0
    """Steps that each rebuild takes."""

    def deliver(self, events: Sequence[Event]) -> None:
        self.events += [(self.clock(), event) for event in events]

    def rebuild(self, at: int) -> Iterator[None]:
        for _ in range(self.parts):
            yield
        self.rebuilt.append(at)

    def close(self) -> None:
        """Do nothing."""

    @property
    def sequences(self) -> list[int]:
        """The sequences of all events, in the order given."""
        return [event.sequence for _, event in self.events]


class Desk:
    """A sandbox with its player, on a clock that a test turns."""

    def __init__(
        self, source: Source, recipe: Object, known: TypeKnowledge, options: Options | None = None
    ) -> None:
        self.crank = HandCranked()
        self.problems: list[Problem] = []
        problems = Problems()
        problems.listen(self.problems.append)
        self.sandbox = Sandbox(source, recipe, self.crank, problems, known, options=options)
        self.player = Player(source, self.sandbox, self.crank.now, options)
        self.transport = Transport(self.player, self.crank)
        reply = self.sandbox.open()
        self.crank.wait(lambda: reply.settled)
        self.crank.settle()

    @property
    def object(self) -> Any:
        """The replayed object."""
        assert self.sandbox.handle is not None
        return self.sandbox.handle.proxy().instance

    def close(self) -> None:
        self.transport.close()
        self.sandbox.close()
        self.crank.settle()


def counters() -> TypeKnowledge:
    """Return the catalogue with counters."""
    return known_types(counter)
