"""People learn after seconds that their changes are not confirmed and whom that waits for, and can say that
somebody will not come back."""

from __future__ import annotations

from pathlib import Path

import pytest

from liven.liveobjects.channel.members.confirmation import Confirmation
from liven.liveobjects.channel.objects.shared import SharedChannel
from liven.liveobjects.channel.ordering import ChannelBusyError
from liven.liveobjects.channel.session.session import ChannelSession
from liven.liveobjects.channel.session.unconfirmed import TOLD_AFTER
from liven.liveobjects.channel.store import Sync
from liven.liveobjects.channel.testing import Process, Processes
from liven.liveobjects.channel.testing.processes import Object
from liven.liveobjects.counter.object import CounterObject
from liven.runtime.problems import Problem
from liven.types.terms.value_types import Integer

NAME = "home/f/counter"
NUMBER = Integer(-(2**63), 2**63 - 1)
PEOPLE = {1: "Ann", 2: "Bob", 3: "Cy"}
WAITING = "not confirmed yet: waiting for"


def counter(process: Process) -> Object:
    process.system.name_of = lambda node: PEOPLE.get(node, "")
    made = process.build(CounterObject)
    channel = process.build(SharedChannel, NUMBER, NUMBER, name=NAME)
    process.connect(made, "channel", channel, "Channel")
    return made


def session(process: Process) -> ChannelSession:
    return process.system.shared(ChannelSession, NAME, lambda: pytest.fail("it is open"))


def crash(process: Process) -> None:
    """End a process without notice, as the others see it."""
    driver = session(process)._driver
    assert driver is not None
    driver.close()


def told(process: Process) -> list[Problem]:
    return [each for each in process.problems if WAITING in each.what]


def opened(processes: Processes, *names: str) -> list[tuple[Process, Object]]:
    made = []
    for name in names:
        process = processes.process(name)
        made.append((process, counter(process)))
        processes.advance(3)
    return made


def alone(processes: Processes) -> tuple[Process, Object]:
    """Return the program of Bob, who has a change that waits for Ann."""
    (ann, _), (bob, changed) = opened(processes, "ann", "bob")
    changed.instance.add(1)
    processes.advance(2)
    crash(ann)
    processes.advance(1)
    changed.instance.add(1)
    return bob, changed


def test_after_seconds_a_problem_names_the_person_who_is_waited_for(tmp_path: Path) -> None:
    with Processes(tmp_path, Sync.SOON) as processes:
        bob, _ = alone(processes)
        processes.advance(TOLD_AFTER - 1)
        assert told(bob) == []
        processes.advance(2)
        (problem,) = told(bob)
        assert problem.what.startswith(f"1 change is {WAITING} Ann (")
        assert problem.remedies[0].name.startswith("Ann (")
        processes.advance(60)
        assert told(bob) == [problem], "people see it once"
        bob.problems.clear()
        session(bob).leave()
        processes.advance(5)
        assert bob.problems[-1].is_over, "a closed channel has no problem"
        bob.problems.clear()


def test_the_state_of_an_own_log_is_shown_before_the_others_are_reached(tmp_path: Path) -> None:
    with Processes(tmp_path, Sync.SOON) as processes:
        bob, changed = alone(processes)
        assert changed.instance.number == 1
        bob.problems.clear()
        processes.stop("bob")
        again = processes.process("bob")
        shown = counter(again)
        processes.settle()
        assert session(again).absent is None, "there is no view yet"
        assert (shown.instance.ready, shown.instance.number) == (True, 2)
        assert session(again).confirmation == Confirmation(alone=True)
        processes.advance(10)
        assert session(again).confirmation == Confirmation(), "who returns alone goes on"
        again.problems.clear()
        bob.problems.clear()


def test_nobody_is_awaited_once_everything_is_confirmed(tmp_path: Path) -> None:
    with Processes(tmp_path, Sync.SOON) as processes:
        (ann, changed), (bob, _) = opened(processes, "ann", "bob")
        changed.instance.add(1)
        processes.advance(2)
        assert session(ann).confirmation == session(bob).confirmation == Confirmation()


def test_nothing_is_told_while_members_join_and_leave(tmp_path: Path) -> None:
    with Processes(tmp_path, Sync.SOON) as processes:
        (_, changed), (bob, other), (cy, _) = opened(processes, "ann", "bob", "cy")
        for _ in range(10):
            changed.instance.add(1)
            other.instance.add(1)
            processes.advance(1)
        crash(cy)
        processes.advance(1)
        changed.instance.add(1)
        processes.advance(3 * TOLD_AFTER)
        assert told(bob) == []
        assert session(bob).unacknowledged == 0


def test_changes_are_confirmed_when_a_person_says_that_the_absent_one_is_gone(tmp_path: Path) -> None:
    with Processes(tmp_path, Sync.SOON) as processes:
        bob, changed = alone(processes)
        processes.advance(TOLD_AFTER + 1)
        (problem,) = told(bob)
        assert session(bob).unacknowledged == 1
        problem.remedies[0].do()
        processes.advance(5)
        assert session(bob).unacknowledged == 0
        assert bob.problems[-1].is_over
        assert problem.is_replaced_by(bob.problems[-1])
        bob.problems.clear()
        changed.instance.add(1)
        processes.advance(1)
        assert session(bob).unacknowledged == 0
        problem.remedies[0].do()  # a second click does nothing
        processes.advance(5)
        assert bob.problems == []
    with Processes(tmp_path) as processes:
        ((bob, back),) = opened(processes, "bob")
        processes.advance(5)
        back.instance.add(1)
        processes.advance(2)
        assert (back.instance.value(), session(bob).unacknowledged) == (4, 0), "the disk knows it, too"
        ((ann, returned),) = opened(processes, "ann")
        returned.instance.add(1)
        processes.advance(3)
        assert (returned.instance.value(), back.instance.value()) == (5, 5)
        assert (session(ann).unacknowledged, session(bob).unacknowledged) == (0, 0)


def test_a_full_channel_says_who_is_waited_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with Processes(tmp_path, Sync.SOON) as processes:
        bob, _ = alone(processes)
        processes.advance(1)
        own = session(bob)._replica.channel._own  # type: ignore[union-attr]
        own._bytes = 64 * 1024 * 1024
        assert "not confirmed: waiting for Ann (" in session(bob).full
        with pytest.raises(ChannelBusyError, match="waiting for Ann"):
            session(bob).submit(b"more")
        own._bytes = 0
        bob.problems.clear()
