"""Encryption with a shared key: holders understand each other, and the channel below carries no plain
text."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from liven.liveobjects.channel.adapters.sealed_values import Sealed
from liven.liveobjects.channel.adapters.shared_key_encryption import BadKeyError, Encrypt, EncryptReplicated
from liven.liveobjects.channel.objects.group import GroupChannel
from liven.liveobjects.channel.objects.local import LocalChannel
from liven.liveobjects.channel.testing import Process, Processes
from liven.runtime.objects.probe import Probe, opposite
from liven.types.declare import TermBuilder
from liven.types.formalism.registry import Formalisms
from liven.types.terms.value_types import TEXT

KEY, OTHER = "ab" * 32, "cd" * 32
SEALED = TermBuilder(Formalisms()).of(Sealed)


@pytest.fixture
def processes() -> Iterator[Processes]:
    with Processes() as made:
        yield made


def speaker(process: Process, key: str = KEY) -> Probe:
    built = process.build(Encrypt, TEXT, key=key)
    channel = process.build(GroupChannel, SEALED, name="home/f/secret")
    process.connect(built, "below", channel, "Channel")
    return built.probe()


def received(probe: Probe) -> list[Any]:
    return [heard[1]["message"] for heard in probe.heard if heard[0] == "receive"]  # type: ignore[index]


def test_clients_with_the_same_key_understand_each_other(processes: Processes) -> None:
    one, other = speaker(processes.process()), speaker(processes.process())
    processes.settle()
    one.send("send", {"message": "the plan"})
    processes.settle()
    assert received(one) == received(other) == ["the plan"]


def test_the_channel_below_carries_no_plain_text(processes: Processes) -> None:
    one = speaker(processes.process())
    below: list[bytes] = []
    processes.hub.member().open(
        "home/f/secret", lambda batch: below.extend(one.payload for one in batch.messages)
    )
    processes.settle()
    one.send("send", {"message": "the plan"})
    processes.settle()
    assert below
    assert not any(b"the plan" in payload for payload in below)


def test_a_client_with_another_key_gets_an_error_and_no_messages(processes: Processes) -> None:
    one, wrong = speaker(processes.process()), speaker(processes.process("wrong"), OTHER)
    processes.settle()
    one.send("send", {"message": "the plan"})
    processes.settle()
    assert received(wrong) == []
    assert processes.expect("with another key").where[0] == "wrong"


def test_a_replayed_message_is_dropped(processes: Processes) -> None:
    one, other = speaker(processes.process()), speaker(processes.process("other"))
    replayed: list[bytes] = []
    outsider = processes.hub.member().open(
        "home/f/secret", lambda batch: replayed.extend(one.payload for one in batch.messages)
    )
    processes.settle()
    one.send("send", {"message": "pay 5"})
    processes.settle()
    outsider.send(replayed[-1])
    processes.settle()
    assert received(other) == ["pay 5"]
    processes.expect("is a repetition")
    processes.expect("is a repetition")


@pytest.mark.parametrize("key", ["", "ab", "xy" * 32, "ab" * 33])
def test_an_invalid_key_is_refused_at_once(processes: Processes, key: str) -> None:
    with pytest.raises(BadKeyError, match="64 hexadecimal digits"):
        processes.process().build(Encrypt, TEXT, key=key)


def replica(process: Process, key: str, began: list[Any]) -> tuple[Any, Probe]:
    built = process.build(EncryptReplicated, TEXT, TEXT, key=key)
    lower = process.build(LocalChannel, SEALED, SEALED, address="secret")
    probe = Probe(process.node, opposite(built.handle.endpoint("Channel").type))
    probe.react(
        initialize=lambda record: began.append(record["checkpoint"]), checkpoint=lambda _: "the state"
    )
    probe.connect(built.handle.endpoint("Channel"))
    process.connect(built, "below", lower, "Channel")
    return built, probe


def test_a_later_member_drops_a_replayed_message_as_all_do(processes: Processes) -> None:
    process, began = processes.process(), list[Any]()
    _, first = replica(process, KEY, began)
    raw = process.build(LocalChannel, SEALED, SEALED, address="secret").probe()
    first.send("send", {"message": "pay 100"})
    _, joiner = replica(process, KEY, began)
    raw.send("send", {"message": received(raw)[-1]})
    assert received(first) == ["pay 100"]
    assert received(joiner) == []
    processes.expect("is a repetition")
    processes.expect("is a repetition")


def test_after_a_new_state_only_messages_after_it_are_accepted(
    processes: Processes,
) -> None:
    process = processes.process()
    adapter = process.build(EncryptReplicated, TEXT, TEXT, key=KEY)
    probe = Probe(process.node, opposite(adapter.handle.endpoint("Channel").type))
    probe.react(checkpoint=lambda _: "the state")
    probe.connect(adapter.handle.endpoint("Channel"))
    below = Probe(process.node, opposite(adapter.handle.endpoint("below").type, process.known.formalisms))
    below.connect(adapter.handle.endpoint("below"))
    below.send("initialize", {"checkpoint": None})
    for text in ("one", "two"):
        probe.send("send", {"message": text})
    one, two = (heard[1] for heard in below.heard if heard[0] == "send")
    below.send("receive", one)
    state = adapter.instance.lowering()("after one")
    below.send("receive", two)
    below.send("initialize", {"checkpoint": None})
    for message in (one, two):
        below.send("receive", message)
    adapter.instance.initialize(state)
    for message in (one, two):
        below.send("receive", message)
    assert received(probe) == ["one", "two", "one", "two", "two"]
    processes.expect("is a repetition")


def test_states_are_sealed_too_and_a_wrong_key_ends_the_object_before_it_begins(processes: Processes) -> None:
    process, began = processes.process(), list[Any]()
    kept = [replica(process, KEY, began), replica(process, KEY, began)]
    assert began == [None, "the state"]
    built, _ = replica(process, OTHER, began)
    assert built.handle.failed
    processes.expect("with another key")
    assert began == [None, "the state"]
    assert not any(one.handle.failed for one, _ in kept)
