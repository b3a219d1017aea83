"""The transport bar: play, steps, speed, clock, loop, A and B, bookmarks, and the time slider."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Final

from PySide6.QtCore import QEvent, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QKeyEvent, QKeySequence, QShortcut
from PySide6.QtWidgets import (
    QComboBox,
    QHBoxLayout,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from liven.liveobjects.feeds.history.histogram import Histogram
from liven.liveobjects.feeds.history.moment_text import (
    clock_text,
    length_text,
    moment_text,
    sentence_start,
)
from liven.liveobjects.feeds.view.playback import Playback
from liven.liveobjects.feeds.view.signs import SIZE, sign
from liven.liveobjects.feeds.view.time_slider import NamedMoment, TimeSlider
from liven.liveobjects.look.view.labels import plain_label, plain_tip
from liven.liveobjects.view.accessibility import announce, is_motion_reduced

MAX: Final = float("inf")
SPEEDS: Final = (0.1, 0.5, 1.0, 2.0, 5.0, 10.0, 50.0, 100.0, 1000.0, MAX)
_EVERY_MS, _EVERY_MS_STILL = 50, 500
"""Milliseconds between two looks at the clock of a replay; with reduced motion the slider does not glide."""
_HIT = 30
PLAY: Final = "Space"
BURST: Final = 10
"""Events of one burst, as in a terminal."""


def speed_text(speed: float) -> str:
    """Return a speed for people."""
    return "max" if speed == MAX else f"{speed:g} ×"


class _Button(QToolButton):
    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Press the button on Return, because Space plays."""
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.click()
        else:
            super().keyPressEvent(event)


class TransportBar(QWidget):
    """The controls of one replay. They do nothing until `drive` gives them one."""

    looked = Signal()
    """The shown moment may be another one now."""
    unmarked = Signal(object)
    """The person does not want this bookmark any more."""
    bookmarked = Signal(object)
    """The person wants a bookmark at this moment, in microseconds."""

    def __init__(self, now: Callable[[], int], *, has_bookmarks: bool = True) -> None:
        """`now` returns the present moment, in microseconds since 1970 UTC."""
        super().__init__()
        self.setAccessibleName("Replay")
        self._now = now
        self._has_bookmarks = has_bookmarks
        self._playback: Playback | None = None
        self._wanted: int | None = None
        """The moment to go to next: while the slider is dragged, one search ends before the next begins."""
        self._a: int | None = None
        """The moment A, while B is still to be chosen."""
        self._from_start = False
        """True while the clock shows the time since the beginning."""
        self._running: bool | None = None
        self.slider = TimeSlider()
        self.slider.sought.connect(self._seek)
        self.slider.toggled.connect(self.toggle)
        self.slider.stepped.connect(lambda events: self._do(lambda one: one.step(events)))
        self.slider.jumped.connect(lambda seconds: self._do(lambda one: one.jump(seconds)))
        self._buttons: dict[str, QToolButton] = {}
        self._speed = self._make_speed()
        self.clock = self._make_clock()
        self.words = plain_label()
        self.words.setAccessibleName("State of the replay")
        self._lay_out()
        self._buttons["section"].setText("A–B")
        self._timer = QTimer(self)
        self._timer.timeout.connect(self._look)
        self._colour()
        self._follow()

    @property
    def is_driving(self) -> bool:
        """True while there is a replay."""
        return self._playback is not None

    def drive(self, playback: Playback | None) -> None:
        """Drive another replay, or none."""
        if playback is self._playback:
            return
        if self._playback is not None:
            self._playback.unwatch(self._follow)
        self._playback, self._a, self._running, self._wanted = playback, None, None, None
        if playback is not None:
            playback.watch(self._follow)
            self._timer.start(_EVERY_MS_STILL if is_motion_reduced() else _EVERY_MS)
        else:
            self._timer.stop()
        self._follow()

    def show_bars(self, bars: Histogram) -> None:
        """Show events over time."""
        self.slider.show_bars(bars)

    def show_bookmarks(self, bookmarks: Sequence[NamedMoment]) -> None:
        """Show bookmarks."""
        self.slider.show_bookmarks(bookmarks)

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
        at = min(max(self._speed.currentIndex() + by, 0), len(SPEEDS) - 1)
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
        times = sorted(one.time for one in self.slider.bookmarks)
        if playback is None:
            return
        beyond = [time for time in times if (time - playback.moment) * way > 0]
        if beyond:
            self._seek(beyond[0] if way > 0 else beyond[-1])

    def unmark(self) -> None:
        """Remove the bookmark at this moment."""
        playback = self._playback
        for one in self.slider.bookmarks:
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

    # what is shown

    def _follow(self) -> None:
        """Show the state of the replay."""
        playback = self._playback
        for widget in (self.slider, self._speed, self.clock, *self._buttons.values()):
            widget.setEnabled(playback is not None)
        if playback is None:
            self.words.setText("")
            return
        if self._wanted is not None and not playback.is_moving:
            wanted, self._wanted = self._wanted, None
            playback.seek(wanted)
        begin, end = playback.window.begin.time, playback.window.end.time
        section = playback.section
        self.slider.show_span(begin, end, self._now())
        a = None if self._a is None else (self._a, self._a)
        self.slider.show_section(a if section is None else (section.begin.time, section.end.time))
        self._show_running(playback.is_running)
        blocked = self._speed.blockSignals(True)
        self._speed.setCurrentIndex(_speed_index(playback.speed))
        self._speed.blockSignals(blocked)
        self._buttons["loop"].setChecked(playback.loop)
        self._show_section_button(playback)
        self._look()

    def _show_section_button(self, playback: Playback) -> None:
        button = self._buttons["section"]
        words, tip = "A–B", "Repeat a part: choose its beginning here (A)"
        if playback.section is not None:
            words, tip = "A–B ✕", "Do not repeat this part any more (A)"
        elif self._a is not None:
            words, tip = "A–…", "Repeat the part up to this moment (A)"
        button.setText(words)
        button.setChecked(playback.section is not None or self._a is not None)
        button.setToolTip(plain_tip(tip))
        button.setAccessibleName(tip)

    def _show_running(self, running: bool) -> None:
        if running == self._running:
            return
        first, self._running = self._running is None, running
        button, words = self._buttons["play"], "Pause" if running else "Play"
        button.setIcon(sign("pause" if running else "play", self.palette()))
        button.setAccessibleName(words)
        button.setToolTip(plain_tip(f"{words} (Space)"))
        if not first:
            announce(self, "Playing" if running else f"Paused at {self.clock.text()}")

    def _look(self) -> None:
        """Show the moment of the replay."""
        playback = self._playback
        if playback is None:
            return
        moment, begin = playback.moment, playback.window.begin.time
        self.slider.show_moment(moment if self._wanted is None else self._wanted)
        text = (
            f"{length_text(moment - begin, exact=True)} of {length_text(playback.window.end.time - begin)}"
            if self._from_start
            else f"{_day_text(moment, self._now())} {clock_text(moment, exact=True)}"
        )
        if text != self.clock.text():
            self.clock.setText(text)
            self.looked.emit()
        words = playback.trouble or ("finding that moment …" if playback.is_moving else "")
        if words != self.words.text():
            self.words.setText(words)
            self.words.setVisible(bool(words))

    def _toggle_clock(self) -> None:
        self._from_start = not self._from_start
        self._look()

    def changeEvent(self, event: QEvent) -> None:
        """Adopt the colours of another light."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange and hasattr(self, "_timer"):
            self._colour()

    def _colour(self) -> None:
        for name, button in self._buttons.items():
            if name != "section":
                drawn = "pause" if name == "play" and self._running else name
                button.setIcon(sign(drawn, self.palette()))

    # parts

    def _make_speed(self) -> QComboBox:
        made = QComboBox()
        made.setAccessibleName("Speed")
        made.setToolTip(plain_tip("Speed of the replay (Up and Down)"))
        for speed in SPEEDS:
            made.addItem(speed_text(speed), speed)
        made.setCurrentIndex(_speed_index(1.0))
        made.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        made.currentIndexChanged.connect(lambda at: self._do(lambda one: one.set_speed(SPEEDS[at])))
        return made

    def _make_clock(self) -> QToolButton:
        made = _Button()
        made.setAutoRaise(True)
        made.setToolTip(plain_tip("Click for the time since the beginning, or for the time of day"))
        made.setAccessibleName("Clock of the replay")
        made.clicked.connect(self._toggle_clock)
        return made

    def _button(
        self, name: str, tip: str, run: Callable[[], object], *, checkable: bool = False
    ) -> QToolButton:
        made = self._buttons[name] = _Button()
        made.setAutoRaise(True)
        made.setIconSize(QSize(SIZE, SIZE))
        made.setMinimumSize(_HIT, _HIT)
        made.setCheckable(checkable)
        made.setToolTip(plain_tip(tip))
        made.setAccessibleName(tip.partition(" (")[0])
        made.clicked.connect(lambda: run())
        return made

    def _lay_out(self) -> None:
        row = QHBoxLayout()
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(2)
        for button in (
            self._button("second back", "One second back (Shift+Left)", lambda: self.jump(-1.0)),
            self._button("event back", "One event back (Left)", lambda: self.step(-1)),
            self._button("play", "Play (Space)", self.toggle),
            self._button("event on", "One event on (Right)", lambda: self.step(1)),
            self._button("second on", "One second on (Shift+Right)", lambda: self.jump(1.0)),
        ):
            row.addWidget(button)
        row.addSpacing(8)
        row.addWidget(self._speed)
        row.addWidget(self._button("loop", "Begin again at the end (L)", self.toggle_loop, checkable=True))
        row.addWidget(self._button("section", "Repeat a part (A)", self.choose_section, checkable=True))
        if self._has_bookmarks:
            tip = "Bookmark this moment (M; [ and ] go to the others, Del removes one)"
            row.addWidget(self._button("bookmark", tip, self.bookmark))
        row.addStretch(1)
        row.addWidget(self.words)
        row.addWidget(self.clock)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(2)
        layout.addWidget(self.slider)
        layout.addLayout(row)
        self._row = row

    @property
    def row(self) -> QHBoxLayout:
        """The row of buttons, for a page that adds its own."""
        return self._row


def _speed_index(speed: float) -> int:
    """Return the place of the listed speed that is nearest."""
    return min(range(len(SPEEDS)), key=lambda at: abs(SPEEDS[at] - speed) if SPEEDS[at] != speed else -1.0)


def _day_text(moment: int, now: int) -> str:
    """Return the day of a moment, without its time."""
    return sentence_start(moment_text(moment, now).rpartition(" ")[0])
