"""Keepers: replicas without objects that remain when all others have left."""

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


def test_a_newcomer_gets_the_state_from_the_keeper_after_all_left(tmp_path: Path) -> None:
    with Processes(tmp_path) as processes:
        made = counter(processes.process("ann"))
        processes.advance(3)
        made.instance.add(5)
        keeper(processes.process("keeper"))
        processes.advance(3)
        made.instance.add(2)
        processes.advance(1)
        processes.processes[0].close()
        processes.advance(3)
        late = counter(processes.process("zoe"))
        processes.advance(3)
        late.instance.add(1)
        processes.advance(1)
        assert late.instance.value() == 8


def test_a_keeper_has_the_state_after_a_restart_on_its_own(tmp_path: Path) -> None:
    with Processes(tmp_path) as processes:
        keeper(processes.process("keeper"))
        made = counter(processes.process("ann"))
        processes.advance(4)
        for _ in range(4):
            made.instance.add(10)
        processes.advance(1)
        for process in reversed(processes.processes):
            process.close()
            processes.advance(3)
    with Processes(tmp_path) as processes:
        keeper(processes.process("keeper"))
        processes.advance(4)
        late = counter(processes.process("zoe"))
        processes.advance(4)
        assert late.instance.value() == 40


def test_a_long_log_is_replaced_by_the_state_of_another(tmp_path: Path) -> None:
    with Processes(tmp_path) as processes:
        made = counter(processes.process("ann"))
        persistence = processes.process("keeper")
        keeper(persistence)
        processes.advance(4)
        assert persistence.system.store is not None
        kept = persistence.system.store.open(NAME)
        most = 0
        for _ in range(30):
            for _ in range(100):
                made.instance.add(1)
                processes.settle()
            processes.advance(1)
            most = max(most, len(kept))
        processes.advance(5)
        assert made.instance.value() == 3000
        assert len(kept) < 1500
        processes.processes[0].close()
        processes.advance(3)
        late = counter(processes.process("zoe"))
        processes.advance(4)
        assert late.instance.value() == 3000


def test_a_keeper_refuses_members_with_other_classes(tmp_path: Path) -> None:
    with Processes(tmp_path) as processes:
        made = counter(processes.process("ann"))
        keeper(processes.process("keeper"))
        processes.advance(3)
        made.instance.add(5)
        processes.advance(1)
        processes.processes[0].close()
        processes.advance(3)
        stranger = processes.process("eve")
        probe = stranger.build(SharedChannel, TEXT, TEXT, name=NAME).probe()
        processes.advance(3)
        processes.expect("use other value classes than this one")
        assert [heard[0] for heard in probe.heard] == ["connect", "disconnect"]
        right = counter(processes.process("zoe"))
        processes.advance(3)
        assert right.instance.value() == 5


def test_two_keepers_are_two_copies(tmp_path: Path) -> None:
    with Processes(tmp_path) as processes:
        made = counter(processes.process("ann"))
        for name in ("one", "two"):
            keeper(processes.process(name))
        processes.advance(4)
        made.instance.add(5)
        processes.advance(1)
        processes.processes[0].close()
        processes.advance(3)
        processes.processes[1].close()
        processes.advance(3)
        late = counter(processes.process("zoe"))
        processes.advance(3)
        assert late.instance.value() == 5


@pytest.mark.parametrize("name", ["counter", "home/counter", "home/f/", "a/b/c/d"])
def test_an_invalid_channel_name_is_refused(tmp_path: Path, name: str) -> None:
    with Processes(tmp_path) as processes, pytest.raises(CallFailedError, match="is not a group name"):
        processes.process("keeper").build(ChannelKeeper, name=name)


def test_a_process_without_a_store_cannot_be_a_keeper() -> None:
    with Processes() as processes, pytest.raises(CallFailedError, match="stores nothing on disk"):
        processes.process().build(ChannelKeeper, name=NAME)
