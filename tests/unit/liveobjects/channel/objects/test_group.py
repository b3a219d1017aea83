"""The group channel, between processes."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from liven.liveobjects.channel.line.transport import Batch
from liven.liveobjects.channel.objects.group import GroupChannel
from liven.liveobjects.channel.testing import Process, Processes
from liven.runtime.objects.probe import Probe
from liven.types.terms.value_types import TEXT, Integer, Record


@pytest.fixture
def processes() -> Iterator[Processes]:
    with Processes() as made:
        yield made


def client(process: Process, kind: object = TEXT, name: str = "home/f/notes") -> Probe:
    return process.build(GroupChannel, kind, name=name).probe()


def received(probe: Probe) -> list[object]:
    return [heard[1]["message"] for heard in probe.heard if heard[0] == "receive"]  # type: ignore[index]


def test_messages_reach_all_in_the_order_of_each_sender(processes: Processes) -> None:
    probes = [client(processes.process()) for _ in range(3)]
    processes.settle()
    for number in range(5):
        probes[0].send("send", {"message": f"a{number}"})
        probes[1].send("send", {"message": f"b{number}"})
    processes.settle()
    for probe in probes:
        heard = received(probe)
        assert [one for one in heard if str(one)[0] == "a"] == [f"a{n}" for n in range(5)]
        assert [one for one in heard if str(one)[0] == "b"] == [f"b{n}" for n in range(5)]


def test_records_can_be_sent(processes: Processes) -> None:
    kind = Record((("n", Integer(0, 255)), ("who", TEXT)))
    one, other = (client(processes.process(), kind) for _ in range(2))
    processes.settle()
    one.send("send", {"message": {"n": 7, "who": "ann"}})
    processes.settle()
    assert received(other) == [{"n": 7, "who": "ann"}]


def test_a_member_with_other_classes_is_refused_with_the_difference(
    processes: Processes,
) -> None:
    first, second = client(processes.process()), client(processes.process())
    processes.settle()
    stranger = processes.process("stranger").build(GroupChannel, Integer(0, 255), name="home/f/notes")
    probe = stranger.probe()
    probe.send("send", {"message": 7})
    processes.settle()
    problem = processes.expect("use other value classes")
    assert problem.where[0] == "stranger"
    assert "uint8" in problem.what
    assert "text" in problem.what
    assert stranger.handle.failed
    first.send("send", {"message": "still here"})
    processes.settle()
    assert received(second) == ["still here"]


def test_of_two_members_with_different_classes_the_older_stays(processes: Processes) -> None:
    old = client(processes.process("old"))
    young = client(processes.process("young"), Integer(0, 255))
    processes.settle()
    assert processes.expect("use other value classes").where[0] == "young"
    assert old.end.connected
    assert not young.end.connected


def test_a_member_with_other_classes_is_refused_even_if_the_oldest_leaves(processes: Processes) -> None:
    oldest = processes.process().build(GroupChannel, TEXT, name="home/f/notes")
    probes = [oldest.probe(), client(processes.process("second"))]
    processes.settle()
    probes.append(client(processes.process("stranger"), Integer(0, 255)))
    oldest.close()
    processes.settle()
    assert [probe.end.connected for probe in probes] == [False, True, False]
    assert processes.expect("use other value classes").where[0] == "stranger"


def test_a_channel_without_clients_leaves_its_group(processes: Processes) -> None:
    process = processes.process()
    built = process.build(GroupChannel, TEXT, name="home/f/notes")
    probe = built.probe()
    processes.settle()
    assert process.system.opened == {"home/f/notes": 1}
    probe.close()
    processes.settle()
    assert process.system.opened == {}
    again = built.probe()
    again.send("send", {"message": "again"})
    processes.settle()
    assert received(again) == ["again"]


def test_too_many_messages_at_once_are_refused_with_a_problem(processes: Processes) -> None:
    probe = client(processes.process())
    processes.settle()
    for _ in range(200):
        probe.send("send", {"message": "x" * 50_000})
    processes.settle()
    processes.expect("could not be sent")
    probe.send("send", {"message": "small"})
    processes.settle()
    assert received(probe)[-1] == "small"


def test_noise_is_dropped_and_reported(processes: Processes) -> None:
    probe = client(processes.process())
    noise = processes.hub.member().open("home/f/notes", _ignore)
    processes.settle()
    noise.send(b"\x93\x01")
    noise.send(b"\x91\xc4\x01\xff")
    noise.send(b"\x00not a greeting")
    noise.send(b"")
    probe.send("send", {"message": "sense"})
    processes.settle()
    processes.expect("sent an invalid message")
    assert received(probe) == ["sense"]


def _ignore(_: Batch) -> None: ...
