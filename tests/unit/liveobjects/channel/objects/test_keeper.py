"""Keepers: replicas without objects, which are there when nobody else is."""

from __future__ import annotations

from pathlib import Path

import pytest

from liven.liveobjects.channel.objects.keeper import ChannelKeeper
from liven.liveobjects.channel.objects.shared import SharedChannel
from liven.liveobjects.channel.testing import Process, Processes
from liven.liveobjects.channel.testing.processes import Object
from liven.liveobjects.counter.object import CounterObject
from liven.runtime.errors import CallFailedError
from liven.types.terms.value_types import INT64, TEXT

NAME = "home/f/counter"


def counter(process: Process) -> Object:
    made = process.build(CounterObject)
    channel = process.build(SharedChannel, INT64, INT64, name=NAME)
    process.connect(made, "channel", channel, "Channel")
    return made


def keeper(process: Process) -> Object:
    return process.build(ChannelKeeper, name=NAME)


def test_all_leave_and_who_comes_with_nothing_gets_the_state_of_the_keeper(tmp_path: Path) -> None:
    with Processes(tmp_path) as house:
        made = counter(house.process("ann"))
        house.advance(3)
        made.instance.add(5)
        keeper(house.process("keeper"))
        house.advance(3)
        made.instance.add(2)
        house.advance(1)
        house.processes[0].close()
        house.advance(3)
        late = counter(house.process("zoe"))
        house.advance(3)
        late.instance.add(1)
        house.advance(1)
        assert late.instance.value() == 8


def test_a_keeper_has_it_over_a_restart_and_needs_nobody_for_it(tmp_path: Path) -> None:
    with Processes(tmp_path) as house:
        keeper(house.process("keeper"))
        made = counter(house.process("ann"))
        house.advance(4)
        for _ in range(4):
            made.instance.add(10)
        house.advance(1)
        for process in reversed(house.processes):
            process.close()
            house.advance(3)
    with Processes(tmp_path) as house:
        keeper(house.process("keeper"))
        house.advance(4)
        late = counter(house.process("zoe"))
        house.advance(4)
        assert late.instance.value() == 40


def test_a_long_log_is_replaced_by_the_state_of_another(tmp_path: Path) -> None:
    with Processes(tmp_path) as house:
        made = counter(house.process("ann"))
        keeping = house.process("keeper")
        keeper(keeping)
        house.advance(4)
        assert keeping.system.store is not None
        kept = keeping.system.store.open(NAME)
        most = 0
        for _ in range(30):
            for _ in range(100):
                made.instance.add(1)
                house.settle()
            house.advance(1)
            most = max(most, len(kept))
        house.advance(5)
        assert made.instance.value() == 3000
        assert len(kept) < 1500
        house.processes[0].close()
        house.advance(3)
        late = counter(house.process("zoe"))
        house.advance(4)
        assert late.instance.value() == 3000


def test_a_keeper_tells_whoever_comes_with_other_classes_that_it_is_wrong(tmp_path: Path) -> None:
    with Processes(tmp_path) as house:
        made = counter(house.process("ann"))
        keeper(house.process("keeper"))
        house.advance(3)
        made.instance.add(5)
        house.advance(1)
        house.processes[0].close()
        house.advance(3)
        stranger = house.process("eve")
        probe = stranger.build(SharedChannel, TEXT, TEXT, name=NAME).probe()
        house.advance(3)
        house.expect("carry other classes of values than this one")
        assert [heard[0] for heard in probe.heard] == ["connect", "disconnect"]
        right = counter(house.process("zoe"))
        house.advance(3)
        assert right.instance.value() == 5


def test_two_keepers_are_two_copies(tmp_path: Path) -> None:
    with Processes(tmp_path) as house:
        made = counter(house.process("ann"))
        for name in ("one", "two"):
            keeper(house.process(name))
        house.advance(4)
        made.instance.add(5)
        house.advance(1)
        house.processes[0].close()
        house.advance(3)
        house.processes[1].close()
        house.advance(3)
        late = counter(house.process("zoe"))
        house.advance(3)
        assert late.instance.value() == 5


@pytest.mark.parametrize("name", ["counter", "home/counter", "home/f/", "a/b/c/d"])
def test_what_names_no_channel_is_refused(tmp_path: Path, name: str) -> None:
    with Processes(tmp_path) as house, pytest.raises(CallFailedError, match="names no group"):
        house.process("keeper").build(ChannelKeeper, name=name)


def test_who_keeps_nothing_on_disk_cannot_keep() -> None:
    with Processes() as house, pytest.raises(CallFailedError, match="keeps nothing on disk"):
        house.process().build(ChannelKeeper, name=NAME)
