"""Adopting logs: the next program that starts merges what several programs of one user stored of a
channel."""

from __future__ import annotations

import errno
import os
import shutil
from pathlib import Path

import pytest
from tests.unit.liveobjects.channel.replica.disk.programs import (
    NAME,
    SIDE,
    Desk,
    copied,
    enter,
    payloads,
    waiting,
    write,
    write_on,
)

from liven.liveobjects.channel.history import (
    FIRST_OWN,
    Epoch,
    Session,
    Voter,
)
from liven.liveobjects.channel.replica.disk.adopted_logs import adopt
from liven.liveobjects.channel.replica.disk.journal import MARK
from liven.liveobjects.channel.replica.disk.kept_branches import Branches
from liven.liveobjects.channel.replica.disk.persistence import Persistence
from liven.liveobjects.channel.store import store as store_module
from liven.liveobjects.channel.store.other_processes import LOOK_AGAIN
from liven.liveobjects.channel.store.records import StoreFullError
from liven.liveobjects.channel.store.store import RETRY_SECONDS


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
