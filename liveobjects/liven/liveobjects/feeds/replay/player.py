"""The player: gives the selected events of a source to a target, each at its moment.

It has no thread, and the clock is passed in. `turn` does what is due and returns when it wants to be called
again; a body (`transport`) does that. Its law: events are given in the order of the feed, none before its
deadline, and the state of the target depends on the feed, the options and the place alone.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Final

from liven.liveobjects.feeds.errors import FeedError
from liven.liveobjects.feeds.replay.cursor import PIECE, Cursor
from liven.liveobjects.feeds.replay.lateness import Lateness
from liven.liveobjects.feeds.replay.options import Options, Window, whole, window_of
from liven.liveobjects.feeds.replay.pace import MAX, SECOND, Pace, checked_speed
from liven.liveobjects.feeds.replay.place import Place, at_part, at_sequence, at_time
from liven.liveobjects.feeds.replay.rows import Event
from liven.liveobjects.feeds.replay.source.source import Source
from liven.liveobjects.feeds.replay.state import TABLE, Move, State
from liven.liveobjects.feeds.replay.target.target import Target

AT_ONCE: Final = 64
"""Events that are given before the clock is read again."""
_REST: Final = 0.1
"""Seconds between two rounds of a loop whose events all have one time."""
_CATCH_UP: Final = 0.05
"""Seconds that a rebuild may take in a loop without moving the deadlines of the next round."""
_FULL: Final = 0.01
"""Seconds until a full target is asked again."""
_MOVING: Final = (State.SEEKING, State.SEEKING_ON)
_RUNNING: Final = (State.PLAYING, State.WAITING, State.SEEKING_ON)


@dataclass(frozen=True, slots=True)
class Position:
    """Where a player is."""

    state: State
    sequence: int
    """Every selected record before it was given."""
    time: int
    """The recorded moment that is played, in microseconds since 1970 UTC."""
    window: Window
    speed: float
    given: int
    """Events given since the start."""

    @property
    def part(self) -> float:
        """The part of the window that was played, from 0 to 1."""
        if self.window.length > 0:
            done = (self.time - self.window.begin.time) / self.window.length
        else:
            count = self.window.end.sequence - self.window.begin.sequence
            done = (self.sequence - self.window.begin.sequence) / count if count else 1.0
        return min(max(done, 0.0), 1.0)

    @property
    def elapsed(self) -> int:
        """The recorded time since the beginning of the window, in microseconds."""
        return self.time - self.window.begin.time


def _wall() -> int:
    return time.time_ns() // 1000


class Player:
    """One replay. It begins paused at the start of its window, with the state there."""

    def __init__(
        self,
        source: Source,
        target: Target,
        clock: Callable[[], float],
        options: Options | None = None,
        wall: Callable[[], int] = _wall,
        window: Window | None = None,
    ) -> None:
        """Raise ReplayError for options that do not fit the source. `window` is the part that can be reached
        without options, by default everything."""
        self.source = source
        self.target = target
        self.options = options or Options()
        self.state = State.PAUSED
        self.error: FeedError | None = None
        """The reason why it failed."""
        self.lateness = Lateness()
        self.given = 0
        self.on_change: Callable[[], object] = lambda: None
        """Called when the state, the speed or the window changes."""
        self._clock, self._wall = clock, wall
        self.window = window_of(source, self.options.start, self.options.end, window or whole(source))
        self.loop = self.options.loop
        self.part: Window | None = None
        """The part between A and B that is repeated; None without one."""
        if self.options.a or self.options.b:
            self.part = window_of(source, self.options.a, self.options.b, self.window)
        self._cursor = Cursor(source, self.options.selection.filter(), self.options.remap)
        self._pace = Pace(clock(), self.bounds.begin.time, self.options.speed)
        self._time = self.bounds.begin.time
        self._round = 0
        self._work: Iterator[None] = iter(())
        self._next_round: float | None = None
        self._go(self.bounds.begin)

    # State

    @property
    def bounds(self) -> Window:
        """The part that is played now: the window, or the part between A and B."""
        return self.part or self.window

    @property
    def speed(self) -> float:
        """The speed; `MAX` for as fast as possible."""
        return self._pace.speed

    @property
    def is_running(self) -> bool:
        """True if it plays, or will once it has got to its place."""
        return self.state in _RUNNING

    @property
    def position(self) -> Position:
        """The place now."""
        return Position(self.state, self._cursor.next, self._now(), self.window, self.speed, self.given)

    # Commands

    def play(self) -> None:
        """Play from here; from the beginning if it has ended."""
        ended = self.state is State.ENDED
        self._move(Move.PLAY)
        if ended:
            self._go(self.bounds.begin)
        self._anchor(self._time)

    def pause(self) -> None:
        """Stop here."""
        self._time = self._now()
        self._move(Move.PAUSE)

    def toggle(self) -> None:
        """Pause, or play again."""
        if self.is_running:
            self.pause()
        else:
            self.play()

    def set_speed(self, speed: float) -> None:
        """Play at another speed from here on; raise ReplayError for an impossible one."""
        checked_speed(speed)
        now = self._now()
        self._pace = Pace(self._clock(), now, speed)
        self._time = now
        self.on_change()

    def seek(self, place: Place) -> None:
        """Get to a place in the window, with the state there."""
        place = self.window.clamp(place)
        if self.part is not None and not self.part.holds(place):
            self.part = None
        self._move(Move.SEEK)
        self._go(place)

    def seek_time(self, time: int) -> None:
        """Get to a moment, in microseconds since 1970 UTC."""
        self.seek(at_time(self.source, time))

    def seek_sequence(self, sequence: int) -> None:
        """Get to the place before a record."""
        self.seek(at_sequence(self.source, sequence))

    def seek_part(self, part: float) -> None:
        """Get to a part of the window, from 0 to 1."""
        begin, length = self.window.begin.time, self.window.length
        if length > 0:
            self.seek_time(begin + round(length * part) + (part >= 1))
        else:
            self.seek(at_part(self.source, part))

    def step(self, events: int) -> None:
        """Give the next event and stop (1), or go back before the last one and stop (-1)."""
        self.pause()
        if events > 0:
            self._rush(None, events)
            return
        last = self._cursor.previous(self.bounds.begin.sequence)
        if last is not None:
            time = min(max(last.record.received, self.window.begin.time), self._time)
            self.seek(Place(last.sequence, time))

    def step_time(self, seconds: float) -> None:
        """Go on by some seconds, giving the events in between at once, or go back."""
        time = self._now() + round(seconds * SECOND)
        if seconds < 0:
            self.seek(Place(self.source.sequence_at(time), time))
        else:
            self._rush(time, None)

    def burst(self, events: int) -> None:
        """Give some events at once, and go on as before."""
        self._rush(None, events)

    def repeat(self, a: Place, b: Place) -> None:
        """Repeat the part between two places; the order of the two does not matter."""
        low, high = sorted((self.window.clamp(a), self.window.clamp(b)), key=lambda one: one.sequence)
        self.part = Window(low, high)
        if not self.part.holds(Place(self._cursor.next, self._time)):
            self.seek(low)
        else:
            self._cursor.seek(self._cursor.next, high.sequence, self._time)
        self.on_change()

    def repeat_nothing(self) -> None:
        """Play on to the end of the window."""
        self.part = None
        self._cursor.seek(self._cursor.next, self.window.end.sequence, self._time)
        self.on_change()

    def set_loop(self, loop: bool) -> None:
        """Begin again at the end of the window, or stop there."""
        self.loop = loop
        self.on_change()

    def close(self) -> None:
        """Stop for good. The source and the target are closed by their owner."""
        self._work = iter(())
        self._move(Move.CLOSE)

    # Turns

    def turn(self) -> float | None:
        """Do what is due, at most some milliseconds of work; return the time for the next call.

        That is minus infinity for at once, and None for after the next command or the source's next records.
        """
        try:
            return self._turn()
        except FeedError as error:
            self.error = error
            self._move(Move.FAIL)
            return None

    def _turn(self) -> float | None:
        if self.state in _MOVING:
            return self._do_work()
        if self.state is State.WAITING:
            self._look_for_more()
        return self._play() if self.state is State.PLAYING else None

    def _play(self) -> float | None:
        now = self._clock()
        if not self.target.has_room:
            self._anchor(self._time)
            return now + _FULL
        time = self._pace.time_at(now)
        events, times = self._cursor.take_until(time, AT_ONCE if time is not None else PIECE)
        if events:
            if time is not None:
                due, add = self._pace.due, self.lateness.add
                for at in times:
                    add(now - due(at))
            self._time = times[-1]
            self._give(events)
        following = self._cursor.peek()
        if following is not None:
            return self._pace.due(following)
        return self._ran_out()

    def _give(self, events: list[Event]) -> None:
        if self.options.shift:
            events = self._shifted(events)
        self.target.deliver(events)
        self.given += len(events)
        self._round += len(events)

    def _shifted(self, events: list[Event]) -> list[Event]:
        """Return events with the times at which they are given; how long each was on its way stays."""
        now = self._wall()
        shifted = []
        for sequence, record in events:
            sent = now - (record.received - record.sent)
            shifted.append(Event(sequence, record._replace(received=now, sent=sent)))
        return shifted

    def _ran_out(self) -> float | None:
        """Wait for the end of the window, begin again, or end."""
        complete = self.source.complete  # asked first: a source may get its last records in between
        if self._look_for_more():
            return float("-inf")
        if self.part is None:
            self._check_failure()
        if not complete and self.part is None:
            self._time = self._now()
            self._move(Move.STARVE)
            return None
        end = self._pace.due(self.bounds.end.time)
        if end > self._clock():
            return end
        self._time = self.bounds.end.time
        if (self.loop or self.part is not None) and self._round:
            self._begin_again(end)
            return float("-inf")
        self._move(Move.END)
        return None

    def _begin_again(self, end: float) -> None:
        self._move(Move.REPEAT)
        self._go(self.bounds.begin)
        if self.speed != MAX:
            self._next_round = end if self.bounds.length else self._clock() + _REST

    def _look_for_more(self) -> bool:
        """Extend the window by what the source has got meanwhile; return True if there was more."""
        source = self.source
        complete = source.complete
        if self.options.end or self.part is not None or source.end <= self.window.end.sequence:
            if self.state is State.WAITING and complete:
                self._check_failure()
                self._move(Move.END)
            return False
        begin = self.window.begin
        if begin.sequence == self.window.end.sequence:  # there was nothing before
            begin = whole(source).begin
            self._time = max(self._time, begin.time)
        self.window = Window(begin, whole(source).end)
        self._cursor.extend(source.end)
        if self.state is State.WAITING:
            self._move(Move.FEED)
            self._anchor(self._time)
        return True

    def _check_failure(self) -> None:
        failure = self.source.failure
        if failure is not None:
            raise failure

    def _do_work(self) -> float | None:
        if next(self._work, self) is self:  # it is done
            on = self.state is State.SEEKING_ON
            self._move(Move.ARRIVE)
            if on:
                self._anchor(self._time)
        return float("-inf") if self.state in (*_MOVING, State.PLAYING) else None

    # Places

    def _go(self, place: Place) -> None:
        """Get to a place. An earlier move that is under way is dropped."""
        self._next_round = None
        self._round = 0
        self._time = place.time
        self._cursor.seek(place.sequence, self.bounds.end.sequence, place.time)
        self._work = self.target.rebuild(place.sequence)
        if self.state is State.PAUSED:
            self._move(Move.SEEK)

    def _rush(self, time: int | None, events: int | None) -> None:
        """Give events at once, up to a time or a number of them."""
        self._time = self._now() if time is None else min(time, self.bounds.end.time)
        self._move(Move.SEEK)
        before, self._next_round = self._work, None
        self._work = self._rushed(before, time, events)

    def _rushed(self, before: Iterator[None], time: int | None, events: int | None) -> Iterator[None]:
        yield from before
        self._look_for_more()
        left = events
        while left is None or left > 0:
            most = AT_ONCE if left is None else min(left, AT_ONCE)
            taken, times = self._cursor.take_until(time, most)
            if not taken:
                break
            self._time = max(self._time, times[-1])
            self._give(taken)
            left = None if left is None else left - len(taken)
            yield

    def _now(self) -> int:
        """Return the moment that is played."""
        if self.state is not State.PLAYING:
            return self._time
        now = self._pace.time_at(self._clock())
        following = self._cursor.peek()
        limit = self.bounds.end.time if following is None else following
        return self._time if now is None else max(self._time, min(now, limit))

    def _anchor(self, time: int) -> None:
        """Count deadlines from here and now; in a loop, from the end of the round before."""
        now = self._clock()
        if self._next_round is not None and now - self._next_round < _CATCH_UP:
            now = self._next_round
        self._next_round = None
        self._pace = Pace(now, time, self.speed)

    def _move(self, move: Move) -> None:
        after = TABLE.get((self.state, move))
        if after is not None and after is not self.state:
            self.state = after
            self.on_change()
