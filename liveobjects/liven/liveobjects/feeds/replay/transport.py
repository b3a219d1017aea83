"""The transport of a replay: a player with the body that turns it, on the thread of a dispatcher.

`Transport` calls the player when it wants to be called. A timer of a dispatcher is late by a millisecond or
so; a `precise` transport therefore stays in its turn while the next deadline is near, and sleeps there to
within some microseconds. That suits a program without windows, at thousands of events a second.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Final

from liven.liveobjects.feeds.replay.place import Place
from liven.liveobjects.feeds.replay.player import Player, Position
from liven.runtime.dispatcher.dispatcher import Dispatcher, Entry

TURN: Final = 0.004
"""Seconds of work in one turn of the event loop, so that windows stay responsive."""
SLICE: Final = 0.02
"""Seconds that a precise transport stays in one turn."""
NEAR: Final = 0.002
"""A precise transport wakes up so long before a deadline."""
_SPIN: Final = 60e-6
"""A sleep ends up to 60 µs late (the timer slack of Linux is 50 µs), so the last part is not slept."""


def sleep_until(deadline: float, clock: Callable[[], float]) -> None:
    """Return at a time of a clock that counts seconds, to within some microseconds."""
    rest = deadline - clock() - _SPIN
    if rest > 0:
        time.sleep(rest)
    while clock() < deadline:
        pass


class Transport:
    """The body of one player. All commands go through it, because each may change the next deadline."""

    def __init__(self, player: Player, dispatcher: Dispatcher, *, precise: bool = False) -> None:
        self.player = player
        self.on_change: Callable[[], object] = lambda: None
        """Called after each change of state, speed or window."""
        self._dispatcher = dispatcher
        self._precise = precise
        self._timer: Entry | None = None
        self._closed = False
        player.on_change = self._changed
        self._soon()

    @property
    def position(self) -> Position:
        """The place now."""
        return self.player.position

    def play(self) -> None:
        """Play from here."""
        self._do(self.player.play)

    def pause(self) -> None:
        """Stop here."""
        self._do(self.player.pause)

    def toggle(self) -> None:
        """Pause, or play again."""
        self._do(self.player.toggle)

    def set_speed(self, speed: float) -> None:
        """Play at another speed; raise ReplayError."""
        self._do(lambda: self.player.set_speed(speed))

    def step(self, events: int) -> None:
        """Give the next event (1), or go back before the last one (-1)."""
        self._do(lambda: self.player.step(events))

    def step_time(self, seconds: float) -> None:
        """Go on or back by some seconds."""
        self._do(lambda: self.player.step_time(seconds))

    def burst(self, events: int) -> None:
        """Give some events at once."""
        self._do(lambda: self.player.burst(events))

    def seek(self, place: Place) -> None:
        """Get to a place."""
        self._do(lambda: self.player.seek(place))

    def seek_time(self, moment: int) -> None:
        """Get to a moment, in microseconds since 1970 UTC."""
        self._do(lambda: self.player.seek_time(moment))

    def seek_sequence(self, sequence: int) -> None:
        """Get to the place before a record."""
        self._do(lambda: self.player.seek_sequence(sequence))

    def seek_part(self, part: float) -> None:
        """Get to a part of the window, from 0 to 1."""
        self._do(lambda: self.player.seek_part(part))

    def repeat(self, a: Place, b: Place) -> None:
        """Repeat the part between two places."""
        self._do(lambda: self.player.repeat(a, b))

    def repeat_nothing(self) -> None:
        """Stop repeating a part."""
        self._do(self.player.repeat_nothing)

    def set_loop(self, loop: bool) -> None:
        """Begin again at the end of the window, or stop there."""
        self._do(lambda: self.player.set_loop(loop))

    def close(self) -> None:
        """Stop for good."""
        self._closed = True
        self._cancel()
        self.player.close()

    def wake(self) -> None:
        """Take a turn soon, because the source has more records. Any thread may call this."""
        self._dispatcher.post(self._soon)

    def _do(self, command: Callable[[], object]) -> None:
        try:
            command()
        finally:
            self._soon()

    def _soon(self) -> None:
        if not self._closed:
            self._cancel()
            self._timer = self._dispatcher.call_soon(self._turn)

    def _turn(self) -> None:
        self._timer = None
        now = self._dispatcher.now
        until = now() + (SLICE if self._precise else TURN)
        wanted = self.player.turn()
        while wanted is not None and not self._closed and now() < until:
            if wanted > now():
                if not self._precise or wanted > until:
                    break
                sleep_until(wanted, now)
            wanted = self.player.turn()
        if wanted is None or self._closed or self._timer is not None:  # a target may give a command
            return
        delay = wanted - now() - (NEAR if self._precise else 0.0)
        if delay > 0:
            self._timer = self._dispatcher.call_later(delay, self._turn)
        else:
            self._timer = self._dispatcher.call_soon(self._turn)

    def _changed(self) -> None:
        self.on_change()

    def _cancel(self) -> None:
        timer, self._timer = self._timer, None
        if timer is not None:
            timer.cancel()
