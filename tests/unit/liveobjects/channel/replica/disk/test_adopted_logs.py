"""Adopting logs: the next program that starts merges what several programs of one user stored of a
channel."""

from __future__ import annotations

import errno
import os
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from liven.liveobjects.channel.history import (
    BEGINNING,
    FIRST_OWN,
    Epoch,
    Operation,
    Session,
    Standing,
    Voter,
    standing,
)
from liven.liveobjects.channel.ordering.operations.delivered_log import DeliveredLog
from liven.liveobjects.channel.replica.disk.adopted_logs import adopt
from liven.liveobjects.channel.replica.disk.journal import MARK
from liven.liveobjects.channel.replica.disk.kept_branches import Branches
from liven.liveobjects.channel.replica.disk.persistence import Persistence
from liven.liveobjects.channel.replica.state_position import Parcel, StatePosition
from liven.liveobjects.channel.store import Store, Sync
from liven.liveobjects.channel.store import store as store_module
from liven.liveobjects.channel.store.folder_lock import FolderLock, lock_folder
from liven.liveobjects.channel.store.other_processes import LOOK_AGAIN, OtherProcesses
from liven.liveobjects.channel.store.records import StoreFullError, key_of
from liven.liveobjects.channel.store.shared_log import SharedLog
from liven.liveobjects.channel.store.store import RETRY_SECONDS
from liven.runtime.problems import Problem
from liven.runtime.testing import HandCranked

NAME = "home/f/notes"
MAIN = Epoch(b"m" * 16, BEGINNING, True)
SIDE = b"s" * 16


class Program:
    """A process with its log in the numbered folder."""

    def __init__(self, root: Path, number: int) -> None:
        self.problems: list[Problem] = []
        self.crank = HandCranked(self.problems.append)
        slot = lock_folder(root / str(number))
        assert slot is not None
        self.slot: FolderLock = slot
        other_processes = OtherProcesses(root, slot.folder, self.crank.now)
        self.store = Store(
            slot.folder,
            self.crank,
            lambda job: job(),
            self.problems.append,
            sync=Sync.EACH,
            other_processes=other_processes,
        )

    def open(self) -> Persistence:
        """Open the channel, after adopting the logs of others."""
        disk, other_processes = self.store.open(NAME), self.store.other_processes
        assert other_processes is not None
        for other_log in other_processes.having(NAME, MARK + NAME):
            self.why = adopt(disk, self.store.open, other_log)
        self.crank.settle()
        return Persistence(disk, self.store.open)

    def end(self) -> None:
        """End the process, in whatever way."""
        self.crank.settle()
        self.store.log.close()
        self.slot.close()


class Desk:
    """The programs of one user."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self._running: list[Program] = []

    def start(self, number: int) -> Program:
        self._running.append(Program(self.root, number))
        return self._running[-1]

    def has(self, number: int, name: str = NAME) -> bool:
        """True if the log in a folder has the channel."""
        log = SharedLog(self.root / str(number), reading=True)
        found = key_of(name) in log.channels and log.channels[key_of(name)].name is not None
        log.close()
        return found

    def close(self) -> None:
        for program in self._running:
            program.end()


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    made = Desk(tmp_path)
    yield made
    made.close()


def write(persistence: Persistence, *payloads: bytes, past: DeliveredLog | None = None) -> DeliveredLog:
    """Write a history from the beginning, by the replica's own author."""
    persistence.start_over(StatePosition(), Parcel(None), lambda _: None)
    return write_on(persistence, past or DeliveredLog(epochs=(MAIN,)), *payloads)


def write_on(persistence: Persistence, past: DeliveredLog, *payloads: bytes) -> DeliveredLog:
    for payload in payloads:
        run = past.add(persistence.author, past.marks.get(persistence.author, FIRST_OWN - 1) + 1, [payload])
        persistence.add(run, past.epochs[-1], lambda _: None)
    return past


def enter(persistence: Persistence, number: int, payload: bytes) -> Operation:
    """Enter an own operation into the journal."""
    operation = Operation(persistence.author, FIRST_OWN - 1 + number, payload)
    persistence.journal.enter([operation], operation.number)
    return operation


def copied(persistence: Persistence, past: DeliveredLog) -> DeliveredLog:
    """Write the same history to another replica."""
    persistence.start_over(StatePosition(), Parcel(None), lambda _: None)
    again = DeliveredLog(epochs=past.epochs[:1])
    for run in past.since(1):
        persistence.add(again.add(run.author, run.first, run.payloads), past.epochs[0], lambda _: None)
    return again


def payloads(persistence: Persistence) -> list[bytes]:
    assert persistence.found is not None
    return [payload for run, _ in persistence.found.runs for payload in run.payloads]


def waiting(persistence: Persistence, former: Persistence) -> list[bytes]:
    """Return the operations of a former life that the replica still has to submit."""
    return [each.payload for each in persistence.inherited if each.author == former.author]


def test_a_channel_is_found_in_any_log(desk: Desk) -> None:
    first, second = desk.start(0), desk.start(1)
    persistence = second.open()
    write(persistence, b"1", b"2")
    persistence.sessions(Session(3, (persistence.author,)), (), lambda _: None)
    enter(persistence, 3, b"3")
    second.end()
    found = first.open()
    assert payloads(found) == [b"1", b"2"]
    assert found.voter == persistence.voter
    assert found.returned is not None
    assert [each.payload for each in found.inherited] == [b"1", b"2", b"3"]
    assert {each.author for each in found.inherited} == {persistence.author}
    assert found.returned.stable_session == Session(3, (persistence.author,))
    assert not desk.has(1)
    assert not desk.has(1, MARK + NAME)


def test_a_longer_history_is_adopted_with_the_operations_that_waited(desk: Desk) -> None:
    first, second = desk.start(0), desk.start(1)
    ann, bob = first.open(), second.open()
    past = copied(bob, write(ann, b"1"))
    enter(ann, 2, b"of ann")
    write_on(bob, past, b"2")
    enter(bob, 2, b"of bob")
    first.end()
    second.end()
    again = desk.start(0).open()
    assert payloads(again) == [b"1", b"2"]
    assert again.voter == Voter(ann.voter.identity, carried=(bob.voter.identity,))
    assert waiting(again, ann) == [b"1", b"of ann"]
    assert waiting(again, bob) == [b"2", b"of bob"]


def test_a_shorter_history_is_not_adopted_but_its_waiting_operations_are(desk: Desk) -> None:
    first, second = desk.start(0), desk.start(1)
    ann, bob = first.open(), second.open()
    past = write(ann, b"1")
    copied(bob, past)
    write_on(ann, past, b"2")
    enter(bob, 1, b"of bob")
    first.end()
    second.end()
    again = desk.start(0).open()
    assert payloads(again) == [b"1", b"2"]
    assert waiting(again, bob) == [b"of bob"]
    assert not desk.has(1)


def test_only_the_history_of_a_running_program_is_copied(desk: Desk) -> None:
    first, second = desk.start(0), desk.start(1)
    persistence = second.open()
    write(persistence, b"1", b"2")
    enter(persistence, 3, b"3")
    second.crank.settle()
    before = sorted((path.name, path.read_bytes()) for path in (desk.root / "1").glob("*.log"))
    found = first.open()
    assert payloads(found) == [b"1", b"2"]
    assert found.voter != persistence.voter
    assert waiting(found, persistence) == []
    assert sorted((path.name, path.read_bytes()) for path in (desk.root / "1").glob("*.log")) == before


def test_a_losing_history_with_stable_operations_becomes_a_branch(desk: Desk) -> None:
    first, second = desk.start(0), desk.start(1)
    ann, bob = first.open(), second.open()
    write(ann, b"a1", b"a2")
    ann.stable(2)
    ann.leave()
    enter(ann, 3, b"waits")
    write(bob, b"b1", b"b2", b"b3")
    bob.stable(3)
    bob.leave()
    first.end()
    second.end()
    program = desk.start(0)
    again = program.open()
    assert payloads(again) == [b"b1", b"b2", b"b3"]
    assert waiting(again, ann) == [b"waits"]
    (name,) = [each for each in program.store.names() if "~" in each]
    assert payloads(Persistence(program.store.open(name), None, reading=True)) == [b"a1", b"a2"]
    assert name.encode() in program.store.open(NAME).kept().notes["branches"]


def test_unstable_operations_of_a_losing_history_are_submitted_again(desk: Desk) -> None:
    first, second = desk.start(0), desk.start(1)
    ann, bob = first.open(), second.open()
    past = write(ann, b"1")
    other = copied(bob, past)
    for persistence in (ann, bob):
        persistence.stable(1)
        persistence.leave()
    write_on(ann, past, b"a2", b"a3")
    other.expect([Epoch(SIDE, other.tip, False)])
    run = other.add(bob.author, FIRST_OWN, [b"b1"])
    bob.add(run, other.epochs[-1], lambda _: None)
    first.end()
    second.end()
    again = desk.start(1).open()
    assert payloads(again) == [b"1", b"a2", b"a3"]
    assert again.voter == Voter(bob.voter.identity, carried=(ann.voter.identity,))
    assert waiting(again, bob) == [b"b1"]


def test_a_branch_of_the_other_log_is_adopted(desk: Desk) -> None:
    first, second = desk.start(0), desk.start(1)
    persistence = second.open()
    write(persistence, b"1", b"2")
    kept = persistence.branch({})
    assert kept is not None
    second.end()
    first.open()
    notes = first.store.open(NAME).kept().notes
    assert kept[0].encode() in notes["branches"]
    assert first.store.open(kept[0]).kept().checkpoint is not None
    assert not desk.has(1, kept[0])


def test_a_branch_that_differs_only_in_its_state_is_adopted_as_one(desk: Desk) -> None:
    first, second = desk.start(0), desk.start(1)
    persistence = second.open()
    write(persistence, b"1")
    kept = persistence.branch({persistence.author: FIRST_OWN}, apart=True)
    assert kept is not None
    second.end()
    first.open()
    branch = Branches(first.store.open(NAME), first.store.open).read(kept[0])
    assert (branch.missing, branch.folded) == ((), True)


def test_a_copy_of_a_running_log_votes_as_somebody_else_and_keeps_what_waited(desk: Desk) -> None:
    first, second = desk.start(0), desk.start(1)
    persistence = second.open()
    write(persistence, b"1")
    enter(persistence, 2, b"2")
    second.crank.settle()
    disk = first.store.open(NAME)
    for name in (NAME, MARK + NAME):
        kept = second.store.open(name).kept()
        assert kept.checkpoint is not None or kept.entries
        first.store.open(name).start_over(kept.checkpoint or b"", kept.entries)
    disk.note(**second.store.open(NAME).kept().notes)
    again = first.open()
    assert again.voter.identity != persistence.voter.identity
    assert payloads(again) == [b"1"]
    assert waiting(again, persistence) == [b"1", b"2"], "the history takes them once, whoever submits them"


def test_the_vote_of_a_copied_log_is_not_taken_over(desk: Desk) -> None:
    first, second = desk.start(0), desk.start(1)
    persistence = second.open()
    write(persistence, b"1")
    persistence.sessions(Session(1, (persistence.voter.identity,)), (), lambda _: None)
    second.end()
    shutil.copytree(desk.root / "1", desk.root / "2")
    shutil.rmtree(desk.root / "1")
    found = first.open()
    assert payloads(found) == [b"1"]
    assert found.voter.identity != persistence.voter.identity
    assert found.voter.formerly == (persistence.voter.identity,)


def test_a_damaged_log_is_left_alone_and_reported(desk: Desk) -> None:
    first, second = desk.start(0), desk.start(1)
    write(second.open(), b"1")
    second.store.open(NAME).append([b"no run"])
    second.end()
    first.open()
    assert first.why != ""
    assert desk.has(1)


def test_the_other_log_keeps_what_our_full_disk_refuses(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    first, second = desk.start(0), desk.start(1)
    write(first.open(), b"1")
    other = second.open()
    enter(other, 1, b"of the other")
    second.end()
    other_processes = first.store.other_processes
    assert other_processes is not None
    monkeypatch.setattr(store_module, "WAITING_MOST", 100)
    write_to = os.pwrite

    def full(fd: int, data: memoryview, offset: int) -> int:
        if Path(f"/proc/self/fd/{fd}").readlink().parent == desk.root / "0":
            raise OSError(errno.ENOSPC, "No space left on device")
        return write_to(fd, data, offset)

    with monkeypatch.context() as patched:
        patched.setattr(os, "pwrite", full)
        first.store.open("home/f/else").append([bytes(90)])
        (other_log,) = other_processes.having(NAME, MARK + NAME)
        with pytest.raises(StoreFullError):
            adopt(first.store.open(NAME), first.store.open, other_log)
        other_log.close()
        first.crank.settle()
    assert desk.has(1, MARK + NAME)
    monkeypatch.undo()
    first.crank.advance(RETRY_SECONDS)
    assert waiting(first.open(), other) == [b"of the other"]
    assert not desk.has(1, MARK + NAME)


def test_adopting_a_log_twice_has_no_further_effect(desk: Desk) -> None:
    first, second = desk.start(0), desk.start(1)
    persistence = second.open()
    write(persistence, b"1")
    enter(persistence, 2, b"2")
    second.end()
    other_processes = first.store.other_processes
    assert other_processes is not None
    disk = first.store.open(NAME)
    (other_log,) = other_processes.having(NAME)
    copy = second.store.open(NAME).kept()
    adopt(disk, first.store.open, other_log)
    first.crank.settle()
    again = desk.start(2)
    restored = again.store.open(NAME)
    assert copy.checkpoint is not None
    restored.start_over(copy.checkpoint, copy.entries)
    restored.note(**copy.notes)
    again.end()
    found = first.open()
    assert payloads(found) == [b"1"]
    assert waiting(found, persistence) == [b"1", b"2"]


def test_a_log_that_did_not_change_is_not_read_again(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    first, second = desk.start(0), desk.start(1)
    write(second.open(), b"1")
    second.end()
    other_processes = first.store.other_processes
    assert other_processes is not None
    assert list(other_processes.having("home/f/other")) == []
    monkeypatch.setattr("liven.liveobjects.channel.store.other_processes.SharedLog", None)
    assert list(other_processes.having("home/f/another")) == []


def test_the_log_of_a_running_process_is_read_again_after_a_while(desk: Desk) -> None:
    first, second = desk.start(0), desk.start(1)
    write(second.open(), b"1")
    second.crank.settle()
    other_processes = first.store.other_processes
    assert other_processes is not None
    assert list(other_processes.having("home/f/other")) == []
    second.store.open("home/f/other").note(key=b"value")
    assert list(other_processes.having("home/f/other")) == []
    first.crank.advance(LOOK_AGAIN)
    (found,) = other_processes.having("home/f/other")
    assert not found.free
    found.close()


def sessions_of_both(ann: Persistence, bob: Persistence) -> Session:
    """Record a session of both at both."""
    session = Session(1, (ann.voter.identity, bob.voter.identity), MAIN.identity)
    for persistence in (ann, bob):
        persistence.sessions(session, (), lambda _: None)
    return session


def test_who_takes_over_a_log_votes_for_it_as_well(desk: Desk) -> None:
    first, second = desk.start(0), desk.start(1)
    ann, bob = first.open(), second.open()
    copied(bob, write(ann, b"1"))
    session = sessions_of_both(ann, bob)
    first.end()
    second.end()
    again = desk.start(0).open()
    assert again.voter == Voter(ann.voter.identity, carried=(bob.voter.identity,))
    assert standing(session, [], [again.voter]) is Standing.CONTINUES
    assert standing(session, [], [bob.voter]) is Standing.TENTATIVE


def test_the_later_sessions_of_either_log_are_remembered(desk: Desk) -> None:
    first, second = desk.start(0), desk.start(1)
    ann, bob = first.open(), second.open()
    past = copied(bob, write(ann, b"1"))
    session = sessions_of_both(ann, bob)
    attempt = Session(2, (ann.voter.identity,), MAIN.identity)
    ann.sessions(session, (attempt,), lambda _: None)
    write_on(bob, past, b"2")  # its history wins
    first.end()
    second.end()
    again = desk.start(0).open()
    assert again.returned is not None
    assert again.returned.attempts == (attempt,)
    assert payloads(again) == [b"1", b"2"]


def test_the_votes_of_a_history_that_becomes_a_branch_are_not_taken_over(desk: Desk) -> None:
    first, second = desk.start(0), desk.start(1)
    ann, bob = first.open(), second.open()
    write(ann, b"1", b"2")
    write(bob, b"other")
    for persistence, number in ((ann, 2), (bob, 1)):
        persistence.stable(number)
        persistence.leave()
    sessions_of_both(ann, bob)
    first.end()
    second.end()
    assert desk.start(0).open().voter.carried == ()


@pytest.mark.parametrize("number", [0, 1])
def test_the_votes_of_a_fork_without_confirmed_operations_are_taken_over(desk: Desk, number: int) -> None:
    """Both are members of the last session, so what one of them lacks was not confirmed."""
    first, second = desk.start(0), desk.start(1)
    ann, bob = first.open(), second.open()
    write(ann, b"1", b"2")
    write(bob, b"other")
    session = sessions_of_both(ann, bob)
    first.end()
    second.end()
    again = desk.start(number).open()
    assert payloads(again) == [b"1", b"2"]
    assert {*again.voter.identities} == {*session.members}


@pytest.mark.parametrize("number", [0, 1])
def test_the_log_of_a_member_of_the_last_session_wins_over_a_longer_one(desk: Desk, number: int) -> None:
    """The other members may have confirmed its operations, without its knowing."""
    first, second = desk.start(0), desk.start(1)
    ann, bob = first.open(), second.open()
    write(ann, b"1")
    write(bob, b"other", b"longer")
    session = Session(2, (ann.voter.identity,), MAIN.identity)
    for persistence in (ann, bob):
        persistence.sessions(session, (), lambda _: None)
    first.end()
    second.end()
    again = desk.start(number).open()
    assert payloads(again) == [b"1"]
    assert ann.voter.identity in again.voter.identities


def test_a_log_with_nothing_of_its_own_votes_in_the_channel_that_it_adopts(desk: Desk) -> None:
    """Its own channel was founded apart, so the sessions of the two do not count for each other."""
    first, second = desk.start(0), desk.start(1)
    ann, bob = first.open(), second.open()
    write(ann)
    write(bob, b"1")
    sessions = [Session(1, (each.voter.identity,), mark * 16) for each, mark in ((ann, b"f"), (bob, b"g"))]
    for persistence, session in zip((ann, bob), sessions, strict=True):
        persistence.sessions(session, (), lambda _: None)
    first.end()
    second.end()
    again = desk.start(0).open()
    assert again.returned is not None
    assert again.returned.stable_session == sessions[1]
    assert standing(sessions[1], [], [again.voter]) is Standing.CONTINUES


def test_the_votes_of_a_copied_log_are_not_taken_over(desk: Desk) -> None:
    first, second = desk.start(0), desk.start(1)
    ann, bob = first.open(), second.open()
    copied(bob, write(ann, b"1"))
    sessions_of_both(ann, bob)
    first.end()
    second.end()
    shutil.copytree(desk.root / "1", desk.root / "2")
    shutil.rmtree(desk.root / "1")
    assert desk.start(0).open().voter.carried == ()


def move(folder: Path) -> None:
    """Replace a folder by a copy of itself, as who restores a backup does."""
    shutil.copytree(folder, folder.with_name("copy"))
    shutil.rmtree(folder)
    folder.with_name("copy").rename(folder)


def test_who_takes_over_all_logs_of_a_restored_folder_was_all_of_them(desk: Desk) -> None:
    first, second = desk.start(0), desk.start(1)
    ann, bob = first.open(), second.open()
    copied(bob, write(ann, b"1"))
    session = sessions_of_both(ann, bob)
    first.end()
    second.end()
    move(desk.root / "0")
    move(desk.root / "1")
    again = desk.start(0).open()
    assert again.voter.identity not in (ann.voter.identity, bob.voter.identity)
    assert again.voter.carried == ()
    assert set(again.voter.formerly) == {ann.voter.identity, bob.voter.identity}
    assert standing(session, [], [again.voter]) is Standing.RESUMES


def test_a_copy_made_while_a_log_was_taken_over_keeps_its_vote(desk: Desk) -> None:
    first, second = desk.start(0), desk.start(1)
    ann, bob = first.open(), second.open()
    copied(bob, write(ann, b"1"))
    session = sessions_of_both(ann, bob)
    second.store.open(NAME).note(heir=first.store.open(NAME).place)
    first.end()
    second.end()
    move(desk.root / "0")
    move(desk.root / "1")
    again = desk.start(0).open()
    assert standing(session, [], [again.voter]) is Standing.RESUMES


def test_former_votes_move_on_with_a_log(desk: Desk) -> None:
    first, second = desk.start(0), desk.start(1)
    ann, bob = first.open(), second.open()
    copied(bob, write(ann, b"1"))
    session = sessions_of_both(ann, bob)
    first.end()
    second.end()
    move(desk.root / "0")
    move(desk.root / "1")
    both = desk.start(0), desk.start(1)
    ann_again, bob_again = (Persistence(each.store.open(NAME), each.store.open) for each in both)
    for each in both:
        each.end()
    again = desk.start(0).open()
    assert again.voter.identities == (ann_again.voter.identity, bob_again.voter.identity)
    assert set(again.voter.formerly) == {ann.voter.identity, bob.voter.identity}
    assert standing(session, [], [again.voter]) is Standing.RESUMES


def test_a_log_without_its_history_was_formerly_the_one_that_voted(desk: Desk) -> None:
    first, second = desk.start(0), desk.start(1)
    ann, bob = first.open(), second.open()
    copied(bob, write(ann, b"1"))
    sessions_of_both(ann, bob)
    disk = first.store.open(NAME)
    notes = disk.kept().notes
    disk.forget()
    disk.note(**{key: notes[key] for key in ("voter", "place")})
    first.end()
    second.end()
    again = desk.start(0).open()
    assert again.voter == Voter(bob.voter.identity, (ann.voter.identity,))


def test_the_vote_of_a_log_that_lost_its_history_is_remembered(desk: Desk) -> None:
    first, second = desk.start(0), desk.start(1)
    ann, bob = first.open(), second.open()
    copied(bob, write(ann, b"1"))
    session = sessions_of_both(ann, bob)
    disk = second.store.open(NAME)
    notes = disk.kept().notes
    disk.forget()
    disk.note(**{key: notes[key] for key in ("voter", "place")})
    first.end()
    second.end()
    move(desk.root / "0")
    move(desk.root / "1")
    again = desk.start(0).open()
    assert set(again.voter.formerly) == {ann.voter.identity, bob.voter.identity}
    assert standing(session, [], [again.voter]) is Standing.RESUMES


def test_two_programs_never_carry_the_votes_of_one_log(desk: Desk) -> None:
    first, second = desk.start(0), desk.start(1)
    ann, bob = first.open(), second.open()
    copied(bob, write(ann, b"1"))
    sessions_of_both(ann, bob)
    second.store.open(NAME).note(heir=b"another program's log")
    first.end()
    second.end()
    assert desk.start(0).open().voter.carried == ()


def test_a_log_that_has_an_heir_votes_as_somebody_new(desk: Desk) -> None:
    second = desk.start(1)
    bob = second.open()
    write(bob, b"1")
    second.store.open(NAME).note(heir=b"another program's log")
    second.end()
    again = desk.start(1).open()
    assert again.voter.identity != bob.voter.identity
    assert payloads(again) == [b"1"]
