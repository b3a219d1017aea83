"""Votes that a program takes over with the logs of others, in their places or restored."""

from __future__ import annotations

import shutil

import pytest
from tests.unit.liveobjects.channel.replica.disk.programs import (
    MAIN,
    NAME,
    Desk,
    Pair,
    lose_history,
    payloads,
    write,
    write_on,
)

from liven.liveobjects.channel.history import (
    Session,
    Standing,
    Voter,
    standing,
)
from liven.liveobjects.channel.replica.disk.persistence import Persistence


def test_who_takes_over_a_log_votes_for_it_as_well(desk: Desk) -> None:
    pair = Pair(desk)
    pair.share()
    pair.end()
    again = desk.start(0).open()
    assert again.voter == Voter(pair.ann.voter.identity, carried=(pair.bob.voter.identity,))
    assert standing(pair.session, [], [again.voter]) is Standing.CONTINUES
    assert standing(pair.session, [], [pair.bob.voter]) is Standing.TENTATIVE


def test_the_later_sessions_of_either_log_are_remembered(desk: Desk) -> None:
    pair = Pair(desk)
    past = pair.share()
    attempt = Session(2, (pair.ann.voter.identity,), MAIN.identity)
    pair.ann.sessions(pair.session, (attempt,), lambda _: None)
    write_on(pair.bob, past, b"2")  # its history wins
    pair.end()
    again = desk.start(0).open()
    assert again.returned is not None
    assert again.returned.attempts == (attempt,)
    assert payloads(again) == [b"1", b"2"]


def test_the_votes_of_a_history_that_becomes_a_branch_are_not_taken_over(desk: Desk) -> None:
    pair = Pair(desk)
    write(pair.ann, b"1", b"2")
    write(pair.bob, b"other")
    for persistence, number in ((pair.ann, 2), (pair.bob, 1)):
        persistence.stable(number)
        persistence.leave()
    pair.record(pair.session)
    pair.end()
    assert desk.start(0).open().voter.carried == ()


@pytest.mark.parametrize("number", [0, 1])
def test_the_votes_of_a_fork_without_confirmed_operations_are_taken_over(desk: Desk, number: int) -> None:
    """Both are members of the last session, so what one of them lacks was not confirmed."""
    pair = Pair(desk)
    write(pair.ann, b"1", b"2")
    write(pair.bob, b"other")
    pair.record(pair.session)
    pair.end()
    again = desk.start(number).open()
    assert payloads(again) == [b"1", b"2"]
    assert {*again.voter.identities} == {*pair.session.members}


@pytest.mark.parametrize("number", [0, 1])
def test_the_log_of_a_member_of_the_last_session_wins_over_a_longer_one(desk: Desk, number: int) -> None:
    """The other members may have confirmed its operations, without its knowing."""
    pair = Pair(desk)
    write(pair.ann, b"1")
    write(pair.bob, b"other", b"longer")
    session = Session(2, (pair.ann.voter.identity,), MAIN.identity)
    pair.record(session)
    pair.end()
    again = desk.start(number).open()
    assert payloads(again) == [b"1"]
    assert pair.ann.voter.identity in again.voter.identities


def test_a_log_with_nothing_of_its_own_votes_in_the_channel_that_it_adopts(desk: Desk) -> None:
    """Its own channel was founded apart, so the sessions of the two do not count for each other."""
    pair = Pair(desk)
    write(pair.ann)
    write(pair.bob, b"1")
    sessions = [
        Session(1, (each.voter.identity,), mark * 16) for each, mark in ((pair.ann, b"f"), (pair.bob, b"g"))
    ]
    for persistence, session in zip((pair.ann, pair.bob), sessions, strict=True):
        persistence.sessions(session, (), lambda _: None)
    pair.end()
    again = desk.start(0).open()
    assert again.returned is not None
    assert again.returned.stable_session == sessions[1]
    assert standing(sessions[1], [], [again.voter]) is Standing.CONTINUES


def test_the_votes_of_a_copied_log_are_not_taken_over(desk: Desk) -> None:
    pair = Pair(desk)
    pair.share()
    pair.end()
    shutil.copytree(desk.root / "1", desk.root / "2")
    shutil.rmtree(desk.root / "1")
    assert desk.start(0).open().voter.carried == ()


def test_who_takes_over_all_logs_of_a_restored_folder_was_all_of_them(desk: Desk) -> None:
    pair = Pair(desk)
    pair.share()
    pair.restore()
    again = desk.start(0).open()
    assert again.voter.identity not in pair.voters
    assert again.voter.carried == ()
    assert set(again.voter.formerly) == {*pair.voters}
    assert standing(pair.session, [], [again.voter]) is Standing.RESUMES


def test_a_copy_made_while_a_log_was_taken_over_keeps_its_vote(desk: Desk) -> None:
    pair = Pair(desk)
    pair.share()
    pair.second.store.open(NAME).note(heir=pair.first.store.open(NAME).place)
    pair.restore()
    again = desk.start(0).open()
    assert standing(pair.session, [], [again.voter]) is Standing.RESUMES


def test_former_votes_move_on_with_a_log(desk: Desk) -> None:
    pair = Pair(desk)
    pair.share()
    pair.restore()
    both = desk.start(0), desk.start(1)
    ann_again, bob_again = (Persistence(each.store.open(NAME), each.store.open) for each in both)
    for each in both:
        each.end()
    again = desk.start(0).open()
    assert again.voter.identities == (ann_again.voter.identity, bob_again.voter.identity)
    assert set(again.voter.formerly) == {*pair.voters}
    assert standing(pair.session, [], [again.voter]) is Standing.RESUMES


def test_a_log_without_its_history_was_formerly_the_one_that_voted(desk: Desk) -> None:
    pair = Pair(desk)
    pair.share()
    lose_history(pair.first)
    pair.end()
    again = desk.start(0).open()
    assert again.voter == Voter(pair.bob.voter.identity, (pair.ann.voter.identity,))


def test_the_vote_of_a_log_that_lost_its_history_is_remembered(desk: Desk) -> None:
    pair = Pair(desk)
    pair.share()
    lose_history(pair.second)
    pair.restore()
    again = desk.start(0).open()
    assert set(again.voter.formerly) == {*pair.voters}
    assert standing(pair.session, [], [again.voter]) is Standing.RESUMES


def test_two_programs_never_carry_the_votes_of_one_log(desk: Desk) -> None:
    pair = Pair(desk)
    pair.share()
    pair.second.store.open(NAME).note(heir=b"another program's log")
    pair.end()
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
