"""The page that shows an object at an earlier moment: banner, stage, transport, and differences."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QKeySequence, QPalette, QShortcut
from PySide6.QtWidgets import QFrame, QHBoxLayout, QPushButton, QSplitter, QVBoxLayout, QWidget

from liven.liveobjects.feeds.history.moment_text import moment_text, sentence_start
from liven.liveobjects.feeds.view.past.change_list import ChangeList
from liven.liveobjects.feeds.view.past.island import SHADE, Island
from liven.liveobjects.feeds.view.past.past_stage import PastStage
from liven.liveobjects.feeds.view.transport.colours import past_colours
from liven.liveobjects.feeds.view.transport.playback import Playback
from liven.liveobjects.feeds.view.transport.transport_bar import TransportBar
from liven.liveobjects.look.view.labels import plain_label, plain_tip
from liven.liveobjects.view.accessibility import announce
from liven.liveobjects.view.contract import Action

_MARGIN = 10
_INSET = 8
_BOLDER = 36
"""Pixels that a pressed button needs more in high contrast, where it is bold and has a thick edge."""
_COPY_TIP = "Open a separate object that begins as this one was then"
_LIST = 360
"""The width of the list of differences at first."""


_HISTORY_BEGINS = "The history on this computer begins here, and what was before is not kept"


def beginning_of(playback: Playback, *, is_history: bool = False) -> str:
    """Return words for a place before the first event of a recording, or of the history that a program keeps
    by itself; empty for any other."""
    begin = playback.window.begin
    if playback.sequence > begin.sequence:
        return ""
    if playback.moment <= begin.time:
        return _HISTORY_BEGINS if is_history else "The recording begins here"
    return "Before the first event of the recording"


class PastPage(QWidget):
    """An object that is not live. Esc returns."""

    returned = Signal()
    """The person wants to see the live object again."""
    compare_toggled = Signal(bool)
    copy_requested = Signal()
    """The person wants a copy that begins in the shown state."""

    def __init__(self, now: Callable[[], int], *, is_live: bool = True, is_history: bool = False) -> None:
        """`now` returns the present moment in microseconds. Without `is_live`, there is no live object to
        return to, and Esc closes the window. With `is_history`, the program keeps the recording by itself."""
        super().__init__()
        self._now = now
        self._is_live = is_live
        self._is_history = is_history
        self._author = ""
        """The name of who did what happened last before the shown moment; empty if it is not known."""
        self._playback: Playback | None = None
        self._said = ""
        self.bar = TransportBar(now)
        self.bar.looked.connect(self._show_moment)
        self._banner, self._sentence = self._make_banner()
        self.changes = ChangeList()
        self.changes.hide()
        self.changes.closed.connect(lambda: self._compare.setChecked(False))
        self.stage = PastStage(self._make_island())
        self._split = QSplitter(Qt.Orientation.Horizontal)
        self._split.setChildrenCollapsible(False)
        self._split.addWidget(self.stage)
        self._split.addWidget(self.changes)
        self._split.setStretchFactor(0, 1)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(self._banner)
        layout.addWidget(self._split, 1)
        self.bar.add_keys(self.stage, self)
        leave = QShortcut(QKeySequence("Esc"), self)
        leave.setContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
        leave.activated.connect(self.returned)
        self._colour()
        self._show_moment()

    @property
    def sentence(self) -> str:
        """The words of the banner."""
        return self._said

    def drive(self, playback: Playback | None) -> None:
        """Show and drive another replay, or none."""
        self._playback = playback
        self.bar.drive(playback)
        self._show_moment()

    def show_author(self, name: str) -> None:
        """Show who did what happened last."""
        if name != self._author:
            self._author = name
            self._show_moment()

    def commands(self) -> tuple[Action, ...]:
        """Return the commands of this page, for menus and the command palette."""
        rows = (
            *self.bar.commands(),
            ("What changed", "", lambda: self._compare.setChecked(not self._compare.isChecked()), "page"),
            ("Return to now" if self._is_live else "Close", "Esc", self.returned.emit, "page"),
        )
        made = [
            Action(words, (keys,) if keys else (), run, "Time", part=part) for words, keys, run, part in rows
        ]
        copy = Action(
            "Copy this moment", (), self.copy_requested.emit, "Time", part="page", can=self._copy.isEnabled
        )
        return (*made[:-1], copy, made[-1])

    def refuse_copy(self, why: str) -> None:
        """Make the button for copies grey for this reason; with an empty one, let it be pressed."""
        if self._copy.hasFocus() and why:
            self.bar.slider.setFocus()  # a button that cannot be pressed loses it to any other part
        self._copy.setEnabled(not why)
        self._copy.setToolTip(plain_tip(why or _COPY_TIP))

    def set_comparing(self, comparing: bool) -> None:
        """Show or hide the differences."""
        self._compare.setChecked(comparing)

    def changeEvent(self, event: QEvent) -> None:
        """Adopt the colours of another light."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange and hasattr(self, "_split"):
            self._colour()

    def _make_banner(self) -> tuple[QFrame, QWidget]:
        banner = QFrame()
        banner.setAutoFillBackground(True)
        self._words = plain_label()
        self._words.setAccessibleName("Shown moment")
        font = self._words.font()
        font.setBold(True)
        self._words.setFont(font)
        row = QHBoxLayout(banner)
        row.setContentsMargins(_MARGIN, 4, _MARGIN, 4)
        row.addWidget(self._words, 1)
        return banner, self._words

    def _make_island(self) -> Island:
        island = Island()
        layout = QVBoxLayout(island)
        layout.setContentsMargins(*(4 * (_INSET + SHADE,)))
        layout.addWidget(self.bar)
        self._compare = QPushButton("What &changed")
        self._compare.setCheckable(True)
        self._compare.setMinimumWidth(self._compare.sizeHint().width() + _BOLDER)
        self._compare.setToolTip(plain_tip("List what is different now, and restore things"))
        self._compare.toggled.connect(self._toggle_changes)
        self._copy = QPushButton("Co&py this moment")
        self._copy.setToolTip(plain_tip(_COPY_TIP))
        self._copy.clicked.connect(self.copy_requested)
        self._return = QPushButton("Return to &now" if self._is_live else "C&lose")
        tip = "Show the live object again (Esc)" if self._is_live else "Close this window (Esc)"
        self._return.setToolTip(plain_tip(tip))
        self._return.clicked.connect(self.returned)
        for button in (self._compare, self._copy, self._return):
            button.setAutoDefault(True)  # Return presses it, because Space plays
        self.bar.row.add(self._compare)
        self.bar.row.add(self._copy, 15)
        self.bar.row.add(self._return)
        return island

    def _toggle_changes(self, shown: bool) -> None:
        self.changes.setVisible(shown)
        if shown:
            self._split.setSizes([max(1, self.width() - _LIST), _LIST])
        self.compare_toggled.emit(shown)

    def _show_moment(self) -> None:
        playback = self._playback
        moment = "" if playback is None else moment_text(playback.moment, self._now(), seconds=True)
        begin = f"{sentence_start(moment)} — not live" if moment else "An earlier moment — not live"
        if playback is not None and (beginning := beginning_of(playback, is_history=self._is_history)):
            begin += f". {beginning}"
        elif self._author:
            begin += f". The last change is by {self._author}"
        said = f"{begin}. Esc {'returns' if self._is_live else 'closes'}."
        if said == self._said:
            return
        first, self._said = not self._said, said
        self._words.setText(said)
        if not first and playback is not None and not playback.is_running:
            announce(self, said)

    def _colour(self) -> None:
        colours = past_colours(self.palette())
        palette = QPalette(self._banner.palette())
        for role in (QPalette.ColorRole.Window, QPalette.ColorRole.Base):
            palette.setColor(role, colours.banner)
        palette.setColor(QPalette.ColorRole.WindowText, colours.on_banner)
        palette.setColor(QPalette.ColorRole.Text, colours.on_banner)
        self._banner.setPalette(palette)
        self._words.setPalette(palette)
