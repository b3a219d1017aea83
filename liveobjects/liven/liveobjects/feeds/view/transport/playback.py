"""The interface of a replay for the widgets that drive it. `transport_playback` implements it for recordings,
and so for the histories that programs keep by themselves."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol


class PlaceShape(Protocol):
    """A place in a recording: a sequence and the moment there."""

    @property
    def sequence(self) -> int: ...

    @property
    def time(self) -> int:
        """Microseconds since 1970 UTC."""


class WindowShape(Protocol):
    """A part of a recording."""

    @property
    def begin(self) -> PlaceShape: ...

    @property
    def end(self) -> PlaceShape: ...


class Playback(Protocol):
    """One replay, as a person drives it."""

    @property
    def moment(self) -> int:
        """The moment that is shown, in microseconds since 1970 UTC."""

    @property
    def sequence(self) -> int:
        """All events before it have been given."""

    @property
    def window(self) -> WindowShape:
        """The part of the recording that can be reached."""

    @property
    def section(self) -> WindowShape | None:
        """The part between A and B that is repeated; None without one."""

    @property
    def is_running(self) -> bool: ...

    @property
    def is_moving(self) -> bool:
        """True while it gets to another place."""

    @property
    def trouble(self) -> str:
        """The reason why it stopped; empty if nothing is wrong."""

    @property
    def speed(self) -> float: ...

    @property
    def loop(self) -> bool: ...

    def watch(self, call: Callable[[], object]) -> None:
        """Call `call` after each change of state, speed or window. The moment goes on by itself."""

    def unwatch(self, call: Callable[[], object]) -> None: ...

    def toggle(self) -> None:
        """Pause, or play from here."""

    def pause(self) -> None: ...

    def seek(self, moment: int) -> None: ...

    def step(self, events: int) -> None:
        """Give the next event (1), or go back before the last one (-1)."""

    def burst(self, events: int) -> None:
        """Give some events at once, and go on as before."""

    def jump(self, seconds: float) -> None: ...

    def set_speed(self, speed: float) -> None: ...

    def set_loop(self, loop: bool) -> None: ...

    def repeat(self, a: int, b: int) -> None:
        """Repeat the part between two moments."""

    def repeat_nothing(self) -> None: ...
