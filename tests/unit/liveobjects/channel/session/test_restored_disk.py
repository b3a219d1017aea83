"""Data folders that were restored from a backup or copied: no operation is lost or repeated."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from liven.liveobjects.channel.objects.shared import SharedChannel
from liven.liveobjects.channel.testing import Process, Processes
from liven.liveobjects.channel.testing.processes import Object
from liven.liveobjects.counter.object import CounterObject
from liven.types.terms.value_types import Integer

NAME = "home/f/counter"
NUMBER = Integer(-(2**63), 2**63 - 1)


def counter(process: Process) -> Object:
    made = process.build(CounterObject)
    channel = process.build(SharedChannel, NUMBER, NUMBER, name=NAME)
    process.connect(made, "channel", channel, "Channel")
    return made


def press(made: Object, bits: range) -> None:
    """Add a power of two for each bit, so that the sum shows what is missing and what was counted twice."""
    for bit in bits:
        made.instance.add(1 << bit)


def copy(root: Path, name: str, to: str) -> None:
    """Replace a folder with a copy of another, as a person would with `cp -a`."""
    shutil.rmtree(root / to, ignore_errors=True)
    shutil.copytree(root / name, root / to)


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return tmp_path


@pytest.mark.parametrize("others", [True, False])
def test_a_restored_folder_loses_nothing_that_is_done_after_it(root: Path, others: bool) -> None:
    with Processes(root) as processes:
        bob = counter(processes.process("bob"))
        ann = counter(processes.process("ann"))
        processes.advance(3)
        press(ann, range(5))
        processes.advance(1)
        copy(root, "ann", "backup")
        processes.stop("ann")
        ann = counter(processes.process("ann"))
        processes.advance(8)
        press(ann, range(5, 15))
        processes.advance(1)
        processes.stop("ann")
        copy(root, "backup", "ann")
        if not others:
            processes.stop("bob")
        again = processes.process("ann")
        ann = counter(again)
        processes.advance(8)
        press(ann, range(15, 40))
        processes.advance(2)
        if not others:
            bob = counter(processes.process("bob"))
            processes.advance(8)
            processes.expect("another history of this channel won").remedies[1].do()
            processes.advance(2)
        assert ann.instance.value() == bob.instance.value() == (1 << 40) - 1


def test_programs_on_a_folder_and_its_copy_lose_nothing_of_each_other(root: Path) -> None:
    with Processes(root) as processes:
        bob = counter(processes.process("bob"))
        ann = counter(processes.process("ann"))
        processes.advance(3)
        press(ann, range(5))
        processes.advance(1)
        copy(root, "ann", "copy")
        press(ann, range(5, 10))
        processes.advance(1)
        carol = counter(processes.process("copy"))
        processes.advance(8)
        for step in range(10, 40, 2):
            press(ann, range(step, step + 1))
            press(carol, range(step + 1, step + 2))
            processes.advance(0.01)
        processes.advance(2)
        assert [each.instance.value() for each in (ann, bob, carol)] == [(1 << 40) - 1] * 3


def test_two_copies_bring_what_waited_in_the_original_once(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Processes(root) as processes:
        ann = counter(processes.process("ann"))
        processes.advance(3)
        press(ann, range(5))
        processes.advance(1)
        processes.stop("ann")
    with Processes(root) as cut_off:
        monkeypatch.setattr(cut_off.hub, "wake", lambda _: None)  # no view comes
        ann = counter(cut_off.process("ann"))
        cut_off.advance(8)
        press(ann, range(5, 10))
    copy(root, "ann", "copy")
    with Processes(root) as processes:
        ann, carol = counter(processes.process("ann")), counter(processes.process("copy"))
        processes.advance(8)
        press(ann, range(10, 12))
        press(carol, range(12, 14))
        processes.advance(2)
        assert [each.instance.value() for each in (ann, carol)] == [(1 << 14) - 1] * 2


def test_a_merged_branch_of_a_copy_lacks_nothing(root: Path) -> None:
    with Processes(root) as processes:
        ann = counter(processes.process("ann"))
        processes.advance(3)
        press(ann, range(5))
        processes.advance(1)
        processes.stop("ann")
    copy(root, "ann", "copy")
    for name, bits in (("ann", range(5, 20)), ("copy", range(20, 30))):
        with Processes(root) as processes:
            press(counter(processes.process(name)), bits)
            processes.advance(8)
    with Processes(root) as processes:
        ann, carol = (counter(processes.process(name)) for name in ("ann", "copy"))
        processes.advance(8)
        processes.expect("another history of this channel won").remedies[1].do()
        processes.advance(2)
        assert [each.instance.value() for each in (ann, carol)] == [(1 << 30) - 1] * 2
