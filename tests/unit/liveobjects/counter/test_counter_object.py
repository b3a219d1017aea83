from __future__ import annotations

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from liven.liveobjects.counter.object import MOST, CounterObject
from liven.runtime.testing import Bench


def join(bench: Bench, channel: Any) -> Any:
    built = bench.build(CounterObject)
    channel.join(built.handle.endpoint("channel"))
    return built


def test_everybody_sees_the_number_also_a_late_joiner() -> None:
    with Bench() as bench:
        channel = bench.channel()
        ann, bob = join(bench, channel), join(bench, channel)
        probe = ann.probe("counter")
        probe.send("add", 5)
        bob.instance.add(-2)
        assert probe.heard == [("connect",), ("counted", 0), ("counted", 5), ("counted", 3)]
        assert probe.call("value").value() == 3
        assert join(bench, channel).instance.number == 3


def test_amounts_added_before_the_channel_is_ready_are_sent_later() -> None:
    with Bench() as bench:
        built = bench.build(CounterObject)
        built.instance.add(4)
        assert built.instance.number == 0
        channel = bench.channel()
        channel.join(built.handle.endpoint("channel"))
        assert built.instance.number == 4


def test_a_counter_without_a_channel_reports_it_instead_of_queueing_forever() -> None:
    with Bench() as bench:
        built = bench.build(CounterObject)
        for _ in range(1001):
            built.instance.add(1)
        assert "is not ready" in bench.problems.pop().what


@given(st.lists(st.integers(-MOST, MOST), max_size=20))
def test_no_replica_exceeds_the_limits_or_differs(amounts: list[int]) -> None:
    with Bench() as bench:
        channel = bench.channel()
        ann, bob = join(bench, channel), join(bench, channel)
        seen: list[int] = []
        ann.instance.watch(lambda: seen.append(ann.instance.number))
        for amount in amounts:
            ann.instance.add(amount)
        assert ann.instance.number == bob.instance.number
        assert all(abs(number) <= MOST for number in seen)
