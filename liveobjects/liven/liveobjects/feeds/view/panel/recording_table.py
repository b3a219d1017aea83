"""The table of recordings in the panel of feeds: a row for each recorder."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QHeaderView, QTreeWidget, QTreeWidgetItem

from liven.liveobjects.feeds.history.moment_text import age_text, moment_text, sentence_start
from liven.liveobjects.feeds.recording_list import ListedRecording
from liven.liveobjects.look.view.labels import brief, plain_tip

KEY: Final = Qt.ItemDataRole.UserRole
"""The role of the name by which a row's recording is found."""
_LONGEST: Final = 120
_HEAD: Final = {
    "Recording": "The object that is recorded, and the name of the recording for commands in a terminal",
    "State": "Running while a program records it",
    "Events": "Recorded events",
    "Size": "Size on the disk",
    "Growth": "Events and bytes each second",
    "Last event": "When the last event was recorded",
}


class _Table(QTreeWidget):
    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Open the chosen recording on Return."""
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self.currentItem() is not None:
            self.itemActivated.emit(self.currentItem(), 0)
        else:
            super().keyPressEvent(event)


def recording_table() -> QTreeWidget:
    """Return an empty table."""
    made = _Table()
    made.setAccessibleName("Recordings")
    made.setRootIsDecorated(False)
    made.setUniformRowHeights(True)
    made.setAllColumnsShowFocus(True)
    made.setColumnCount(len(_HEAD))
    made.setHeaderLabels(list(_HEAD))
    for column, meaning in enumerate(_HEAD.values()):
        made.headerItem().setToolTip(column, plain_tip(meaning))
    header = made.header()
    header.setStretchLastSection(False)
    header.setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
    for column in range(1, len(_HEAD)):
        header.setSectionResizeMode(column, QHeaderView.ResizeMode.ResizeToContents)
    return made


def items_of(tree: QTreeWidget) -> list[QTreeWidgetItem]:
    """Return the rows."""
    found = (tree.topLevelItem(row) for row in range(tree.topLevelItemCount()))
    return [item for item in found if item is not None]


def fill_row(row: QTreeWidgetItem, one: ListedRecording, now: int) -> None:
    """Show a recording in a row; `now` tells how long ago something was."""
    state = "⚠ error" if one.error else "● recording" if one.is_running else "stopped"
    if one.encrypted and not one.error:
        state += ", encrypted"
    texts = (
        brief(one.name if one.title == one.feed.name else f"{one.title} — {one.name}", _LONGEST),
        state,
        f"{one.records:,}",
        size_text(one.size),
        growth_text(one),
        age_text(one.latest, now) if one.latest else "",
    )
    for column, text in enumerate(texts):
        if row.text(column) != text:
            row.setText(column, text)
        if column in (2, 3, 4):
            row.setTextAlignment(column, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
    row.setToolTip(0, plain_tip(f"{one.title}\n{one.name}"))
    row.setToolTip(1, plain_tip(one.error))
    if one.latest:
        row.setToolTip(5, plain_tip(sentence_start(moment_text(one.latest, now, seconds=True))))


def size_text(size: float) -> str:
    """Return a size in bytes for people."""
    for unit, step in (("GB", 1e9), ("MB", 1e6), ("kB", 1e3)):
        if size >= step:
            return f"{size / step:.1f} {unit}"
    return f"{size:.0f} B"


def growth_text(one: ListedRecording) -> str:
    """Return the growth of a recording; empty if it stands still."""
    if one.records_per_second < 0.05 and one.bytes_per_second < 1:
        return ""
    return f"{one.records_per_second:,.1f} events, {size_text(one.bytes_per_second)} a second"
