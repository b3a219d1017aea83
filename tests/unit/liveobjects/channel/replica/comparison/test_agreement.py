"""Agreement on states, as one member finds it."""

from __future__ import annotations

import pytest

from liven.liveobjects.channel.replica.comparison.agreement import (
    PATIENCE,
    REPLAY_PATIENCE,
    Agreement,
    Finding,
    Replayed,
    Result,
)

ME, BOB, CY, DEE = (name * 16 for name in (b"a", b"b", b"c", b"d"))
GOOD, BAD, ODD = b"good", b"bad", b"odd"
CHAIN = b"h" * 16


def said(**digests: bytes) -> Agreement:
    """Return the agreement after reports of me, bob, cy and dee at 1000, in this order."""
    agreement = Agreement(ME)
    names = {"me": ME, "bob": BOB, "cy": CY, "dee": DEE}
    for name, digest in digests.items():
        agreement.put(names[name], 1000, CHAIN, digest, 0.0)
    return agreement


def judged(
    agreement: Agreement, now: float = 1.0, *, present: tuple[bytes, ...] = (ME, BOB, CY)
) -> list[Result]:
    return agreement.judge(present, present, now)


def test_equal_digests_agree() -> None:
    agreement = said(me=GOOD, bob=GOOD, cy=GOOD)
    assert judged(agreement) == [Result(Finding.AGREED, 1000)]
    assert judged(agreement) == []
    assert agreement.wake is None


def test_the_majority_names_a_member_that_differs() -> None:
    assert judged(said(me=GOOD, bob=BAD, cy=GOOD)) == [Result(Finding.OTHERS_DIFFER, 1000, (BOB,))]


def test_a_member_that_differs_learns_whose_state_to_take() -> None:
    assert judged(said(me=BAD, bob=GOOD, cy=GOOD)) == [Result(Finding.WE_DIFFER, 1000, (BOB, CY))]


def test_there_is_no_finding_before_all_reported_or_the_time_is_over() -> None:
    agreement = said(me=GOOD, bob=BAD)
    assert judged(agreement) == []
    assert agreement.wake == PATIENCE
    assert [each.finding for each in judged(agreement, PATIENCE)] == [Finding.SPLIT]


def test_there_is_no_finding_at_a_number_that_this_member_has_not_reached() -> None:
    agreement = said(bob=GOOD, cy=BAD)
    assert judged(agreement, 100.0) == []
    agreement.put(ME, 1000, CHAIN, GOOD, 100.0)
    assert judged(agreement, 100.0, present=(ME, BOB)) == [Result(Finding.AGREED, 1000)]


def test_members_that_begin_with_another_history_outvote_nobody_by_the_old_one() -> None:
    agreement = Agreement(ME)
    for author in (BOB, CY):
        agreement.put(author, 1000, b"o" * 16, GOOD, 0.0)
        agreement.put(author, 2000, CHAIN, GOOD, 0.0)
    agreement.drop([BOB, CY])
    agreement.put(ME, 1000, CHAIN, GOOD, 0.0)
    assert judged(agreement, PATIENCE) == [Result(Finding.AGREED, 1000)]
    agreement.put(BOB, 2000, CHAIN, BAD, PATIENCE)
    assert judged(agreement, PATIENCE) == []


def test_a_member_without_a_digest_neither_counts_nor_is_named() -> None:
    assert judged(said(me=GOOD, bob=b"", cy=GOOD)) == [Result(Finding.AGREED, 1000)]
    assert judged(said(me=b"", bob=BAD, cy=GOOD))[0].finding is Finding.SPLIT
    assert judged(said(me=b"", bob=BAD, cy=GOOD, dee=GOOD), present=(ME, BOB, CY, DEE)) == [
        Result(Finding.OTHERS_DIFFER, 1000, (BOB,))
    ]


def test_a_number_far_ahead_ends_no_comparison_before_it() -> None:
    agreement = said(me=GOOD, bob=GOOD)
    agreement.put(CY, 2**63, CHAIN, ODD, 0.0)
    agreement.forget()
    for author, digest in ((ME, BAD), (BOB, GOOD), (CY, GOOD)):
        agreement.put(author, 1000, CHAIN, digest, 1.0)
        agreement.put(author, 2000, CHAIN, digest, 1.0)
    assert judged(agreement) == [Result(Finding.WE_DIFFER, 2000, (BOB, CY))], "1000 was of the state before"


def test_digests_for_later_numbers_are_kept() -> None:
    agreement = said(me=BAD)
    for author in (BOB, CY):
        agreement.put(author, 2000, CHAIN, GOOD, 0.0)
    agreement.forget()
    agreement.put(ME, 2000, CHAIN, BAD, 1.0)
    assert judged(agreement) == [Result(Finding.WE_DIFFER, 2000, (BOB, CY))]


def test_digests_of_members_that_left_are_dropped() -> None:
    agreement = said(me=GOOD, bob=GOOD)
    agreement.put(DEE, 2**40, CHAIN, ODD, 0.0)
    judged(agreement, present=(ME, BOB, CY))
    assert set(agreement._points) == {1000}


def test_many_digests_of_one_member_do_not_displace_those_of_others() -> None:
    agreement = said(me=BAD, bob=GOOD, cy=GOOD)
    for number in range(10_000):
        agreement.put(DEE, 2**40 + number, CHAIN, ODD, 0.0)
        agreement.put(DEE, 1000 - number, CHAIN, ODD, 0.0)
    assert len(agreement._points) <= 17
    assert judged(agreement) == [Result(Finding.WE_DIFFER, 1000, (BOB, CY))]


def test_a_different_order_is_reported_whatever_the_states() -> None:
    agreement = said(me=GOOD, cy=GOOD)
    agreement.put(BOB, 1000, b"x" * 16, GOOD, 0.0)
    assert judged(agreement) == [Result(Finding.ANOTHER_ORDER, 1000, (BOB,))]


def test_a_member_with_another_order_than_the_majority_learns_it() -> None:
    agreement = Agreement(ME)
    for author, chain in ((ME, b"x" * 16), (BOB, CHAIN), (CY, CHAIN)):
        agreement.put(author, 1000, chain, GOOD, 0.0)
    assert judged(agreement) == [Result(Finding.WE_ORDER_OTHERWISE, 1000, (BOB, CY))]


def test_without_a_majority_of_one_order_nobody_gives_up_its_own() -> None:
    agreement = Agreement(ME)
    for author, chain in ((ME, b"x" * 16), (BOB, CHAIN)):
        agreement.put(author, 1000, chain, GOOD, 0.0)
    assert judged(agreement, present=(ME, BOB)) == [Result(Finding.NO_ORDER, 1000, (ME, BOB))]


def split(mine: bytes, bobs: bytes, outcomes: tuple[Replayed, Replayed]) -> Result:
    agreement = said(me=mine, bob=bobs)
    assert judged(agreement, present=(ME, BOB))[0].finding is Finding.SPLIT
    agreement.put_replayed(ME, 1000, outcomes[0])
    assert judged(agreement, 2.0, present=(ME, BOB)) == []
    agreement.put_replayed(BOB, 1000, outcomes[1])
    (result,) = judged(agreement, 3.0, present=(ME, BOB))
    return result


def test_without_a_majority_a_state_that_differs_from_its_log_is_wrong() -> None:
    mine = split(BAD, GOOD, (Replayed.WRONG, Replayed.TRUE))
    assert mine == Result(Finding.WE_DIFFER, 1000, (BOB,))
    other = split(GOOD, BAD, (Replayed.TRUE, Replayed.WRONG))
    assert other == Result(Finding.OTHERS_DIFFER, 1000, (BOB,))


@pytest.mark.parametrize("outcome", [Replayed.UNKNOWN, Replayed.WRONG])
def test_a_state_proven_right_wins_over_an_unproven_one(outcome: Replayed) -> None:
    assert split(GOOD, BAD, (outcome, Replayed.TRUE)).finding is Finding.WE_DIFFER
    assert split(GOOD, BAD, (Replayed.TRUE, outcome)).finding is Finding.OTHERS_DIFFER


def test_of_two_right_states_one_wins_and_the_other_is_known_as_right() -> None:
    mine, bobs = split(GOOD, BAD, (Replayed.TRUE,) * 2), split(BAD, GOOD, (Replayed.TRUE,) * 2)
    assert {mine.finding, bobs.finding} == {Finding.WE_DIFFER, Finding.OTHERS_DIFFER}
    loser = mine if mine.finding is Finding.WE_DIFFER else bobs
    assert loser.true


def test_the_wait_for_a_replay_result_ends() -> None:
    agreement = said(me=BAD, bob=GOOD)
    judged(agreement, present=(ME, BOB))
    agreement.put_replayed(BOB, 1000, Replayed.TRUE)
    assert judged(agreement, 2.0, present=(ME, BOB)) == []
    assert agreement.wake == 1.0 + REPLAY_PATIENCE
    assert judged(agreement, 1.0 + REPLAY_PATIENCE, present=(ME, BOB)) == [
        Result(Finding.WE_DIFFER, 1000, (BOB,))
    ]


def test_a_majority_that_comes_late_ends_a_split() -> None:
    agreement = said(me=BAD, bob=GOOD)
    assert judged(agreement, PATIENCE)[0].finding is Finding.SPLIT
    agreement.put(CY, 1000, CHAIN, GOOD, PATIENCE)
    assert judged(agreement, PATIENCE) == [Result(Finding.WE_DIFFER, 1000, (BOB, CY))]


def test_digests_for_a_judged_number_are_ignored() -> None:
    agreement = said(me=GOOD, bob=GOOD)
    judged(agreement, present=(ME, BOB))
    agreement.put(CY, 1000, CHAIN, BAD, 2.0)
    assert judged(agreement, 100.0) == []


def test_numbers_that_nobody_here_reaches_are_forgotten_in_time() -> None:
    agreement = Agreement(ME)
    for number in range(1000):
        agreement.put(BOB, number, CHAIN, GOOD, 0.0)
    agreement.put(ME, 999, CHAIN, GOOD, 0.0)
    agreement.put(ME, 1, CHAIN, GOOD, 0.0)
    assert [each.number for each in judged(agreement, present=(ME, BOB))] == [999]
