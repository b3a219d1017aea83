from __future__ import annotations

import uuid

import pytest
from tests.unit.liveobjects.feeds.replay.recordings import checkpoint, counter_recipe, numbered, record

from liven.liveobjects.channel.objects.group import GroupChannel
from liven.liveobjects.channel.objects.ordered import OrderedGroupChannel
from liven.liveobjects.channel.objects.presence import PresenceChannel
from liven.liveobjects.channel.objects.shared import SharedChannel
from liven.liveobjects.channel.objects.value_stream import SharedValue
from liven.liveobjects.channel.testing.processes import Process, Processes
from liven.liveobjects.chat import object as chat
from liven.liveobjects.counter import object as counter
from liven.liveobjects.feeds.replay.errors import ReplayError
from liven.liveobjects.feeds.replay.target.live_channel import LiveChannel
from liven.types.catalogue import register
from liven.types.declare import scan
from liven.types.terms.value_types import TEXT, Integer

NAME = "home/feeds/live"
INT64 = Integer(-(2**63), 2**63 - 1)


def opened(processes: Processes, who: Process, seconds: float = 12.0) -> tuple[LiveChannel, list[str]]:
    """Return a live channel, and the reason why it cannot be played into; empty if it can."""
    said: list[str] = []
    live = LiveChannel(who.node, processes.known, NAME, "replay of Monday")
    live.when_ready(said.append)
    processes.advance(seconds)
    return live, said


def ended(processes: Processes, live: LiveChannel) -> None:
    done: list[bool] = []
    live.finish(lambda: done.append(True))
    processes.advance(12.0)
    assert done


def test_operations_reach_the_objects_of_others() -> None:
    with Processes() as processes:
        register(processes.known.catalogue, scan(counter), processes.known.matcher)
        ann, player = processes.process("ann"), processes.process("player")
        live_counter = ann.load(counter_recipe(NAME))
        live, said = opened(processes, player)
        assert said == [""]
        live.deliver(numbered([checkpoint(0, 500), record(1, 3), record(2, 4)]))
        processes.advance(2.0)
        assert live_counter.instance.number == 7
        ended(processes, live)
        assert live_counter.instance.number == 7


def test_members_are_shown_that_it_is_a_replay_while_it_lasts() -> None:
    with Processes() as processes:
        register(processes.known.catalogue, scan(counter), processes.known.matcher)
        ann, player = processes.process("ann"), processes.process("player")
        ann.load(counter_recipe(NAME))
        shown = ann.build(PresenceChannel, TEXT, name=f"{NAME}/replay").probe("Presence")
        live, _ = opened(processes, player)
        assert [event[1] for event in shown.heard if event[0] == "shown"] == [
            {"member": shown.heard[1][1]["member"], "value": "replay of Monday"}  # type: ignore[index]
        ]
        ended(processes, live)
        assert shown.heard[-1][0] == "gone"


def test_operations_name_a_replay_as_their_author() -> None:
    """Nobody's own replica takes a played operation for one that it sent itself."""
    with Processes() as processes:
        register(processes.known.catalogue, scan(chat), processes.known.matcher)
        known = processes.known
        message = known.catalogue.term(known.catalogue.find("liven:chat-operation", "value"))
        state = known.catalogue.term(known.catalogue.find("liven:chat-state", "value"))
        ann, player = processes.process("ann"), processes.process("player")
        probe = ann.build(SharedChannel, message, state, name=NAME).probe()
        live, said = opened(processes, player)
        assert said == [""]
        gesture = {
            "origin": uuid.UUID(int=7).bytes,
            "number": 1,
            "author": "ann",
            "name": "Say",
            "changes": [],
        }
        live.deliver(numbered([record(0, gesture)]))
        processes.advance(2.0)
        (received,) = [event[1]["message"] for event in probe.heard if event[0] == "receive"]  # type: ignore[index]
        assert received["author"] == "replay of ann"
        assert received["origin"] != gesture["origin"]
        assert (received["number"], received["name"]) == (1, "Say")
        ended(processes, live)


@pytest.mark.parametrize("kind", [GroupChannel, OrderedGroupChannel])
def test_messages_reach_the_members_of_a_channel_without_a_state(kind: type) -> None:
    with Processes() as processes:
        ann, player = processes.process("ann"), processes.process("player")
        probe = ann.build(kind, INT64, name=NAME).probe()
        live, said = opened(processes, player)
        assert said == [""]
        live.deliver(numbered([record(0, 3), record(1, 4)]))
        processes.advance(3.0)
        assert [event[1]["message"] for event in probe.heard if event[0] == "receive"] == [3, 4]  # type: ignore[index]
        ended(processes, live)


def test_values_become_the_shared_value() -> None:
    with Processes() as processes:
        ann, player = processes.process("ann"), processes.process("player")
        probe = ann.build(SharedValue, INT64, name=NAME).probe("Endpoint")
        live, said = opened(processes, player)
        assert said == [""]
        live.deliver(numbered([checkpoint(0, 3), checkpoint(1, 4)]))
        processes.advance(3.0)
        assert probe.heard[-1] == ("set", {"value": 4})
        ended(processes, live)


def test_channel_that_nobody_has_open_is_refused() -> None:
    with Processes() as processes:
        live, said = opened(processes, processes.process("player"))
        assert said == [f"nobody has the channel {NAME} open; open its object somewhere, and try again"]
        live.close()


def test_value_of_another_type_is_refused_before_anything_is_sent() -> None:
    with Processes() as processes:
        ann, player = processes.process("ann"), processes.process("player")
        probe = ann.build(GroupChannel, INT64, name=NAME).probe()
        live, _ = opened(processes, player)
        with pytest.raises(ReplayError, match="record 0 does not fit the live channel"):
            live.deliver(numbered([record(0, "seven")]))
        processes.advance(1.0)
        assert not [event for event in probe.heard if event[0] == "receive"]
        live.close()


def test_records_of_several_channels_are_refused() -> None:
    with Processes() as processes:
        ann, player = processes.process("ann"), processes.process("player")
        held = ann.build(GroupChannel, INT64, name=NAME).probe()
        live, _ = opened(processes, player)
        with pytest.raises(ReplayError, match="choose one with --channel"):
            live.deliver(numbered([record(0, channel="a"), record(1, channel="b")]))
        live.close()
        held.close()


def test_going_back_takes_nothing_back() -> None:
    with Processes() as processes:
        ann, player = processes.process("ann"), processes.process("player")
        held = ann.build(GroupChannel, INT64, name=NAME).probe()
        live, _ = opened(processes, player)
        assert list(live.rebuild(0)) == []
        live.close()
        held.close()


@pytest.mark.slow
def test_channel_that_is_full_has_no_room_and_loses_nothing() -> None:
    with Processes() as processes:
        register(processes.known.catalogue, scan(counter), processes.known.matcher)
        ann, player = processes.process("ann"), processes.process("player")
        live_counter = ann.load(counter_recipe(NAME))
        live, said = opened(processes, player)
        assert said == [""]
        for _ in range(130):
            live.deliver(numbered([record(at) for at in range(1000)]))
        assert not live.has_room
        processes.advance(120.0)
        assert live.has_room
        assert live_counter.instance.number == 130_000
        ended(processes, live)
