"""A window of its own for a recording: the recorded object in a sandbox, and the transport that plays it."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QAction, QCloseEvent, QKeySequence
from PySide6.QtWidgets import QMainWindow

from liven.app.time_travel.past_view import PastView
from liven.app.time_travel.recording_finder import FoundRecording
from liven.app.time_travel.time_machine import TimeMachine
from liven.liveobjects.look.view.labels import brief
from liven.runtime.foreign_text import shown_line
from liven.runtime.reference.model import Object

_LONGEST = 120
_MESSAGE_MS = 10_000


class RecordingWindow(QMainWindow):
    """A window that shows one recording. Nothing in it is live."""

    closed = Signal()
    copied = Signal(object, list)
    """A copy of a moment was made: its recipe, and the names of what is shared."""

    def __init__(self, machine: TimeMachine, recording: FoundRecording, thing: Object) -> None:
        super().__init__()
        self.recording = recording
        title = brief(shown_line(recording.title), _LONGEST)
        self.setWindowTitle(f"Recording of {title} — Liven")
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.view = PastView(machine, recording, thing, recording.title, is_live=False)
        self.view.message.connect(lambda words: self.statusBar().showMessage(words, _MESSAGE_MS))
        self.view.returned.connect(self.close)
        self.view.copied.connect(self.copied)
        self.setCentralWidget(self.view.page)
        self._fill_menu()
        self.resize(1000, 700)

    def open(self) -> None:
        """Show the window, and open the recording in it."""
        self.show()
        self.view.open()

    def closeEvent(self, event: QCloseEvent) -> None:
        """End the replay."""
        self.view.close()
        self.closed.emit()
        super().closeEvent(event)

    def _fill_menu(self) -> None:
        menu = self.menuBar().addMenu("&File")
        close = QAction("Close", menu)
        close.setShortcut(QKeySequence("Ctrl+W"))
        close.triggered.connect(self.close)
        menu.addAction(close)
