"""A worker encodes the state of a shared object, while messages arrive or the object closes."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from liven.liveobjects.channel.objects.shared import SharedChannel
from liven.liveobjects.channel.testing import Process, Processes
from liven.liveobjects.channel.testing.processes import Object
from liven.liveobjects.chat.object import ChatObject
from liven.liveobjects.vote.object import VoteObject
from liven.runtime.testing.immediate_workers import ImmediateWorkers


class HeldWorkers(ImmediateWorkers):
    """Workers that wait until the test releases them."""

    def __init__(self) -> None:
        super().__init__()
        self._waiting: list[Callable[[], object]] = []
        self._held = True

    def run(self, job: Callable[[], object]) -> None:
        if self._held:
            self._waiting.append(job)
        else:
            super().run(job)

    def release(self) -> None:
        """Run all waiting jobs, and later ones at once."""
        self._held = False
        jobs, self._waiting = self._waiting, []
        for job in jobs:
            super().run(job)


def build(process: Process, kind: type) -> Object:
    """Build an object of a process on the channel of the test."""
    made = process.build(kind)
    end = made.handle.endpoint("channel").type
    sent, begun = dict(end.outputs)["send"], dict(end.inputs)["initialize"]
    classes = dict(sent.fields)["message"], dict(begun.fields)["checkpoint"].item  # type: ignore[union-attr]
    channel = process.build(SharedChannel, *classes, name="home/f/shared")
    process.connect(made, "channel", channel, "Channel")
    return made


def change(made: Object) -> None:
    """Add a line or an answer."""
    if isinstance(made.instance, ChatObject):
        made.instance.say("hello")
    else:
        made.instance.offer("tea")


def size(made: Object) -> int:
    """Return the number of lines or answers that everybody has."""
    state: Any = made.instance.editor.confirmed
    return len(state.order if isinstance(made.instance, ChatObject) else state.answers)


def digest(made: Object) -> bytes:
    editor: Any = made.instance.editor
    found: bytes = editor.model.digest(editor.confirmed)
    return found


@pytest.mark.parametrize("kind", [ChatObject, VoteObject])
def test_a_message_during_the_encoding_arrives_once(tmp_path: Path, kind: type) -> None:
    with Processes(tmp_path) as processes:
        process = processes.process("ann")
        first, far = build(process, kind), build(processes.process("bob"), kind)
        processes.advance(3)
        change(first)
        processes.advance(1)
        process.node.workers = workers = HeldWorkers()
        second = build(process, kind)
        change(far)
        change(first)
        processes.advance(0.5)
        assert not second.instance.ready
        workers.release()
        processes.advance(1)
        change(second)
        processes.advance(1)
        assert digest(first) == digest(second) == digest(far)
        assert size(second) == 4


@pytest.mark.parametrize("kind", [ChatObject, VoteObject])
def test_an_object_that_closes_during_the_encoding_harms_nobody(tmp_path: Path, kind: type) -> None:
    with Processes(tmp_path) as processes:
        process = processes.process("ann")
        first, far = build(process, kind), build(processes.process("bob"), kind)
        processes.advance(3)
        change(first)
        processes.advance(1)
        process.node.workers = workers = HeldWorkers()
        second = build(process, kind)
        processes.settle()
        first.close()
        change(far)
        processes.advance(0.5)
        workers.release()
        processes.advance(1)
        change(second)
        processes.advance(1)
        assert digest(second) == digest(far)
        assert size(second) == 3
