"""Backpressure: a full channel says so before an object shows an edit that it cannot send."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from liven.liveobjects.channel.objects.local import LocalChannel
from liven.liveobjects.channel.objects.shared import SharedChannel
from liven.liveobjects.channel.ordering import Phase
from liven.liveobjects.channel.ordering.operations import own_operations
from liven.liveobjects.channel.session.session import ChannelSession
from liven.liveobjects.channel.testing import Process, Processes
from liven.liveobjects.channel.testing.processes import Object
from liven.liveobjects.counter.object import CounterObject
from liven.liveobjects.shared_list.object import ListObject
from liven.liveobjects.text.model import typed
from liven.liveobjects.text.object import TextObject
from liven.runtime.errors import CallFailedError
from liven.runtime.fold import RefusedError
from liven.types.terms.value_types import INT64, TEXT


@pytest.fixture
def processes(monkeypatch: pytest.MonkeyPatch) -> Iterator[Processes]:
    monkeypatch.setattr(own_operations, "PENDING_MOST", 24)
    monkeypatch.setattr(own_operations, "_SPARED", 4)
    with Processes() as made:
        yield made


def on_a_channel(process: Process, cls: type, *classes: Any) -> Object:
    made = process.build(cls)
    given = classes or (TEXT, TEXT)
    process.connect(made, "channel", process.build(SharedChannel, *given, name="home/f/full"), "Channel")
    return made


def cut_off(processes: Processes, process: Process) -> ChannelSession:
    """Stop ordering what this process submits from now on, and return the session of the channel."""
    session = process.system.shared(ChannelSession, "home/f/full", lambda: pytest.fail("there is none"))
    driver = session._driver
    assert driver is not None
    driver._detach()
    processes.advance(0.1)
    assert driver.channel.stage is Phase.OFFLINE
    return session


def test_a_note_refuses_and_does_not_show_an_edit_without_room(processes: Processes) -> None:
    process = processes.process()
    note = on_a_channel(process, TextObject).instance.note
    processes.advance(3)
    cut_off(processes, process)
    for number in range(20):
        note.edit("typing", typed(number, "x"))
    processes.settle()
    with pytest.raises(RefusedError, match="20 changes are still being sent"):
        note.edit("typing", typed(20, "y"))
    assert note.text == "x" * 20
    assert note.pending == 20
    assert processes.problems == []


def test_a_list_says_why_it_refuses_a_line(processes: Processes) -> None:
    process = processes.process()
    kind = process.build(ListObject)
    classes = channel_classes(kind)
    process.connect(kind, "channel", process.build(SharedChannel, *classes, name="home/f/full"), "Channel")
    processes.advance(3)
    session = cut_off(processes, process)
    for number in range(20):
        kind.instance.append(str(number))
    processes.settle()
    with pytest.raises(CallFailedError, match="wait until some have arrived"):
        kind.instance.append("one too many")
    assert session.unacknowledged == 20, "the refused line does not wait either"
    assert kind.instance.lines() == []
    assert processes.problems == []


def channel_classes(made: Object) -> tuple[Any, Any]:
    """Return the message and checkpoint classes of an object's channel."""
    kind = made.handle.endpoint("channel").type
    sent, begun = dict(kind.outputs)["send"], dict(kind.inputs)["initialize"]
    return dict(sent.fields)["message"], dict(begun.fields)["checkpoint"].item  # type: ignore[union-attr]


def test_a_counter_does_not_count_what_it_cannot_send(processes: Processes) -> None:
    process = processes.process()
    made = on_a_channel(process, CounterObject, INT64, INT64)
    processes.advance(3)
    session = cut_off(processes, process)
    for _ in range(20):
        made.instance.add(1)
    processes.settle()
    made.instance.add(7)
    processes.settle()
    processes.expect("7 was not added")
    assert session.unacknowledged == 20
    assert made.instance.value() == 0, "nothing is ordered, so nothing is counted"
    assert processes.problems == []


def test_the_channel_reports_messages_beyond_the_bound(processes: Processes) -> None:
    process = processes.process()
    made = on_a_channel(process, CounterObject, INT64, INT64)
    processes.advance(3)
    session = cut_off(processes, process)
    for _ in range(25):
        made.instance.channel.peer.send(1)
    processes.settle()
    processes.expect("a message could not be sent")
    assert session.unacknowledged == 24
    assert processes.problems == []


def test_a_channel_without_backpressure_has_room(processes: Processes) -> None:
    process = processes.process()
    made = process.build(CounterObject)
    process.connect(made, "channel", process.build(LocalChannel, INT64, INT64, address="a"), "Channel")
    for _ in range(30):
        made.instance.add(1)
    assert made.instance.value() == 30
