"""Presence: what each shows, and that it goes."""

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
def house() -> Iterator[Processes]:
    with Processes() as made:
        yield made


def client(process: Process) -> Probe:
    return process.build(PresenceChannel, TEXT, name="home/f/notes/presence").probe("Presence")


def seen(probe: Probe) -> dict[str, str]:
    """What a client knows now, from what it was told."""
    now: dict[str, str] = {}
    for event, *values in probe.heard:
        if event == "shown":
            now[values[0]["member"]] = values[0]["value"]  # type: ignore[index]
        elif event == "gone":
            del now[values[0]["member"]]  # type: ignore[index]
    return now


def test_all_see_what_each_shows_and_newcomers_too(house: Processes) -> None:
    one, other = client(house.process()), client(house.process())
    house.settle()
    one.send("show", {"value": "at line 3"})
    other.send("show", {"value": "at line 9"})
    house.settle()
    late = client(house.process())
    house.settle()
    assert sorted(seen(one).values()) == sorted(seen(late).values()) == ["at line 3", "at line 9"]
    one.send("show", {"value": "at line 4"})
    house.settle()
    assert sorted(seen(late).values()) == ["at line 4", "at line 9"]


def test_one_who_comes_later_in_the_same_process_sees_the_others_at_once(house: Processes) -> None:
    here, there = house.process(), house.process()
    first, other = client(here), client(there)
    house.settle()
    other.send("show", {"value": "at line 9"})
    house.settle()
    second = client(here)
    house.settle()
    assert list(seen(second).values()) == list(seen(first).values()) == ["at line 9"]


def test_what_is_hidden_or_left_is_gone(house: Processes) -> None:
    one, other = client(house.process()), client(house.process())
    house.settle()
    one.send("show", {"value": "here"})
    other.send("show", {"value": "there"})
    house.settle()
    one.send("hide", {})
    house.settle()
    assert list(seen(other).values()) == ["there"]
    other.close()
    house.settle()
    assert seen(one) == {}


def test_what_is_shown_is_renewed_and_expires_when_it_is_not(house: Processes) -> None:
    one, other = house.process(), client(house.process())
    shower = client(one)
    house.settle()
    shower.send("show", {"value": "alive"})
    house.advance(3 * EXPIRES_AFTER)
    assert list(seen(other).values()) == ["alive"]
    channel = next(iter(one.node.running.values())).instance
    channel._pulse.remove(channel)  # type: ignore[attr-defined]
    house.advance(EXPIRES_AFTER + 2 * RENEWED_EVERY)
    assert seen(other) == {}


@settings(max_examples=10, deadline=None)
@given(
    st.lists(
        st.tuples(st.integers(0, 2), st.sampled_from(["show", "show", "hide", "silent", "close", "wait"])),
        max_size=10,
    )
)
def test_whatever_was_shown_and_whoever_fell_silent_in_the_end_all_see_what_is_shown(
    steps: list[tuple[int, str]],
) -> None:
    with Processes() as house:
        processes = [house.process() for _ in range(3)]
        clients = [client(one) for one in processes]
        house.settle()
        shown: dict[int, str] = {}
        gone: set[int] = set()
        for number, (who, what) in enumerate(steps):
            if what == "wait":
                house.advance(7)
            elif who not in gone:
                _do(what, processes[who], clients[who], str(number))
                shown.pop(who, None)
                if what == "show":
                    shown[who] = str(number)
                elif what in ("silent", "close"):
                    gone.add(who)
        house.advance(EXPIRES_AFTER + 2 * RENEWED_EVERY)
        for who in {0, 1, 2} - gone:
            assert sorted(seen(clients[who]).values()) == sorted(shown.values())
        for process in processes:
            process.problems.clear()


def _do(what: str, process: Process, probe: Probe, value: str) -> None:
    match what:
        case "show":
            probe.send("show", {"value": value})
        case "hide":
            probe.send("hide", {})
        case "silent":  # as one that stands still: it says nothing more, and does not leave
            channel = next(iter(process.node.running.values())).instance
            channel._pulse.remove(channel)  # type: ignore[attr-defined]
        case _:
            probe.close()


def test_renewing_says_nothing_new_to_clients(house: Processes) -> None:
    one, other = client(house.process()), client(house.process())
    house.settle()
    one.send("show", {"value": "x"})
    house.advance(5 * RENEWED_EVERY)
    assert [event for event, *_ in other.heard].count("shown") == 1
