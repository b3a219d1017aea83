"""The playback of a recording that is not open yet: its first command opens it, and is done there then."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from functools import partial

from liven.liveobjects.feeds.view.transport.playback import Playback, WindowShape


@dataclass(frozen=True, slots=True)
class _Place:
    sequence: int
    time: int


@dataclass(frozen=True, slots=True)
class _Span:
    begin: _Place
    end: _Place


class UnopenedPlayback:
    """It stands at the beginning of its recording until that is open."""

    section: WindowShape | None = None
    is_running = False
    is_moving = False

    def __init__(self, open_recording: Callable[[], object]) -> None:
        self._open = open_recording
        self._opens = False
        self._commands: list[Callable[[Playback], object]] = []
        self._watchers: list[Callable[[], object]] = []
        self._begin = self._end = self.moment = 0
        self.sequence = 0
        self.speed = 1.0
        self.loop = False

    @property
    def window(self) -> WindowShape:
        return _Span(_Place(0, self._begin), _Place(0, self._end))

    @property
    def trouble(self) -> str:
        """Words for the time until the recording is open."""
        return "opening the recording …" if self._opens else ""

    def show_span(self, begin: int, end: int) -> None:
        """Take the first and the last moment of the recording."""
        self._begin, self._end = begin, end
        if not begin <= self.moment <= end:
            self.moment = begin
        self._tell()

    def hand_over(self, playback: Playback) -> None:
        """Do what was asked for, in the recording that is open now."""
        commands, self._commands = self._commands, []
        self._opens = False
        if self.speed != playback.speed:
            playback.set_speed(self.speed)
        if self.loop != playback.loop:
            playback.set_loop(self.loop)
        for command in commands:
            command(playback)

    def watch(self, call: Callable[[], object]) -> None:
        self._watchers.append(call)

    def unwatch(self, call: Callable[[], object]) -> None:
        with suppress(ValueError):
            self._watchers.remove(call)

    def toggle(self) -> None:
        self._later(lambda one: one.toggle())

    def pause(self) -> None:
        """Do nothing: it does not run."""

    def seek(self, moment: int) -> None:
        self.moment = min(max(moment, self._begin), self._end)
        self._commands.clear()  # of several places while it opens, the last one counts
        self._later(partial(_seek, moment))

    def step(self, events: int) -> None:
        self._later(lambda one: one.step(events))

    def burst(self, events: int) -> None:
        self._later(lambda one: one.burst(events))

    def jump(self, seconds: float) -> None:
        self._later(lambda one: one.jump(seconds))

    def set_speed(self, speed: float) -> None:
        self.speed = speed
        self._tell()

    def set_loop(self, loop: bool) -> None:
        self.loop = loop
        self._tell()

    def repeat(self, a: int, b: int) -> None:
        self._later(lambda one: one.repeat(a, b))

    def repeat_nothing(self) -> None:
        """Do nothing: nothing is repeated."""

    def _later(self, command: Callable[[Playback], object]) -> None:
        self._commands.append(command)
        if not self._opens:
            self._opens = True
            self._open()
        self._tell()

    def _tell(self) -> None:
        for watcher in tuple(self._watchers):
            watcher()


def _seek(moment: int, playback: Playback) -> None:
    playback.seek(moment)
