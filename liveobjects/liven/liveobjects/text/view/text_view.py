"""The view of a note, on a desktop or in a window."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import QRectF, QSizeF, Qt
from PySide6.QtGui import (
    QAbstractTextDocumentLayout,
    QColor,
    QGuiApplication,
    QPainter,
    QPalette,
    QTextDocument,
)
from PySide6.QtWidgets import QWidget

from liven.liveobjects.look.tokens import DEFAULT_PAPER, NOTE_RADIUS, Paper
from liven.liveobjects.look.view.letters import font
from liven.liveobjects.look.view.light import current_look
from liven.liveobjects.text.document import Delta
from liven.liveobjects.text.model import Note
from liven.liveobjects.text.object import TextObject
from liven.liveobjects.text.view.editor import INDENT, MARGIN, NoteEditor
from liven.liveobjects.text.view.peer_carets import CaretLayer, Writers
from liven.liveobjects.text.view.qt_document import PageWriter
from liven.liveobjects.view.contract import Action, Searchable, View, ViewHost, ViewState

_NAMED_BY = 40
_THIN, _LOW = 1.0, 6.0
"""Pixels: hardly a character is narrower or a line lower, so no more of a text is laid out."""


def _paper() -> Paper:
    """Return the colours of the paper in the light that applies now."""
    return current_look().papers[DEFAULT_PAPER]


def _dress(page: NoteEditor) -> None:
    """Give an editor its current colours; everything else comes from the program's palette."""
    palette, paper = QPalette(), _paper()
    palette.setColor(QPalette.ColorRole.Base, QColor(paper.sheet))
    palette.setColor(QPalette.ColorRole.Text, QColor(paper.ink))
    palette.setColor(QPalette.ColorRole.PlaceholderText, QColor(paper.quiet))
    for each in (page, page.viewport()):  # a new style sheet gives the viewport a palette of its own
        each.setPalette(palette)


class TextView(View, Searchable):
    """The view of a note: it paints the page; its widget is the editor."""

    def __init__(
        self, note: Note, host: ViewHost, writers: Writers | None = None, model: TextObject | None = None
    ) -> None:
        super().__init__()
        self._model = model
        self._writers = writers
        self._layer: CaretLayer | None = None
        self._note = note
        self._host = host
        self._document = QTextDocument(self)
        self._document.setDefaultFont(font("board"))
        self._document.setDocumentMargin(0)
        self._document.setIndentWidth(INDENT)
        self._document.setUndoRedoEnabled(False)
        self._page = PageWriter(self._document)
        self._stale = True
        self._written = 0
        """The most characters that were written to the page."""
        note.hear(self._changed, self._began)

    def is_loading(self) -> bool:
        return self._model is not None and not self._model.ready

    def paint(self, painter: QPainter, area: QRectF) -> None:
        """Paint the text on its paper, cut off at its end."""
        inner = area.adjusted(MARGIN, MARGIN, -MARGIN, -MARGIN)
        most = _most_seen(inner)
        if self._stale or most > self._written:
            self._page.write(self._note.shown, most)
            self._stale, self._written = False, most
        self._document.setTextWidth(max(inner.width(), 1))
        painter.save()
        paper = _paper()
        painter.fillRect(area, QColor(paper.sheet))
        painter.setClipRect(inner)
        painter.translate(inner.topLeft())
        context = QAbstractTextDocumentLayout.PaintContext()
        palette = QGuiApplication.palette()
        palette.setColor(QPalette.ColorRole.Text, QColor(paper.ink))
        context.palette = palette
        context.clip = QRectF(0, 0, inner.width(), inner.height())
        self._document.documentLayout().draw(painter, context)
        painter.restore()

    def make_widget(self) -> QWidget:
        made = NoteEditor(self._note)
        made.message.connect(self._host.show_message)
        made.reading.view_state_changed.connect(self.view_state_changed)
        # later, since a style sheet that is being applied puts the viewport's earlier palette back
        made.recoloured.connect(lambda: _dress(made), Qt.ConnectionType.QueuedConnection)
        _dress(made)
        if self._writers is not None:
            self._layer = CaretLayer(made, self._writers)
        return made

    def actions(self) -> tuple[Action, ...]:
        page = self.widget()
        assert isinstance(page, NoteEditor)
        return (
            Action("Undo", ("Ctrl+Z",), page.undo, "Edit"),
            Action("Redo", ("Ctrl+Shift+Z", "Ctrl+Y"), page.redo, "Edit"),
            Action("Bold", ("Ctrl+B",), partial(page.toggle, "bold"), "Format"),
            Action("Italic", ("Ctrl+I",), partial(page.toggle, "italic"), "Format"),
            Action("Link…", ("Ctrl+K",), page.ask_link, "Format"),
            Action("Find in note", ("Ctrl+F",), page.find_bar.open_bar, "Edit"),
            Action("Find next", ("F3",), partial(page.find_bar.go, 1), "Edit"),
            Action("Find previous", ("Shift+F3",), partial(page.find_bar.go, -1), "Edit"),
            Action("Heading", ("Ctrl+Alt+1",), partial(page.dress_paragraphs, heading=1), "Format"),
            Action("Smaller heading", ("Ctrl+Alt+2",), partial(page.dress_paragraphs, heading=2), "Format"),
            Action("Smallest heading", ("Ctrl+Alt+3",), partial(page.dress_paragraphs, heading=3), "Format"),
            Action("No heading", ("Ctrl+Alt+0",), partial(page.dress_paragraphs, heading=None), "Format"),
            Action("Numbered list", ("Ctrl+Shift+7",), partial(page.toggle_list, "number"), "Format"),
            Action("Bulleted list", ("Ctrl+Shift+8",), partial(page.toggle_list, "bullet"), "Format"),
            Action("Check list", ("Ctrl+Shift+9",), partial(page.toggle_list, "check"), "Format"),
        )

    def release_widget(self, widget: QWidget) -> None:
        assert isinstance(widget, NoteEditor)
        if self._layer is not None:
            self._layer.done()
            self._layer = None
        widget.done()

    def view_state(self) -> ViewState:
        page = self.widget()
        assert isinstance(page, NoteEditor)
        return page.reading.view_state()

    def restore_view_state(self, view_state: ViewState) -> None:
        page = self.widget()
        assert isinstance(page, NoteEditor)
        page.reading.take(view_state)

    def title(self) -> str:
        """Return the first line."""
        line = self._note.text.strip().partition("\n")[0]
        return line if len(line) <= _NAMED_BY else line[: _NAMED_BY - 1] + "…"

    def summary(self) -> str:
        """Return the whole text."""
        return self._note.text

    def is_empty(self) -> bool:
        return self._note.begun and not len(self._note.shown)

    def radius(self) -> float:
        return NOTE_RADIUS

    def edge_colour(self) -> str:
        return _paper().edge

    def size_hint(self) -> QSizeF:
        return QSizeF(240, 180)

    def close(self) -> None:
        self._note.unhear(self._changed, self._began)
        super().close()

    def _changed(self, _: Delta) -> None:
        """Write the page again at the next paint: out of view that costs nothing."""
        self._stale = True
        self.changed.emit()

    def _began(self) -> None:
        self._stale = True
        self.changed.emit()


def _most_seen(area: QRectF) -> int:
    """Return a number of characters that surely fills an area, however small they are."""
    return int((max(area.width(), 0) / _THIN + 2) * (max(area.height(), 0) / _LOW + 2))


def make(model: TextObject, host: ViewHost) -> TextView:
    """Make the view of a note."""
    return TextView(model.note, host, model, model)
