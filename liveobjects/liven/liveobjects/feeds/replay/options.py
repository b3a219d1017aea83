"""The options of a replay."""

from __future__ import annotations

from dataclasses import dataclass, field

from liven.liveobjects.feeds.replay.errors import BadChoiceError
from liven.liveobjects.feeds.replay.pace import checked_speed
from liven.liveobjects.feeds.replay.place import Place, moment_at, place_at
from liven.liveobjects.feeds.replay.remap import Remap
from liven.liveobjects.feeds.replay.selection import Selection
from liven.liveobjects.feeds.replay.source.source import Source


@dataclass(frozen=True, slots=True)
class Options:
    """The options, with places as a person writes them (see `place`)."""

    speed: float = 1.0
    start: str = ""
    """Where the window begins; empty for the beginning of the recording."""
    end: str = ""
    """Where it ends; `+8h` counts from where it begins."""
    loop: bool = False
    a: str = ""
    """The part between `a` and `b` is repeated."""
    b: str = ""
    selection: Selection = field(default_factory=Selection)
    remap: Remap = field(default_factory=Remap)
    shift: bool = False
    """True to give events the time at which they are played, instead of the recorded one."""

    def __post_init__(self) -> None:
        checked_speed(self.speed)


@dataclass(frozen=True, slots=True)
class Window:
    """A part of a recording, from a place up to another one, which is not included."""

    begin: Place
    end: Place

    @property
    def length(self) -> int:
        """The recorded time in it, in microseconds."""
        return self.end.time - self.begin.time

    def holds(self, place: Place) -> bool:
        """True if a place lies in it or at its end."""
        return self.begin.sequence <= place.sequence <= self.end.sequence

    def clamp(self, place: Place) -> Place:
        """Return the place, or the end of the window that is nearer to it."""
        if place.sequence < self.begin.sequence:
            return self.begin
        if place.sequence > self.end.sequence:
            return self.end
        return Place(place.sequence, min(max(place.time, self.begin.time), self.end.time))


def whole(source: Source) -> Window:
    """Return the window of everything that is recorded now."""
    earliest, latest = source.span
    return Window(Place(source.begin, earliest), Place(source.end, latest))


def window_of(source: Source, start: str, end: str, default: Window) -> Window:
    """Return the window between two places; raise BadChoiceError if the second is not after the first. An end
    such as `+8h` counts from the beginning of the window."""
    if not start and not end:
        return default
    begin, moment = default.begin, default.begin.time
    if start:
        begin, moment = default.clamp(place_at(start, source)), moment_at(start, source)
    stop = default.clamp(place_at(end, source, moment)) if end else default.end
    if stop.sequence < begin.sequence or (stop.sequence == begin.sequence and default.end != default.begin):
        raise BadChoiceError(
            f"there is nothing between {start or 'the beginning'} and {end or 'the end'}",
            "choose places with records between them",
        )
    return Window(begin, stop)
