from __future__ import annotations

import time

from tests.unit.liveobjects.feeds.replay.recordings import Given, numbered, record

from liven.liveobjects.feeds.replay.options import Options
from liven.liveobjects.feeds.replay.pace import MAX
from liven.liveobjects.feeds.replay.player import Player
from liven.liveobjects.feeds.replay.rows import Event
from liven.liveobjects.feeds.replay.source.event_list import EventList
from liven.liveobjects.feeds.replay.state import State
from liven.liveobjects.feeds.replay.transport import Transport, sleep_until
from liven.runtime.dispatcher.hand_cranked import HandCranked


def given(
    count: int, options: Options | None = None, *, precise: bool = False
) -> tuple[HandCranked, Given, Transport]:
    crank = HandCranked()
    target = Given(crank.now)
    player = Player(EventList(numbered([record(at) for at in range(count)])), target, crank.now, options)
    return crank, target, Transport(player, crank, precise=precise)


def test_timers_of_the_dispatcher_turn_the_player() -> None:
    crank, target, transport = given(5)
    transport.play()
    crank.advance(2.5)
    assert target.sequences == [0, 1, 2]
    crank.advance(10)
    assert transport.position.state is State.ENDED


def test_a_long_way_is_gone_in_several_turns() -> None:
    """Without a clock that moves, a turn has no end but that of the work: other calls still get theirs."""
    crank, target, transport = given(3000, Options(speed=MAX))
    transport.play()
    crank.settle()
    assert target.sequences == list(range(3000))


def test_each_command_takes_effect_at_once() -> None:
    crank, target, transport = given(20)
    transport.play()
    crank.advance(1.5)
    transport.set_speed(10)
    crank.advance(0.55)
    assert target.sequences == list(range(8))
    transport.pause()
    crank.advance(5)
    transport.step(1)
    crank.settle()
    assert target.sequences == list(range(9))
    transport.seek_part(0.0)
    crank.settle()
    assert transport.position.sequence == 0


def test_closed_transport_leaves_no_timer() -> None:
    crank, target, transport = given(5)
    transport.play()
    crank.advance(1.5)
    transport.close()
    crank.advance(60)
    assert target.sequences == [0, 1]
    assert transport.position.state is State.CLOSED


def test_a_target_may_give_a_command() -> None:
    crank, target, transport = given(9)
    deliver = target.deliver

    def stop_at_third(events: list[Event]) -> None:
        deliver(events)
        if events[-1].sequence == 3:
            transport.pause()

    target.deliver = stop_at_third  # type: ignore[method-assign,assignment]
    transport.play()
    crank.advance(60)
    assert target.sequences == [0, 1, 2, 3]
    assert transport.position.state is State.PAUSED


def test_precise_sleep_never_ends_early() -> None:
    for wait in (0.0, 1e-5, 0.001):
        deadline = time.monotonic() + wait
        sleep_until(deadline, time.monotonic)
        assert time.monotonic() >= deadline


def test_changes_reach_the_listener() -> None:
    crank, _, transport = given(2)
    told: list[State] = []
    transport.on_change = lambda: told.append(transport.position.state)
    transport.play()
    crank.advance(9)
    assert told[-1] is State.ENDED
