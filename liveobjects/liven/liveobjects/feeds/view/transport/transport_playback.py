"""A replay's transport as a playback that widgets drive."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress

from liven.liveobjects.feeds.errors import FeedError
from liven.liveobjects.feeds.replay.options import Window
from liven.liveobjects.feeds.replay.place import at_time
from liven.liveobjects.feeds.replay.state import State
from liven.liveobjects.feeds.replay.transport import Transport

_MOVING = (State.SEEKING, State.SEEKING_ON)


class TransportPlayback:
    """The playback of one transport. It tells an impossible command as trouble and raises nothing."""

    def __init__(self, transport: Transport) -> None:
        self.transport = transport
        self._watchers: list[Callable[[], object]] = []
        self._refused = ""
        transport.on_change = self._tell

    @property
    def moment(self) -> int:
        return self.transport.position.time

    @property
    def sequence(self) -> int:
        return self.transport.position.sequence

    @property
    def window(self) -> Window:
        return self.transport.player.window

    @property
    def section(self) -> Window | None:
        return self.transport.player.part

    @property
    def is_running(self) -> bool:
        return self.transport.player.is_running

    @property
    def is_moving(self) -> bool:
        return self.transport.player.state in _MOVING

    @property
    def trouble(self) -> str:
        error = self.transport.player.error
        return str(error) if error is not None else self._refused

    @property
    def speed(self) -> float:
        return self.transport.player.speed

    @property
    def loop(self) -> bool:
        return self.transport.player.loop

    def watch(self, call: Callable[[], object]) -> None:
        self._watchers.append(call)

    def unwatch(self, call: Callable[[], object]) -> None:
        with suppress(ValueError):  # it was closed first, which ends all
            self._watchers.remove(call)

    def toggle(self) -> None:
        self._try(self.transport.toggle)

    def pause(self) -> None:
        self._try(self.transport.pause)

    def seek(self, moment: int) -> None:
        """Go to a moment; at the end, behind the last event."""
        last = self.window.end
        if moment >= last.time:
            self._try(lambda: self.transport.seek(last))
        else:
            self._try(lambda: self.transport.seek_time(moment))

    def step(self, events: int) -> None:
        self._try(lambda: self.transport.step(events))

    def burst(self, events: int) -> None:
        self._try(lambda: self.transport.burst(events))

    def jump(self, seconds: float) -> None:
        self._try(lambda: self.transport.step_time(seconds))

    def set_speed(self, speed: float) -> None:
        self._try(lambda: self.transport.set_speed(speed))

    def set_loop(self, loop: bool) -> None:
        self._try(lambda: self.transport.set_loop(loop))

    def repeat(self, a: int, b: int) -> None:
        source = self.transport.player.source
        self._try(lambda: self.transport.repeat(at_time(source, a), at_time(source, b)))

    def repeat_nothing(self) -> None:
        self._try(self.transport.repeat_nothing)

    def close(self) -> None:
        """Stop for good."""
        self._watchers.clear()
        self.transport.close()

    def _try(self, command: Callable[[], object]) -> None:
        try:
            command()
        except FeedError as error:
            self._refused = str(error)
        else:
            self._refused = ""

    def _tell(self) -> None:
        for watcher in tuple(self._watchers):
            watcher()
