"""Objects with different states on a shared channel, and how they agree again."""

from __future__ import annotations

import uuid
from pathlib import Path
from typing import Any

import pytest

from liven.liveobjects.channel.objects.shared import SharedChannel
from liven.liveobjects.channel.ordering import OrderedChannel
from liven.liveobjects.channel.replica.disk.persistence import Persistence
from liven.liveobjects.channel.replica.disk.stored_history import packed_state, unpacked_state
from liven.liveobjects.channel.replica.state_position import Parcel
from liven.liveobjects.channel.session.session import ChannelSession
from liven.liveobjects.channel.store import Store
from liven.liveobjects.channel.testing import Process, Processes
from liven.liveobjects.channel.testing.processes import Object
from liven.liveobjects.counter.object import CounterFold, CounterObject
from liven.liveobjects.desktop.model import DesktopModel
from liven.liveobjects.desktop.wire import WIRE
from liven.liveobjects.shared_list.object import Append, Drop, Line, ListFold
from liven.liveobjects.text.model import Note, typed
from liven.liveobjects.text.object import TextFold
from liven.liveobjects.text.wire import packed
from liven.runtime.fold import ReplayedState
from liven.runtime.fold.state_proof import Fold, Packing
from liven.types.codec import Codec
from liven.types.terms.value_types import INT64

NAME = "home/f/counter"


def counter(process: Process) -> Object:
    made = process.build(CounterObject)
    channel = process.build(SharedChannel, INT64, INT64, name=NAME)
    process.connect(made, "channel", channel, "Channel")
    return made


def counters(processes: Processes, *names: str) -> list[Object]:
    made = [counter(processes.process(name)) for name in names]
    processes.advance(4)
    for each in made:
        each.instance.add(10)
    processes.advance(1)
    return made


def numbers(made: list[Object]) -> list[int]:
    return [each.instance.value() for each in made]


def err(made: Object) -> None:
    """Change the object so that it differs from its log."""
    made.instance.tally.number += 1000


def told(processes: Processes, text: str) -> int:
    return sum(text in problem.what for problem in processes.problems)


def forget_problems(processes: Processes) -> None:
    for process in processes.processes:
        process.problems.clear()


def test_a_member_that_differs_from_the_majority_is_named_and_takes_its_state(tmp_path: Path) -> None:
    with Processes(tmp_path) as processes:
        made = counters(processes, "ann", "bob", "cy")
        err(made[1])
        made[0].instance.add(1)
        processes.advance(1)
        assert numbers(made) == [31, 1031, 31]
        processes.advance(11)
        assert numbers(made) == [31, 31, 31]
        assert told(processes, "the state here differs from that of the others") == 1
        assert told(processes, "the state of member 2 differs from that of the others") == 2
        forget_problems(processes)
        made[1].instance.add(1)
        processes.advance(20)
        assert numbers(made) == [32, 32, 32]


@pytest.mark.parametrize("wrong", [0, 1, 2])
def test_a_member_with_another_order_rejoins_and_takes_the_majoritys(tmp_path: Path, wrong: int) -> None:
    with Processes(tmp_path) as processes:
        made = counters(processes, "ann", "bob", "cy")
        change_the_history(processes.processes[wrong])
        err(made[wrong])
        made[0].instance.add(1)
        processes.advance(12)
        made[wrong].instance.add(100)
        processes.advance(8)
        assert numbers(made) == [131, 131, 131]
        assert told(processes, "has another order of operations than this computer") >= 2
        alone = told(processes, "the others went on without this computer")
        assert alone + told(processes, "; the others go on with it") >= 1
        assert told(processes, "kept as") == 0, "nothing of it was confirmed"
        forget_problems(processes)
        made[wrong].instance.add(1)
        processes.advance(20)
        assert numbers(made) == [132, 132, 132]
        assert len({chain_of(each) for each in processes.processes}) == 1


def ordered_channel(process: Process) -> OrderedChannel:
    room = process.system.shared(ChannelSession, NAME, lambda: pytest.fail("there is none"))
    assert room._replica is not None
    return room._replica.channel


def change_the_history(process: Process) -> None:
    """Change the process's history so that it differs from that of the others."""
    past = ordered_channel(process)._member_state.past
    assert past is not None
    past.chain = bytes(16)


def chain_of(process: Process) -> bytes:
    return ordered_channel(process).position.chain


def test_the_corrected_state_is_on_disk(tmp_path: Path) -> None:
    with Processes(tmp_path) as processes:
        made = counters(processes, "ann", "bob", "cy")
        err(made[1])
        made[0].instance.add(1)
        processes.advance(12)
        forget_problems(processes)
        for process in processes.processes:
            process.close()
        processes.advance(3)
    with Processes(tmp_path) as processes:
        alone = counter(processes.process("bob"))
        processes.advance(8)
        assert alone.instance.value() == 31


def test_of_two_members_the_one_that_differs_from_its_log_is_wrong(tmp_path: Path) -> None:
    with Processes(tmp_path) as processes:
        made = counters(processes, "ann", "bob")
        err(made[0])
        made[1].instance.add(1)
        processes.advance(12)
        assert numbers(made) == [21, 21]
        assert told(processes, "none has a majority") == 2
        assert told(processes, "is kept as") == 0
        forget_problems(processes)


def test_two_states_that_agree_with_their_logs_both_survive(tmp_path: Path) -> None:
    with Processes(tmp_path) as processes:
        made = counters(processes, "ann", "bob")
        err(made[0])
        store = processes.processes[0].system.store
        assert store is not None
        _keep(store, made[0].instance.value())
        made[1].instance.add(1)
        processes.advance(12)
        assert len(set(numbers(made))) == 1
        problem = processes.expect("the previous state was kept as")
        assert [remedy.name for remedy in problem.remedies] == ["open", "discard"]
        forget_problems(processes)
        (branch,) = [kept for kept in processes.processes if "~" in str(_names(kept))]
        (name,) = [name for name in _names(branch) if "~" in name]
        kept = branch.build(CounterObject)
        channel = branch.build(SharedChannel, INT64, INT64, name=name)
        branch.connect(kept, "channel", channel, "Channel")
        processes.advance(8)
        assert {numbers(made)[0], kept.instance.value()} == {21, 1021}


def _names(process: Process) -> list[str]:
    assert process.system.store is not None
    return process.system.store.names()


def _keep(store: Store, value: int) -> None:
    """Write the wrong state to the log, as if the error had been there before a checkpoint."""
    channel = store.open(NAME)
    state_position, parcel = unpacked_state(channel.kept().checkpoint or b"")
    persistence = Persistence(channel, None)
    returned = persistence.returned
    assert returned is not None
    state_position.position, state_position.epochs, state_position.marks = (
        returned.tip,
        returned.epochs,
        returned.marks,
    )
    channel.start_over(packed_state(state_position, Parcel(Codec(INT64).encode_compact(value))))
    assert parcel.state is None


def test_an_object_that_differs_from_others_of_its_process_takes_their_state(tmp_path: Path) -> None:
    with Processes(tmp_path) as processes:
        made = counters(processes, "ann", "bob")
        made += [counter(processes.processes[1]) for _ in range(2)]
        processes.advance(1)
        err(made[3])
        made[0].instance.add(1)
        processes.advance(1)
        assert numbers(made) == [21, 21, 21, 1021]
        processes.advance(11)
        assert numbers(made) == [21, 21, 21, 21]
        assert told(processes, "the state of an object differs") == 1
        assert len(processes.problems) == 1
        forget_problems(processes)
        made[3].instance.add(1)
        processes.advance(1)
        assert numbers(made) == [22, 22, 22, 22]


@pytest.mark.parametrize("wrong", [0, 1])
def test_the_log_decides_between_two_objects_of_a_process(tmp_path: Path, wrong: int) -> None:
    with Processes(tmp_path) as processes:
        made = counters(processes, "ann")
        made.append(counter(processes.processes[0]))
        processes.advance(1)
        err(made[wrong])
        made[0].instance.add(1)
        processes.advance(12)
        assert numbers(made) == [11, 11]
        assert told(processes, "the state of an object differs") == 1
        forget_problems(processes)


def test_a_thousand_operations_are_compared_without_a_mark(tmp_path: Path) -> None:
    with Processes(tmp_path) as processes:
        made = counters(processes, "ann", "bob", "cy")
        err(made[2])
        for _ in range(1000):
            made[0].instance.add(1)
        processes.advance(6)
        assert numbers(made) == [1030, 1030, 1030]
        assert told(processes, "after 1000 operations") == 3
        forget_problems(processes)


def test_an_object_whose_digest_fails_is_reported_and_not_compared(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(_: CounterFold) -> bytes:
        raise RuntimeError("no digest today")

    with Processes(tmp_path) as processes:
        monkeypatch.setattr(CounterFold, "digest", fail)
        made = counters(processes, "ann", "bob")
        made[0].instance.add(1)
        processes.advance(12)
        assert numbers(made) == [21, 21]
        assert told(processes, "no digest today") == 2
        forget_problems(processes)


def test_an_idle_channel_compares_nothing(tmp_path: Path) -> None:
    with Processes(tmp_path) as processes:
        counters(processes, "ann", "bob")
        processes.advance(12)
        store = processes.processes[0].system.store
        assert store is not None
        before = len(store.open(NAME))
        processes.advance(100)
        assert len(store.open(NAME)) == before


def _note(*words: str) -> tuple[Note, list[bytes]]:
    sent: list[bytes] = []
    note = Note(sent.append)
    for word in words:
        note.edit("typing", typed(len(note.text), word))
    return note, sent


def _same(fold: type[Any], checkpoint: Any, before: list[Any], after: list[Any]) -> tuple[Fold, Fold]:
    whole, late = fold(), fold()
    whole.initialize(None)
    for message in (*before, *after):
        whole.receive(message)
    late.initialize(checkpoint)
    for message in after:
        late.receive(message)
    return whole, late


def test_counters_and_lists_have_one_digest_for_one_history() -> None:
    whole, late = _same(CounterFold, 5, [2, 3], [4])
    assert whole.digest() == late.digest() == b"9"
    lines = [Line(uuid.UUID(int=number), f"line {number}") for number in range(4)]
    before, after = [Append(line) for line in lines[:2]], [Append(lines[2]), Drop(lines[0].key)]
    one, other = _same(ListFold, lines[:2], before, after)
    assert one.digest() == other.digest()
    other.receive(Append(lines[3]))
    assert one.digest() != other.digest()


def test_a_note_has_one_digest_for_one_history_whatever_its_encoding() -> None:
    note, sent = _note("one ", "two ", "three")
    messages = [packed(update) for update in sent]
    whole, late = _same(TextFold, None, messages[:2], messages[2:])
    half = TextFold()
    half.initialize(None)
    for message in messages[:2]:
        half.receive(message)
    late.initialize(packed(half.document.whole()))
    assert whole.digest() != late.digest()
    late.receive(messages[2])
    late.receive(messages[2])  # a repeated edit changes nothing
    assert whole.digest() == late.digest()
    assert str(half.document) == "one two "
    assert note.text == "one two three"


def test_a_desktop_skips_operations_that_do_not_apply() -> None:
    plane, empty = (ReplayedState(DesktopModel(), WIRE.unpack, WIRE.gesture) for _ in range(2))
    plane.initialize(None)
    assert plane.digest() == empty.digest()


def test_a_packing_packs_the_state_that_it_was_given() -> None:
    assert Packing((1, 2), list).checkpoint() == [1, 2]
