"""The sessions that a member knows."""

from __future__ import annotations

from liven.liveobjects.channel.history import BEGINNING, Recovery, Session, Standing, Voter
from liven.liveobjects.channel.ordering.messages import Progress, Work
from liven.liveobjects.channel.ordering.open_view import OpenView
from liven.liveobjects.channel.ordering.opening.decision import ATTEMPTS_MOST, Decision, EntryKind, Seat
from liven.liveobjects.channel.ordering.opening.quorum_sessions import QuorumSessions
from liven.liveobjects.channel.ordering.operations.delivered_log import DeliveredLog

ANN, BOB, CY = (name * 16 for name in (b"a", b"b", b"c"))
FIRST = Session(1, (ANN, BOB), b"f" * 16)
SECOND = Session(2, (ANN, BOB, CY), b"f" * 16)


def open_view_of(*authors: bytes, me: int = 0) -> OpenView:
    """Return a view of these members, who all have the state. The first one orders."""
    seats = tuple(
        Seat(node, author, Voter(author), EntryKind.STAYS, True, Recovery.NOTHING, 0)
        for node, author in enumerate(authors, 1)
    )
    decision = Decision(
        b"r" * 16, seats, BEGINNING, 1, Standing.CONTINUES, False, None, 1, (), FIRST, (), False
    )
    return OpenView(decision, me, DeliveredLog())


def tell(of: OpenView, serial: int, *nodes: int, leaving: bool = False) -> None:
    """Report which sessions the members have on disk."""
    for node in nodes:
        of.work(node, Work(b"r" * 16, 0, [], None, Progress(0, serial, True, leaving)))


def test_serial_and_founding_are_those_of_the_latest_session() -> None:
    assert QuorumSessions().serial == 0
    assert QuorumSessions(FIRST).serial == 1
    assert QuorumSessions(FIRST, (SECOND,)).serial == 2
    assert QuorumSessions(FIRST, (Session(3, (ANN,), b"g" * 16),)).founding == b"g" * 16


def test_a_session_is_stable_when_all_its_members_have_it_on_disk() -> None:
    sessions, view = QuorumSessions(FIRST, (SECOND,)), open_view_of(ANN, BOB, CY)
    tell(view, 2, 1, 2)
    assert sessions.recorded(view) == (FIRST, (SECOND,))
    tell(view, 2, 3)
    assert sessions.recorded(view) == (SECOND, ())


def test_a_session_with_an_absent_member_is_not_stable() -> None:
    sessions, view = QuorumSessions(FIRST, (SECOND,)), open_view_of(ANN, BOB)
    tell(view, 2, 1, 2)
    assert sessions.recorded(view) == (FIRST, (SECOND,))


def test_attempts_before_the_stable_session_are_dropped() -> None:
    third = Session(3, (ANN, BOB, CY), b"f" * 16)
    sessions, view = QuorumSessions(FIRST, (SECOND, third)), open_view_of(ANN, BOB, CY)
    tell(view, 2, 1, 2, 3)
    assert sessions.recorded(view) == (SECOND, (third,))


def test_the_orderer_proposes_a_session_of_those_who_stay() -> None:
    view = open_view_of(ANN, BOB, CY)
    tell(view, 1, 1, 2)
    assert QuorumSessions(FIRST).proposal(view) == Session(2, (ANN, BOB, CY), b"f" * 16)
    tell(view, 1, 3, leaving=True)
    assert QuorumSessions(FIRST).proposal(view) is None, "those are its members already"
    assert QuorumSessions(FIRST, (SECOND,)).proposal(view) is None, "another is under way"
    assert QuorumSessions(Session(1, (CY,), b"f" * 16)).proposal(open_view_of(ANN, BOB, me=1)) is None, (
        "it does not order"
    )


def test_a_member_counts_until_a_session_without_it_is_stable() -> None:
    assert QuorumSessions(FIRST).counts(Voter(ANN))
    assert not QuorumSessions(FIRST).counts(Voter(CY))
    assert QuorumSessions(FIRST, (SECOND,)).counts(Voter(CY))


def tell_progress(of: OpenView, node: int, number: int, serial: int, *, stores: bool) -> None:
    """Report how far a member is, and if its disk takes data."""
    of.work(node, Work(b"r" * 16, 0, [], None, Progress(number, serial, True, False, b"", stores)))


def grown_view(*authors: bytes) -> OpenView:
    """Return a view in which three operations were delivered."""
    view = open_view_of(*authors)
    view.past.add(ANN, 1 << 32, [b"1", b"2", b"3"])
    return view


def test_the_next_session_is_wanted_without_a_member_whose_disk_is_full() -> None:
    sessions, view = QuorumSessions(SECOND), open_view_of(ANN, BOB, CY)
    tell_progress(view, 2, 0, 2, stores=False)
    proposal = sessions.proposal(view)
    assert proposal is not None and proposal.members == (ANN, CY)
    assert view.readers == (2,)


def test_no_session_is_wanted_when_every_disk_is_full() -> None:
    sessions, view = QuorumSessions(SECOND), open_view_of(ANN, BOB, CY)
    for node in (1, 2, 3):
        tell_progress(view, node, 0, 2, stores=False)
    assert sessions.proposal(view) is None


def test_a_full_disk_counts_until_its_vote_is_gone() -> None:
    view = grown_view(ANN, BOB)
    tell_progress(view, 1, 3, 1, stores=True)
    tell_progress(view, 2, 1, 1, stores=False)
    view.diverged()
    view.count_on(QuorumSessions(FIRST).voters)
    assert view.settled() == 1
    view.count_on(QuorumSessions(Session(2, (ANN,), b"f" * 16)).voters)
    assert view.settled() == 3
    view.count_on(QuorumSessions(Session(2, (ANN,)), (Session(3, (ANN, BOB)),)).voters)
    assert view.settled() == 1  # it may vote again already


def test_a_majority_takes_the_vote_of_a_full_disk_without_its_consent() -> None:
    without = Session(3, (ANN, CY), b"f" * 16)
    sessions, view = QuorumSessions(SECOND, (without,)), open_view_of(ANN, BOB, CY)
    tell_progress(view, 2, 0, 2, stores=False)
    tell(view, 3, 1, 3)
    assert sessions.recorded(view) == (without, ())


def test_half_of_the_members_take_a_vote_only_when_the_full_disk_has_recorded_it() -> None:
    without = Session(2, (BOB,), b"f" * 16)
    sessions, view = QuorumSessions(FIRST, (without,)), open_view_of(ANN, BOB)
    tell_progress(view, 1, 0, 1, stores=False)
    tell(view, 2, 2)
    assert sessions.recorded(view) == (FIRST, (without,))
    tell_progress(view, 1, 0, 2, stores=False)
    assert sessions.recorded(view) == (without, ())


def test_an_attempt_of_absent_members_is_replaced_when_a_disk_has_room_again() -> None:
    """It can never become stable. Without another one, nobody confirms anything while a disk is full."""
    sessions, view = QuorumSessions(FIRST, (SECOND,)), open_view_of(ANN, CY)
    tell_progress(view, 1, 0, 2, stores=False)
    tell_progress(view, 2, 0, 2, stores=True)
    assert sessions.proposal(view) == Session(3, (CY,), b"f" * 16)
    view.proposed = 3
    assert sessions.proposal(view) is None, "it is under way"


def test_no_attempt_is_added_beyond_the_limit() -> None:
    attempts = tuple(Session(2 + index, (ANN, BOB, CY), b"f" * 16) for index in range(ATTEMPTS_MOST))
    view = open_view_of(ANN, CY)
    tell(view, 1, 1, 2)
    assert QuorumSessions(FIRST, attempts).proposal(view) is None
