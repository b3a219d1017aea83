"""The panel of feeds: recordings and their growth, recording of the shown object, ingest, transport."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Final, Protocol

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import (
    QDockWidget,
    QHBoxLayout,
    QProgressBar,
    QPushButton,
    QTreeWidgetItem,
    QVBoxLayout,
    QWidget,
)

from liven.liveobjects.feeds.history.histogram import NOTHING, Histogram
from liven.liveobjects.feeds.recording_list import ListedRecording, RecordingList
from liven.liveobjects.feeds.view.panel.ingest_run import IngestProgress, IngestRun
from liven.liveobjects.feeds.view.panel.recording_table import KEY, fill_row, items_of, recording_table
from liven.liveobjects.feeds.view.transport.playback import Playback
from liven.liveobjects.feeds.view.transport.transport_bar import TransportBar
from liven.liveobjects.feeds.view.transport.unopened_playback import UnopenedPlayback
from liven.liveobjects.look.view.labels import brief, plain_label, plain_tip
from liven.liveobjects.view.accessibility import announce
from liven.runtime.objects.reply import Reply

_EVERY_MS: Final = 2000
_LONGEST: Final = 120
_NONE: Final = "No recordings yet. “Record this object” begins one."


class FeedDesk(Protocol):
    """The program, as far as the panel needs it."""

    root: Path

    def work(self, function: Callable[[], Any]) -> Reply[Any]:
        """Run blocking work in a worker."""

    def now(self) -> int:
        """Return the present moment, in microseconds since 1970 UTC."""

    def bars(self, recording: ListedRecording) -> Histogram:
        """Return the events of a recording over time. Called in a worker."""

    @property
    def recorded(self) -> str:
        """The name of the object that this window records now; empty if it records none."""

    def record(self) -> str:
        """Begin to record the window's object, or stop. Return a sentence about it."""

    def why_not(self) -> str:
        """Return the reason why the window's object cannot be recorded; empty if it can."""

    def open(self, recording: ListedRecording) -> None:
        """Show a recording in a window of its own."""

    def playback(self, recording: ListedRecording) -> Playback | None:
        """Return the replay of a recording that is open in a window."""


class FeedPanel(QDockWidget):
    """The panel of one window."""

    def __init__(self, desk: FeedDesk, program: Sequence[str] = ()) -> None:
        """`program` is the command that runs `liven`, by default this one."""
        super().__init__("Feeds")
        self.setObjectName("feeds")
        self._desk = desk
        self._program = tuple(program)
        self._list = RecordingList(desk.root)
        self._found: dict[str, ListedRecording] = {}
        self._reading = False
        self._ended = False
        self._bars_of = ""
        self._unopened: tuple[str, UnopenedPlayback] | None = None
        """The chosen recording while no window shows it, by its key."""
        self._run: IngestRun | None = None
        self._ingested = ""
        self.tree = recording_table()
        self.tree.itemSelectionChanged.connect(self._choose)
        self.tree.itemActivated.connect(lambda *_: self._open())
        self.words = plain_label()
        self.words.setWordWrap(True)
        self.words.setAccessibleName("About the chosen recording")
        self.progress = QProgressBar()
        self.progress.setAccessibleName("Ingest")
        self.progress.setMaximumHeight(18)
        self.progress.setTextVisible(False)
        self.bar = TransportBar(desk.now, has_bookmarks=False)
        self._buttons = {
            "record": self._button("Record this ob&ject", self._record),
            "open": self._button("&Open recording", self._open),
            "ingest": self._button("In&gest", self._ingest),
            "cancel": self._button("Cancel in&gest", self._cancel),
        }
        self._lay_out()
        self._timer = QTimer(self, interval=_EVERY_MS)
        self._timer.timeout.connect(self._look)
        self.visibilityChanged.connect(self._shown)
        self._show_ingest(None)

    def end(self) -> None:
        """Stop refreshing: the window closes."""
        self._ended = True
        self._timer.stop()
        self.bar.drive(None)
        run, self._run = self._run, None
        if run is not None:
            run.close()

    def chosen(self) -> ListedRecording | None:
        """Return the chosen recording."""
        items = self.tree.selectedItems()
        return self._found.get(items[0].data(0, KEY)) if items else None

    def refresh(self) -> None:
        """Read the recordings now."""
        self._look()

    # reading

    def _shown(self, visible: bool) -> None:
        if visible and not self._ended:
            self._look()
            self._timer.start()
        else:
            self._timer.stop()

    def _look(self) -> None:
        self._enable()
        if not self._reading and not self._ended:
            self._reading = True
            self._desk.work(self._list.read).then(self._read)

    def _read(self, done: Reply[Any]) -> None:
        self._reading = False
        if self._ended:
            return
        if done.error is not None:
            self.words.setText(f"The recordings cannot be read: {done.error}")
            return
        found: list[ListedRecording] = done.value()
        self._found = {one.key: one for one in found}
        self._fill(found)
        self._choose()

    def _fill(self, found: Sequence[ListedRecording]) -> None:
        rows = {item.data(0, KEY): item for item in items_of(self.tree)}
        for key in rows.keys() - self._found.keys():
            self.tree.takeTopLevelItem(self.tree.indexOfTopLevelItem(rows[key]))
        for one in found:
            row = rows.get(one.key) or QTreeWidgetItem(self.tree)
            row.setData(0, KEY, one.key)
            fill_row(row, one, self._desk.now())
        rest = items_of(self.tree)
        if rest and not self.tree.selectedItems():
            self.tree.setCurrentItem(rest[0])

    # the chosen recording

    def _choose(self) -> None:
        chosen = self.chosen()
        self._enable()
        if self._run is None:
            self.words.setText(self._about(chosen))
        self.bar.drive(None if chosen is None else self._playback_of(chosen))
        key = "" if chosen is None else f"{chosen.key} {chosen.records}"
        if key == self._bars_of:
            return
        self._bars_of = key
        if chosen is None or not chosen.records:
            self.bar.show_bars(NOTHING)
        else:
            self._desk.work(lambda: self._desk.bars(chosen)).then(lambda done: self._show_bars(key, done))

    def _playback_of(self, chosen: ListedRecording) -> Playback | None:
        """Return the replay of a recording: in the window that shows it, or one that opens it."""
        playback = self._desk.playback(chosen)
        known, self._unopened = self._unopened, None
        if playback is not None:
            if known is not None and known[0] == chosen.key:
                known[1].hand_over(playback)
            return playback
        if not _can_open(chosen):
            return None
        if known is not None and known[0] == chosen.key:
            self._unopened = known
        else:
            self._unopened = chosen.key, UnopenedPlayback(lambda: self._desk.open(chosen))
            self._bars_of = ""  # they tell it its first and its last moment
        return self._unopened[1]

    def _show_bars(self, key: str, done: Reply[Any]) -> None:
        if key != self._bars_of or self._ended or done.error is not None:
            return
        bars: Histogram = done.value()
        self.bar.show_bars(bars)
        if self._unopened is not None:
            self._unopened[1].show_span(bars.begin, bars.end)
        elif not self.bar.is_driving:
            self.bar.slider.show_span(bars.begin, bars.end, self._desk.now())

    def _about(self, chosen: ListedRecording | None) -> str:
        if chosen is None:
            return _NONE if not self._found else "Choose a recording."
        if chosen.error:
            return f"⚠ {chosen.error}"
        if chosen.encrypted:
            return f"{chosen.title} is encrypted. Open the object itself, and go back in time there (Ctrl+H)."
        if not chosen.records:
            return f"{chosen.title}: nothing is recorded yet."
        return ""

    def _enable(self) -> None:
        chosen = self.chosen()
        why, recorded = self._desk.why_not(), self._desk.recorded
        record = self._buttons["record"]
        record.setText("Stop recordin&g" if recorded else "Record this ob&ject")
        record.setEnabled(bool(recorded) or not why)
        tip = (
            why
            or "Everything that happens to it is kept, for you and on this computer; others see that you do"
        )
        record.setToolTip(plain_tip(f"“{recorded}” is being recorded" if recorded else tip))
        good = chosen is not None and bool(chosen.records)
        self._buttons["open"].setEnabled(chosen is not None and _can_open(chosen))
        clear = chosen is not None and not chosen.encrypted
        self._buttons["ingest"].setEnabled(good and clear and self._run is None)

    # commands

    def _record(self) -> None:
        self._say(self._desk.record())
        self._look()

    def _open(self) -> None:
        chosen = self.chosen()
        if chosen is not None and self._buttons["open"].isEnabled():
            self._desk.open(chosen)
            self._look()

    def _ingest(self) -> None:
        chosen = self.chosen()
        if chosen is None or self._run is not None:
            return
        self._ingested = chosen.title
        run = self._run = IngestRun(chosen.feed.name, self._program, self)
        run.progressed.connect(self._show_ingest)
        run.ended.connect(self._ingest_ended)
        self._show_ingest(IngestProgress("Starting Spark"))
        run.start()
        self._enable()

    def _cancel(self) -> None:
        if self._run is not None:
            self._run.cancel()

    def _show_ingest(self, progress: IngestProgress | None) -> None:
        running = progress is not None
        self.progress.setVisible(running)
        self._buttons["cancel"].setVisible(running)
        if progress is None:
            return
        self.progress.setRange(0, 1000 if progress.total else 0)
        if progress.total:
            self.progress.setValue(min(1000, 1000 * progress.done // progress.total))
        self.words.setText(f"{self._ingested}: {progress.sentence}")

    def _ingest_ended(self, why: str) -> None:
        self._run = None
        self._show_ingest(None)
        self._say(f"⚠ {self._ingested}: {why}" if why else f"{self._ingested} is ingested.")
        self._enable()

    def _say(self, words: str) -> None:
        if words:
            self.words.setText(brief(words, 1000))
            announce(self, words)

    # parts

    def _button(self, words: str, run: Callable[[], object]) -> QPushButton:
        made = QPushButton(words)
        made.setAutoDefault(True)  # Return presses it, because Space plays
        made.clicked.connect(lambda: run())
        return made

    def _lay_out(self) -> None:
        row = QHBoxLayout()
        for name in ("record", "open", "ingest"):
            row.addWidget(self._buttons[name])
        row.addWidget(self.words, 1)
        row.addWidget(self.progress, 1)
        row.addWidget(self._buttons["cancel"])
        inside = QWidget()
        layout = QVBoxLayout(inside)
        layout.setContentsMargins(6, 4, 6, 4)
        layout.addLayout(row)
        layout.addWidget(self.tree, 1)
        layout.addWidget(self.bar)
        self.setWidget(inside)
        inside.setFocusProxy(self.tree)
        self.bar.add_keys(self.bar, inside)


def _can_open(one: ListedRecording) -> bool:
    return bool(one.records and one.recipe) and not one.encrypted and not (one.error and one.folder is None)
