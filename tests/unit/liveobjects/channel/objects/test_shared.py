"""The shared channel as an object: counters in several processes."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterator
from pathlib import Path

import pytest

from liven.liveobjects.channel.api.endpoints import ChannelService, CheckpointedClient
from liven.liveobjects.channel.objects.shared import SharedChannel
from liven.liveobjects.channel.session.session import ChannelSession
from liven.liveobjects.channel.session.typed_line import class_in
from liven.liveobjects.channel.store import Sync
from liven.liveobjects.channel.testing import Process, Processes
from liven.liveobjects.channel.testing.processes import Object
from liven.liveobjects.counter.object import CounterObject
from liven.liveobjects.shared_list.object import Line, ListObject
from liven.types.codec import Codec
from liven.types.declare import Dual, Int64, proxy
from liven.types.terms.value_types import Integer, OptionalOf

NAME = "home/f/counter"
NUMBER = Integer(-(2**63), 2**63 - 1)


@pytest.fixture
def processes(tmp_path: Path) -> Iterator[Processes]:
    with Processes() as made:
        yield made


def counter(process: Process, seed: str = "") -> Object:
    made = process.build(CounterObject)
    channel = process.build(SharedChannel, NUMBER, NUMBER, name=NAME, seed=seed)
    process.connect(made, "channel", channel, "Channel")
    return made


@proxy(id="7B0DAB5BB9C94D77A6D10C43C0F13EEB", alias="test:unasked-list")
class Unasked(ListObject):
    """A list that takes snapshots and is never asked for a checkpoint."""

    def checkpoint(self) -> list[Line]:
        raise AssertionError("the loop waits for a checkpoint")


def numbers(*counters: Object) -> list[int]:
    return [each.instance.value() for each in counters]


def test_all_members_reach_the_same_state(processes: Processes) -> None:
    counters = [counter(processes.process()) for _ in range(3)]
    processes.advance(3)
    for amount, each in enumerate(counters, 1):
        each.instance.add(amount)
    processes.advance(1)
    assert numbers(*counters) == [6, 6, 6]


def test_a_later_member_gets_the_state_and_what_follows(processes: Processes) -> None:
    first = counter(processes.process())
    processes.advance(3)
    first.instance.add(5)
    processes.advance(1)
    late = counter(processes.process())
    for _ in range(20):
        first.instance.add(1)
        processes.advance(0.1)
    processes.advance(3)
    late.instance.add(100)
    processes.advance(1)
    assert numbers(first, late) == [125, 125]


def shared_list(process: Process, cls: type = ListObject) -> Object:
    made = process.build(cls)
    kind = made.handle.endpoint("channel").type
    state = class_in(kind, "initialize", "checkpoint")
    assert isinstance(state, OptionalOf)
    channel = process.build(
        SharedChannel, class_in(kind, "receive", "message"), state.item, name="home/f/list"
    )
    process.connect(made, "channel", channel, "Channel")
    return made


def test_a_joiner_gets_the_state_of_the_moment_even_if_it_is_encoded_later(
    processes: Processes,
) -> None:
    first = shared_list(processes.process(), Unasked)
    processes.advance(3)
    keys = [first.instance.append(f"line {number}") for number in range(30)]
    processes.advance(1)
    late = shared_list(processes.process())
    for key in keys:
        first.instance.change(key, "changed")
        processes.advance(0.05)
    first.instance.drop(keys[0])
    processes.advance(4)
    assert late.instance.lines() == first.instance.lines()
    assert [line.text for line in late.instance.lines()] == ["changed"] * 29


def test_two_objects_of_one_process_are_one_replica(processes: Processes) -> None:
    process = processes.process()
    first = counter(process)
    processes.advance(3)
    first.instance.add(5)
    processes.advance(1)
    second = counter(process)
    second.instance.add(1)
    processes.advance(1)
    assert numbers(first, second) == [6, 6]


def test_the_state_is_back_after_all_left(tmp_path: Path) -> None:
    with Processes(tmp_path) as processes:
        counters = [counter(processes.process(name)) for name in ("ann", "bob")]
        processes.advance(3)
        for each in counters:
            each.instance.add(21)
        processes.advance(1)
        assert numbers(*counters) == [42, 42]
        for process in processes.processes:
            process.close()
            processes.advance(3)
    with Processes(tmp_path) as processes:
        counters = [counter(processes.process(name)) for name in ("bob", "ann")]
        processes.advance(5)
        assert numbers(*counters) == [42, 42]
        counters[0].instance.add(1)
        processes.advance(1)
        assert numbers(*counters) == [43, 43]


def test_the_last_member_sends_the_state_from_its_log_when_its_objects_are_gone(tmp_path: Path) -> None:
    with Processes(tmp_path) as processes:
        process = processes.process("ann")
        first = counter(process)
        processes.advance(3)
        for _ in range(3):
            first.instance.add(7)
        processes.advance(1)
        late = counter(processes.process("bob"))
        process.close()
        processes.advance(8)
        late.instance.add(1)
        processes.advance(1)
        assert numbers(late) == [22]


def test_a_returning_member_sends_its_state_to_one_without(tmp_path: Path) -> None:
    with Processes(tmp_path) as processes:
        first = counter(processes.process("ann"))
        processes.advance(3)
        for amount in range(50):
            first.instance.add(amount)
        processes.advance(1)
        processes.processes[0].close()
        processes.advance(3)
    with Processes(tmp_path) as processes:
        fresh = counter(processes.process("cy"))
        back = counter(processes.process("ann"))
        processes.advance(8)
        assert numbers(fresh, back) == [1225, 1225]


def seed(number: int) -> str:
    return b64encode(Codec(NUMBER).encode(number)).decode()


def test_a_seed_is_the_initial_state_and_ignored_once_there_is_a_history(tmp_path: Path) -> None:
    with Processes(tmp_path) as processes:
        first = counter(processes.process("ann"), seed(40))
        processes.advance(3)
        first.instance.add(1)
        late = counter(processes.process("bob"), seed(40))
        processes.advance(3)
        late.instance.add(1)
        processes.advance(1)
        assert numbers(first, late) == [42, 42]
        for process in processes.processes:
            process.close()
            processes.advance(3)
    with Processes(tmp_path) as processes:
        again = counter(processes.process("ann"), seed(40))
        processes.advance(5)
        assert numbers(again) == [42]


@pytest.mark.parametrize("broken", ["not base64!", "AAAA", b64encode(b"\xa1x").decode()])
def test_an_invalid_seed_is_refused_when_the_channel_is_built(processes: Processes, broken: str) -> None:
    with pytest.raises(Exception, match=r"the seed of home/f/counter is not a valid state"):
        counter(processes.process(), broken)


def test_operations_on_disk_are_acknowledged_without_further_events(tmp_path: Path) -> None:
    with Processes(tmp_path, Sync.SOON) as processes:
        process = processes.process("ann")
        first = counter(process)
        processes.advance(3)
        first.instance.add(5)
        processes.advance(0.15)
        room = process.system.shared(ChannelSession, NAME, lambda: pytest.fail("it is open"))
        assert room.unacknowledged == 1
        processes.advance(1)
        assert room.unacknowledged == 0


def test_operations_submitted_while_an_earlier_session_leaves_wait_on_disk(tmp_path: Path) -> None:
    with Processes(tmp_path) as processes:
        process, other = processes.process("ann"), processes.process("bob")
        first = counter(process)
        far = counter(other)
        processes.advance(3)
        first.close()
        again = process.build(CounterObject)
        channel = process.build(SharedChannel, NUMBER, NUMBER, name=NAME)
        process.connect(again, "channel", channel, "Channel")
        channel.instance.send(7)
        process.close()
        processes.advance(5)
        assert numbers(far) == [0]
        back = counter(process)
        processes.advance(5)
        assert numbers(far, back) == [7, 7]


@proxy(id="0A0B0C0D0E0F4000800000000000AA01", alias="test:touchy")
class Touchy:
    """A number that raises an error at thirteen."""

    channel: Dual[CheckpointedClient[Int64, Int64], ChannelService[Int64]]

    def __init__(self) -> None:
        self.number = 0

    def value(self) -> int:
        return self.number

    def initialize(self, checkpoint: int | None) -> None:
        self.number = checkpoint or 0

    def receive(self, message: int) -> None:
        if message == 13:
            raise ValueError("thirteen")
        self.number += message

    def checkpoint(self) -> int:
        return self.number


def test_an_object_that_raises_is_named_and_the_channel_goes_on_for_the_rest(processes: Processes) -> None:
    first, other = counter(processes.process("ann")), counter(processes.process("bob"))
    touchy_home = processes.process("cy")
    touchy = touchy_home.build(Touchy)
    channel = touchy_home.build(SharedChannel, NUMBER, NUMBER, name=NAME)
    touchy_home.connect(touchy, "channel", channel, "Channel")
    processes.advance(3)
    for amount in (1, 13, 2):
        first.instance.add(amount)
        processes.advance(0.5)
    assert numbers(first, other) == [16, 16]
    problem = processes.expect("thirteen")
    assert "cy" in str(problem)
    other.instance.add(1)
    processes.advance(1)
    assert numbers(first, other) == [17, 17]


def test_invalid_bytes_are_dropped_by_all_members(processes: Processes) -> None:
    members = [processes.process("ann"), processes.process("bob")]
    counters = [counter(process) for process in members]
    processes.advance(3)
    room = members[0].system.shared(ChannelSession, NAME, lambda: pytest.fail("it is open"))
    room.submit(b"\xa3abc")
    counters[1].instance.add(2)
    processes.advance(1)
    assert numbers(*counters) == [2, 2]
    for _ in members:
        processes.expect("an invalid message was dropped")


def test_channels_of_one_class_share_a_codec(processes: Processes) -> None:
    system = processes.process().system
    assert system.codec(NUMBER) is system.codec(Integer(-(2**63), 2**63 - 1))
    assert system.codec(NUMBER) is not system.codec(Integer(0, 10))
