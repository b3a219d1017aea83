"""Presence: the values that members show, and their expiry."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from liven.liveobjects.channel.objects.presence import EXPIRES_AFTER, RENEWED_EVERY, PresenceChannel
from liven.liveobjects.channel.testing import Process, Processes
from liven.runtime.objects.probe import Probe
from liven.types.terms.value_types import TEXT


@pytest.fixture
def processes() -> Iterator[Processes]:
    with Processes() as made:
        yield made


def client(process: Process) -> Probe:
    return process.build(PresenceChannel, TEXT, name="home/f/notes/presence").probe("Presence")


def seen(probe: Probe) -> dict[str, str]:
    """Return what a client knows now, from the events it received."""
    now: dict[str, str] = {}
    for event, *values in probe.heard:
        if event == "shown":
            now[values[0]["member"]] = values[0]["value"]  # type: ignore[index]
        elif event == "gone":
            del now[values[0]["member"]]  # type: ignore[index]
    return now


def test_all_see_what_each_shows_and_newcomers_too(processes: Processes) -> None:
    one, other = client(processes.process()), client(processes.process())
    processes.settle()
    one.send("show", {"value": "at line 3"})
    other.send("show", {"value": "at line 9"})
    processes.settle()
    late = client(processes.process())
    processes.settle()
    assert sorted(seen(one).values()) == sorted(seen(late).values()) == ["at line 3", "at line 9"]
    one.send("show", {"value": "at line 4"})
    processes.settle()
    assert sorted(seen(late).values()) == ["at line 4", "at line 9"]


def test_a_later_client_in_the_same_process_sees_the_others_at_once(processes: Processes) -> None:
    here, there = processes.process(), processes.process()
    first, other = client(here), client(there)
    processes.settle()
    other.send("show", {"value": "at line 9"})
    processes.settle()
    second = client(here)
    processes.settle()
    assert list(seen(second).values()) == list(seen(first).values()) == ["at line 9"]


def test_a_hidden_value_or_a_member_that_left_is_gone(processes: Processes) -> None:
    one, other = client(processes.process()), client(processes.process())
    processes.settle()
    one.send("show", {"value": "here"})
    other.send("show", {"value": "there"})
    processes.settle()
    one.send("hide", {})
    processes.settle()
    assert list(seen(other).values()) == ["there"]
    other.close()
    processes.settle()
    assert seen(one) == {}


def test_a_shown_value_is_renewed_or_expires(processes: Processes) -> None:
    one, other = processes.process(), client(processes.process())
    shower = client(one)
    processes.settle()
    shower.send("show", {"value": "alive"})
    processes.advance(3 * EXPIRES_AFTER)
    assert list(seen(other).values()) == ["alive"]
    channel = next(iter(one.node.running.values())).instance
    channel._renewal_timer.remove(channel)  # type: ignore[attr-defined]
    processes.advance(EXPIRES_AFTER + 2 * RENEWED_EVERY)
    assert seen(other) == {}


@settings(max_examples=10, deadline=None)
@given(
    st.lists(
        st.tuples(st.integers(0, 2), st.sampled_from(["show", "show", "hide", "silent", "close", "wait"])),
        max_size=10,
    )
)
def test_all_members_see_the_same_presence_in_the_end(
    steps: list[tuple[int, str]],
) -> None:
    with Processes() as processes:
        members = [processes.process() for _ in range(3)]
        clients = [client(one) for one in members]
        processes.settle()
        shown: dict[int, str] = {}
        gone: set[int] = set()
        for number, (who, what) in enumerate(steps):
            if what == "wait":
                processes.advance(7)
            elif who not in gone:
                _do(what, members[who], clients[who], str(number))
                shown.pop(who, None)
                if what == "show":
                    shown[who] = str(number)
                elif what in ("silent", "close"):
                    gone.add(who)
        processes.advance(EXPIRES_AFTER + 2 * RENEWED_EVERY)
        for who in {0, 1, 2} - gone:
            assert sorted(seen(clients[who]).values()) == sorted(shown.values())
        for process in members:
            process.problems.clear()


def _do(what: str, process: Process, probe: Probe, value: str) -> None:
    match what:
        case "show":
            probe.send("show", {"value": value})
        case "hide":
            probe.send("hide", {})
        case "silent":  # a frozen member: it sends nothing more and does not leave
            channel = next(iter(process.node.running.values())).instance
            channel._renewal_timer.remove(channel)  # type: ignore[attr-defined]
        case _:
            probe.close()


def test_a_renewal_sends_no_event_to_clients(processes: Processes) -> None:
    one, other = client(processes.process()), client(processes.process())
    processes.settle()
    one.send("show", {"value": "x"})
    processes.advance(5 * RENEWED_EVERY)
    assert [event for event, *_ in other.heard].count("shown") == 1
