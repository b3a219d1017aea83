"""The list of the differences from another moment, with the people who made them, and restoration."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import (
    QComboBox,
    QHBoxLayout,
    QProgressBar,
    QPushButton,
    QTreeWidget,
    QTreeWidgetItem,
    QVBoxLayout,
    QWidget,
)

from liven.liveobjects.feeds.history.comparison import Compared
from liven.liveobjects.feeds.history.difference import Act, Difference, people_text
from liven.liveobjects.feeds.history.moment_text import moment_text
from liven.liveobjects.look.view.labels import brief, plain_label, plain_tip

MOST_ROWS: Final = 500
_LONGEST: Final = 160
_CANCEL: Final = "&Cancel"
_OUTDATED: Final = "This is the list of another moment. The shown one is compared as soon as it stays."
_SIGNS: Final = {Act.ADDED: "+", Act.REMOVED: "−", Act.MOVED: "→", Act.WRITTEN: "✎", Act.CHANGED: "≠"}
_CHANNEL, _KEY = Qt.ItemDataRole.UserRole, Qt.ItemDataRole.UserRole + 1
Chosen = dict[str, frozenset[str]]
"""The keys of differences, by the channel of their object."""


class ChangeList(QWidget):
    """Differences in groups, one for each object."""

    restore_requested = Signal(object)
    """The person wants the chosen differences to be undone in the live object: `Chosen`, or None for all."""
    compared_with = Signal(object)
    """The person wants the differences from another moment: its key."""
    closed = Signal()
    cancelled = Signal()
    """The person does not want to wait for the differences."""
    wanted_again = Signal()
    """The person wants the differences after all."""

    def __init__(self) -> None:
        super().__init__()
        self.setAccessibleName("Differences")
        self._with = QComboBox()
        self._with.setAccessibleName("Compared with")
        self._with.currentIndexChanged.connect(lambda at: self.compared_with.emit(self._with.itemData(at)))
        self.words = plain_label()
        self.words.setWordWrap(True)
        self._progress = QProgressBar()
        self._progress.setAccessibleName("Comparison")
        self._progress.setTextVisible(False)
        self._stop = QPushButton(_CANCEL)
        self._stop.clicked.connect(self._stop_or_begin)
        self.tree = _Tree()
        self.tree.itemSelectionChanged.connect(self._enable)
        self.tree.entered.connect(self._restore_chosen)
        self._one = QPushButton("&Restore chosen")
        self._all = QPushButton("Restore &all")
        self._one.setToolTip(plain_tip("Make the chosen things in the live object as they were then"))
        self._all.setToolTip(plain_tip("Make the whole live object as it was then; Undo takes it back"))
        self._one.clicked.connect(self._restore_chosen)
        self._all.clicked.connect(lambda: self.restore_requested.emit(None))
        self._may_restore = False
        self._lay_out()
        self.show_words("Comparing …")

    def show_moments(self, moments: Sequence[tuple[str, object]], chosen: object) -> None:
        """List the moments to compare with, by name and key."""
        blocked = self._with.blockSignals(True)
        self._with.clear()
        for name, key in moments:
            self._with.addItem(brief(name, _LONGEST), key)
        self._with.setCurrentIndex(next((at for at, one in enumerate(moments) if one[1] == chosen), 0))
        self._with.blockSignals(blocked)

    def show_words(self, words: str) -> None:
        """Show a sentence instead of differences."""
        self._end_progress()
        self.tree.clear()
        self._may_restore = False
        self.words.setText(words)
        self._enable()

    def mark_outdated(self) -> None:
        """Let nothing be restored from the list, because another moment is shown by now."""
        if self._may_restore:
            self._may_restore = False
            self.words.setText(_OUTDATED)
            self._enable()

    def show_progress(self, events: int, most: int) -> None:
        """Show how many events were followed, of `most` at the most."""
        self._progress.setRange(0, max(most, events, 1))
        self._progress.setValue(events)
        self._stop.setText(_CANCEL)
        self._progress.show()
        self._stop.show()
        self.words.setText(f"Comparing … {events:,} of {max(most, events):,} events")

    def show_differences(
        self, found: Sequence[Compared], now: int, *, may_restore: bool, beginning: str = ""
    ) -> None:
        """List differences, with the ones that were chosen before chosen again, after words about the
        beginning of the recording."""
        self._end_progress()
        before = self.chosen()
        self._may_restore = may_restore and any(one.then.recorded for one in found)
        self.tree.clear()
        count, left = sum(len(one.differences) for one in found), MOST_ROWS
        for compared in found:
            shown = compared.differences[:left]
            if shown:
                self._add_group(compared, shown, now, before)
            left -= len(shown)
        more = f"; the first {MOST_ROWS} are listed" if count > MOST_ROWS else ""
        lacking = any(not one.then.complete for one in found)
        note = (
            " Messages before this moment are missing in the recording, so more may differ."
            if lacking
            else ""
        )
        if found and not any(one.then.recorded for one in found):
            note = " Nothing was recorded yet at this moment, so there is nothing to restore."
        said = "Nothing is different." if not count else f"{count:,} difference{'s' * (count != 1)}{more}."
        self.words.setText((f"{beginning}. " if beginning else "") + said + note)
        self._enable()

    def chosen(self) -> Chosen:
        """Return the differences that the person chose; a chosen group stands for all in it."""
        found: dict[str, set[str]] = {}
        for item in self.tree.selectedItems():
            rows = [item.child(at) for at in range(item.childCount())] or [item]
            for row in filter(None, rows):
                found.setdefault(row.data(0, _CHANNEL), set()).add(row.data(0, _KEY))
        return {channel: frozenset(keys) for channel, keys in found.items()}

    def _add_group(self, compared: Compared, shown: Sequence[Difference], now: int, chosen: Chosen) -> None:
        name = " › ".join(compared.then.path) or f"This {compared.then.kind.name}"
        group = QTreeWidgetItem(self.tree, [brief(name, _LONGEST)])
        group.setExpanded(True)
        for one in shown:
            who = _who(one, now)
            row = QTreeWidgetItem(group, [f"{_what(one)}\n     {who}" if who else _what(one)])
            row.setData(0, _CHANNEL, compared.then.channel)
            row.setData(0, _KEY, one.key)
            row.setToolTip(0, plain_tip("\n".join(filter(None, (one.name, one.detail, who)))))
            said = ", ".join(filter(None, (f"{one.act}: {one.name}", one.detail, who)))
            row.setData(0, Qt.ItemDataRole.AccessibleTextRole, said)
            row.setSelected(one.key in chosen.get(compared.then.channel, ()))

    def _end_progress(self) -> None:
        for part in (self._progress, self._stop):
            if part.hasFocus():
                self.tree.setFocus()
            part.hide()

    def _stop_or_begin(self) -> None:
        if self._stop.text() == _CANCEL:
            self.cancelled.emit()
            self.words.setText("The comparison was cancelled.")
            self._progress.hide()
            self._stop.setText("Compare &again")
        else:
            self.show_words("Comparing …")
            self.wanted_again.emit()

    def _restore_chosen(self) -> None:
        chosen = self.chosen()
        if chosen and self._may_restore:
            self.restore_requested.emit(chosen)

    def _enable(self) -> None:
        everything = self._may_restore and self.tree.topLevelItemCount() > 0
        some = self._may_restore and bool(self.tree.selectedItems())
        for button, may in ((self._all, everything), (self._one, some)):
            if button.hasFocus() and not may:
                self.tree.setFocus()  # a button that cannot be pressed loses it to any other part
            button.setEnabled(may)

    def _lay_out(self) -> None:
        head = QHBoxLayout()
        title = plain_label("Compared with")
        close = QPushButton("Close")
        close.clicked.connect(self.closed)
        for button in (close, self._one, self._all, self._stop):
            button.setAutoDefault(True)  # Return presses it, because Space plays
        head.addWidget(title)
        head.addWidget(self._with, 1)
        head.addWidget(close)
        foot = QHBoxLayout()
        foot.addStretch(1)
        foot.addWidget(self._one)
        foot.addWidget(self._all)
        layout = QVBoxLayout(self)
        layout.addLayout(head)
        wait = QHBoxLayout()
        wait.addWidget(self._progress, 1)
        wait.addWidget(self._stop)
        layout.addWidget(self.words)
        layout.addLayout(wait)
        layout.addWidget(self.tree, 1)
        layout.addLayout(foot)
        self.setMinimumWidth(300)


class _Tree(QTreeWidget):
    entered = Signal()
    """Return was pressed on a row."""

    def __init__(self) -> None:
        super().__init__()
        self.setAccessibleName("List of differences")
        self.setHeaderHidden(True)
        self.setSelectionMode(QTreeWidget.SelectionMode.ExtendedSelection)
        self.setIndentation(14)
        self.setTextElideMode(Qt.TextElideMode.ElideRight)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Restore the chosen rows on Return."""
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.entered.emit()
        else:
            super().keyPressEvent(event)


def _what(one: Difference) -> str:
    said = f"{_SIGNS[one.act]}  {one.name} {one.act}"
    return brief(f"{said}: {one.detail}" if one.detail else said, _LONGEST)


def _who(one: Difference, now: int) -> str:
    when = moment_text(one.when, now) if one.when else ""
    return brief(", ".join(filter(None, (people_text(one.people), when))), _LONGEST)
