"""The progress that a member reports."""

from __future__ import annotations

from liven.liveobjects.channel.history import BEGINNING, Epoch, Position, Session
from liven.liveobjects.channel.ordering.member_state import MemberState, Returned
from liven.liveobjects.channel.ordering.progress import TELL_AFTER, TELL_EVERY, MemberProgress

MAIN = Epoch(b"m" * 16, BEGINNING, True)
TIP = Position(MAIN.identity, 10, b"c" * 16)


def member_state(serial: int = 0) -> MemberState:
    """Return the state of a member that returned at operation ten."""
    session = Session(serial, (b"a" * 16,))
    return MemberState(Returned(TIP, BEGINNING, (MAIN,), {}, session, ()), lambda _: None)


def number(reach: MemberProgress, of: MemberState) -> int:
    return reach.progress(of, leaving=False).number


def test_a_log_in_memory_has_everything_delivered() -> None:
    assert number(MemberProgress(), member_state()) == 10


def test_a_log_on_disk_has_what_was_written() -> None:
    reach = MemberProgress()
    reach.logged(0)
    assert number(reach, member_state()) == 0
    reach.logged(7)
    assert number(reach, member_state()) == 7
    reach.logged(5)
    assert number(reach, member_state()) == 7, "what was on the disk stays there"
    reach.logged(20)
    assert number(reach, member_state()) == 10, "it tells of this history alone"


def test_the_log_of_another_history_does_not_count() -> None:
    reach = MemberProgress()
    reach.logged(9)
    reach.log_begins()
    assert number(reach, member_state()) == 0
    reach.logged(3)
    assert number(reach, member_state()) == 3


def test_a_log_in_memory_is_always_of_the_present_history() -> None:
    reach = MemberProgress()
    reach.log_begins()
    reach.sessions_begin()
    assert reach.progress(member_state(4), leaving=False).serial == 4
    assert number(reach, member_state()) == 10


def test_a_member_without_the_state_has_an_empty_log_until_its_own_history_returns() -> None:
    reach, member = MemberProgress(), member_state()
    reach.logged(9)
    member.put_aside()
    member.past = member_state().past  # another history, whose state is on its way
    assert number(reach, member) == 0
    assert member.restore_previous() is not None
    member.continue_history(b"r" * 16, complete=True)
    assert number(reach, member) == 9


def test_a_session_counts_when_it_is_on_disk_with_the_same_founding() -> None:
    reach = MemberProgress()
    reach.recorded(0)
    assert reach.progress(member_state(4), leaving=False).serial == 0
    reach.recorded(4)
    assert reach.progress(member_state(4), leaving=False).serial == 4
    reach.sessions_begin()
    assert reach.progress(member_state(4), leaving=False).serial == 0


def test_progress_is_reported_at_once_in_a_view_and_later_on_change() -> None:
    reach, member = MemberProgress(), member_state()
    reach.logged(1)
    assert reach.wake(member, 1.0, leaving=False) == 1.0
    told = reach.due(member, 1.0, leaving=False)
    assert told is not None
    assert told.number == 1
    assert reach.wake(member, 1.0, leaving=False) is None
    reach.logged(2)
    assert reach.due(member, 1.0, leaving=False) is None
    assert reach.wake(member, 1.0, leaving=False) == 1.0 + TELL_EVERY
    later = reach.due(member, 1.0 + TELL_EVERY, leaving=False)
    assert later is not None
    assert later.number == 2
    reach.begin()
    assert reach.due(member, 1.0 + TELL_EVERY, leaving=False) is not None


def test_a_separate_report_waits_for_more_to_report() -> None:
    reach, member = MemberProgress(), member_state()
    reach.logged(1)
    assert reach.due(member, 1.0, leaving=False, alone=True) is not None
    reach.logged(2)
    assert reach.due(member, 2.0, leaving=False, alone=True) is None
    assert reach.wake(member, 2.001, leaving=False) == 2.0 + TELL_AFTER
    reach.logged(3)
    told = reach.due(member, 2.0 + TELL_AFTER, leaving=False, alone=True)
    assert told is not None
    assert told.number == 3
    assert reach.wake(member, 2.1, leaving=False) is None


def test_a_report_with_another_message_does_not_wait() -> None:
    reach, member = MemberProgress(), member_state()
    reach.logged(1)
    reach.due(member, 1.0, leaving=False)
    reach.logged(2)
    assert reach.due(member, 2.0, leaving=False, alone=True) is None
    assert reach.due(member, 2.001, leaving=False) is not None
    reach.logged(3)
    assert reach.due(member, 3.0, leaving=False, alone=True) is None
