"""A shared channel whose members receive broken or hostile states."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from liven.liveobjects.channel.objects.shared import SharedChannel
from liven.liveobjects.channel.replica import Replica, wire
from liven.liveobjects.channel.replica.state_position import Parcel
from liven.liveobjects.channel.replica.state_transfer.slices import EncodedState
from liven.liveobjects.channel.session.session import ChannelSession
from liven.liveobjects.channel.testing import Process, Processes
from liven.liveobjects.channel.testing.processes import Object
from liven.liveobjects.counter.object import CounterObject
from liven.types.codec import Codec
from liven.types.terms.value_types import TEXT, Integer

NAME = "home/f/counter"
NUMBER = Integer(-(2**63), 2**63 - 1)
REFUSED = "a received state was refused"


@pytest.fixture
def processes() -> Iterator[Processes]:
    with Processes() as made:
        yield made


def counter(process: Process) -> tuple[Object, SharedChannel[int, int]]:
    made, channel = process.build(CounterObject), process.build(SharedChannel, NUMBER, NUMBER, name=NAME)
    process.connect(made, "channel", channel, "Channel")
    return made, channel.instance


def replica_of(process: Process) -> Replica:
    found = process.system.shared(ChannelSession, NAME, lambda: pytest.fail("it is open"))._replica
    assert found is not None
    return found


def gives(state: bytes) -> Callable[[object], EncodedState]:
    return lambda _: EncodedState.of(Parcel(state))


@pytest.mark.parametrize(
    "state",
    [
        pytest.param(b"", id="nothing"),
        pytest.param(b"\xc1\xff\x00", id="noise"),
        pytest.param(Codec(TEXT).encode_compact("a text"), id="another class"),
        pytest.param(b"\x91" * 5000, id="a list in a list in a list"),
        pytest.param(b"\xdd\xff\xff\xff\xff", id="a list that says it is endless"),
        pytest.param(Codec(NUMBER).encode_compact(5) + b"\x00", id="more than a state"),
    ],
)
def test_an_invalid_state_is_refused_and_another_member_is_asked(processes: Processes, state: bytes) -> None:
    ann, hostile = counter(processes.process("ann"))
    processes.advance(3)
    ann.instance.add(5)
    bob, _ = counter(processes.process("bob"))
    processes.advance(3)
    hostile._encoded_state = gives(state)  # type: ignore[method-assign,assignment]
    late, _ = counter(processes.process("late"))
    processes.advance(5)
    assert [each.instance.value() for each in (ann, bob, late)] == [5, 5, 5]
    processes.expect(REFUSED)
    late.instance.add(1)
    processes.advance(1)
    assert [each.instance.value() for each in (ann, bob, late)] == [6, 6, 6]


def test_without_a_valid_state_the_object_waits_until_one_comes(
    processes: Processes,
) -> None:
    ann, hostile = counter(processes.process("ann"))
    processes.advance(3)
    ann.instance.add(5)
    honest = hostile._encoded_state
    hostile._encoded_state = gives(b"\xc1")  # type: ignore[method-assign,assignment]
    late, channel = counter(processes.process("late"))
    processes.advance(3)
    processes.advance(30)
    assert not channel.ready
    processes.expect(REFUSED)
    assert processes.problems == [], "it hears that once, and they are not asked without a pause"
    hostile._encoded_state = honest  # type: ignore[method-assign]
    processes.advance(10)
    assert channel.ready
    assert late.instance.value() == 5


def test_unrequested_slices_have_no_effect(processes: Processes) -> None:
    (ann, _), process = counter(processes.process("ann")), processes.process("bob")
    bob, _ = counter(process)
    processes.advance(3)
    ann.instance.add(5)
    processes.advance(1)
    attacked, attacker = replica_of(process), replica_of(processes.processes[0])
    me, other = attacked.channel.author, attacker.channel.author
    for serial in range(4):
        attacker._say(
            wire.Head(me, serial, attacker.state_position.position, 1 << 29, b"d" * 16),
            wire.Slice(me, serial, 0, b"x" * wire.SLICE_BYTES),
            wire.Slice(me, serial, 7, b""),
            wire.Declined(me, serial, "no"),
            wire.Grant(other, me, serial, 1 << 14),
            wire.Digest(b"?" * 16, 1 << 40, b"c" * 16, b"d"),
            wire.ReplayResult(b"?" * 16, 1 << 40, 2),
        )
    processes.advance(1)
    assert (ann.instance.value(), bob.instance.value()) == (5, 5)
    bob.instance.add(1)
    processes.advance(1)
    assert (ann.instance.value(), bob.instance.value()) == (6, 6)


def test_a_state_altered_in_transit_is_refused(processes: Processes, monkeypatch: pytest.MonkeyPatch) -> None:
    ann, _ = counter(processes.process("ann"))
    processes.advance(3)
    ann.instance.add(5)
    processes.advance(1)
    right = wire.encode

    def changed(message: wire.Message) -> bytes:
        if isinstance(message, wire.Slice) and message.serial == 1:
            message = wire.Slice(message.asker, 1, message.index, b"\x00" * len(message.payload))
        return right(message)

    monkeypatch.setattr(wire, "encode", changed)
    late, _ = counter(processes.process("late"))
    processes.advance(5)
    processes.expect(REFUSED)
    assert late.instance.value() == 5
