"""The commands behind the keys of a replay."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from liven.app.feeds.replay.status_line import shown_clock, shown_speed
from liven.liveobjects.feeds.errors import FeedError
from liven.liveobjects.feeds.replay.bookmarks import Bookmark, Bookmarks
from liven.liveobjects.feeds.replay.pace import next_speed
from liven.liveobjects.feeds.replay.place import Place
from liven.liveobjects.feeds.replay.source.merged_logs import Origin
from liven.liveobjects.feeds.replay.transport import Transport
from liven.runtime.os_error_text import explain_os_error

BURST: Final = 10


class Commands:
    """The commands of the keys. Each returns a note for the status line."""

    def __init__(
        self,
        transport: Transport,
        quit_replay: Callable[[], object],
        bookmarks: Bookmarks | None,
        origin: Callable[[int], Origin],
    ) -> None:
        """`origin` returns the recorder and the number there of the record at a place."""
        self._transport = transport
        self._bookmarks = bookmarks
        self._origin = origin
        self._a: Place | None = None
        self._actions: dict[str, Callable[[], str | None]] = {
            "space": lambda: transport.toggle(),
            "right": lambda: transport.step(1),
            "left": lambda: transport.step(-1),
            "shift right": lambda: transport.step_time(1.0),
            "shift left": lambda: transport.step_time(-1.0),
            "up": lambda: self._change_speed(faster=True),
            "down": lambda: self._change_speed(faster=False),
            "home": lambda: transport.seek(transport.player.window.begin),
            "end": lambda: transport.seek(transport.player.window.end),
            "b": lambda: transport.burst(BURST),
            "m": self._bookmark,
            "l": self._loop,
            "a": self._part,
            "q": lambda: (quit_replay(), None)[1],
        }

    def press(self, key: str) -> str:
        """Do what a key stands for, and return the note."""
        action = self._actions.get(key)
        try:
            return (action() if action is not None else None) or ""
        except FeedError as error:
            return str(error)
        except OSError as error:
            return explain_os_error(error)

    def _change_speed(self, *, faster: bool) -> str:
        speed = next_speed(self._transport.player.speed, faster=faster)
        self._transport.set_speed(speed)
        return f"speed {shown_speed(speed)}"

    def _bookmark(self) -> str:
        if self._bookmarks is None:
            return "only recorded feeds have bookmarks"
        position = self._transport.position
        recorder, sequence = self._origin(position.sequence)
        name = self._bookmarks.fresh_name(recorder)
        self._bookmarks.add(Bookmark(name, recorder, sequence, position.time))
        return f"“{name}” is at {shown_clock(position.time)}"

    def _loop(self) -> str:
        loop = not self._transport.player.loop
        self._transport.set_loop(loop)
        return "begins again at the end" if loop else "stops at the end"

    def _part(self) -> str:
        position = self._transport.position
        here = Place(position.sequence, position.time)
        if self._transport.player.part is not None:
            self._transport.repeat_nothing()
            return "plays on to the end"
        if self._a is None:
            self._a = here
            return f"A is {shown_clock(here.time)}; press a again at B"
        a, self._a = self._a, None
        self._transport.repeat(a, here)
        return "repeats A to B"
