"""The decision of a view follows from the reports: whose history continues, and in which epoch."""

from __future__ import annotations

from dataclasses import replace

import pytest

from liven.liveobjects.channel.history import BEGINNING, Claim, Position, Recovery, Session, Standing, Voter
from liven.liveobjects.channel.ordering.messages import HistorySource, Judged, Report
from liven.liveobjects.channel.ordering.opening.decision import Decision, decide

ANN, BOB, CY = (name * 16 for name in (b"a", b"b", b"c"))
FOUNDED = b"f" * 16
ALL = Session(5, (ANN, BOB, CY), FOUNDED)
WITHOUT_ANN = Session(6, (BOB, CY), FOUNDED)
VIEW = b"v" * 16
SAME = Judged(True, True, False)
FORKED = Judged(False, True, False)
LACKS_CONFIRMED = Judged(False, False, False)


def at(number: int, mark: bytes = b"m") -> Position:
    return Position(mark * 16, number, mark * 16)


def report(
    author: bytes, claim: Claim, session: Session = ALL, *, from_disk: bool = False, turn: bytes = b""
) -> Report:
    return Report(
        view_id=VIEW,
        author=author,
        voter=Voter(author),
        history=HistorySource.LIVE,
        from_disk=from_disk,
        complete=True,
        turn=turn,
        turns=1,
        since=0,
        claim=claim,
        following=None,
        kept_from=1,
        held=(),
        stable_session=session,
        attempts=(),
        stores=True,
    )


def met(ann: Report, bob: Report, *, ann_in_bob: Judged, bob_in_ann: Judged) -> Decision:
    """Decide a view of two whose histories are forked."""
    return decide(VIEW, {1: ann, 2: bob}, {1: [SAME, bob_in_ann], 2: [ann_in_bob, SAME]})


def test_confirmed_operations_stay_although_no_main_epoch_ordered_them() -> None:
    """Bob and Cy ordered them while they were cut off, and confirmed them when they had a majority again. Ann
    returns with operations of the main epoch that nobody else has."""
    ann = report(ANN, Claim(at(749), True, at(725), 749))
    bob = report(BOB, Claim(at(812, b"t"), False, at(812, b"t"), 739), WITHOUT_ANN)
    decision = met(ann, bob, ann_in_bob=FORKED, bob_in_ann=LACKS_CONFIRMED)
    assert decision.donor == 2
    recoveries = {seat.node: seat.recovery for seat in decision.seats}
    assert recoveries == {1: Recovery.SUBMIT_AGAIN, 2: Recovery.NOTHING}


@pytest.mark.parametrize(("sessions", "donor"), [((ALL, WITHOUT_ANN), 2), ((ALL, ALL), 1)])
def test_a_member_of_the_latest_session_has_what_nobody_knows_to_be_confirmed(
    sessions: tuple[Session, Session], donor: int
) -> None:
    ann = report(ANN, Claim(at(749), True, at(725), 749), sessions[0])
    bob = report(BOB, Claim(at(740, b"t"), True, at(725), 740), sessions[1])
    assert met(ann, bob, ann_in_bob=FORKED, bob_in_ann=FORKED).donor == donor


@pytest.mark.parametrize("from_disk", [False, True])
def test_a_majority_that_must_trust_a_disk_begins_another_epoch(from_disk: bool) -> None:
    """A disk may have been copied, and somebody may continue the epoch elsewhere with the same vote."""
    claim = Claim(at(9), True, at(9), 9)
    ann = report(ANN, claim, from_disk=from_disk, turn=b"t")
    bob = report(BOB, claim, turn=b"t")
    decision = decide(VIEW, {1: ann, 2: bob}, {})
    assert decision.standing is Standing.CONTINUES
    assert (decision.opened is not None) is from_disk


def test_the_majority_of_another_history_does_not_make_an_epoch_certain() -> None:
    """Ann returned alone and has a session of her own. Bob returns with an epoch that Cy, whom nobody sees,
    may have continued with other operations."""
    ann = report(ANN, Claim(at(72, b"a"), True, at(72, b"a"), 72), Session(6, (ANN,), FOUNDED), turn=b"t")
    bob = report(BOB, Claim(at(749), True, at(725), 749), from_disk=True)
    decision = met(ann, bob, ann_in_bob=LACKS_CONFIRMED, bob_in_ann=LACKS_CONFIRMED)
    assert decision.donor == 2
    assert decision.standing is Standing.CONTINUES
    assert decision.opened is not None


def test_what_is_not_certain_in_an_epoch_counts_as_part_of_the_next() -> None:
    """Others may have continued the former one from the last confirmed operation, in the same places."""
    ann = report(ANN, Claim(at(9), True, at(5), 9), from_disk=True, turn=b"t")
    bob = report(BOB, Claim(at(9), True, at(4), 9), turn=b"t")
    opened = decide(VIEW, {1: ann, 2: bob}, {}).opened
    assert opened is not None
    assert (opened.parent.number, opened.after) == (9, 5)


def test_nobody_has_a_history() -> None:
    fresh = [
        replace(
            report(each, Claim(BEGINNING, True, BEGINNING)),
            history=HistorySource.FRESH,
            complete=False,
            claim=None,
            stable_session=Session(0, ()),
        )
        for each in (ANN, BOB)
    ]
    decision = decide(VIEW, dict(enumerate(fresh, 1)), {})
    assert decision.donor is None
    assert [each.members for each in decision.attempts] == [(ANN, BOB)]
