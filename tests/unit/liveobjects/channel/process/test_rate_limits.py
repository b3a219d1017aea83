"""One object sends a burst, then at a steady rate; the excess waits, then is refused, and nothing is lost."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from liven.liveobjects.channel.objects.group import GroupChannel
from liven.liveobjects.channel.objects.ordered import OrderedGroupChannel
from liven.liveobjects.channel.objects.shared import SharedChannel
from liven.liveobjects.channel.ordering import ChannelBusyError
from liven.liveobjects.channel.process.rate_limits import ObjectRates, RateGate, RateLimits
from liven.liveobjects.channel.testing import Processes
from liven.liveobjects.channel.testing.processes import Object
from liven.types.terms.value_types import TEXT

SMALL = RateLimits(1_000, 10_000, 10, 100)


class Clock:
    def __init__(self) -> None:
        self.at = 5.0

    def now(self) -> float:
        return self.at


def gate(limits: RateLimits = SMALL) -> tuple[Clock, RateGate]:
    clock = Clock()
    return clock, RateGate("home/a/b", limits, clock.now)


def test_a_burst_passes_and_then_the_steady_rate() -> None:
    clock, one = gate()
    assert [one.admit(b"x") for _ in range(100)] == [True] * 100
    assert one.admit(b"x") is False
    clock.at += 1
    assert one.due() == [b"x"]
    assert [one.admit(b"x") for _ in range(12)].count(True) in (8, 9, 10)


def test_bytes_count_as_well_as_messages() -> None:
    clock, one = gate()
    assert one.admit(b"x" * 9_999)
    assert one.admit(b"x" * 5_000)  # overdraws the budget once
    assert not one.admit(b"x")
    assert "1 kB a second and 10 messages a second" in one.limited
    assert one.full == ""  # there is room to wait
    clock.at += 4
    assert one.due() == []
    clock.at += 2
    assert one.due() == [b"x"]


def test_too_much_that_waits_is_refused_and_the_rest_is_kept() -> None:
    _, one = gate()
    with pytest.raises(ChannelBusyError, match="limit for one object"):
        for number in range(5_000):
            one.admit(str(number).encode())
    waiting = one.rest()
    assert waiting == [str(number).encode() for number in range(100, 1_100)]
    assert one.delay() is None


def test_a_rate_of_zero_is_no_limit() -> None:
    _, one = gate(RateLimits(0, 0, 0, 0))
    assert all(one.admit(b"x" * 1_000_000) for _ in range(100))
    assert one.full == one.limited == ""


def test_a_rate_of_almost_nothing_is_looked_at_every_minute() -> None:
    _, one = gate(RateLimits(1e-9, 1, 0, 0))
    assert one.admit(b"x" * 1_000_000)
    assert not one.admit(b"x")
    assert one.delay() == 60


def test_an_object_within_its_limits_is_never_called_limited() -> None:
    clock = Clock()
    rates = ObjectRates(SMALL, clock.now)
    one = rates.gate("home/a/b")
    one.admit(b"x")
    assert rates.limited("home/a/b") == ""
    while one.admit(b"x"):
        pass
    assert "limit for one object" in rates.limited("home/a/b")
    assert rates.limited("home/a/c") == ""
    clock.at += 60
    one.due()
    assert rates.limited("home/a/b") == ""


@pytest.fixture
def processes() -> Iterator[Processes]:
    with Processes() as made:
        yield made


def ends(processes: Processes, kind: type, *classes: Any) -> list[Object]:
    """Return an object with a small limit, and one that receives what it sends."""
    found = []
    for name in ("ann", "bob"):
        process = processes.process(name)
        process.system.rates = ObjectRates(SMALL, processes.crank.now)
        found.append(process.build(kind, *classes, name="home/f/notes"))
    return found


@pytest.mark.parametrize(
    ("kind", "classes"),
    [(SharedChannel, (TEXT, TEXT)), (OrderedGroupChannel, (TEXT,)), (GroupChannel, (TEXT,))],
)
def test_every_kind_of_channel_limits_an_object_and_delivers_everything_in_order(
    processes: Processes, kind: type, classes: tuple[Any, ...]
) -> None:
    sender, receiver = (one.probe() for one in ends(processes, kind, *classes))
    if kind is SharedChannel:
        for probe in (sender, receiver):
            probe.react(checkpoint=lambda: "")
    processes.advance(2)
    for number in range(300):
        sender.send("send", {"message": str(number)})
    processes.advance(0.1)
    early = received(receiver)
    assert 100 <= len(early) <= 110
    processes.advance(60)
    assert received(receiver) == [str(number) for number in range(300)]


def received(probe: Any) -> list[str]:
    return [values["message"] for name, *rest in probe.heard if name == "receive" for values in rest]


def test_what_waits_is_sent_when_the_object_ends(processes: Processes) -> None:
    objects = ends(processes, GroupChannel, TEXT)
    sender, receiver = (one.probe() for one in objects)
    processes.advance(2)
    for number in range(150):
        sender.send("send", {"message": str(number)})
    sender.close()
    objects[0].close()
    processes.advance(2)
    assert received(receiver) == [str(number) for number in range(150)]


def test_a_flood_is_one_problem_and_an_edit_is_refused_with_the_reason(processes: Processes) -> None:
    objects = ends(processes, OrderedGroupChannel, TEXT)
    sender = objects[0].probe()
    processes.advance(2)
    for number in range(3_000):
        sender.send("send", {"message": str(number)})
    processes.advance(0.1)
    problem = processes.expect("the limit for one object")
    assert "could not be sent" in problem.what
    assert not [one for one in processes.problems if "limit" in str(one)]


def test_objects_that_ask_for_room_hear_of_the_limit(processes: Processes) -> None:
    objects = ends(processes, SharedChannel, TEXT, TEXT)
    sender = objects[0].probe()
    sender.react(checkpoint=lambda: "")
    processes.advance(2)
    for number in range(590):
        sender.send("send", {"message": str(number)})
    context = objects[0].instance.context
    companion = context._proxy.endpoints["Channel"].payload
    assert companion.full() == ""
    for number in range(20):
        sender.send("send", {"message": str(number)})
    assert "the limit for one object" in companion.full()
    processes.advance(30)
    assert companion.full() == ""
