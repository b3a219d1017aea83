"""Listing the branches in a user's logs without the programs that wrote them."""

from __future__ import annotations

from pathlib import Path

import pytest

from liven.liveobjects.channel.branches.listing import HeldError, ListedBranch, discard, listed_branches
from liven.liveobjects.channel.objects.shared import SharedChannel
from liven.liveobjects.channel.store.folder_lock import lock_folder
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


def counted(root: Path, process: str, *steps: int) -> None:
    """Count in a program of this folder, which is alone."""
    with Processes(root) as processes:
        made = counter(processes.process(process))
        processes.advance(3)
        for step in steps:
            made.instance.add(step)
        processes.advance(1)
        processes.processes[0].close()
        processes.advance(3)


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """Return the logs of two programs that counted alone and then met. The second one's history lost."""
    counted(tmp_path, "0", 1, 1, 40)
    counted(tmp_path, "1", 5, 2)
    with Processes(tmp_path) as processes:
        for name in ("0", "1"):
            counter(processes.process(name))
        processes.advance(8)
        processes.expect("another history of this channel won")
        for process in processes.processes:
            process.close()
        processes.advance(3)
    return tmp_path


def only(root: Path) -> ListedBranch:
    (found,) = listed_branches(root)
    return found


def test_a_branch_is_found_in_the_log_of_a_program_that_ended(root: Path) -> None:
    found = only(root)
    assert found.name.startswith(NAME + "~")
    assert found == ListedBranch(NAME, found.name, 2, folded=False, held=False)


def test_a_branch_of_a_running_program_is_found_and_not_touched(root: Path) -> None:
    slot = lock_folder(root / "1")
    assert slot is not None
    found = only(root)
    assert found.held
    with pytest.raises(HeldError, match="running program has"):
        discard(root, NAME, found.name)
    slot.close()
    assert only(root).missing == 2


def test_a_discarded_branch_is_gone_and_the_channel_stays(root: Path) -> None:
    assert discard(root, NAME, only(root).name)
    assert listed_branches(root) == []
    with Processes(root) as processes:
        made = counter(processes.process("1"))
        processes.advance(8)
        assert made.instance.value() == 42


def test_a_missing_branch_cannot_be_discarded(root: Path) -> None:
    assert not discard(root, NAME, "home/f/counter~00000000")
    assert not discard(root, "home/f/other", only(root).name)
    assert only(root).missing == 2


def test_a_user_without_channels_has_no_branches(tmp_path: Path) -> None:
    assert listed_branches(tmp_path / "nowhere") == []
    (tmp_path / "7").write_text("no folder")
    (tmp_path / "other").mkdir()
    assert listed_branches(tmp_path) == []


def test_an_unreadable_branch_is_listed_with_the_reason(root: Path) -> None:
    name = only(root).name
    with Processes(root) as processes:
        store = processes.process("1").system.store
        assert store is not None
        store.open(name).start_over(b"\xc1 no state")
        processes.advance(1)
    found = only(root)
    assert (found.name, found.missing) == (name, 0)
    assert found.trouble
    assert discard(root, NAME, name)
