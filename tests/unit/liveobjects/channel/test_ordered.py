"""The ordered channel, between processes."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from liven.liveobjects.channel.ordered import OrderedGroupChannel
from liven.liveobjects.channel.testing import House, Process
from liven.runtime.probe import Probe
from liven.types.values import TEXT, Integer


@pytest.fixture
def house() -> Iterator[House]:
    with House() as made:
        yield made


def client(process: Process, kind: object = TEXT, name: str = "home/f/notes") -> Probe:
    return process.build(OrderedGroupChannel, kind, name=name).probe()


def received(probe: Probe) -> list[object]:
    return [heard[1]["message"] for heard in probe.heard if heard[0] == "receive"]  # type: ignore[index]


def test_all_get_all_messages_in_one_order(house: House) -> None:
    probes = [client(house.process()) for _ in range(4)]
    house.advance(0.1)
    for number in range(20):
        for who, probe in enumerate(probes):
            probe.send("send", {"message": f"{who} {number}"})
        if number % 7 == 0:
            house.settle()
    house.advance(0.1)
    assert len(received(probes[0])) == 80
    assert all(received(probe) == received(probes[0]) for probe in probes)


def test_each_senders_messages_keep_their_order(house: House) -> None:
    probes = [client(house.process()) for _ in range(2)]
    house.advance(0.1)
    for number in range(10):
        probes[0].send("send", {"message": f"a{number}"})
        probes[1].send("send", {"message": f"b{number}"})
    house.advance(0.1)
    for who in "ab":
        mine = [one for one in received(probes[1]) if str(one)[0] == who]
        assert mine == [f"{who}{number}" for number in range(10)]


def test_what_is_sent_before_the_group_is_there_comes_too(house: House) -> None:
    probe = client(house.process())
    probe.send("send", {"message": "early"})
    house.advance(0.1)
    assert received(probe) == ["early"]


def test_who_joins_gets_what_comes_from_then_on(house: House) -> None:
    first = client(house.process())
    house.advance(0.1)
    first.send("send", {"message": "before"})
    house.advance(0.1)
    second = client(house.process())
    house.advance(0.1)
    first.send("send", {"message": "after"})
    house.advance(0.1)
    assert received(second) == ["after"]
    assert received(first) == ["before", "after"]


def test_when_the_one_who_orders_leaves_the_others_go_on(house: House) -> None:
    oldest = house.process().build(OrderedGroupChannel, TEXT, name="home/f/notes")
    leaver = oldest.probe()
    others = [client(house.process()) for _ in range(3)]
    house.advance(0.1)
    leaver.send("send", {"message": "mine"})
    house.advance(0.1)
    oldest.close()
    house.advance(0.1)
    for number in range(5):
        others[number % 3].send("send", {"message": f"then {number}"})
    house.advance(0.1)
    assert sorted(map(str, received(others[0]))) == ["mine", *(f"then {number}" for number in range(5))]
    assert all(received(probe) == received(others[0]) for probe in others)


def test_who_carries_other_classes_is_refused(house: House) -> None:
    first = client(house.process())
    house.advance(0.1)
    stranger = client(house.process("stranger"), Integer(0, 255))
    house.advance(0.1)
    first.send("send", {"message": "still here"})
    house.advance(0.1)
    assert received(first) == ["still here"]
    assert received(stranger) == []
    assert house.expect("carry other classes").where[0] == "stranger"
