"""The pace of a replay: when each recorded moment is due on the clock of the computer.

Deadlines are absolute: each is computed from one anchor, never from the deadline before it, so that lateness
does not add up. The anchor moves only when a person changes the speed or the place.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from liven.liveobjects.feeds.replay.errors import BadChoiceError

SLOWEST: Final = 0.1
FASTEST: Final = 1000.0
MAX: Final = float("inf")
"""The speed without waiting."""
SPEEDS: Final = (0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0, 20.0, 50.0, 100.0, 200.0, 500.0, 1000.0, MAX)
"""The speeds that the keys for faster and slower go through."""
SECOND: Final = 1_000_000


def checked_speed(speed: float) -> float:
    """Return a speed; raise BadChoiceError unless it is one of 0.1 to 1000, or `MAX`."""
    if speed == MAX or SLOWEST <= speed <= FASTEST:
        return speed
    raise BadChoiceError(f"the speed {speed:g} is not possible", "choose 0.1 to 1000, or max")


def next_speed(speed: float, *, faster: bool) -> float:
    """Return the next of `SPEEDS`, or the same at either end."""
    if faster:
        return next((one for one in SPEEDS if one > speed), SPEEDS[-1])
    return next((one for one in reversed(SPEEDS) if one < speed), SPEEDS[0])


@dataclass(frozen=True, slots=True)
class Pace:
    """A speed from an anchor on: `time` (recorded, in microseconds) is at `clock` (in seconds)."""

    clock: float
    time: int
    speed: float

    def due(self, time: int) -> float:
        """Return when a recorded moment is due; at once if there is no waiting."""
        if self.speed == MAX:
            return float("-inf")
        return self.clock + (time - self.time) / (SECOND * self.speed)

    def time_at(self, clock: float) -> int | None:
        """Return the last recorded moment that is due at this time; None if there is no waiting."""
        if self.speed == MAX:
            return None
        time = self.time + int((clock - self.clock) * SECOND * self.speed)
        while self.due(time) > clock:  # fractions were rounded up
            time -= 1
        while self.due(time + 1) <= clock:
            time += 1
        return time
