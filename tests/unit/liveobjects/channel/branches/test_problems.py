"""Branches as people see them: reported once, opened, merged by one member, discarded."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import msgpack  # type: ignore[import-untyped]  # it has no stubs
import pytest

from liven.liveobjects.channel.api.recipes import channel_reference
from liven.liveobjects.channel.branches.problems import BranchProblems, on_branch
from liven.liveobjects.channel.objects.shared import SharedChannel
from liven.liveobjects.channel.ordering import ChannelBusyError
from liven.liveobjects.channel.replica.comparison.schedule import MARK_AFTER
from liven.liveobjects.channel.replica.control_operations import Claims, Settles, encode
from liven.liveobjects.channel.replica.disk.kept_branches import Branches
from liven.liveobjects.channel.testing import BreakableStore, Process, Processes
from liven.liveobjects.channel.testing.processes import Object
from liven.liveobjects.counter.object import CounterObject
from liven.runtime.problems import Problem
from liven.runtime.reference.model import Component, Composite, Parameter, Plain, Reference
from liven.types.terms.value_types import Integer

NAME = "home/f/counter"
NUMBER = Integer(-(2**63), 2**63 - 1)


def counter(process: Process, name: str = NAME) -> tuple[Object, Object]:
    made = process.build(CounterObject)
    channel = process.build(SharedChannel, NUMBER, NUMBER, name=name)
    process.connect(made, "channel", channel, "Channel")
    return made, channel


def recovered(channel: Object) -> BranchProblems:
    found = channel.instance.recovered
    assert isinstance(found, BranchProblems)
    return found


def problem(processes: Processes) -> Problem:
    return processes.expect("another history of this channel won")


class Reunion:
    """Ann counted to 42 alone, and Bob to 7 in two steps. Now both are connected, and Ann's longer history
    won."""

    def __init__(self, folder: Path, *, after: float = 1.0) -> None:
        self.folder = folder
        for name, steps in (("ann", [1, 1, 40]), ("bob", [5, 2])):
            with Processes(folder) as processes:
                made, _ = counter(processes.process(name))
                processes.advance(3)
                for step in steps:
                    made.instance.add(step)
                processes.advance(after)
                processes.processes[0].close()
                processes.advance(3)
        self.processes = Processes(folder)
        pairs = [counter(self.processes.process(name)) for name in ("ann", "bob")]
        self.counters = [made for made, _ in pairs]
        self.channels = [channel for _, channel in pairs]
        self.processes.advance(8)

    @property
    def numbers(self) -> list[int]:
        return [made.instance.value() for made in self.counters]


@pytest.fixture
def reunion(tmp_path: Path) -> Iterator[Reunion]:
    made = Reunion(tmp_path)
    yield made
    made.processes.close()


def test_a_losing_history_is_one_problem_with_three_actions(reunion: Reunion) -> None:
    assert reunion.numbers == [42, 42]
    told = problem(reunion.processes)
    assert [remedy.name for remedy in told.remedies] == ["open", "merge its 2 operations", "discard"]
    assert "2 confirmed operations" in told.what
    assert reunion.processes.problems == []
    assert recovered(reunion.channels[0]).names == []
    (name,) = recovered(reunion.channels[1]).names
    assert name.startswith(NAME + "~")


def test_control_operations_do_not_count_as_operations_of_a_branch(tmp_path: Path) -> None:
    made = Reunion(tmp_path, after=MARK_AFTER + 5.0)  # states were compared at a mark
    told = problem(made.processes)
    assert told.remedies[1].name == "merge its 2 operations"
    told.remedies[1].do()
    made.processes.advance(2)
    assert made.numbers == [49, 49]
    made.processes.close()


def test_a_merged_branch_is_gone_for_all(reunion: Reunion) -> None:
    problem(reunion.processes).remedies[1].do()
    reunion.processes.advance(2)
    assert reunion.numbers == [49, 49]
    assert recovered(reunion.channels[1]).names == []
    store = reunion.processes.processes[1].system.store
    assert store is not None
    assert not [name for name in store.names() if "~" in name]


def test_merging_twice_merges_once_and_reports_it(reunion: Reunion) -> None:
    merge = problem(reunion.processes).remedies[1]
    merge.do()
    merge.do()
    reunion.processes.advance(2)
    assert reunion.numbers == [49, 49]
    merge.do()
    reunion.processes.expect("no branch")


def refusing(submit: Callable[[bytes], object], refused: set[int]) -> Callable[[bytes], object]:
    """Return a channel that refuses the operations submitted at these places."""
    places = iter(range(100))

    def submits(payload: bytes) -> object:
        if next(places) in refused:
            raise ChannelBusyError("it is full")
        return submit(payload)

    return submits


@pytest.mark.parametrize(("refused", "stands_at"), [(1, 42), (2, 47), (3, 49)])
def test_a_merge_stopped_by_a_full_channel_continues_when_asked_again(
    reunion: Reunion, refused: int, stands_at: int
) -> None:
    merge = problem(reunion.processes).remedies[1]
    branches = recovered(reunion.channels[1])
    (name,) = branches.names
    branches._submit = refusing(branches._submit, {refused})
    merge.do()
    reunion.processes.advance(2)
    reunion.processes.expect("a branch was merged only in part: it is full")
    assert reunion.numbers == [stands_at, stands_at]
    assert branches.names == [name]
    assert branches.is_left(name)
    merge.do()
    reunion.processes.advance(2)
    assert reunion.numbers == [49, 49]
    assert branches.names == []
    assert not branches.is_left(name)


def test_of_two_members_with_the_same_branch_the_first_to_claim_merges_it(tmp_path: Path) -> None:
    with Processes(tmp_path) as processes:  # two were together in the losing history
        pairs = [counter(processes.process(name)) for name in ("bob", "cy")]
        processes.advance(3)
        for made, _ in pairs:
            made.instance.add(5)
        processes.advance(1)
        for process in processes.processes:
            process.close()
        processes.advance(3)
    with Processes(tmp_path) as processes:
        ann, _ = counter(processes.process("ann"))
        processes.advance(3)
        for _ in range(4):
            ann.instance.add(1)
        processes.advance(1)
        processes.processes[0].close()
        processes.advance(3)
    with Processes(tmp_path) as processes:
        pairs = [counter(processes.process(name)) for name in ("ann", "bob", "cy")]
        processes.advance(8)
        told = [problem(processes), problem(processes)]
        for each in told:
            each.remedies[1].do()
        processes.advance(2)
        assert [made.instance.value() for made, _ in pairs] == [14, 14, 14]
        assert [recovered(channel).names for _, channel in pairs] == [[], [], []]


def test_only_the_claimant_can_settle_a_branch(reunion: Reunion) -> None:
    merge = problem(reunion.processes).remedies[1]
    (name,) = recovered(reunion.channels[1]).names
    recovered(reunion.channels[0])._submit(encode(Settles(name)))
    reunion.processes.advance(2)
    reunion.processes.expect("did not claim")
    assert recovered(reunion.channels[1]).names == [name]
    merge.do()
    reunion.processes.advance(2)
    assert reunion.numbers == [49, 49]
    assert recovered(reunion.channels[1]).names == []


def test_a_claimant_that_was_away_can_still_settle_its_branch(reunion: Reunion) -> None:
    problem(reunion.processes)
    ann, bob = (recovered(channel) for channel in reunion.channels)
    (name,) = bob.names
    ann._submit(encode(Claims(name)))
    reunion.processes.advance(2)
    bob.only(set())
    ann._submit(encode(Settles(name)))
    reunion.processes.advance(2)
    assert bob.names == []


def test_discarding_a_branch_keeps_the_present_state(reunion: Reunion) -> None:
    problem(reunion.processes).remedies[2].do()
    reunion.processes.advance(1)
    assert reunion.numbers == [42, 42]
    assert recovered(reunion.channels[1]).names == []


def test_an_undecided_branch_is_reported_again_after_a_restart(tmp_path: Path) -> None:
    first = Reunion(tmp_path)
    problem(first.processes)
    for process in first.processes.processes:
        process.close()
        first.processes.advance(3)
    first.processes.close()
    with Processes(tmp_path) as processes:
        counter(processes.process("bob"))
        processes.advance(8)
        assert problem(processes).remedies[1].name == "merge its 2 operations"


def test_of_very_many_branches_only_the_newest_are_reported(tmp_path: Path) -> None:
    store = BreakableStore(tmp_path).open()
    names = [f"{NAME}~{number:08x}" for number in range(1001)]
    store.open(NAME).note(branches=msgpack.packb(names))
    problems: list[Problem] = []
    branches = Branches(store.open(NAME), store.open)
    BranchProblems(NAME, branches, lambda _: None, problems.append, lambda: None, lambda _: False).tell_all()
    assert [name in str(each) for name, each in zip(names[-100:], problems, strict=False)] == [True] * 100
    assert [each.what for each in problems[100:]] == ["901 older branches of this channel exist, too"]
    branches.forget(names[7])
    assert branches.names == [name for name in names if name != names[7]]
    store.close()


def test_a_branch_is_a_channel_with_its_last_state(reunion: Reunion) -> None:
    shown: list[tuple[str, str]] = []
    bob = reunion.processes.processes[1]
    told = problem(reunion.processes)
    told.remedies[0].do()
    reunion.processes.expect("this program cannot show objects")
    bob.system.viewer = lambda channel, branch: shown.append((channel, branch))
    told.remedies[0].do()
    ((channel, branch),) = shown
    assert channel == NAME
    made, _ = counter(bob, branch)
    reunion.processes.advance(8)
    assert made.instance.value() == 7
    assert reunion.numbers == [42, 42]


def test_a_branch_that_is_open_is_neither_merged_nor_discarded_until_it_is_closed(reunion: Reunion) -> None:
    bob, merge, discard = reunion.processes.processes[1], *problem(reunion.processes).remedies[1:]
    (name,) = recovered(reunion.channels[1]).names
    made, channel = counter(bob, name)
    reunion.processes.advance(8)
    made.instance.add(100)
    reunion.processes.advance(1)
    for remedy in (merge, discard):
        remedy.do()
        reunion.processes.advance(2)
        reunion.processes.expect("is open on this computer")
        assert recovered(reunion.channels[1]).names == [name]
    assert (made.instance.value(), reunion.numbers) == (107, [42, 42])
    channel.instance.on_end()
    reunion.processes.advance(8)
    merge.do()
    reunion.processes.advance(2)
    assert reunion.numbers == [149, 149]
    assert recovered(reunion.channels[1]).names == []


def test_a_branch_that_is_opened_while_it_is_merged_is_kept(reunion: Reunion) -> None:
    problem(reunion.processes).remedies[1].do()
    (name,) = recovered(reunion.channels[1]).names
    counter(reunion.processes.processes[1], name)
    reunion.processes.advance(8)
    reunion.processes.expect("is merged, but it is open on this computer")
    assert reunion.numbers == [49, 49]
    assert recovered(reunion.channels[1]).names == [name]


def test_a_recipe_is_moved_to_a_branch_however_it_names_its_channel() -> None:
    direct = channel_reference("home/f/notes")
    found = Reference("notes", source=Reference("liven:communication"))
    other = Reference("liven:text", (Parameter("title", Plain("string", "notes")),))
    whole = Composite(components=(Component("a", direct), Component("b", found), Component("c", other)))
    moved = on_branch(whole, "home/f/notes", "home/f/notes~ab")
    assert isinstance(moved, Composite)
    assert moved.components[0].object == channel_reference("home/f/notes~ab")
    assert moved.components[1].object.id == "notes~ab"
    assert moved.components[2].object == other
