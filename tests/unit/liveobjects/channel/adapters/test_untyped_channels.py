"""Typed channels over untyped ones, under their original ids."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from liven.liveobjects.channel.adapters.any_value import Serializable
from liven.liveobjects.channel.adapters.untyped_channels import Switch, TypedChannel, XmlChannel
from liven.liveobjects.channel.objects.local import LocalChannel
from liven.liveobjects.channel.testing import Process, Processes
from liven.runtime.objects.probe import Probe, opposite
from liven.types.declare import TermBuilder
from liven.types.formalism.registry import Formalisms
from liven.types.terms.value_types import TEXT, Integer, Record

KIND = Record((("n", Integer(0, 255)), ("who", TEXT)))
ANY = TermBuilder(Formalisms()).of(Serializable)


@pytest.fixture
def process() -> Iterator[Process]:
    with Processes() as processes:
        yield processes.process()


class Client:
    """A client whose state is the list of received messages."""

    def __init__(self, process: Process, cls: type, below: str, address: str = "a") -> None:
        self.messages: list[Any] = []
        self.object = process.build(cls, KIND, Record((("all", TEXT),)))
        lower = process.build(LocalChannel, ANY, ANY, address=address)
        process.connect(self.object, below, lower, "Channel")
        self.probe = Probe(process.node, opposite(self.object.handle.endpoint("Channel").type))
        self.probe.react(receive=self._receive, initialize=self._begin, checkpoint=self._state)
        self.probe.connect(self.object.handle.endpoint("Channel"))
        self.began: list[Any] = []

    def _receive(self, record: dict[str, Any]) -> None:
        self.messages.append(record["message"])

    def _begin(self, record: dict[str, Any]) -> None:
        state = record["checkpoint"]
        self.messages = [] if state is None else [("state", state["all"])]

    def _state(self, _: dict[str, Any]) -> dict[str, Any]:
        return {"all": repr(self.messages)}

    def send(self, number: int) -> None:
        self.probe.send("send", {"message": {"n": number, "who": "ann"}})


SIDES = [(TypedChannel, "underlying_untyped_channel"), (XmlChannel, "underlyingchannel")]


@pytest.mark.parametrize(("cls", "below"), SIDES)
def test_values_and_states_pass_through(process: Process, cls: type, below: str) -> None:
    one = Client(process, cls, below)
    one.send(1)
    late = Client(process, cls, below)
    one.send(2)
    late.send(3)
    assert [message["n"] for message in one.messages] == [1, 2, 3]
    state, *rest = late.messages
    assert state[0] == "state"
    assert "'n': 1" in state[1]
    assert [message["n"] for message in rest] == [2, 3]


@pytest.mark.parametrize(("cls", "below"), SIDES)
def test_values_of_another_class_are_dropped_and_reported(process: Process, cls: type, below: str) -> None:
    one = Client(process, cls, below)
    raw = process.build(LocalChannel, ANY, ANY, address="a").probe()
    for kind in (b"other", one.object.instance._messages.put({"n": 1, "who": "x"}).kind):
        raw.send("send", {"message": {"kind": kind, "data": b"\xc1noise", "mark": None}})
    one.send(7)
    assert [message["n"] for message in one.messages] == [7]
    assert len(process.problems) == 2
    assert all("dropped" in problem.what for problem in process.problems)
    process.problems.clear()


def test_two_kinds_of_wrapper_do_not_read_each_other(process: Process) -> None:
    one = Client(process, *SIDES[0])
    other = process.build(XmlChannel, KIND, Record((("all", TEXT),)))
    lower = process.build(LocalChannel, ANY, ANY, address="a")
    process.connect(other, "underlyingchannel", lower, "Channel")
    assert other.handle.failed, "the state came from a client that speaks another way"
    assert "is not XML" in process.problems.pop().what
    one.send(1)
    assert [message["n"] for message in one.messages] == [1]


def switch(process: Process, first: str, second: str) -> Any:
    built = process.build(Switch, ANY, ANY)
    for endpoint, address in (("channel1", first), ("channel2", second)):
        process.connect(built, endpoint, process.build(LocalChannel, ANY, ANY, address=address), "Channel")
    return built


def plain(process: Process, address: str) -> Probe:
    return process.build(LocalChannel, ANY, ANY, address=address).probe()


def say(probe: Probe, data: bytes) -> None:
    probe.send("send", {"message": {"kind": b"k", "data": data, "mark": None}})


def heard(probe: Probe) -> list[bytes]:
    return [event[1]["message"]["data"] for event in probe.heard if event[0] == "receive"]  # type: ignore[index]


def test_a_switch_copies_messages_in_both_directions(process: Process) -> None:
    left, right = plain(process, "a"), plain(process, "b")
    built = switch(process, "a", "b")
    client = built.probe()
    say(left, b"1")
    say(right, b"2")
    say(client, b"3")
    assert heard(left) == [b"1", b"2", b"3"]
    assert sorted(heard(right)) == [b"1", b"2", b"3"]
    assert heard(client) == heard(left), "the client hears the first channel's order"


def test_two_switches_between_the_same_channels_make_no_loop(process: Process) -> None:
    left, right = plain(process, "a"), plain(process, "b")
    kept = [switch(process, "a", "b"), switch(process, "a", "b")]
    clients = [one.probe() for one in kept]
    say(left, b"1")
    assert heard(left) == [b"1"]
    assert heard(right) == [b"1", b"1"]
    assert [heard(client) for client in clients] == [[b"1"], [b"1"]]
