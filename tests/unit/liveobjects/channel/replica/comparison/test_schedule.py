"""The schedule of comparisons."""

from __future__ import annotations

from liven.liveobjects.channel.history import Recovery, Voter
from liven.liveobjects.channel.ordering import EntryKind, Seat
from liven.liveobjects.channel.replica import wire
from liven.liveobjects.channel.replica.comparison.agreement import PATIENCE, Finding, Replayed
from liven.liveobjects.channel.replica.comparison.schedule import MARK_AFTER, ComparisonSchedule

ME, OTHER, THIRD = b"m" * 16, b"o" * 16, b"t" * 16
CHAIN = b"c" * 16
PARTS = ((ME, EntryKind.STAYS), (OTHER, EntryKind.STAYS), (THIRD, EntryKind.BEGINS))


def test_states_are_compared_at_agreed_numbers_and_at_marks() -> None:
    comparing = ComparisonSchedule(ME, 10)
    assert [number for number in range(1, 31) if comparing.is_at(number, marked=False)] == [10, 20, 30]
    assert comparing.is_at(7, marked=True)


def test_a_member_that_never_compares_places_no_mark() -> None:
    comparing = ComparisonSchedule(ME, 0)
    comparing.applied(0.0)
    assert comparing.wake is None
    assert not comparing.is_at(10, marked=True)


def test_the_orderer_places_a_mark_a_while_after_the_first_operation() -> None:
    comparing = ComparisonSchedule(ME, 10)
    comparing.applied(1.0)
    comparing.applied(5.0)
    assert comparing.wake == 1.0 + MARK_AFTER
    assert not comparing.is_mark_due(1.0, orders=True)
    assert comparing.is_mark_due(1.0 + MARK_AFTER, orders=True)
    assert comparing.wake is None
    comparing.applied(20.0)
    assert not comparing.is_mark_due(20.0 + MARK_AFTER, orders=False)


def test_a_comparison_makes_a_mark_needless() -> None:
    comparing = ComparisonSchedule(ME, 10)
    comparing.applied(1.0)
    comparing.begin(10, CHAIN)
    assert not comparing.is_mark_due(1.0 + MARK_AFTER, orders=True)


def test_a_new_view_drops_what_its_beginners_said_before() -> None:
    comparing = ComparisonSchedule(ME, 10)
    for author in (OTHER, THIRD):
        comparing.heard(wire.Digest(author, 10, b"o" * 16, b"state"), 0.0)
    seats = [
        Seat(node, author, Voter(author), part, True, Recovery.NOTHING, 0)
        for node, (author, part) in enumerate(PARTS)
    ]
    comparing.seated(seats)
    comparing.begin(10, CHAIN)
    said = comparing.digest(10, b"state")
    assert said is not None
    comparing.heard(said, 0.0)
    (result,) = comparing.judge([ME, OTHER, THIRD], PATIENCE)
    assert result.finding is Finding.NO_ORDER  # and not "we order otherwise": one of the two stays


def test_a_member_that_requests_another_comparison_places_one_mark() -> None:
    comparing = ComparisonSchedule(ME, 10)
    comparing.again(1.0)
    assert comparing.is_mark_due(1.0 + MARK_AFTER, orders=False)
    comparing.applied(20.0)
    assert not comparing.is_mark_due(20.0 + MARK_AFTER, orders=False)


def test_a_digest_is_sent_once_and_not_for_a_replaced_state() -> None:
    comparing = ComparisonSchedule(ME, 10)
    comparing.begin(10, CHAIN)
    assert comparing.digest(10, b"d") == wire.Digest(ME, 10, CHAIN, b"d")
    assert comparing.digest(10, b"d") is None
    comparing.begin(20, CHAIN)
    comparing.forget()
    assert comparing.digest(20, b"d") is None
    comparing.begin(30, CHAIN)
    comparing.begin_anew()
    assert comparing.digest(30, b"d") is None


def test_the_list_of_open_digests_is_bounded() -> None:
    comparing = ComparisonSchedule(ME, 1)
    for number in range(1, 100):
        comparing.begin(number, CHAIN)
    said = [number for number in range(1, 100) if comparing.digest(number, b"d") is not None]
    assert said == list(range(84, 100))


def test_only_digests_of_the_present_history_are_judged() -> None:
    comparing = ComparisonSchedule(ME, 10)
    for who, digest in ((ME, b"x"), (OTHER, b"y"), (THIRD, b"y")):
        comparing.heard(wire.Digest(who, 10, CHAIN, digest), 0.0)
    (result,) = comparing.judge({ME, OTHER, THIRD}, 0.0)
    assert (result.finding, set(result.who)) == (Finding.WE_DIFFER, {OTHER, THIRD})
    for who, digest in ((ME, b"x"), (OTHER, b"y")):
        comparing.heard(wire.Digest(who, 20, CHAIN, digest), 0.0)
    assert [each.finding for each in comparing.judge({ME, OTHER}, 0.0)] == [Finding.SPLIT]
    comparing.heard(wire.ReplayResult(ME, 20, int(Replayed.TRUE)), 1.0)
    comparing.heard(wire.ReplayResult(OTHER, 20, int(Replayed.WRONG)), 1.0)
    assert [each.finding for each in comparing.judge({ME, OTHER}, 1.0)] == [Finding.OTHERS_DIFFER]
    comparing.heard(wire.Digest(ME, 30, CHAIN, b"x"), 2.0)
    assert comparing.wake == 2.0 + PATIENCE
    comparing.begin_anew()
    assert comparing.judge({ME, OTHER}, 99.0) == []
