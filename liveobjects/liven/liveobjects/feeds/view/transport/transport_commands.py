"""The commands on one replay: their words and keys, and what each of them does."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Final

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QWidget

from liven.liveobjects.feeds.view.transport.playback import Playback
from liven.liveobjects.feeds.view.transport.time_slider import NamedMoment

MAX: Final = float("inf")
SPEEDS: Final = (0.1, 0.5, 1.0, 2.0, 5.0, 10.0, 50.0, 100.0, 1000.0, MAX)
PLAY: Final = "Space"
BURST: Final = 10
"""Events of one burst, as in a terminal."""


def speed_index(speed: float) -> int:
    """Return the place of the listed speed that is nearest."""
    return min(range(len(SPEEDS)), key=lambda at: abs(SPEEDS[at] - speed) if SPEEDS[at] != speed else -1.0)


class TransportCommands(QWidget):
    """The commands. They do nothing while there is no replay."""

    unmarked = Signal(object)
    """The person does not want this bookmark any more."""
    bookmarked = Signal(object)
    """The person wants a bookmark at this moment, in microseconds."""

    def __init__(self, *, has_bookmarks: bool) -> None:
        super().__init__()
        self._has_bookmarks = has_bookmarks
        self._playback: Playback | None = None
        self._wanted: int | None = None
        """The moment to go to next: while the slider is dragged, one search ends before the next begins."""
        self._a: int | None = None
        """The moment A, while B is still to be chosen."""

    @property
    def bookmarks(self) -> Sequence[NamedMoment]:
        """The bookmarks of the recording."""
        raise NotImplementedError

    def _follow(self) -> None:
        """Show the state of the replay."""
        raise NotImplementedError

    def commands(self) -> tuple[tuple[str, str, Callable[[], object], str], ...]:
        """Return the words, keys, function and section of each command."""
        return (
            ("Play or pause", PLAY, self.toggle, "play"),
            ("One event back", "Left", partial(self.step, -1), "step"),
            ("One event on", "Right", partial(self.step, 1), "step"),
            ("Ten events on", "B", partial(self.burst, BURST), "step"),
            ("One second back", "Shift+Left", partial(self.jump, -1.0), "step"),
            ("One second on", "Shift+Right", partial(self.jump, 1.0), "step"),
            ("To the beginning", "Home", partial(self.seek_end, 0.0), "step"),
            ("To the end", "End", partial(self.seek_end, 1.0), "step"),
            ("Faster", "Up", partial(self.change_speed, 1), "speed"),
            ("Slower", "Down", partial(self.change_speed, -1), "speed"),
            ("Begin again at the end", "L", self.toggle_loop, "speed"),
            ("Repeat a part: A, B, none", "A", self.choose_section, "speed"),
            *(self._bookmark_commands() if self._has_bookmarks else ()),
        )

    def _bookmark_commands(self) -> tuple[tuple[str, str, Callable[[], object], str], ...]:
        return (
            ("Bookmark this moment", "M", self.bookmark, "bookmark"),
            ("Previous bookmark", "[", partial(self.seek_bookmark, -1), "bookmark"),
            ("Next bookmark", "]", partial(self.seek_bookmark, 1), "bookmark"),
            ("Remove this bookmark", "Del", self.unmark, "bookmark"),
        )

    def add_keys(self, owner: QWidget, everywhere: QWidget) -> None:
        """Let the keys of the commands work anywhere in `owner`, and Space in `everywhere`: on a button,
        too, which Return presses."""
        for _, keys, run, _ in self.commands():
            shortcut = QShortcut(QKeySequence(keys), everywhere if keys == PLAY else owner)
            shortcut.setContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
            shortcut.activated.connect(run)

    # commands

    def toggle(self) -> None:
        """Play, or pause."""
        self._do(lambda one: one.toggle())

    def step(self, events: int) -> None:
        """Go some events on or back."""
        self._do(lambda one: one.step(events))

    def burst(self, events: int) -> None:
        """Give some events at once."""
        self._do(lambda one: one.burst(events))

    def jump(self, seconds: float) -> None:
        """Go some seconds on or back."""
        self._do(lambda one: one.jump(seconds))

    def seek_end(self, part: float) -> None:
        """Go to the beginning (0) or the end (1)."""
        self._do(lambda one: one.seek((one.window.end if part else one.window.begin).time))

    def change_speed(self, by: int) -> None:
        """Choose the next speed, faster (1) or slower (-1)."""
        playback = self._playback
        if playback is not None:
            at = min(max(speed_index(playback.speed) + by, 0), len(SPEEDS) - 1)
            self._do(lambda one: one.set_speed(SPEEDS[at]))

    def toggle_loop(self) -> None:
        """Begin again at the end, or stop there."""
        self._do(lambda one: one.set_loop(not one.loop))

    def choose_section(self) -> None:
        """Choose A, then B, then nothing."""
        playback = self._playback
        if playback is None:
            return
        if playback.section is not None:
            self._a = None
            playback.repeat_nothing()
        elif self._a is None:
            self._a = playback.moment
        elif self._a != playback.moment:
            a, self._a = self._a, None
            playback.repeat(a, playback.moment)
        self._follow()

    def bookmark(self) -> None:
        """Ask for a bookmark at this moment."""
        if self._playback is not None:
            self.bookmarked.emit(self._playback.moment)

    def seek_bookmark(self, way: int) -> None:
        """Go to the next bookmark (1), or the one before (-1)."""
        playback = self._playback
        times = sorted(one.time for one in self.bookmarks)
        if playback is None:
            return
        beyond = [time for time in times if (time - playback.moment) * way > 0]
        if beyond:
            self._seek(beyond[0] if way > 0 else beyond[-1])

    def unmark(self) -> None:
        """Remove the bookmark at this moment."""
        playback = self._playback
        for one in self.bookmarks:
            if playback is not None and one.time == playback.moment:
                self.unmarked.emit(one)

    def _seek(self, moment: int) -> None:
        """Go to a moment; if the replay is on its way to another one, afterwards."""
        playback = self._playback
        if playback is not None and playback.is_moving:
            self._wanted = moment
        else:
            self._do(lambda one: one.seek(moment))

    def _do(self, command: Callable[[Playback], object]) -> None:
        if self._playback is not None:
            command(self._playback)
            self._follow()
