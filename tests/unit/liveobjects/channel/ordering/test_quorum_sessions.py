"""The sessions that a member knows."""

from __future__ import annotations

from liven.liveobjects.channel.history import BEGINNING, Recovery, Session, Standing
from liven.liveobjects.channel.ordering.decision import Decision, EntryKind, Seat
from liven.liveobjects.channel.ordering.delivered_log import DeliveredLog
from liven.liveobjects.channel.ordering.messages import Progress, Work
from liven.liveobjects.channel.ordering.open_view import OpenView
from liven.liveobjects.channel.ordering.quorum_sessions import QuorumSessions

ANN, BOB, CY = (name * 16 for name in (b"a", b"b", b"c"))
FIRST = Session(1, (ANN, BOB), b"f" * 16)
SECOND = Session(2, (ANN, BOB, CY), b"f" * 16)


def open_view_of(*authors: bytes, me: int = 0) -> OpenView:
    """Return a view of these members, who all have the state. The first one orders."""
    seats = tuple(
        Seat(node, author, EntryKind.STAYS, True, Recovery.NOTHING, 0)
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
    assert QuorumSessions(FIRST).counts(ANN)
    assert not QuorumSessions(FIRST).counts(CY)
    assert QuorumSessions(FIRST, (SECOND,)).counts(CY)
