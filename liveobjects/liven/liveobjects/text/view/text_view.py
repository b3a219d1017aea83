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

from liven.liveobjects.look.tokens import NOTE_RADIUS, Paper
from liven.liveobjects.text.document import Delta
from liven.liveobjects.text.model import Note
from liven.liveobjects.text.object import TextObject
from liven.liveobjects.text.papers import CLEAR, PAPERS, SIZE_WORDS, SIZES
from liven.liveobjects.text.view.editor import PLACEHOLDER, NoteEditor
from liven.liveobjects.text.view.peer_carets import CaretLayer, Writers
from liven.liveobjects.text.view.qt_document import PageWriter, letters_of, margins_of
from liven.liveobjects.text.view.sheet import edge_of, paint_marks, paint_sheet, paper_of
from liven.liveobjects.view.choices import Choice, HasChoices, Option, choice_actions
from liven.liveobjects.view.contract import Action, Searchable, View, ViewHost, ViewState, WritesOnPlane

_NAMED_BY = 40
_MOST_GROWN = 20_000
"""The most characters with which a note grows."""
_THIN, _LOW = 1.0, 6.0
"""Pixels: hardly a character is narrower or a line lower, so no more of a text is laid out."""


class TextView(View, Searchable, HasChoices, WritesOnPlane):
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
        self._document.setDocumentMargin(0)
        self._document.setUndoRedoEnabled(False)
        self._page = PageWriter(self._document)
        self._stale = True
        self._written = 0
        """The most characters that were written to the page."""
        self._written_as = ("", "", "")
        note.hear(self._changed, self._began)
        note.hear_settings(self._began)

    def is_loading(self) -> bool:
        return self._model is not None and not self._model.ready

    def paint(self, painter: QPainter, area: QRectF) -> None:
        """Paint the text on its paper, cut off at its end; while a person writes, the page of the editor."""
        document, scrolled = self._shown_document(area)
        paper = paper_of(self._note.paper)
        seen = QRectF(0, 0, area.width(), area.height())
        painter.save()
        paint_sheet(painter, area, self._note.paper)
        painter.setClipRect(area, Qt.ClipOperation.IntersectClip)
        painter.translate(area.topLeft())
        if not len(self._note.shown) and not self.is_loading():
            self._paint_placeholder(painter, area, paper)
        painter.translate(0, -scrolled)
        seen.translate(0, scrolled)
        context = QAbstractTextDocumentLayout.PaintContext()
        palette = QGuiApplication.palette()
        palette.setColor(QPalette.ColorRole.Text, QColor(paper.ink))
        context.palette = palette
        context.clip = seen
        document.documentLayout().draw(painter, context)
        paint_marks(painter, document, seen, paper)
        painter.restore()

    def _shown_document(self, area: QRectF) -> tuple[QTextDocument, int]:
        """Return the document to paint, laid out for an area, and how far it is scrolled."""
        page = self._widget
        if isinstance(page, NoteEditor) and page.is_on_plane and abs(page.width() - area.width()) < 1:
            return page.document(), page.verticalScrollBar().value()
        self._lay_out(area.width(), _most_seen(area))
        return self._document, 0

    def _lay_out(self, width: float, most: int) -> None:
        """Write as many characters as can be seen, and break them into lines of a width."""
        note = self._note
        paper = paper_of(note.paper)
        written_as = (note.paper, note.size, paper.quiet)
        if self._stale or most > self._written or written_as != self._written_as:
            self._document.setDefaultFont(letters_of(note.size))
            self._page.quiet = paper.quiet
            self._page.set_margins(*margins_of(note.paper, note.size))
            self._page.write(note.shown, most)
            self._stale, self._written, self._written_as = False, most, written_as
        self._document.setTextWidth(max(width, 1))

    def _paint_placeholder(self, painter: QPainter, area: QRectF, paper: Paper) -> None:
        across, down = margins_of(self._note.paper, self._note.size)
        painter.setFont(letters_of(self._note.size))
        painter.setPen(QColor(paper.quiet))
        room = QRectF(across, down, max(0.0, area.width() - 2 * across), area.height() - down)
        painter.drawText(room, Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignLeft, PLACEHOLDER)

    def fitting_height(self, width: float) -> float:
        page = self._widget
        if isinstance(page, NoteEditor) and abs(page.viewport().width() - width) < 1:
            return page.fitting_height()
        self._lay_out(width, _MOST_GROWN)
        return self._document.size().height()

    def choices(self) -> tuple[Choice, ...]:
        """Return the choice of the paper and of the size of the letters."""
        return (
            Choice(
                "paper",
                "Colour",
                tuple(Option(name, name.capitalize(), _swatch(name)) for name in PAPERS),
                lambda: self._note.paper,
                self._note.choose_paper,
            ),
            Choice(
                "size",
                "Size",
                tuple(Option(name, SIZE_WORDS[name]) for name in SIZES),
                lambda: self._note.size,
                self._note.choose_size,
            ),
        )

    def make_widget(self) -> QWidget:
        made = NoteEditor(self._note, has_bar=not self.on_plane)
        made.message.connect(self._host.show_message)
        made.reading.view_state_changed.connect(self.view_state_changed)
        if self._writers is not None:
            self._layer = CaretLayer(made, self._writers)
        made.picture_changed.connect(self.changed)
        return made

    def paint_overlay(self, painter: QPainter) -> None:
        """Paint the carets and the selections over the note in which a person writes."""
        page = self.widget()
        assert isinstance(page, NoteEditor)
        if self._layer is not None:
            self._layer.paint_carets(painter)
        page.paint_overlay(painter, QColor(paper_of(self._note.paper).ink))

    def actions(self) -> tuple[Action, ...]:
        page = self.widget()
        assert isinstance(page, NoteEditor)
        return (
            Action("Undo", ("Ctrl+Z",), page.undo, "Edit"),
            Action("Redo", ("Ctrl+Shift+Z", "Ctrl+Y"), page.redo, "Edit"),
            Action("Bold", ("Ctrl+B",), partial(page.toggle, "bold"), "Format"),
            Action("Italic", ("Ctrl+I",), partial(page.toggle, "italic"), "Format"),
            Action("Link…", ("Ctrl+Shift+K",), page.ask_link, "Format"),
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
            *choice_actions(self.choices(), "Format"),
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
        return edge_of(self._note.paper)

    def is_flat(self) -> bool:
        return self._note.paper == CLEAR

    def size_hint(self) -> QSizeF:
        return QSizeF(240, 180)

    def close(self) -> None:
        self._note.unhear(self._changed, self._began)
        self._note.unhear_settings(self._began)
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


def _swatch(paper: str) -> str:
    """Return the colour that stands for a paper in a menu; none for a text without paper."""
    return "" if paper == CLEAR else paper_of(paper).sheet


def make(model: TextObject, host: ViewHost) -> TextView:
    """Make the view of a note."""
    return TextView(model.note, host, model, model)
