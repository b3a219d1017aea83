"""The guard: readers come and go, and who has gone reads nothing more."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from liven.liveobjects.channel.adapters.between import UnfitError
from liven.liveobjects.channel.adapters.encrypt import MESSAGE
from liven.liveobjects.channel.adapters.guard import Guard, Guarded, GuardedState
from liven.liveobjects.channel.adapters.readers import ReaderError
from liven.liveobjects.channel.adapters.sealed import Sealed, Sealer
from liven.liveobjects.channel.local import LocalChannel
from liven.liveobjects.channel.testing import House, Process
from liven.liveobjects.channel.user_keys import UserKeys
from liven.runtime.probe import Probe, opposite
from liven.types.declare import Terms
from liven.types.formalism.registry import Formalisms
from liven.types.values import TEXT

TERMS = Terms(Formalisms())
BELOW = TERMS.of(Guarded), TERMS.of(GuardedState)
ANN, BOB, EVE = UserKeys.make(), UserKeys.make(), UserKeys.make()


@pytest.fixture
def process() -> Iterator[Process]:
    with House() as house:
        yield house.process()


class Member:
    """One user's replica; its state is the list of what it received."""

    def __init__(self, process: Process, user: UserKeys) -> None:
        process.user = user
        self.process = process
        self.state: list[str] | None = None
        built = self.object = process.build(Guard, TEXT, TEXT, owners=ANN.name.hex(), name="ann")
        self.probe = Probe(process.node, opposite(built.handle.endpoint("Channel").type))
        self.probe.react(initialize=self._begin, receive=self._receive, checkpoint=self._checkpoint)
        self.probe.connect(built.handle.endpoint("Channel"))
        lower = process.build(LocalChannel, *BELOW, address="guarded")
        process.connect(built, "below", lower, "Channel")

    def _begin(self, record: dict[str, Any]) -> None:
        said = record["checkpoint"]
        self.state = said.split("|") if said else []

    def _receive(self, record: dict[str, Any]) -> None:
        assert self.state is not None
        self.state.append(record["message"])

    def _checkpoint(self, _: dict[str, Any]) -> str:
        return "|".join(self.state or [])

    def say(self, text: str) -> None:
        self.probe.send("send", {"message": text})

    def owner(self) -> Probe:
        return self.object.probe("Readers")


def admit(owner: Probe, user: UserKeys, name: str = "bob") -> None:
    owner.send("admit", {"reader": {"name": name, "sign": user.name, "box": user.address}})


def test_the_owner_begins_and_lets_others_in_who_get_the_state(process: Process) -> None:
    ann = Member(process, ANN)
    ann.say("one")
    admit(ann.owner(), BOB)
    bob = Member(process, BOB)
    bob.say("two")
    assert ann.state == bob.state == ["one", "two"]


def test_who_is_not_on_the_list_is_told_so_and_gets_nothing(process: Process) -> None:
    ann = Member(process, ANN)
    ann.say("secret")
    eve = Member(process, EVE)
    assert eve.state is None
    assert eve.object.handle.failed
    assert "not among the readers" in process.problems.pop().what
    ann.say("still here")
    assert ann.state == ["secret", "still here"]


def test_who_is_taken_from_the_list_reads_nothing_more(process: Process) -> None:
    ann = Member(process, ANN)
    owner = ann.owner()
    admit(owner, BOB)
    bob = Member(process, BOB)
    ann.say("both")
    key = bob.object.instance._key
    raw = process.build(LocalChannel, *BELOW, address="guarded").probe()
    owner.send("expel", {"sign": BOB.name})
    ann.say("ann alone")
    assert ann.state == ["both", "ann alone"]
    assert bob.state == ["both"]
    assert bob.object.handle.failed
    assert "taken from the list" in process.problems.pop().what
    passed = [event[1]["message"] for event in raw.heard if event[0] == "receive"]  # type: ignore[index]
    (sealed,) = [one["sealed"] for one in passed if one["sealed"]]
    with pytest.raises(UnfitError, match="another key"):
        Sealer(BOB).open(Sealed(**sealed), key, MESSAGE)


def test_a_message_under_the_key_of_before_is_said_again_under_the_new_one(process: Process) -> None:
    ann = Member(process, ANN)
    owner = ann.owner()
    admit(owner, BOB)
    bob = Member(process, BOB)

    def both_at_once() -> None:
        admit(owner, EVE, "eve")
        bob.say("just then")

    process.node.turn.inside(process.node.root, "test", both_at_once)
    assert ann.state == bob.state == ["just then"]


def test_only_owners_change_the_list(process: Process) -> None:
    ann = Member(process, ANN)
    admit(ann.owner(), BOB)
    bob = Member(process, BOB)
    admit(bob.owner(), EVE, "eve")
    assert "only an owner" in process.problems.pop().what
    ann.owner().send("expel", {"sign": EVE.name})
    assert "nobody on the list" in process.problems.pop().what
    admit(ann.owner(), UserKeys.make(), "")
    assert "a name of 1 to" in process.problems.pop().what


def test_the_list_is_shown(process: Process) -> None:
    ann = Member(process, ANN)
    owner = ann.owner()
    admit(owner, BOB)
    shown = owner.heard[-1]
    assert shown[0] == "readers"
    assert [one["name"] for one in shown[1]["readers"]] == ["ann", "bob"]  # type: ignore[index]


def test_owners_that_are_no_keys_are_refused(process: Process) -> None:
    for text in ("", "xyz", "ab"):
        with pytest.raises(ReaderError, match="64 hexadecimal digits"):
            process.build(Guard, TEXT, TEXT, owners=text)
