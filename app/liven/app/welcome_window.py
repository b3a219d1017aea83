"""The window that introduces the program and checks this machine."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from threading import Thread

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QFont, QFontInfo, QGuiApplication, QKeySequence, QPalette
from PySide6.QtWidgets import (
    QFrame,
    QGridLayout,
    QHBoxLayout,
    QProgressBar,
    QPushButton,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from liven.app.doctor import Finding, State
from liven.app.version import version
from liven.liveobjects.look.view.labels import plain_label
from liven.liveobjects.view.accessibility import is_motion_reduced

_MARKS = {State.OK: ("✓", "#2e8b57"), State.MISSING: ("○", "#b8860b"), State.BROKEN: ("✗", "#c0392b")}
_PROMISE = "A desktop of live objects: everyone who opens an object sees the same one."

_ABANDONED: list[CheckRun] = []
"""Runs that continue although their window is closed."""


class CheckRun(QObject):
    """One run of the doctor's checks on a thread of its own; each finding is emitted as a signal."""

    found = Signal(object)
    done = Signal()

    def __init__(self, findings: Iterator[Finding], parent: QObject) -> None:
        super().__init__(parent)
        self._findings = findings
        self._unwanted = False
        self._thread = Thread(target=self._work, name="doctor", daemon=True)

    def start(self) -> None:
        """Start the thread."""
        self._thread.start()

    def abandon(self) -> None:
        """Stop listening. The thread ends after its current check."""
        self._unwanted = True
        self.blockSignals(True)
        self.setParent(None)
        _ABANDONED.append(self)  # keep it alive as long as its thread
        _ABANDONED[:] = [one for one in _ABANDONED if one.is_running()]

    def is_running(self) -> bool:
        """True while the thread runs."""
        return self._thread.is_alive()

    def _work(self) -> None:
        for finding in self._findings:
            if self._unwanted:
                return
            self.found.emit(finding)
        self.done.emit()


class WelcomeWindow(QWidget):
    """A short introduction and the list of findings, filled in as they come."""

    finished = Signal()

    def __init__(self, examination: Callable[[], Iterator[Finding]]) -> None:
        super().__init__()
        self.setWindowTitle("Liven")
        self._examination = examination
        self.findings: list[Finding] = []
        self._round: CheckRun | None = None
        self._summary = plain_label()
        self._summary.setWordWrap(True)
        self._progress = QProgressBar()
        self._progress.setRange(0, 1 if is_motion_reduced() else 0)
        self._progress.setTextVisible(False)
        self._progress.setMaximumHeight(6)
        self._again = QPushButton("Check &again")
        self._again.setShortcut(QKeySequence(Qt.Key.Key_F5))
        self._again.setToolTip("Run all checks again (F5)")
        self._again.clicked.connect(self.check)
        self._copy = QPushButton("&Copy diagnosis")
        self._copy.setToolTip("Copy the list as text")
        self._copy.clicked.connect(self._copy_diagnosis)
        self._rows = QGridLayout()
        self._arrange()
        self.resize(760, 520)

    def check(self) -> None:
        """Start the checks, replacing the previous findings."""
        if self._round is not None:
            return
        self._clear()
        self._set_busy(busy=True)
        self._round = CheckRun(self._examination(), self)
        self._round.found.connect(self._add)
        self._round.done.connect(self._end)
        self._round.start()

    def closeEvent(self, event: object) -> None:
        """Abandon checks that still run; they may take a while to end."""
        if self._round is not None:
            self._round.abandon()
            self._round = None
        super().closeEvent(event)  # type: ignore[arg-type]

    def _arrange(self) -> None:
        title = plain_label(f"Liven {version()}")
        font = QFont(title.font())
        font.setPixelSize(QFontInfo(font).pixelSize() * 2)
        title.setFont(font)
        promise = plain_label(_PROMISE)
        promise.setWordWrap(True)
        table = QWidget()
        self._rows.setColumnStretch(2, 1)
        self._rows.setHorizontalSpacing(12)
        self._rows.setVerticalSpacing(8)
        holder = QVBoxLayout(table)
        holder.addLayout(self._rows)
        holder.addStretch(1)
        scroll = QScrollArea()
        scroll.setAccessibleName("Results of the checks")
        scroll.setWidget(table)
        scroll.setWidgetResizable(True)
        scroll.setFrameShape(QFrame.Shape.NoFrame)
        buttons = QHBoxLayout()
        buttons.addWidget(self._summary, 1)
        buttons.addWidget(self._copy)
        buttons.addWidget(self._again)
        page = QVBoxLayout(self)
        page.setContentsMargins(24, 20, 24, 20)
        page.setSpacing(10)
        for widget in (title, promise, self._progress):
            page.addWidget(widget)
        page.addWidget(scroll, 1)
        page.addLayout(buttons)

    def _add(self, finding: Finding) -> None:
        self.findings.append(finding)
        row = self._rows.rowCount()
        sign, colour = _MARKS[finding.state]
        mark = plain_label(sign)
        mark.setStyleSheet(f"color: {colour}; font-weight: bold")
        mark.setAccessibleName(finding.state.value)
        subject = plain_label(finding.subject)
        text = finding.detail + (f"\n→ {finding.fix}" if finding.fix else "")
        detail = plain_label(text)
        detail.setWordWrap(True)
        detail.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        if finding.state is State.OK:
            detail.setForegroundRole(QPalette.ColorRole.PlaceholderText)
        for column, label in enumerate((mark, subject, detail)):
            self._rows.addWidget(label, row, column, Qt.AlignmentFlag.AlignTop)

    def _end(self) -> None:
        if self._round is not None:
            self._round.deleteLater()
        self._round = None
        self._set_busy(busy=False)
        broken = sum(finding.state is State.BROKEN for finding in self.findings)
        missing = sum(finding.state is State.MISSING for finding in self.findings)
        if broken:
            self._summary.setText(
                f"{broken} of {len(self.findings)} checks failed; see the → lines for fixes."
            )
        elif missing:
            self._summary.setText(f"Everything needed is available; optional parts missing: {missing}.")
        else:
            self._summary.setText("Everything is available.")
        self.finished.emit()

    def _set_busy(self, *, busy: bool) -> None:
        self._progress.setVisible(busy)
        self._again.setEnabled(not busy)
        self._copy.setEnabled(not busy)
        if busy:
            self._summary.setText("Checking this computer…")

    def _clear(self) -> None:
        self.findings.clear()
        while (item := self._rows.takeAt(0)) is not None:
            widget = item.widget()
            if widget is not None:
                widget.deleteLater()

    def _copy_diagnosis(self) -> None:
        lines = [f"Liven {version()}"]
        for finding in self.findings:
            fix = f" → {finding.fix}" if finding.fix else ""
            lines.append(f"{finding.subject}: {finding.state.value}: {finding.detail}{fix}")
        QGuiApplication.clipboard().setText("\n".join(lines))
        self._summary.setText("List copied.")
