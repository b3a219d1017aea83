"""The punctuality of a replay: 10,000 events a second for a minute, into a sandbox with a running object.

    python bench/feeds_replay.py [--json]

The recording lies in segments and is played at its own speed by a precise transport. The lateness of an event
is the time from its deadline until it is given to the sandbox. Drift is the difference between the median
lateness of the last ten seconds and of the first. The same deadlines are met by a bare loop in the same run:
so late is this machine without us. Then the recording is played as fast as possible, and moments in it are
sought.
"""

from __future__ import annotations

import asyncio
import random
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from statistics import median

import msgpack  # type: ignore[import-untyped]  # it has no stubs
from figure_report import Figure

from liven.liveobjects.channel.api.recipes import channel_reference, shared
from liven.liveobjects.channel.builtin import learn_channels
from liven.liveobjects.counter import object as counter
from liven.liveobjects.feeds.record import CHECKPOINT, Record
from liven.liveobjects.feeds.replay.lateness import Lateness
from liven.liveobjects.feeds.replay.options import Options
from liven.liveobjects.feeds.replay.pace import MAX
from liven.liveobjects.feeds.replay.player import Player
from liven.liveobjects.feeds.replay.source.segment_log import SegmentLog
from liven.liveobjects.feeds.replay.state import State
from liven.liveobjects.feeds.replay.target.sandbox import Sandbox
from liven.liveobjects.feeds.replay.transport import Transport, sleep_until
from liven.liveobjects.feeds.segment.reader import Log
from liven.liveobjects.feeds.segment.writer import LogWriter
from liven.runtime.checking.type_knowledge import TypeKnowledge
from liven.runtime.dispatcher.asyncio_dispatcher import AsyncioDispatcher
from liven.runtime.problems import Problems
from liven.runtime.process.builtin_objects import learn_stock
from liven.runtime.reference.model import Object, OtherClass, Parameter
from liven.types.catalogue import register
from liven.types.declare import scan

RATE = 10_000
SECONDS = 60
PART = 10
"""Seconds of the first and the last part, between which drift is measured."""
BARE_SECONDS = 5
CHECKPOINT_EVERY = 50_000
SEEKS = 40
CHANNEL = "home/bench/count"
START = 1_750_000_000_000_000


def figures() -> Iterator[Figure]:
    """Yield the figures."""
    with tempfile.TemporaryDirectory() as folder:
        log = Path(folder, "feed", "here")
        write(log)
        bare = bare_lateness()
        yield Figure("a bare loop: median lateness", bare.quantile(0.5) * 1e6, "µs")
        yield Figure("a bare loop: 99 % are earlier than", bare.quantile(0.99) * 1e6, "µs")
        yield from punctuality(log)
        yield from speed(log)


def write(folder: Path) -> None:
    """Write the recording: amounts of 1, and now and then the sum."""
    one = msgpack.packb(1)
    step = 1_000_000 // RATE
    with LogWriter(folder) as log:
        batch = []
        for number in range(RATE * SECONDS):
            at = START + number * step
            payload, flags = one, 0
            if number % CHECKPOINT_EVERY == 0:
                payload, flags = msgpack.packb(number - number // CHECKPOINT_EVERY), CHECKPOINT
            batch.append(Record(at, at, "count", CHANNEL, "ann", "int64", number, flags, payload))
            if len(batch) == 8192:
                log.extend(batch)
                batch = []
        log.extend(batch)


def bare_lateness() -> Lateness:
    """Return how late a loop is that does nothing but wait for each deadline."""
    lateness = Lateness()
    begin = time.monotonic() + 0.01
    for number in range(RATE * BARE_SECONDS):
        due = begin + number / RATE
        sleep_until(due, time.monotonic)
        lateness.add(time.monotonic() - due)
    return lateness


class Stage:
    """A replay of the recording into a sandbox, on an event loop."""

    def __init__(self, folder: Path, options: Options) -> None:
        self.loop = asyncio.new_event_loop()
        problems = Problems()
        self.dispatcher = AsyncioDispatcher(self.loop, problems.report)
        known = learn_channels(learn_stock(TypeKnowledge.stock()))
        register(known.catalogue, scan(counter), known.matcher)
        source = SegmentLog(Log(folder))
        self.sandbox = Sandbox(source, recipe(), self.dispatcher, problems, known, options=options)
        reply = self.sandbox.open()
        reply.then(lambda _: self.loop.stop())
        self.dispatcher.call_soon(lambda: None)
        self.loop.run_forever()
        self.player = Player(source, self.sandbox, self.dispatcher.now, options)
        self.transport = Transport(self.player, self.dispatcher, precise=True)
        self.until(lambda: self.player.state is State.PAUSED)

    def until(self, reached: Callable[[], bool]) -> None:
        """Run the event loop until something is so."""

        def look() -> None:
            if reached():
                self.loop.stop()
            else:
                self.dispatcher.call_later(0.005, look)

        self.dispatcher.call_soon(look)
        self.loop.run_forever()

    def run_for(self, seconds: float) -> None:
        """Run the event loop for some time."""
        self.dispatcher.call_later(seconds, self.loop.stop)
        self.loop.run_forever()

    def close(self) -> None:
        """Release everything."""
        self.transport.close()
        self.sandbox.close()
        self.dispatcher.close()
        self.loop.close()


def recipe() -> Object:
    """Return the recipe of the recorded counter."""
    channel = channel_reference(CHANNEL)
    classes = [
        Parameter(name, OtherClass("ValueClass", "liven:int64"))
        for name in ("MessageClass", "CheckpointClass")
    ]
    return shared(
        "liven:shared-counter", "Count", replace(channel, parameters=(*channel.parameters, *classes))
    )


def punctuality(folder: Path) -> Iterator[Figure]:
    """Play for a minute, and measure the lateness of its parts and the memory."""
    stage = Stage(folder, Options())
    stage.transport.play()
    medians, whole, memory = [], Lateness(), []
    for _ in range(SECONDS // PART):
        part = stage.player.lateness = Lateness()
        stage.run_for(PART)
        medians.append(part.quantile(0.5))
        memory.append(resident())
        whole.absorb(part)
    stage.until(lambda: stage.player.state is State.ENDED)
    stage.close()
    yield Figure("replay: events a second", stage.player.given / SECONDS, "1/s", RATE * 0.999, at_most=False)
    yield Figure("replay: median lateness", whole.quantile(0.5) * 1e6, "µs", 150)
    yield Figure("replay: 99 % are earlier than", whole.quantile(0.99) * 1e6, "µs")
    yield Figure("replay: drift over a minute", (medians[-1] - medians[0]) * 1e6, "µs", 50)
    yield Figure("replay: memory grows in 50 seconds by", (memory[-1] - memory[0]) / 1e6, "MB", 2)


def speed(folder: Path) -> Iterator[Figure]:
    """Play as fast as possible, and seek."""
    stage = Stage(folder, Options(speed=MAX))
    before = resident()
    begin = time.perf_counter()
    stage.transport.play()
    stage.until(lambda: stage.player.state is State.ENDED)
    seconds = time.perf_counter() - begin
    yield Figure("as fast as possible: events a second", RATE * SECONDS / seconds, "1/s")
    yield Figure("as fast as possible: memory grows by", (resident() - before) / 1e6, "MB")
    choice = random.Random(7)
    times = []
    for _ in range(SEEKS):
        stage.transport.pause()
        begin = time.perf_counter()
        stage.transport.seek_sequence(choice.randrange(RATE * SECONDS))
        stage.until(lambda: stage.player.state is State.PAUSED)
        times.append(time.perf_counter() - begin)
    stage.close()
    yield Figure("state at a random moment", median(times) * 1e3, "ms")


def resident() -> int:
    """Return the bytes of memory that this process has."""
    return int(Path("/proc/self/statm").read_text().split()[1]) * 4096
