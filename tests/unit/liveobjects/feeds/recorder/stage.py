"""A stage for recordings: processes on one clock, and recorders whose threads are joined before a look."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

from liven.liveobjects.channel.objects.shared import SharedChannel
from liven.liveobjects.channel.testing import Process, Processes
from liven.liveobjects.channel.testing.processes import Object
from liven.liveobjects.counter.object import CounterObject
from liven.liveobjects.feeds.feed_folder import FeedFolder
from liven.liveobjects.feeds.record import CHECKPOINT, CONTROL, FORK, GAP, Record
from liven.liveobjects.feeds.recorder.log.hand_over import HandOver
from liven.liveobjects.feeds.recorder.recording import Recording, RecordingOptions
from liven.liveobjects.feeds.segment.reader import Log
from liven.runtime.reference.model import Object as Recipe
from liven.types.terms.value_types import Integer

NAME = "home/f/counter"
NUMBER = Integer(-(2**63), 2**63 - 1)


def counter(process: Process, name: str = NAME) -> Object:
    made = process.build(CounterObject)
    channel = process.build(SharedChannel, NUMBER, NUMBER, name=name)
    process.connect(made, "channel", channel, "Channel")
    return made


class Recorder:
    """A recording in one process."""

    def __init__(
        self,
        process: Process,
        feed: Path,
        recipe: Recipe,
        hand_over: HandOver | None = None,
        **options: Any,
    ) -> None:
        self.said: list[str] = []
        self.over: list[str] = []
        self.process = process
        made = RecordingOptions(FeedFolder(feed), recorder=process.name)
        self.recording = Recording(
            process.system,
            process.known.catalogue,
            replace(made, **options),
            lambda what, _: self.said.append(what),
            self.over.append,
            hand_over,
        )
        self.recording.begin(recipe)

    def close(self, processes: Processes) -> list[Record]:
        """End the recording and return everything recorded."""
        self.recording.close()
        processes.advance(3)
        return self.records()

    def records(self) -> list[Record]:
        return [record for _, record in Log(self.recording.status.folder).records()]


def events(records: list[Record]) -> list[tuple[int, bytes]]:
    """Return the numbers and payloads of operations of objects."""
    return [
        (one.serial, one.payload) for one in records if not one.flags & (CHECKPOINT | GAP | FORK | CONTROL)
    ]


def marks(records: list[Record]) -> list[tuple[str, int]]:
    """Return the other records."""
    names = {CHECKPOINT: "checkpoint", GAP: "gap", FORK: "fork"}
    return [(names[one.flags], one.serial) for one in records if one.flags in names]
