"""A second object of a process on a shared channel gets the state, whichever object closes meanwhile."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from liven.liveobjects.channel.objects.shared import SharedChannel
from liven.liveobjects.channel.replica import Persistence
from liven.liveobjects.channel.session.session import ChannelSession
from liven.liveobjects.channel.testing import Process, Processes
from liven.liveobjects.channel.testing.processes import Object
from liven.liveobjects.counter.object import CounterObject
from liven.runtime.testing.immediate_workers import ImmediateWorkers
from liven.types.terms.value_types import Integer

NAME = "home/f/counter"
NUMBER = Integer(-(2**63), 2**63 - 1)


class Slow(ImmediateWorkers):
    """Workers that wait until the test releases them."""

    def __init__(self) -> None:
        super().__init__()
        self._waiting: list[Callable[[], object]] = []
        self.held = True

    def run(self, job: Callable[[], object]) -> None:
        if self.held:
            self._waiting.append(job)
        else:
            super().run(job)

    def go(self) -> None:
        """Run all waiting jobs, and later ones at once."""
        self.held = False
        jobs, self._waiting = self._waiting, []
        for job in jobs:
            super().run(job)


@pytest.fixture
def processes() -> Iterator[Processes]:
    with Processes() as made:
        yield made


def counter(process: Process) -> Object:
    made = process.build(CounterObject)
    process.connect(made, "channel", process.build(SharedChannel, NUMBER, NUMBER, name=NAME), "Channel")
    return made


def numbers(*counters: Object) -> list[int]:
    return [each.instance.value() for each in counters]


def with_five(processes: Processes, process: Process) -> Object:
    """Return a counter of a process, at five."""
    first = counter(process)
    processes.advance(3)
    first.instance.add(5)
    processes.advance(1)
    return first


def goes_on(processes: Processes, *counters: Object) -> None:
    """Check that each counter receives what any of them does."""
    before = numbers(*counters)
    for each in counters:
        each.instance.add(1)
    processes.advance(1)
    assert numbers(*counters) == [each + len(counters) for each in before]


def test_it_gets_the_state_even_if_the_giver_closes_first(tmp_path: Path) -> None:
    with Processes(tmp_path) as processes:
        process = processes.process("ann")
        first = with_five(processes, process)
        process.node.workers = slow = Slow()
        second = counter(process)
        processes.settle()
        assert numbers(second) == [0]
        first.close()
        processes.settle()
        assert numbers(second) == [5]
        slow.go()
        processes.advance(1)
        goes_on(processes, second)


def test_operations_during_the_wait_are_applied_once(tmp_path: Path) -> None:
    with Processes(tmp_path) as processes:
        process, far = processes.process("ann"), counter(processes.process("bob"))
        first = with_five(processes, process)
        process.node.workers = slow = Slow()
        second = counter(process)
        far.instance.add(20)
        first.instance.add(100)
        processes.advance(0.5)
        assert numbers(first, second) == [125, 0]
        first.close()
        processes.settle()
        assert numbers(second, far) == [125, 125]
        slow.go()
        goes_on(processes, second, far)


def test_another_object_of_the_process_gives_the_state(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Processes(tmp_path) as processes:
        process = processes.process("ann")
        first, other = with_five(processes, process), counter(process)
        processes.advance(1)
        monkeypatch.setattr(Persistence, "parcel", lambda _: pytest.fail("an object here has the state"))
        process.node.workers = slow = Slow()
        second = counter(process)
        first.close()
        other.instance.add(2)
        processes.advance(0.5)
        slow.go()
        processes.advance(0.5)
        assert numbers(second, other) == [7, 7]
        goes_on(processes, second, other)


def test_several_waiting_objects_all_get_the_state(tmp_path: Path) -> None:
    with Processes(tmp_path) as processes:
        process = processes.process("ann")
        first = with_five(processes, process)
        process.node.workers = slow = Slow()
        others = [counter(process) for _ in range(3)]
        first.close()
        processes.settle()
        slow.go()
        processes.advance(1)
        assert numbers(*others) == [5, 5, 5]
        goes_on(processes, *others)


def test_without_a_disk_another_replica_gives_the_state() -> None:
    with Processes() as processes:
        far, process = counter(processes.process("bob")), processes.process("ann")
        processes.advance(3)
        first = with_five(processes, process)
        process.node.workers = slow = Slow()
        second = counter(process)
        first.close()
        processes.advance(0.5)
        assert numbers(second, far) == [5, 5]
        slow.go()
        goes_on(processes, second, far)


def test_without_a_disk_and_other_members_it_begins_empty() -> None:
    with Processes() as processes:
        process = processes.process("ann")
        first = with_five(processes, process)
        process.node.workers = slow = Slow()
        second = counter(process)
        first.close()
        processes.advance(5)
        slow.go()
        processes.expect("all members with the state are gone")
        assert numbers(second) == [0]
        goes_on(processes, second)


def test_an_object_that_comes_before_the_first_has_begun_gets_the_state(
    processes: Processes, monkeypatch: pytest.MonkeyPatch
) -> None:
    begin = SharedChannel.begin

    def late(self: SharedChannel[int, int], state: bytes | None) -> None:
        self.begins = True
        self.context.call_later(0.5, lambda: begin(self, state))

    far, process = with_five(processes, processes.process("bob")), processes.process("ann")
    monkeypatch.setattr(SharedChannel, "begin", late)
    first = counter(process)
    processes.advance(0.3)
    second = counter(process)
    processes.advance(0.1)
    assert numbers(first, second) == [0, 0]
    processes.advance(1)
    assert numbers(first, second, far) == [5, 5, 5]
    goes_on(processes, first, second, far)


def test_an_object_waiting_for_another_to_begin_gets_the_state_when_that_closes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def never(self: SharedChannel[int, int], _: bytes | None) -> None:
        self.begins = True

    with Processes(tmp_path) as processes:
        far, process = with_five(processes, processes.process("bob")), processes.process("ann")
        with monkeypatch.context() as patch:
            patch.setattr(SharedChannel, "begin", never)
            first = counter(process)
            processes.advance(1)
            second = counter(process)
            processes.advance(1)
        assert numbers(second) == [0]
        first.close()
        processes.advance(1)
        assert numbers(second, far) == [5, 5]
        goes_on(processes, second, far)


def test_another_history_replaces_operations_that_waited_for_the_previous_state(
    tmp_path: Path,
) -> None:
    with Processes(tmp_path) as processes:
        process = processes.process("ann")
        first = with_five(processes, process)
        process.node.workers = slow = Slow()
        second = counter(process)
        first.instance.add(100)
        processes.settle()
        room = process.system.shared(ChannelSession, NAME, lambda: pytest.fail("it is open"))
        waiting = next(each for each in room.clients if not each.ready)
        waiting.begin(None)
        processes.settle()
        assert numbers(second) == [0], "what was done in the history before is not in this one"
        slow.go()
        processes.settle()
        assert numbers(second) == [0]
