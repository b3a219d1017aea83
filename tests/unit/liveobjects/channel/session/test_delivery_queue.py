"""Large batches are delivered to an object over several turns: in order, completely, once."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from liven.liveobjects.channel.objects.shared import SharedChannel
from liven.liveobjects.channel.replica.state_position import Parcel
from liven.liveobjects.channel.session.delivery_queue import AT_ONCE, PIECE, DeliveryQueue, Question
from liven.liveobjects.channel.session.session import ChannelSession
from liven.liveobjects.channel.testing import Process, Processes
from liven.liveobjects.channel.testing.processes import Object
from liven.liveobjects.counter.object import CounterFold, CounterObject
from liven.runtime.objects.event_queue import PENDING_LIMIT
from liven.types.terms.value_types import Integer

NAME = "home/f/counter"
NUMBER = Integer(-(2**63), 2**63 - 1)
MANY = PENDING_LIMIT + 20_000


def counter(process: Process) -> tuple[Object, Object]:
    made, channel = process.build(CounterObject), process.build(SharedChannel, NUMBER, NUMBER, name=NAME)
    process.connect(made, "channel", channel, "Channel")
    return made, channel


def value(made: Object) -> int:
    number = made.instance.value()
    assert isinstance(number, int)
    return number


def digest_of(number: int) -> bytes:
    tally = CounterFold()
    tally.initialize(number)
    return tally.digest()


def filled(folder: Path, runs: int, count: int) -> None:
    """Leave a log with `runs` runs of `count` operations each."""
    with Processes(folder) as processes:
        made, _ = counter(processes.process("ann"))
        processes.advance(3)
        for _ in range(runs):
            for _ in range(count):
                made.instance.add(1)
            processes.advance(0.1)
        processes.advance(1)
        processes.processes[0].close()
        processes.advance(3)


class Waiting:
    """Ann's counter at 1, with another history of many operations about to be delivered to it."""

    def __init__(self, processes: Processes, count: int = MANY) -> None:
        self.processes = processes
        self.ann = processes.process("ann")
        self.made, self.channel = counter(self.ann)
        processes.advance(3)
        self.made.instance.add(1)
        processes.advance(1)
        codec = self.channel.instance._messages.codec
        self.one: bytes = codec.encode_compact(1)
        self.count = count

    @property
    def room(self) -> ChannelSession:
        room = self.channel.instance._session
        assert isinstance(room, ChannelSession)
        return room

    def begin(self) -> None:
        self.channel.instance.begin_again(Parcel(None, [self.one] * self.count))

    def turns(self, until: Callable[[], bool]) -> list[int]:
        """Return the value after each turn of the event loop."""
        seen = [value(self.made)]
        while not until():
            assert len(seen) < self.count, "no turn of the loop hands anything on"
            self.processes.crank.crank()
            seen.append(value(self.made))
        return seen


def test_a_batch_larger_than_the_event_queue_is_delivered_in_parts(tmp_path: Path) -> None:
    with Processes(tmp_path) as processes:
        waiting = Waiting(processes)
        waiting.begin()
        seen = waiting.turns(lambda: value(waiting.made) == MANY)
        steps = [after - before for before, after in pairwise(seen)]
        assert max([seen[0], *steps]) <= PIECE
        assert sum(1 for step in steps if step == 0) <= 10


def test_many_runs_after_a_state_are_delivered_in_parts(tmp_path: Path) -> None:
    with Processes(tmp_path) as processes:
        waiting = Waiting(processes)
        for _ in range(100):
            waiting.channel.instance.deliver([waiting.one] * 100, many=True)
        seen = waiting.turns(lambda: value(waiting.made) == 10_001)
        assert max(after - before for before, after in pairwise(seen)) <= PIECE


def test_a_long_log_is_delivered_whole_and_in_parts(tmp_path: Path) -> None:
    filled(tmp_path, 60, 100)
    with Processes(tmp_path) as processes:
        made, _ = counter(processes.process("ann"))
        seen = [0]
        while seen[-1] < 6_000:
            processes.crank.crank()
            seen.append(value(made))
            if processes.crank.timers.wanted() != float("-inf"):
                processes.crank._clock += 0.01
            assert processes.crank.now() < 10
        assert max(after - before for before, after in pairwise(seen)) <= PIECE


def test_a_small_batch_is_delivered_at_once(tmp_path: Path) -> None:
    with Processes(tmp_path) as processes:
        waiting = Waiting(processes, AT_ONCE)
        waiting.begin()
        assert value(waiting.made) == AT_ONCE


def test_operations_that_arrive_meanwhile_follow_without_delay(tmp_path: Path) -> None:
    with Processes(tmp_path) as processes:
        waiting = Waiting(processes, 5_000)
        waiting.begin()
        waiting.channel.instance.deliver([waiting.channel.instance._messages.codec.encode_compact(10)])
        assert value(waiting.made) == PIECE + 1
        assert len(waiting.channel.instance._backlog) == 5_000 - PIECE
        processes.settle()
        assert value(waiting.made) == 5_010
        assert waiting.channel.instance._backlog is None


def test_a_state_requested_meanwhile_is_that_of_its_place(tmp_path: Path) -> None:
    with Processes(tmp_path) as processes:
        waiting = Waiting(processes, 5_000)
        told: list[bytes | None] = []
        waiting.begin()
        able = waiting.room.asking.able()
        assert able is not None
        waiting.room.asking.ask(
            able, lambda state, _: told.append(None if state is None else state.parcel.state)
        )
        waiting.channel.instance.deliver([waiting.one])
        assert told == []
        processes.settle()
        states = waiting.channel.instance._states
        assert told == [states.encode_compact(5_000)]
        assert value(waiting.made) == 5_001


def test_a_digest_requested_meanwhile_is_that_of_its_place(tmp_path: Path) -> None:
    with Processes(tmp_path) as processes:
        waiting = Waiting(processes, 5_000)
        told: list[bytes] = []
        waiting.begin()
        waiting.channel.instance.report_digest(told.append)
        waiting.channel.instance.deliver([waiting.one])
        processes.settle()
        assert told == [digest_of(5_000)]


def test_a_member_that_joins_meanwhile_gets_everything(tmp_path: Path) -> None:
    with Processes(tmp_path) as processes:
        waiting = Waiting(processes, 5_000)
        waiting.begin()
        second, _ = counter(waiting.ann)
        processes.settle()
        assert (value(waiting.made), value(second)) == (5_000, 5_000)


def test_an_object_that_closes_meanwhile_is_not_waited_for(tmp_path: Path) -> None:
    with Processes(tmp_path) as processes:
        waiting = Waiting(processes, 5_000)
        proved: list[bytes] = []
        gone: list[str] = []
        waiting.begin()
        able = waiting.room.asking.able()
        assert able is not None
        waiting.room.asking.ask(able, lambda _, why: gone.append(why))
        waiting.channel.instance.report_digest(proved.append)
        processes.crank.crank()
        waiting.made.close()
        processes.advance(3)
        assert gone == ["the object that was asked was closed"]
        assert proved == [b""]


def test_the_log_is_complete_even_if_an_object_closes_meanwhile(tmp_path: Path) -> None:
    filled(tmp_path, 50, 100)
    for _ in range(2):
        with Processes(tmp_path) as processes:
            counter(processes.process("ann"))
            processes.advance(2.0)
            processes.processes[0].close()
            processes.advance(3)
    with Processes(tmp_path) as processes:
        made, _ = counter(processes.process("ann"))
        processes.advance(8)
        assert value(made) == 5_000


def test_another_history_replaces_undelivered_operations(tmp_path: Path) -> None:
    with Processes(tmp_path) as processes:
        waiting = Waiting(processes, 5_000)
        gone: list[bytes] = []
        waiting.begin()
        waiting.channel.instance.report_digest(gone.append)
        waiting.channel.instance.begin_again(Parcel(None, [waiting.one] * 7))
        assert gone == [b""]
        processes.settle()
        assert value(waiting.made) == 7


def test_marked_operations_are_dropped_only_if_the_state_comes() -> None:
    for comes in (True, False):
        backlog = DeliveryQueue([b"1", b"2"])
        backlog.mark()
        backlog.put([b"3"])
        if comes:
            backlog.drop_marked()
        else:
            backlog.unmark()
        assert backlog.take(10) == ([b"3"] if comes else [b"1", b"2", b"3"])


@given(st.lists(st.one_of(st.binary(max_size=2), st.just(None)), max_size=30), st.integers(1, 7))
def test_everything_is_delivered_in_order_whatever_the_parts(rows: list[bytes | None], most: int) -> None:
    backlog, seen = DeliveryQueue(), list[bytes | None]()
    for row in rows:
        if row is None:
            backlog.ask(Question(lambda: seen.append(None), lambda: pytest.fail("nothing was dropped")))
        else:
            backlog.put([row])
    while backlog:
        taken = backlog.take(most)
        assert len(taken) <= most
        seen += taken
        question = backlog.take_question()
        if question is not None:
            question.ask()
    assert seen == rows


def test_dropped_questions_are_reported_to_the_asker() -> None:
    told: list[str] = []
    backlog = DeliveryQueue([b"1"])
    backlog.ask(Question(lambda: told.append("asked"), lambda: told.append("dropped")))
    assert backlog.take_question() is None
    backlog.drop_all()
    assert told == ["dropped"]
    assert not backlog
