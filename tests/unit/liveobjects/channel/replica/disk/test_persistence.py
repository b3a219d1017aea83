"""A replica's disk gives back what was stored, after any kind of end."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from liven.liveobjects.channel.history import FIRST_OWN, Epoch, MalformedError, Operation, Session
from liven.liveobjects.channel.history.inheritance import VOID, wrapped
from liven.liveobjects.channel.history.position import BEGINNING
from liven.liveobjects.channel.ordering import OrderedChannel, Run
from liven.liveobjects.channel.ordering.operations.delivered_log import DeliveredLog
from liven.liveobjects.channel.replica.control_operations import for_objects
from liven.liveobjects.channel.replica.disk.own_operations import StoredOwnOperations
from liven.liveobjects.channel.replica.disk.persistence import Persistence
from liven.liveobjects.channel.replica.disk.stored_history import packed_state, unpacked_state
from liven.liveobjects.channel.replica.state_position import Parcel, StatePosition
from liven.liveobjects.channel.simulation.disk import SimulatedStorage
from liven.liveobjects.channel.simulation.network import World
from liven.liveobjects.channel.store import Store
from liven.liveobjects.channel.testing import BreakableStore

NAME = "home/f/kept"
MAIN = Epoch(b"m" * 16, BEGINNING, True)


@pytest.fixture
def breakable(tmp_path: Path) -> Iterator[BreakableStore]:
    made = BreakableStore(tmp_path)
    yield made
    made.crash()


def opened(store: Store) -> Persistence:
    return Persistence(store.open(NAME), store.open)


def written(persistence: Persistence, *payloads: bytes, past: DeliveredLog | None = None) -> list[Run]:
    """Write runs of one operation each, by the replica's own author, after an empty beginning."""
    persistence.start_over(StatePosition(), Parcel(None), lambda _: None)
    past = past or DeliveredLog(epochs=(MAIN,))
    runs = [
        past.add(persistence.author, number, [payload]) for number, payload in enumerate(payloads, FIRST_OWN)
    ]
    for run in runs:
        persistence.add(run, MAIN, lambda _: None)
    return runs


def own(author: bytes, *numbers: int) -> list[Operation]:
    return [Operation(author, FIRST_OWN - 1 + number, b"%d" % number) for number in numbers]


def enter(persistence: Persistence, *numbers: int) -> None:
    persistence.journal.enter(own(persistence.author, *numbers), FIRST_OWN - 1 + numbers[-1])


def test_an_empty_disk_gives_nothing(breakable: BreakableStore) -> None:
    persistence = opened(breakable.open())
    assert persistence.returned is None
    assert persistence.trouble == ""


def test_every_start_is_a_life_of_its_own(breakable: BreakableStore) -> None:
    first = opened(breakable.open())
    written(first, b"1")
    second, third = (opened(breakable.again()) for _ in range(2))
    assert len({first.author, second.author, third.author}) == 3
    assert second.lives == (first.author, second.author)


def test_the_disk_knows_that_what_leaves_the_journal_is_stable(breakable: BreakableStore) -> None:
    """After a kill, a history that loses becomes a branch only if something in it is known to be stable."""
    first = opened(breakable.open())
    written(first, b"1")
    enter(first, 1)
    first.stable(1)
    first.settle([], FIRST_OWN)
    again = opened(breakable.again())
    assert again.returned is not None
    assert again.returned.stable.number == 1
    assert again.inherited == []


def test_another_history_has_its_own_stable_part(breakable: BreakableStore) -> None:
    first = opened(breakable.open())
    written(first, b"1", b"2")
    first.stable(2)
    first.leave()
    second = opened(breakable.again())
    written(second, b"other", b"history")
    third = opened(breakable.again())
    assert third.returned is not None
    assert third.returned.stable.number == 0
    assert [each.payload for each in third.inherited if each.author == second.author] == [
        b"other",
        b"history",
    ]


def test_a_replica_keeps_its_vote_only_with_its_history(breakable: BreakableStore) -> None:
    nameless = opened(breakable.open()).voter
    second = opened(breakable.again())
    assert second.voter != nameless
    written(second, b"1")
    assert opened(breakable.again()).voter == second.voter


def test_a_copied_folder_votes_as_somebody_else_who_was_the_first(breakable: BreakableStore) -> None:
    first = opened(breakable.open())
    written(first, b"1")
    first.sessions(Session(1, (first.voter.identity,)), (), lambda _: None)
    breakable.crash()
    moved = breakable.folder.with_name("copy")
    shutil.copytree(breakable.folder, moved)
    shutil.rmtree(breakable.folder)
    moved.rename(breakable.folder)
    copy = opened(breakable.open())
    assert copy.voter.identity != first.voter.identity
    assert copy.voter.formerly == (first.voter.identity,)
    assert copy.inherited == own(first.author, 1)
    again = opened(breakable.again())
    assert again.voter == copy.voter, "its place is where it is now"


def test_another_copy_of_a_copy_is_still_formerly_the_first(breakable: BreakableStore) -> None:
    first = opened(breakable.open())
    written(first, b"1")
    first.sessions(Session(1, (first.voter.identity,)), (), lambda _: None)
    again = opened(breakable.again())
    again.become_another_voter()
    second = again.voter.identity
    again.become_another_voter()
    assert again.voter.formerly == (second, first.voter.identity)
    assert opened(breakable.again()).voter == again.voter


def test_all_operations_and_positions_come_back(breakable: BreakableStore) -> None:
    persistence = opened(breakable.open())
    runs = written(persistence, b"1", b"2", b"3")
    found = opened(breakable.again())
    assert found.returned is not None
    assert found.returned.tip.number == 3
    assert found.returned.tip.chain == runs[-1].chains[-1]
    assert found.returned.marks == {persistence.author: FIRST_OWN + 2}
    assert found.chain_at(2) == runs[1].chains[-1]
    assert found.found is not None
    assert [run.payloads for run, _ in found.found.runs] == [[b"1"], [b"2"], [b"3"]]


def test_a_checkpoint_replaces_what_it_covers(breakable: BreakableStore) -> None:
    persistence = opened(breakable.open())
    past = DeliveredLog(epochs=(MAIN,))
    runs = written(persistence, b"1", b"2", past=past)
    state_position = StatePosition()
    for run in runs:
        state_position.add(run, MAIN)
    persistence.begin_checkpoint()
    persistence.add(past.add(persistence.author, FIRST_OWN + 2, [b"3"]), MAIN, lambda _: None)
    persistence.checkpoint(state_position, Parcel(b"1 2").packed(), lambda _: None)
    found = opened(breakable.again())
    assert found.found is not None
    assert found.found.parcel == Parcel(b"1 2")
    assert [run.payloads for run, _ in found.found.runs] == [[b"3"]]
    assert found.returned is not None
    assert found.returned.tip.number == 3


def test_sessions_and_operations_without_a_place_are_stored(breakable: BreakableStore) -> None:
    persistence = opened(breakable.open())
    written(persistence, b"1")
    sessions = Session(3, (persistence.author,)), (Session(4, (persistence.author, b"o" * 16)),)
    persistence.sessions(*sessions, lambda _: None)
    persistence.stable(1)
    enter(persistence, 2, 3)
    persistence.leave()
    found = opened(breakable.again())
    assert found.returned is not None
    assert (found.returned.stable_session, found.returned.attempts) == sessions
    assert found.returned.stable.number == 1
    assert found.inherited == own(persistence.author, 2, 3)
    assert found.journal.last == FIRST_OWN - 1, "they need not be written again"


def test_operations_that_are_not_known_to_be_stable_come_back_with_their_identities(
    breakable: BreakableStore,
) -> None:
    persistence = opened(breakable.open())
    written(persistence, b"1", b"2", b"3")
    enter(persistence, 2, 3, 4)
    again = opened(breakable.again())
    assert again.inherited == own(persistence.author, 1, 2, 3, 4)
    assert again.journal.last == 0, "the first is only in the log, which may be cut"
    again = opened(breakable.again())
    again.stable(2)
    again.leave()
    assert opened(breakable.again()).inherited == own(persistence.author, 3, 4)


def test_operations_that_a_life_inherited_keep_their_first_identity(breakable: BreakableStore) -> None:
    persistence = opened(breakable.open())
    written(persistence, b"1")
    enter(persistence, 2)
    second = opened(breakable.again())
    channel = OrderedChannel(second.author, returned=second.returned, inherited=second.inherited)
    channel.submit(b"3")
    StoredOwnOperations(channel, second).store()
    third = opened(breakable.again())
    assert third.inherited == [*own(persistence.author, 1, 2), Operation(second.author, FIRST_OWN, b"3")]
    assert third.lives == (persistence.author, second.author, third.author)


def test_an_inherited_operation_that_got_its_place_is_known_there(breakable: BreakableStore) -> None:
    persistence = opened(breakable.open())
    past = DeliveredLog(epochs=(MAIN,))
    written(persistence, b"1", past=past)
    enter(persistence, 2)
    second = opened(breakable.again())
    run = past.add(second.author, 1, [wrapped(each) for each in own(persistence.author, 1, 2)])
    assert run.taken == [VOID, b"2"]
    second.add(run, MAIN, lambda _: None)
    second.stable(3)
    second.leave()
    third = opened(breakable.again())
    assert third.inherited == []
    assert third.found is not None
    assert [run.taken for run, _ in third.found.runs] == [[b"1"], [VOID, b"2"]]
    found = third.parcel()
    assert found is not None
    assert for_objects(found[1].after) == [b"1", b"2"]


def test_a_copy_leaves_to_the_original_what_it_submits_afterwards(breakable: BreakableStore) -> None:
    """A copy stores the original's later operations only in its log, which a checkpoint cuts. If it submitted
    those after the cut, a history would take those before it for known, and they would be lost."""
    original = opened(breakable.open())
    past = DeliveredLog(epochs=(MAIN,))
    state_position = StatePosition()
    for run in written(original, b"1", past=past):
        state_position.add(run, MAIN)
    copy = opened(breakable.again())
    copy.journal.enter(copy.inherited, FIRST_OWN - 1)
    first = past.add(original.author, FIRST_OWN + 1, [b"2"])
    copy.add(first, MAIN, lambda _: None)
    state_position.add(first, MAIN)
    copy.begin_checkpoint()
    copy.checkpoint(state_position, Parcel(b"1 2").packed(), lambda _: None)
    copy.add(past.add(original.author, FIRST_OWN + 2, [b"3"]), MAIN, lambda _: None)
    assert opened(breakable.again()).inherited == own(original.author, 1)


def test_operations_covered_by_a_checkpoint_need_not_be_stable(breakable: BreakableStore) -> None:
    persistence = opened(breakable.open())
    state_position = StatePosition()
    for run in written(persistence, b"1", b"2"):
        state_position.add(run, MAIN)
    persistence.stable(1)
    enter(persistence, 1, 2)
    persistence.begin_checkpoint()
    persistence.checkpoint(state_position, Parcel(b"1 2").packed(), lambda _: None)
    persistence.leave()
    assert opened(breakable.again()).inherited == own(persistence.author, 1, 2)


def test_a_replica_that_lost_its_history_submits_what_waited(breakable: BreakableStore) -> None:
    persistence = opened(breakable.open())
    enter(persistence, 1, 2)
    again = opened(breakable.again())
    assert again.returned is None
    assert again.inherited == own(persistence.author, 1, 2)
    again.settle([*again.inherited[1:], *own(again.author, 1)], FIRST_OWN)
    third = opened(breakable.again())
    assert [each.payload for each in third.inherited] == [b"2", b"1"]


class Slow(SimulatedStorage):
    """A disk that reports durability when the test says so."""

    def __init__(self) -> None:
        super().__init__(World(1))
        self._untold: list[Callable[[], object]] = []

    def when_durable(self, callback: Callable[[], object]) -> None:
        self._untold.append(callback)

    def force(self) -> None:
        """Report that everything is on disk."""
        while self._untold:
            self._untold.pop(0)()


def test_writes_of_a_lost_history_are_not_reported_as_logged() -> None:
    slow, told = Slow(), list[int]()
    persistence = Persistence(slow.open(NAME), slow.open)
    past = DeliveredLog(epochs=(MAIN,))
    persistence.start_over(StatePosition(), Parcel(None), told.append)
    persistence.add(past.add(persistence.author, FIRST_OWN, [b"1", b"2", b"3"]), MAIN, told.append)
    other = DeliveredLog(epochs=(MAIN,))
    state_position = StatePosition()
    state_position.add(other.add(b"o" * 16, FIRST_OWN, [b"elsewhere"]), MAIN)
    persistence.start_over(state_position, Parcel(b"elsewhere"), told.append)
    slow.force()
    assert told == [1], "the state of the new one is there, and nothing of the old one counts"


def test_found_data_is_reported_as_logged_once_it_is_durable() -> None:
    slow, told = Slow(), list[str]()
    first = Persistence(slow.open(NAME), slow.open)
    written(first, b"1", b"2")
    first.sessions(Session(7, (first.author,), b"f" * 16), (), lambda _: None)
    slow.force()
    again = Persistence(slow.open(NAME), slow.open)
    again.found_is_durable(
        lambda number: told.append(f"up to {number}"),
        lambda serial: told.append(f"session {serial}"),
    )
    assert told == []
    slow.force()
    assert told == ["up to 2", "session 7"]


def test_a_recorded_session_of_another_founding_is_not_reported() -> None:
    slow, told = Slow(), list[int]()
    persistence = Persistence(slow.open(NAME), slow.open)
    persistence.sessions(Session(7, (persistence.author,), b"f" * 16), (), told.append)
    persistence.sessions(Session(2, (persistence.author,), b"g" * 16), (), told.append)
    slow.force()
    assert told == [2]


def test_a_log_says_of_which_founding_its_history_is_until_another_one_replaces_it(
    breakable: BreakableStore,
) -> None:
    first = opened(breakable.open())
    written(first, b"1")
    followed = Session(1, (first.author,), b"g" * 16)
    first.sessions(followed, (), lambda _: None, b"f" * 16)
    again = opened(breakable.again())
    assert again.returned is not None
    assert (again.returned.stable_session, again.returned.history_founding) == (followed, b"f" * 16)
    again.sessions(followed, (), lambda _: None, b"")
    third = opened(breakable.again())
    assert third.returned is not None
    assert third.returned.history_founding == b"", "nobody had founded it"
    other = DeliveredLog(epochs=(MAIN,))
    state_position = StatePosition()
    state_position.add(other.add(b"o" * 16, FIRST_OWN, [b"elsewhere"]), MAIN)
    third.start_over(state_position, Parcel(b"elsewhere"), lambda _: None)
    last = opened(breakable.again())
    assert last.returned is not None
    assert last.returned.history_founding is None


def test_an_empty_journal_is_deleted(breakable: BreakableStore) -> None:
    persistence = opened(breakable.open())
    written(persistence, b"1")
    enter(persistence, 2)
    assert not persistence.journal.is_empty
    persistence.settle([], 2)
    assert persistence.journal.is_empty
    again = opened(breakable.again())
    assert again.inherited == own(persistence.author, 1)
    assert again.journal.is_empty


def test_the_journal_is_not_listed_as_a_channel(breakable: BreakableStore) -> None:
    store = breakable.open()
    enter(opened(store), 1)
    assert store.names() == [NAME]


def test_a_branch_is_stored_under_its_own_name(breakable: BreakableStore) -> None:
    persistence = opened(breakable.open())
    written(persistence, b"1", b"2", b"3")
    kept = persistence.branch({persistence.author: FIRST_OWN})
    assert kept is not None
    name, lost = kept
    assert lost == 2
    store = breakable.again()
    assert name in store.names()
    branch = Persistence(store.open(name), None)
    assert branch.found is not None
    assert len(branch.found.runs) == 3


def test_the_log_gives_the_state_and_the_operations_after_it(breakable: BreakableStore) -> None:
    persistence = opened(breakable.open())
    runs = written(persistence, b"1", b"2")
    found = persistence.parcel()
    assert found is not None
    position, parcel = found
    assert (position.number, position.chain) == (2, runs[-1].chains[-1])
    assert parcel == Parcel(None, [b"1", b"2"])


@pytest.mark.slow
def test_a_log_that_lost_its_end_gives_a_prefix_of_the_history(breakable: BreakableStore) -> None:
    store = breakable.open()
    runs = written(opened(store), *(b"operation %d" % number for number in range(5)))
    breakable.crash()
    (segment,) = breakable.folder.glob("*.log")
    whole = segment.read_bytes()
    seen = set()
    for end in range(len(whole) - 200, len(whole) + 1):
        for path in breakable.folder.glob("*.log"):
            path.unlink()
        segment.write_bytes(whole[:end])
        persistence = opened(breakable.open())
        breakable.crash()
        assert persistence.returned is not None
        tip = persistence.returned.tip
        seen.add(tip.number)
        assert tip.number == 0 or tip.chain == runs[tip.number - 1].chains[-1]
    assert max(seen) == 5
    assert seen == {3, 4, 5}


WHOLE = packed_state(StatePosition(), Parcel(b"x"))


@pytest.mark.parametrize("data", [b"", b"\x90", b"\x95\xc0\xc0\xc0\xc0\xc0", WHOLE[:-1]])
def test_a_broken_state_is_reported(data: bytes) -> None:
    with pytest.raises((MalformedError, ValueError)):
        unpacked_state(data)
