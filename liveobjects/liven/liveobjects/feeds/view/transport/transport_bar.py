"""The transport bar: play, steps, speed, clock, loop, A and B, bookmarks, and the time slider."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from PySide6.QtCore import QEvent, QSize, Qt, QTimer, Signal
from PySide6.QtWidgets import QComboBox, QToolButton, QVBoxLayout

from liven.liveobjects.feeds.history.histogram import Histogram
from liven.liveobjects.feeds.history.moment_text import (
    clock_text,
    length_text,
    moment_text,
    sentence_start,
)
from liven.liveobjects.feeds.view.transport.overflow_row import KeyButton, OverflowRow
from liven.liveobjects.feeds.view.transport.playback import Playback
from liven.liveobjects.feeds.view.transport.signs import SIZE, sign
from liven.liveobjects.feeds.view.transport.time_slider import NamedMoment, TimeSlider
from liven.liveobjects.feeds.view.transport.transport_commands import (
    MAX,
    SPEEDS,
    TransportCommands,
    speed_index,
)
from liven.liveobjects.look.view.labels import plain_label, plain_tip
from liven.liveobjects.view.accessibility import announce, is_motion_reduced

_EVERY_MS, _EVERY_MS_STILL = 50, 500
"""Milliseconds between two looks at the clock of a replay; with reduced motion the slider does not glide."""
_HIT = 30
_CLOCK: Final = "Click for the time since the beginning, or for the time of day"
_FINDING: Final = "Finding that moment …"


def speed_text(speed: float) -> str:
    """Return a speed for people."""
    return "max" if speed == MAX else f"{speed:g} ×"


class TransportBar(TransportCommands):
    """The controls of one replay. They do nothing until `drive` gives them one."""

    looked = Signal()
    """The shown moment may be another one now."""

    def __init__(self, now: Callable[[], int], *, has_bookmarks: bool = True) -> None:
        """`now` returns the present moment, in microseconds since 1970 UTC."""
        super().__init__(has_bookmarks=has_bookmarks)
        self.setAccessibleName("Replay")
        self._now = now
        self._place = -1
        """The place that was shown last."""
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

    @property
    def bookmarks(self) -> Sequence[NamedMoment]:
        return self.slider.bookmarks

    def show_bookmarks(self, bookmarks: Sequence[NamedMoment]) -> None:
        """Show bookmarks."""
        self.slider.show_bookmarks(bookmarks)

    # what is shown

    def _follow(self) -> None:
        """Show the state of the replay."""
        playback = self._playback
        for widget in (self.slider, self._speed, self.clock, *self._buttons.values()):
            widget.setEnabled(playback is not None)
        if playback is None:
            self.words.setText("")
            self.words.hide()
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
        self._speed.setCurrentIndex(speed_index(playback.speed))
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
        if (text, playback.sequence) != (self.clock.text(), self._place):  # several events may have one time
            self.clock.setText(text)
            wide = max(self.clock.minimumWidth(), self.clock.sizeHint().width())
            self.clock.setMinimumWidth(wide)  # it grows alone, so that the others stay in their places
            self._place = playback.sequence
            self.looked.emit()
        words = playback.trouble
        if words != self.words.text():
            self.words.setText(words)
            self.words.setVisible(bool(words))
        self.clock.setToolTip(plain_tip(_FINDING if playback.is_moving else _CLOCK))

    def _toggle_clock(self) -> None:
        self._from_start = not self._from_start
        self.clock.setMinimumWidth(0)
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
        made.setCurrentIndex(speed_index(1.0))
        made.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        made.currentIndexChanged.connect(lambda at: self._do(lambda one: one.set_speed(SPEEDS[at])))
        return made

    def _make_clock(self) -> QToolButton:
        made = KeyButton()
        made.setAutoRaise(True)
        made.setToolTip(plain_tip(_CLOCK))
        made.setAccessibleName("Clock of the replay")
        made.clicked.connect(self._toggle_clock)
        return made

    def _button(
        self, name: str, tip: str, run: Callable[[], object], *, checkable: bool = False
    ) -> QToolButton:
        made = self._buttons[name] = KeyButton()
        made.setAutoRaise(True)
        made.setIconSize(QSize(SIZE, SIZE))
        made.setMinimumSize(_HIT, _HIT)
        made.setCheckable(checkable)
        made.setToolTip(plain_tip(tip))
        made.setAccessibleName(tip.partition(" (")[0])
        made.clicked.connect(lambda: run())
        return made

    def _lay_out(self) -> None:
        row = self.row = OverflowRow()
        row.add(self._button("second back", "One second back (Shift+Left)", lambda: self.jump(-1.0)), 30)
        row.add(self._button("event back", "One event back (Left)", lambda: self.step(-1)), 90)
        row.add(self._button("play", "Play (Space)", self.toggle))
        row.add(self._button("event on", "One event on (Right)", lambda: self.step(1)), 90)
        row.add(self._button("second on", "One second on (Shift+Right)", lambda: self.jump(1.0)), 30)
        row.add(self._speed, 70)
        row.add(self._button("loop", "Begin again at the end (L)", self.toggle_loop, checkable=True), 20)
        row.add(self._button("section", "Repeat a part (A)", self.choose_section, checkable=True), 25)
        if self._has_bookmarks:
            tip = "Bookmark this moment (M; [ and ] go to the others, Del removes one)"
            row.add(self._button("bookmark", tip, self.bookmark), 40)
        row.add_space()
        row.add(self.clock, 80, is_listed=False)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(2)
        layout.addWidget(self.slider)
        layout.addWidget(self.words)
        layout.addWidget(row)
        self.words.hide()


def _day_text(moment: int, now: int) -> str:
    """Return the day of a moment, without its time."""
    return sentence_start(moment_text(moment, now).rpartition(" ")[0])
