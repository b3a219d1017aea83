from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.unit.liveobjects.feeds.replay.recordings import START, Given, numbered, record, recording

from liven.liveobjects.feeds.errors import DamagedError
from liven.liveobjects.feeds.record import Record
from liven.liveobjects.feeds.replay.errors import ReplayError
from liven.liveobjects.feeds.replay.options import Options
from liven.liveobjects.feeds.replay.pace import MAX
from liven.liveobjects.feeds.replay.place import Place, at_time
from liven.liveobjects.feeds.replay.player import Player
from liven.liveobjects.feeds.replay.rows import Rows
from liven.liveobjects.feeds.replay.selection import Selection
from liven.liveobjects.feeds.replay.source.event_list import EventList
from liven.liveobjects.feeds.replay.state import TABLE, Move, State


class Clock:
    """A clock that a test sets."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


class Play:
    """A player on a simulated clock."""

    def __init__(self, records: Sequence[Record], options: Options | None = None, parts: int = 0) -> None:
        self.clock = Clock()
        self.target = Given(self.clock, parts=parts)
        self.source: EventList = recording(records)
        self.player = Player(self.source, self.target, self.clock, options, wall=lambda: 77_000_000)
        self.settle()

    def settle(self) -> float | None:
        """Take all turns that are due now; return when the next one is."""
        for _ in range(100_000):
            wanted = self.player.turn()
            if wanted is None or wanted > self.clock.now:
                return wanted
        raise AssertionError("it never waits")

    def run(self, seconds: float) -> None:
        """Let time pass, with a turn at each deadline."""
        end = self.clock.now + seconds
        for _ in range(100_000):
            wanted = self.settle()
            if wanted is None or wanted > end:
                break
            self.clock.now = wanted
        else:
            raise AssertionError("it never waits")
        self.clock.now = end
        self.settle()

    @property
    def state(self) -> str:
        return self.player.position.state.value

    @property
    def offsets(self) -> list[float]:
        """The seconds after the start at which each event was given."""
        return [at - 1000.0 for at, _ in self.target.events]


def each_second(count: int) -> list[Record]:
    return [record(at) for at in range(count)]


def test_it_begins_paused_with_the_state_of_its_window() -> None:
    play = Play(each_second(10), Options(start="+4s"))
    assert play.player.state is State.PAUSED
    assert play.target.rebuilt == [4]
    assert play.player.position.sequence == 4
    assert play.target.sequences == []


def test_events_keep_their_spacing() -> None:
    play = Play([record(at) for at in (0, 0.25, 3, 3, 10)])
    play.player.play()
    play.run(20)
    assert play.offsets == pytest.approx([0, 0.25, 3, 3, 10])
    assert play.player.state is State.ENDED
    assert play.player.position.part == 1.0


@pytest.mark.parametrize(("speed", "last"), [(0.1, 90.0), (1.0, 9.0), (10.0, 0.9), (1000.0, 0.009)])
def test_spacing_is_divided_by_the_speed(speed: float, last: float) -> None:
    play = Play(each_second(10), Options(speed=speed))
    play.player.play()
    play.run(100)
    assert play.offsets[-1] == pytest.approx(last)


def test_max_gives_everything_at_once() -> None:
    play = Play(each_second(5000), Options(speed=MAX))
    play.player.play()
    play.settle()
    assert play.target.sequences == list(range(5000))
    assert set(play.offsets) == {0.0}
    assert play.player.state is State.ENDED


TIMES = st.lists(st.floats(-0.5, 2.0), min_size=1, max_size=60)
DELAYS = st.lists(st.floats(0.0, 1.5), min_size=1, max_size=20)


@given(TIMES, DELAYS, st.sampled_from([0.1, 0.7, 1.0, 13.0, 1000.0]))
def test_events_come_in_order_and_none_before_its_deadline(
    gaps: list[float], delays: list[float], speed: float
) -> None:
    """However late the turns are, and wherever recorded clocks were set back."""
    records = [record(at) for at in itertools.accumulate(gaps)]
    play = Play(records, Options(speed=speed))
    first = play.player.position.time
    began = play.clock.now
    play.player.play()
    for delay in itertools.chain(delays, itertools.repeat(10_000.0)):
        if play.player.state is State.ENDED:
            break
        play.clock.now += delay
        play.settle()
    assert play.target.sequences == list(range(len(records)))
    latest = first
    for at, event in play.target.events:
        latest = max(latest, event.record.received)
        assert at >= began + (latest - first) / 1e6 / speed - 1e-6


@given(st.lists(st.floats(0.001, 0.3), min_size=2, max_size=40), st.floats(0.0, 0.4))
def test_lateness_does_not_add_up(gaps: list[float], late: float) -> None:
    """Each turn comes late by the same time; the last event is late by that time, and no more."""
    records = [record(at) for at in itertools.accumulate(gaps)]
    play = Play(records)
    play.player.play()
    while play.player.state is not State.ENDED:
        wanted = play.player.turn()
        if wanted is not None and wanted > play.clock.now:
            play.clock.now = wanted + late
    length = (records[-1].received - records[0].received) / 1e6
    assert play.offsets[-1] <= length + late + 1e-6
    assert play.player.lateness.worst <= late + 1e-6


def test_pause_stops_the_clock_of_the_recording() -> None:
    play = Play(each_second(10))
    play.player.play()
    play.run(2.5)
    play.player.pause()
    play.run(100)
    assert play.target.sequences == [0, 1, 2]
    assert play.player.position.time == START + 2_500_000
    play.player.toggle()
    play.run(0.4)
    assert play.target.sequences == [0, 1, 2]
    play.run(0.1)
    assert play.target.sequences == [0, 1, 2, 3]


def test_speed_changes_from_here_on() -> None:
    play = Play(each_second(20))
    play.player.play()
    play.run(4.5)
    play.player.set_speed(10)
    play.run(0.5)
    assert play.target.sequences[-1] == 9
    assert play.player.position.time == START + 9_500_000
    with pytest.raises(ReplayError):
        play.player.set_speed(0)
    assert play.player.speed == 10


def test_step_gives_one_event_and_pauses() -> None:
    play = Play(each_second(5))
    play.player.play()
    play.run(1.5)
    play.player.step(1)
    play.settle()
    assert play.target.sequences == [0, 1, 2]
    assert play.player.state is State.PAUSED
    assert play.player.position.time == START + 2_000_000
    play.run(50)
    assert play.target.sequences == [0, 1, 2]


def test_step_back_rebuilds_the_state_before_the_last_event() -> None:
    play = Play(each_second(5))
    play.player.burst(3)
    play.settle()
    play.player.step(-1)
    play.settle()
    assert play.target.rebuilt[-1] == 2
    assert play.player.position.sequence == 2
    play.player.step(1)
    play.settle()
    assert play.target.sequences == [0, 1, 2, 2]


def test_step_back_passes_over_what_is_not_selected() -> None:
    records = [record(at, author="ann" if at % 3 == 0 else "ben") for at in range(9)]
    play = Play(records, Options(selection=Selection(authors=("ann",))))
    play.player.burst(3)
    play.settle()
    assert play.target.sequences == [0, 3, 6]
    play.player.step(-1)
    play.settle()
    assert play.target.rebuilt[-1] == 6
    play.player.step(-1)
    play.settle()
    assert play.target.rebuilt[-1] == 3


def test_step_back_at_the_beginning_stays_there() -> None:
    play = Play(each_second(3))
    play.player.step(-1)
    play.settle()
    assert (play.player.state, play.player.position.sequence) == (State.PAUSED, 0)


def test_step_at_the_end_gives_nothing() -> None:
    play = Play(each_second(2))
    for _ in range(4):
        play.player.step(1)
        play.settle()
    assert play.target.sequences == [0, 1]
    assert play.player.state is State.PAUSED


def test_a_second_on_gives_what_lies_between_and_a_second_back_rebuilds() -> None:
    play = Play([record(at / 4) for at in range(20)])
    play.player.step_time(1.0)
    play.settle()
    assert play.target.sequences == [0, 1, 2, 3, 4]
    assert play.player.position.time == START + 1_000_000
    play.player.step_time(1.1)
    play.player.step_time(-1.0)
    play.settle()
    assert play.player.position.time == START + 1_100_000
    assert play.player.position.sequence == 5


def test_a_second_on_while_playing_goes_on_from_there() -> None:
    play = Play(each_second(10))
    play.player.play()
    play.run(1.5)
    play.player.step_time(3.0)
    play.settle()
    assert play.target.sequences == [0, 1, 2, 3, 4]
    play.run(0.5)
    assert play.target.sequences == [0, 1, 2, 3, 4, 5]
    assert play.player.state is State.PLAYING


def test_burst_gives_some_events_at_once_and_stays_as_it_was() -> None:
    play = Play(each_second(300))
    play.player.burst(200)
    play.settle()
    assert play.target.sequences == list(range(200))
    assert play.player.state is State.PAUSED


@pytest.mark.parametrize("where", [0, 1, 17, 39, 40])
def test_seek_rebuilds_and_plays_on_from_there(where: int) -> None:
    play = Play(each_second(40))
    play.player.play()
    play.run(5.5)
    play.target.events.clear()
    play.player.seek_sequence(where)
    play.settle()
    assert play.target.rebuilt[-1] == where
    play.run(100)
    assert play.target.sequences == list(range(where, 40))


def test_seek_by_time_and_by_share() -> None:
    play = Play(each_second(11))
    play.player.seek_time(START + 3_200_000)
    play.settle()
    assert play.player.position.sequence == 4
    assert play.player.position.time == START + 3_200_000
    play.player.seek_part(0.5)
    play.settle()
    assert play.player.position.sequence == 5
    assert play.player.position.part == 0.5
    play.player.seek_part(1.0)
    play.settle()
    assert play.player.position.sequence == 11
    assert play.player.position.part == 1.0


def test_seek_stays_in_the_window() -> None:
    play = Play(each_second(20), Options(start="+5s", end="+5s"))
    play.player.seek_sequence(0)
    play.settle()
    assert play.player.position.sequence == 5
    play.player.seek_sequence(19)
    play.settle()
    assert play.player.position.sequence == 10


def test_a_newer_seek_replaces_one_under_way() -> None:
    play = Play(each_second(20), parts=50)
    play.player.seek_sequence(3)
    play.player.turn()
    play.player.seek_sequence(9)
    play.settle()
    assert play.target.rebuilt == [0, 9]


def test_pausing_during_a_seek_is_remembered() -> None:
    play = Play(each_second(20), parts=5)
    play.player.play()
    play.settle()
    play.player.seek_sequence(3)
    play.player.turn()
    assert play.state == "seeking on"
    play.player.pause()
    assert play.state == "seeking"
    play.run(60)
    assert play.state == "paused"
    assert play.player.position.sequence == 3


def test_window_ends_before_its_end() -> None:
    play = Play(each_second(20), Options(start="+3s", end="+3s"))
    play.player.play()
    play.run(60)
    assert play.target.sequences == [3, 4, 5]
    assert play.player.state is State.ENDED


def test_loop_has_no_drift_and_rebuilds_each_round() -> None:
    play = Play(each_second(4), Options(loop=True))
    play.player.play()
    play.run(3000)
    assert play.target.sequences[:9] == [0, 1, 2, 3, 0, 1, 2, 3, 0]
    assert play.offsets[4::4][-1] == pytest.approx(3000.0)
    assert set(play.target.rebuilt) == {0}


def test_part_between_a_and_b_is_repeated_until_it_is_switched_off() -> None:
    play = Play(each_second(20))
    play.player.play()
    play.run(6.5)
    a, b = (at_time(play.source, START + at * 1_000_000) for at in (8, 5))
    play.player.repeat(a, b)
    play.run(7)
    assert play.target.sequences == [0, 1, 2, 3, 4, 5, 6, 7, 5, 6, 7, 5, 6, 7]
    play.player.repeat_nothing()
    play.run(30)
    assert play.target.sequences[-3:] == [17, 18, 19]


def test_a_and_b_elsewhere_are_sought() -> None:
    play = Play(each_second(20))
    play.player.repeat(Place(10, START + 10_000_000), Place(12, START + 12_000_000))
    play.settle()
    assert play.target.rebuilt[-1] == 10


def test_seek_out_of_the_part_ends_its_repetition() -> None:
    play = Play(each_second(20), Options(a="+2s", b="+2s"))
    play.player.seek_sequence(15)
    assert play.player.part is None


def test_loop_of_one_moment_rests_between_rounds() -> None:
    play = Play([record(1), record(1)], Options(loop=True))
    play.player.play()
    play.run(1.05)
    assert len(play.target.sequences) == 22


def test_loop_without_a_selected_event_ends() -> None:
    play = Play(each_second(3), Options(loop=True, speed=MAX, selection=Selection(channels=("none",))))
    play.player.play()
    play.settle()
    assert play.player.state is State.ENDED


def test_play_at_the_end_begins_again() -> None:
    play = Play(each_second(3))
    play.player.play()
    play.run(10)
    play.player.play()
    play.run(10)
    assert play.target.sequences == [0, 1, 2, 0, 1, 2]


def test_shifted_events_have_the_time_at_which_they_are_given() -> None:
    play = Play(each_second(2), Options(shift=True))
    play.player.play()
    play.run(5)
    (_, event), _ = play.target.events
    assert (event.record.received, event.record.sent) == (77_000_000, 76_999_000)


def test_original_times_stay_without_the_option() -> None:
    play = Play(each_second(2))
    play.player.play()
    play.run(5)
    assert play.target.events[1][1].record.received == START + 1_000_000


def test_empty_recording_ends_at_once() -> None:
    play = Play([])
    play.player.play()
    play.settle()
    assert play.player.state is State.ENDED
    assert play.player.position.part == 1.0


class Growing(EventList):
    """A source that gets its records while it is played."""

    complete = False

    def __init__(self, records: Sequence[Record]) -> None:
        super().__init__(numbered(records))

    def grow(self, records: Sequence[Record]) -> None:
        super().__init__(numbered(records))


def test_a_slow_source_stops_the_clock_and_loses_nothing() -> None:
    clock = Clock()
    target = Given(clock)
    source = Growing([])
    player = Player(source, target, clock)
    play = Play.__new__(Play)
    play.clock, play.target, play.source, play.player = clock, target, source, player
    player.play()
    play.settle()
    assert play.state == "waiting"
    clock.now += 60
    source.grow(each_second(3))
    play.run(10)
    assert target.sequences == [0, 1, 2]
    assert play.offsets == pytest.approx([60, 61, 62])
    assert play.state == "waiting"
    source.grow(each_second(5))
    source.complete = True
    play.run(10)
    assert target.sequences == [0, 1, 2, 3, 4]
    assert play.state == "ended"


class Broken(EventList):
    """A source whose records from 5 on cannot be read."""

    def rows(self, first: int, end: int) -> Iterator[Rows]:
        yield from super().rows(first, min(end, 5))
        if end > 5:
            raise DamagedError(Path("x.seg"), 64, 5, 9, "the block is damaged")


def test_source_that_fails_stops_the_replay_and_says_why() -> None:
    clock = Clock()
    target = Given(clock)
    player = Player(Broken(numbered(each_second(9)), batch=5), target, clock, Options(speed=MAX))
    player.play()
    while player.turn() is not None:
        pass
    assert target.sequences == [0, 1, 2, 3, 4]
    assert player.state is State.FAILED
    assert "the block is damaged" in str(player.error)
    player.play()
    player.seek_sequence(2)
    assert player.turn() is None
    assert player.state is State.FAILED


def test_closed_player_stays_closed() -> None:
    play = Play(each_second(3))
    play.player.close()
    play.player.play()
    play.player.step(1)
    assert play.player.turn() is None
    assert play.player.state is State.CLOSED


def test_every_state_can_be_left_or_is_final() -> None:
    left = {state for (state, move), after in TABLE.items() if after is not state and move is not Move.CLOSE}
    assert set(State) - left == {State.CLOSED, State.FAILED}


def test_window_without_records_is_refused() -> None:
    with pytest.raises(ReplayError, match="nothing between"):
        Play(each_second(9), Options(start="+5s", end="#2"))


def test_changes_are_told() -> None:
    play = Play(each_second(3))
    told: list[State] = []
    play.player.on_change = lambda: told.append(play.player.state)
    play.player.play()
    play.run(5)
    assert told == [State.PLAYING, State.ENDED]
