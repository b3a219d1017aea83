"""Encryption over the shared channel, in several processes: readers, replays, and meeting histories."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from liven.liveobjects.channel.adapters.reader_encryption import Guard, Guarded, GuardedState
from liven.liveobjects.channel.adapters.sealed_values import Sealed
from liven.liveobjects.channel.adapters.shared_key_encryption import EncryptReplicated
from liven.liveobjects.channel.adapters.type_conversion import ConvertReplicated
from liven.liveobjects.channel.objects.shared import SharedChannel
from liven.liveobjects.channel.process.user_keys import UserKeys
from liven.liveobjects.channel.testing import Process, Processes
from liven.runtime.objects.probe import Probe, opposite
from liven.types.declare import TermBuilder
from liven.types.formalism.registry import Formalisms
from liven.types.terms.value_types import TEXT, Integer

TERMS = TermBuilder(Formalisms())
GUARDED = TERMS.of(Guarded), TERMS.of(GuardedState)
SEALED = TERMS.of(Sealed), TERMS.of(Sealed)
NAME = "home/f/secret"
ANN, BOB, EVE = UserKeys.make(), UserKeys.make(), UserKeys.make()
NUMBER = Integer(0, 1000)


@pytest.fixture
def processes() -> Iterator[Processes]:
    with Processes() as made:
        yield made


class Replica:
    """A client over an encrypted channel. Its state is the list of messages."""

    def __init__(self, process: Process, user: UserKeys, sealing: type = Guard) -> None:
        process.user = user
        self.state: list[str] | None = None
        self.began = 0
        if sealing is Guard:
            self.object = process.build(Guard, TEXT, TEXT, owners=ANN.name.hex(), name="ann")
        else:
            self.object = process.build(EncryptReplicated, TEXT, TEXT, key="ab" * 32)
        below = GUARDED if sealing is Guard else SEALED
        endpoint = self.object.handle.endpoint("Channel")
        self.probe = Probe(process.node, opposite(endpoint.type))
        self.probe.react(
            initialize=self._begin, receive=self._receive, checkpoint=lambda _: "|".join(self.state or [])
        )
        self.probe.connect(endpoint)
        self.channel = process.build(SharedChannel, *below, name=NAME)
        process.connect(self.object, "below", self.channel, "Channel")

    def _begin(self, record: dict[str, Any]) -> None:
        said = record["checkpoint"]
        self.state = said.split("|") if said else []
        self.began += 1

    def _receive(self, record: dict[str, Any]) -> None:
        assert self.state is not None
        self.state.append(record["message"])

    def say(self, *texts: str) -> None:
        for text in texts:
            self.probe.send("send", {"message": text})

    def admit(self, user: UserKeys, name: str) -> None:
        reader = {"name": name, "sign": user.name, "box": user.address}
        self.object.probe("Readers").send("admit", {"reader": reader})

    def expel(self, user: UserKeys) -> None:
        self.object.probe("Readers").send("expel", {"sign": user.name})


def two(processes: Processes) -> tuple[Replica, Replica]:
    """Return the replicas of Ann, who owns the list, and of Bob, who is on it."""
    ann = Replica(processes.process("ann"), ANN)
    processes.advance(3)
    ann.admit(BOB, "bob")
    processes.advance(1)
    bob = Replica(processes.process("bob"), BOB)
    processes.advance(3)
    return ann, bob


def test_readers_come_and_go_among_processes(processes: Processes) -> None:
    ann, bob = two(processes)
    ann.say("one")
    bob.say("two")
    processes.advance(1)
    assert ann.state == bob.state
    assert sorted(ann.state or []) == ["one", "two"]
    ann.admit(EVE, "eve")
    processes.advance(1)
    eve = Replica(processes.process("eve"), EVE)
    processes.advance(3)
    assert eve.state == ann.state
    ann.expel(EVE)
    processes.advance(1)
    assert eve.object.handle.failed
    processes.expect("removed from the list")
    bob.say("without eve")
    processes.advance(1)
    assert ann.state == bob.state
    assert (ann.state or [])[2:] == ["without eve"]
    assert len(eve.state or []) == 2


def test_messages_sent_while_the_list_changes_arrive_once_and_in_order(processes: Processes) -> None:
    ann, bob = two(processes)
    said = [f"m{number}" for number in range(60)]
    for number, text in enumerate(said):
        bob.say(text)
        if number % 7 == 3:
            ann.admit(EVE, f"eve {number}")
        if number % 7 == 6:
            processes.advance(1)
    processes.advance(5)
    assert ann.state == bob.state == said


def test_later_members_drop_a_replayed_message_too(processes: Processes) -> None:
    ann = Replica(processes.process("ann"), ANN)
    processes.advance(3)
    ann.admit(BOB, "bob")
    processes.advance(1)
    raw = processes.process("raw").build(SharedChannel, *GUARDED, name=NAME).probe()
    processes.advance(3)
    ann.say("pay 100")
    processes.advance(1)
    message = [heard[1]["message"] for heard in raw.heard if heard[0] == "receive"][-1]  # type: ignore[index]
    bob = Replica(processes.process("bob"), BOB)
    processes.advance(3)
    raw.send("send", {"message": message})
    processes.advance(1)
    assert ann.state == bob.state == ["pay 100"]
    processes.expect("is a repetition")
    processes.expect("is a repetition")


@pytest.mark.parametrize("sealing", [Guard, EncryptReplicated])
def test_a_losing_history_is_merged_into_the_winning_one(tmp_path: Path, sealing: type) -> None:
    with Processes(tmp_path) as processes:
        ann = Replica(processes.process("ann"), ANN, sealing)
        processes.advance(3)
        if sealing is Guard:
            ann.admit(BOB, "bob")
            processes.advance(1)
        Replica(processes.process("bob"), BOB, sealing)
        processes.advance(3)
        for process in processes.processes:
            process.close()
        processes.advance(3)
    for name, user, said in (("ann", ANN, ["a1", "a2", "a3"]), ("bob", BOB, ["b1", "b2"])):
        with Processes(tmp_path) as processes:
            alone = Replica(processes.process(name), user, sealing)
            processes.advance(8)
            alone.say(*said)
            processes.advance(1)
            assert alone.state == said
            processes.processes[0].close()
            processes.advance(3)
    with Processes(tmp_path) as processes:
        ann = Replica(processes.process("ann"), ANN, sealing)
        bob = Replica(processes.process("bob"), BOB, sealing)
        processes.advance(8)
        assert ann.state == bob.state == ["a1", "a2", "a3"]
        bob.say("after")
        processes.advance(1)
        processes.expect("another history of this channel won").remedies[1].do()
        processes.advance(3)
        assert ann.state == bob.state == ["a1", "a2", "a3", "after", "b1", "b2"]


def test_conversion_works_on_a_shared_channel(processes: Processes) -> None:
    process = processes.process()
    numbers = process.build(ConvertReplicated, NUMBER, NUMBER, TEXT, TEXT)
    channel = process.build(SharedChannel, TEXT, TEXT, name=NAME)
    probe = numbers.probe()
    process.connect(numbers, "below", channel, "Channel")
    processes.advance(3)
    probe.send("send", {"message": 12})
    processes.advance(1)
    assert [heard[0] for heard in probe.heard][-2:] == ["initialize", "receive"]
