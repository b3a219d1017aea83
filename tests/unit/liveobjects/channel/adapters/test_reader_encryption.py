"""Encryption for a list of readers: admitted readers can read, removed ones cannot."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from liven.liveobjects.channel.adapters.base import UnfitError
from liven.liveobjects.channel.adapters.reader_encryption import Guard, Guarded, GuardedState
from liven.liveobjects.channel.adapters.reader_list import ReaderError
from liven.liveobjects.channel.adapters.sealed_values import Sealed, Sealer
from liven.liveobjects.channel.adapters.shared_key_encryption import MESSAGE
from liven.liveobjects.channel.objects.local import LocalChannel
from liven.liveobjects.channel.process.user_keys import UserKeys
from liven.liveobjects.channel.testing import Process, Processes
from liven.runtime.objects.probe import Probe, opposite
from liven.types.declare import TermBuilder
from liven.types.formalism.registry import Formalisms
from liven.types.terms.value_types import TEXT

TERMS = TermBuilder(Formalisms())
BELOW = TERMS.of(Guarded), TERMS.of(GuardedState)
ANN, BOB, EVE = UserKeys.make(), UserKeys.make(), UserKeys.make()


@pytest.fixture
def process() -> Iterator[Process]:
    with Processes() as processes:
        yield processes.process()


class Member:
    """One user's replica. Its state is the list of received messages."""

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


def test_readers_admitted_by_the_owner_get_the_state(process: Process) -> None:
    ann = Member(process, ANN)
    ann.say("one")
    admit(ann.owner(), BOB)
    bob = Member(process, BOB)
    bob.say("two")
    assert ann.state == bob.state == ["one", "two"]


def test_a_member_that_is_not_on_the_list_gets_an_error_and_no_data(process: Process) -> None:
    ann = Member(process, ANN)
    ann.say("secret")
    eve = Member(process, EVE)
    assert eve.state is None
    assert eve.object.handle.failed
    assert "not among the readers" in process.problems.pop().what
    ann.say("still here")
    assert ann.state == ["secret", "still here"]


def test_a_removed_reader_reads_nothing_more(process: Process) -> None:
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
    assert "removed from the list" in process.problems.pop().what
    passed = [event[1]["message"] for event in raw.heard if event[0] == "receive"]  # type: ignore[index]
    (sealed,) = [one["sealed"] for one in passed if one["sealed"]]
    with pytest.raises(UnfitError, match="another key"):
        Sealer(BOB).open(Sealed(**sealed), key, MESSAGE)


def test_a_message_under_the_old_key_is_sent_again_under_the_new_one(process: Process) -> None:
    ann = Member(process, ANN)
    owner = ann.owner()
    admit(owner, BOB)
    bob = Member(process, BOB)

    def both_at_once() -> None:
        admit(owner, EVE, "eve")
        bob.say("at the same time")

    process.node.queue.inside(process.node.root, "test", both_at_once)
    assert ann.state == bob.state == ["at the same time"]


def in_flight(member: Member, text: str) -> Callable[[], None]:
    """Send a message and return a function that gives it its place."""
    guard = member.object.instance
    message = guard.lower(text)
    turn, root = member.process.node.queue, member.process.node.root
    return lambda: turn.inside(root, "test", lambda: guard.below.peer.send(message))


def raw_client(process: Process) -> Probe:
    """Return a client that can write to the channel but has no key."""
    raw = process.build(LocalChannel, *BELOW, address="guarded").probe()
    raw.react(checkpoint=lambda _: None)
    return raw


def last_below(raw: Probe) -> Any:
    return [heard[1]["message"] for heard in raw.heard if heard[0] == "receive"][-1]  # type: ignore[index]


def test_a_message_in_transit_over_two_changes_arrives_once(process: Process) -> None:
    ann = Member(process, ANN)
    admit(ann.owner(), BOB)
    bob = Member(process, BOB)
    arrive = in_flight(bob, "in flight")
    admit(ann.owner(), EVE, "eve")
    ann.owner().send("expel", {"sign": EVE.name})
    arrive()
    assert ann.state == bob.state == ["in flight"]
    assert not bob.object.handle.failed


def test_the_order_of_an_author_is_kept_over_a_change(process: Process) -> None:
    ann = Member(process, ANN)
    admit(ann.owner(), BOB)
    bob = Member(process, BOB)
    arrivals = [in_flight(bob, text) for text in ("m1", "m2")]
    admit(ann.owner(), EVE, "eve")
    bob.say("m3")
    for arrive in arrivals:
        arrive()
    assert ann.state == bob.state == ["m1", "m2", "m3"]


def test_messages_that_arrived_are_not_sent_again(process: Process) -> None:
    ann = Member(process, ANN)
    admit(ann.owner(), BOB)
    bob, raw = Member(process, BOB), raw_client(process)
    bob.say("pay 100")
    old = last_below(raw)
    for name in ("eve", "eva"):
        admit(ann.owner(), EVE, name)
        for _ in range(3):
            raw.send("send", {"message": old})
    assert ann.state == bob.state == ["pay 100"]
    assert not bob.object.handle.failed


def test_a_later_member_drops_a_replayed_message_as_all_do(process: Process) -> None:
    ann = Member(process, ANN)
    admit(ann.owner(), BOB)
    raw = raw_client(process)
    ann.say("pay 100")
    bob = Member(process, BOB)
    raw.send("send", {"message": last_below(raw)})
    assert ann.state == bob.state == ["pay 100"]
    assert ["is a repetition" in process.problems.pop().what for _ in range(2)] == [True, True]


def test_a_state_is_that_of_the_moment_of_the_request(process: Process) -> None:
    ann = Member(process, ANN)
    guard = ann.object.instance
    view, lowered = guard._ring.view, guard.lowering()
    admit(ann.owner(), BOB)
    assert lowered("").ring.view == view


def test_a_client_from_before_the_list_ends_at_what_it_cannot_read(process: Process) -> None:
    bob = Member(process, BOB)
    ann = Member(process, ANN)
    assert not bob.object.handle.failed
    ann.say("not for bob")
    assert ann.state == ["not for bob"]
    assert bob.state == []
    assert bob.object.handle.failed
    assert "not among the readers" in process.problems.pop().what


def test_messages_in_transit_are_not_sent_again_during_a_replay(process: Process) -> None:
    process.user = ANN
    guard = process.build(Guard, TEXT, TEXT, owners=ANN.name.hex())
    probe = guard.probe()
    end = guard.handle.endpoint("below")
    below = Probe(process.node, opposite(end.type, process.known.formalisms))
    below.connect(end)

    def sent() -> list[Any]:
        return [heard[1] for heard in below.heard if heard[0] == "send"]

    below.send("initialize", {"checkpoint": None})
    below.send("receive", sent()[-1])
    admit(guard.probe("Readers"), BOB)
    log = sent()
    below.send("receive", log[-1])
    probe.send("send", {"message": "once"})
    message = sent()[-1]
    below.send("initialize", {"checkpoint": None})
    for letter in (*log, message):
        below.send("receive", letter)
    for letter in sent()[len(log) + 1 :]:
        below.send("receive", letter)
    assert [heard[1] for heard in probe.heard if heard[0] == "receive"] == [{"message": "once"}]


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


def test_the_list_is_reported(process: Process) -> None:
    ann = Member(process, ANN)
    owner = ann.owner()
    admit(owner, BOB)
    shown = owner.heard[-1]
    assert shown[0] == "readers"
    assert [one["name"] for one in shown[1]["readers"]] == ["ann", "bob"]  # type: ignore[index]


def test_invalid_owner_keys_are_refused(process: Process) -> None:
    for text in ("", "xyz", "ab"):
        with pytest.raises(ReaderError, match="64 hexadecimal digits"):
            process.build(Guard, TEXT, TEXT, owners=text)
