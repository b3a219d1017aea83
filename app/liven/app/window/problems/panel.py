"""The problems panel: what went wrong, where, and what to do about it. It interrupts nothing.

Buttons below the list offer remedies for the selected problem.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QGuiApplication, QKeySequence, QShortcut
from PySide6.QtWidgets import (
    QDockWidget,
    QHBoxLayout,
    QListWidget,
    QListWidgetItem,
    QPlainTextEdit,
    QPushButton,
    QSplitter,
    QVBoxLayout,
    QWidget,
)

from liven.app.version import version
from liven.liveobjects.look.view.labels import brief, plain_label, plain_tip
from liven.runtime.problems import Path, Problem, Remedy

MOST = 500
"""Most problems in the list; the oldest are dropped."""
LONGEST, LONGEST_DETAIL = 400, 20_000
"""Most characters of a row and of the details; copies are complete."""


@dataclass(frozen=True, slots=True)
class ListedProblem:
    """A problem in the list, and when it happened last."""

    problem: Problem
    when: str


class ProblemsPanel(QDockWidget):
    """A list of problems, newest first. A repeated problem is counted, not listed twice."""

    counted = Signal(int)
    """Emitted with the number of unseen problems."""
    restart_requested = Signal(object)
    """Emitted with the path of an object to restart."""
    pause_requested = Signal(object)
    """Emitted with the path of an object to pause."""

    def __init__(self) -> None:
        super().__init__("Problems")
        self.setObjectName("problems")
        self._unseen = 0
        self.concerns: Callable[[Problem], bool] = lambda _: False
        """Returns True if a problem is about the object of this window."""
        self._list = QListWidget()
        self._list.setAccessibleName("Problems")
        self._list.setWordWrap(True)
        self._list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._list.currentItemChanged.connect(lambda *_: self._show_chosen())
        self._detail = QPlainTextEdit(readOnly=True)
        self._detail.setAccessibleName("Details of the problem")
        self._copy = QPushButton("Copy &diagnosis")
        self._copy.clicked.connect(self.copy)
        self._clear = QPushButton("C&lear")
        self._clear.clicked.connect(self.clear)
        pressed = QShortcut(QKeySequence.StandardKey.Copy, self._list)
        pressed.setContext(Qt.ShortcutContext.WidgetShortcut)
        pressed.activated.connect(self.copy)
        self._none = plain_label("No problems.")
        self._none.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._remedies = QHBoxLayout()
        self._arrange()
        self.visibilityChanged.connect(self._looked_at)
        self._refresh()

    def add(self, problem: Problem) -> None:
        """Add a problem. It replaces an earlier one of the same topic, and ends it if it is over."""
        self._remove(lambda each: each != problem and each.is_replaced_by(problem))
        if problem.is_over:
            return
        known = self._item_of(problem)
        times = (known.data(_TIMES) if known is not None else 0) + 1
        item = self._list.takeItem(self._list.row(known)) if known is not None else QListWidgetItem()
        assert item is not None
        item.setData(_PROBLEM, problem)
        item.setData(_TIMES, times)
        item.setText(brief(str(problem), LONGEST) + (f"  (×{times})" if times > 1 else ""))
        item.setToolTip(plain_tip(time.strftime("last at %H:%M:%S")))
        item.setData(_WHEN, time.strftime("%H:%M"))
        self._list.insertItem(0, item)
        while self._list.count() > MOST:
            self._list.takeItem(self._list.count() - 1)
        if not self.isVisible():
            self._unseen += 1
        self._refresh()

    @property
    def listed(self) -> int:
        """The number of problems in the list, seen or not."""
        return self._list.count()

    def newest(self) -> list[ListedProblem]:
        """Return the problems in the list, newest first."""
        items = [self._list.item(row) for row in range(self._list.count())]
        return [ListedProblem(one.data(_PROBLEM), one.data(_WHEN)) for one in items]

    def remedies_of(self, problem: Problem) -> list[Remedy]:
        """Return what can be done about a problem."""
        remedies = [*problem.remedies]
        if self.concerns(problem):
            where = problem.where
            remedies.append(Remedy("restart", lambda: self.restart_requested.emit(where)))
            remedies.append(Remedy("pause", lambda: self.pause_requested.emit(where)))
        return remedies

    def parts(self, name: str) -> Counter[str]:
        """Count the listed problems of each item inside the object `name`; those of the object itself under
        ""."""
        listed = (self._list.item(row).data(_PROBLEM).where for row in range(self._list.count()))
        return Counter(where[1] if len(where) > 1 else "" for where in listed if where[:1] == (name,))

    def choose(self, path: Path) -> None:
        """Select the newest problem of the object at a path."""
        for row in range(self._list.count()):
            if self._list.item(row).data(_PROBLEM).where[: len(path)] == path:
                self._list.setCurrentRow(row)
                return

    def forget(self, path: Path) -> None:
        """Remove the problems of the object at a path, because it starts again."""
        self._remove(lambda each: each.where[: len(path)] == path)

    def _remove(self, concerned: Callable[[Problem], bool]) -> None:
        rows = [row for row in range(self._list.count()) if concerned(self._list.item(row).data(_PROBLEM))]
        for row in reversed(rows):
            self._list.takeItem(row)
        self._unseen = min(self._unseen, self._list.count())
        self._refresh()

    def clear(self) -> None:
        """Remove all problems from the list."""
        self._list.clear()
        self._unseen = 0
        self._refresh()

    def copy(self) -> None:
        """Copy the details of the selected problem, or of all problems, to the clipboard."""
        chosen = self._list.currentRow()
        rows = [chosen] if chosen >= 0 else range(self._list.count())
        texts = [diagnosis(self._list.item(row).data(_PROBLEM)) for row in rows]
        QGuiApplication.clipboard().setText("\n\n".join([f"Liven {version()}", *texts]))

    def _arrange(self) -> None:
        buttons = QHBoxLayout()
        buttons.addLayout(self._remedies)
        buttons.addStretch(1)
        buttons.addWidget(self._copy)
        buttons.addWidget(self._clear)
        split = QSplitter(Qt.Orientation.Horizontal)
        split.addWidget(self._list)
        split.addWidget(self._detail)
        page = QWidget()
        layout = QVBoxLayout(page)
        layout.setContentsMargins(6, 6, 6, 6)
        layout.addWidget(self._none)
        layout.addWidget(split, 1)
        layout.addLayout(buttons)
        self.setWidget(page)
        self._split = split

    def _item_of(self, problem: Problem) -> QListWidgetItem | None:
        for row in range(self._list.count()):
            item = self._list.item(row)
            if item.data(_PROBLEM) == problem:
                return item
        return None

    def _show_chosen(self) -> None:
        row = self._list.currentRow()
        problem: Problem | None = self._list.item(row).data(_PROBLEM) if row >= 0 else None
        self._detail.setPlainText("" if problem is None else brief(diagnosis(problem), LONGEST_DETAIL))
        self._offer([] if problem is None else self.remedies_of(problem))

    def _offer(self, remedies: Sequence[Remedy]) -> None:
        """Show one button for each remedy, instead of the previous buttons."""
        while (gone := self._remedies.takeAt(0)) is not None:
            if (widget := gone.widget()) is not None:
                widget.hide()
                widget.deleteLater()
        before: QWidget = self._detail
        for remedy in remedies:
            button = QPushButton(remedy.name[:1].upper() + remedy.name[1:])
            button.clicked.connect(lambda _=False, do=remedy.do: do())
            self._remedies.addWidget(button)
            self.setTabOrder(before, button)
            before = button
        self.setTabOrder(before, self._copy)

    def _looked_at(self, seen: bool) -> None:
        if seen:
            self._unseen = 0
            self.counted.emit(self._unseen)

    def _refresh(self) -> None:
        empty = self._list.count() == 0
        self._none.setVisible(empty)
        self._split.setVisible(not empty)
        self._copy.setEnabled(not empty)
        self._clear.setEnabled(not empty)
        self.counted.emit(self._unseen)


_PROBLEM = Qt.ItemDataRole.UserRole
_TIMES = Qt.ItemDataRole.UserRole + 1
_WHEN = Qt.ItemDataRole.UserRole + 2


def diagnosis(problem: Problem) -> str:
    """Return all details of a problem as text, to be sent to somebody who can help."""
    lines = [f"where: {problem.place or 'this program'}", f"what:  {problem.what}"]
    if problem.advice:
        lines.append(f"do:    {problem.advice}")
    if problem.explanation is not None:
        lines += ["", problem.explanation.render()]
    if problem.detail:
        lines += ["", problem.detail.rstrip()]
    return "\n".join(lines)
