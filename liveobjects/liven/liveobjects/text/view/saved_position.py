"""The caret and the scroll position in a note, saved and restored over a restart."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject, QPoint, QTimer, Signal

from liven.liveobjects.text.view.utf16 import from_qt, to_qt
from liven.liveobjects.view.contract import ViewState

if TYPE_CHECKING:
    from liven.liveobjects.text.view.editor import NoteEditor

_ACTS = (QEvent.Type.KeyPress, QEvent.Type.MouseButtonPress, QEvent.Type.Wheel)


class SavedPosition(QObject):
    """The position in one page. The text arrives after the page exists: the restore waits until as much has
    arrived as was read in the earlier run, or until the person does something."""

    view_state_changed = Signal()
    """The caret or the scroll position has moved."""

    def __init__(self, page: NoteEditor) -> None:
        super().__init__(page)
        self._page = page
        self._wanted: tuple[int, int] | None = None
        """The caret and the first visible character of the earlier run."""
        self._soon = QTimer(self, singleShot=True, interval=0)
        self._soon.timeout.connect(self._go)
        page.textChanged.connect(self._try)
        page.cursorPositionChanged.connect(self.view_state_changed)
        page.verticalScrollBar().valueChanged.connect(self.view_state_changed)
        for each in (page, page.viewport()):
            each.installEventFilter(self)

    def view_state(self) -> ViewState:
        """Return the current position, or the one still to be restored."""
        caret, top = self._wanted or self._at()
        return {"caret": caret, "top": top}

    def take(self, view_state: ViewState) -> None:
        """Restore a position as soon as the text is long enough."""
        caret, top = (view_state.get(name) for name in ("caret", "top"))
        if isinstance(caret, int) and isinstance(top, int) and min(caret, top) >= 0:
            self._wanted = (caret, top)
            self._try()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Give up the restore once the person does something."""
        if self._wanted is not None:
            if event.type() in _ACTS:
                self._wanted = None
            elif event.type() == QEvent.Type.Show:
                self._try()
        return super().eventFilter(watched, event)

    def _at(self) -> tuple[int, int]:
        page = self._page
        first = page.cursorForPosition(QPoint(2, 2)).position()
        return page.places()[0], from_qt(page.shown_text, first)

    def _try(self) -> None:
        if self._wanted is not None:
            self._soon.start()  # once the page is laid out

    def _go(self) -> None:
        page = self._page
        if self._wanted is None or not page.isVisible() or len(page.shown_text) < max(self._wanted):
            return
        (caret, top), self._wanted = self._wanted, None
        page.choose(caret, caret)
        bar = page.verticalScrollBar()
        bar.setValue(bar.value() + page.rect_at(to_qt(page.shown_text, top)).top())
