"""The widget of a note: a page to type on."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, cast

from PySide6.QtCore import QEvent, QMimeData, QPointF, QRect, QRectF, Qt, QUrl, Signal
from PySide6.QtGui import (
    QColor,
    QDesktopServices,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPalette,
    QResizeEvent,
    QTextCursor,
)
from PySide6.QtWidgets import QFrame, QInputDialog, QTextEdit, QWidget

from liven.liveobjects.look.tokens import SMALLEST_HIT
from liven.liveobjects.text import paragraphs
from liven.liveobjects.text.document import Delete, Delta, Insert, Keep, Look
from liven.liveobjects.text.model import LONGEST, Note, TooLongError
from liven.liveobjects.text.view.find_bar import FindBar
from liven.liveobjects.text.view.format_bar import LEAST, FormatBar
from liven.liveobjects.text.view.qt_document import PageWriter, letters_of, margins_of
from liven.liveobjects.text.view.saved_position import SavedPosition
from liven.liveobjects.text.view.sheet import mark_area, paint_marks, paint_sheet, paper_of
from liven.liveobjects.text.view.utf16 import difference, from_qt, read_back, to_qt
from liven.liveobjects.text.yjs_update import LONGEST_LOOK, BrokenUpdateError
from liven.liveobjects.view.plane_edit import PlaneEdit
from liven.runtime.files import users_umask
from liven.runtime.fold import RefusedError

PLACEHOLDER = "Type here"
_WEB = ("http", "https", "mailto", "liven")
_CONTINUED = {"list"}
"""The paragraph attributes that Enter carries over to the next paragraph."""
_MOST_DRESSED = 200
"""The most pasted lines that take on the look of their surroundings; more are inserted plain."""
MOST_AT_ONCE = 1_000_000
"""The most characters in one paste or drop: more would freeze the page."""


class NoteEditor(PlaneEdit):
    """The text editor of a note."""

    message = Signal(str)
    """A sentence to show to the person."""
    recoloured = Signal()
    """The colours of the editor or of the whole program have changed."""

    def __init__(self, note: Note, *, has_bar: bool = True) -> None:
        """Make the editor. Without a bar, as on a desktop, the page lies just as it is painted there, and the
        host offers the formats."""
        super().__init__()
        self.note = note
        self._has_bar = has_bar
        self._page = PageWriter(self.document())
        self._own = False
        self._seen = note.shown
        self._typing: Look = {}
        self.setUndoRedoEnabled(False)  # the note has its own undo, which knows the authors
        self.setAcceptRichText(False)
        self.setAccessibleName("Note")
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.document().setDocumentMargin(0)
        self.viewport().setAutoFillBackground(False)  # the sheet has round corners
        if not has_bar:
            self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)  # lines break as painted
        self.setPlaceholderText(PLACEHOLDER)
        self._written_as = ("", "", "")
        self.recoloured.connect(self.dress_page, Qt.ConnectionType.QueuedConnection)
        self.dress_page()
        self._put(len(note.shown), len(note.shown))  # who enters by a key writes on
        self.document().contentsChange.connect(self._edited)
        self.cursorPositionChanged.connect(self._forget_look)
        note.hear(self._changed, self._began)
        note.hear_settings(self.dress_page)
        self._marks: dict[str, list[QTextEdit.ExtraSelection]] = {}
        self.find_bar = FindBar(self)
        self.bar = FormatBar(self)
        self.reading = SavedPosition(self)
        self.make_room()

    @property
    def shown_text(self) -> str:
        """The characters on the page."""
        return self._page.text

    def places(self) -> tuple[int, int]:
        """The caret and the other end of the selection, in characters."""
        cursor, text = self.textCursor(), self._page.text
        return from_qt(text, cursor.position()), from_qt(text, cursor.anchor())

    def choose(self, start: int, end: int) -> None:
        """Select characters and scroll to them."""
        self._put(end, start)
        self.ensureCursorVisible()

    def rect_at(self, position: int) -> QRect:
        """Return the rectangle of a caret at Qt's `position` in the viewport."""
        return self.cursorRect(self._cursor_at(position))

    def line_end(self, position: int) -> int:
        """Return the right end of the words in the visual line that contains `position`."""
        cursor = self._cursor_at(position)
        within = cursor.positionInBlock()
        line = cursor.block().layout().lineForTextPosition(within)
        left = self.cursorRect(cursor).left()
        if not line.isValid():
            return left
        at, _ = cast("tuple[float, int]", line.cursorToX(within))
        return left + round(line.naturalTextRect().right() - at)

    def mark(self, what: str, places: list[tuple[int, int, QColor]]) -> None:
        """Highlight places, in Qt's count, and remove the earlier highlights called `what`."""
        self._marks[what] = [self._marked(*place) for place in places]
        self.setExtraSelections([one for marks in self._marks.values() for one in marks])
        self.overlay_changed.emit()

    def make_room(self) -> None:
        """Place the bars above and below the page."""
        if self.is_on_plane:
            self._place_find_bar()
            return
        wide = self._has_bar and self.width() >= LEAST.width() and self.height() >= LEAST.height()
        self.bar.setVisible(wide)
        above = self.bar.sizeHint().height() if wide else 0
        below = self.find_bar.sizeHint().height() if not self.find_bar.isHidden() else 0
        self.setViewportMargins(0, above, 0, below)
        self.bar.setGeometry(0, 0, self.width(), above)
        self.find_bar.setGeometry(0, self.height() - below, self.width(), below)

    def lie_on_plane(self, to_host: Callable[[QRectF], QRectF]) -> None:
        """Lie out of sight; the find bar does not."""
        super().lie_on_plane(to_host)
        host = self.parentWidget()
        if isinstance(host, QWidget):
            self.find_bar.setParent(host)
            self.find_bar.hide()

    def _place_find_bar(self) -> None:
        """Put the find bar on the foot of the note, as it is seen."""
        seen = self.seen_area(QRectF(self.viewport().rect())).toRect()
        size = self.find_bar.sizeHint()
        self.find_bar.setGeometry(
            seen.left(), seen.bottom() + 1 - size.height(), max(seen.width(), size.width()), size.height()
        )
        self.find_bar.raise_()

    def ask_link(self) -> None:
        """Ask for the link of the selection or of the word at the caret."""
        start, end = self._chosen()
        if start == end:
            cursor = self.textCursor()
            cursor.select(QTextCursor.SelectionType.WordUnderCursor)
            text = self._page.text
            start, end = from_qt(text, cursor.selectionStart()), from_qt(text, cursor.selectionEnd())
        if start == end:
            self.message.emit("Select the text of the link first.")
            return
        old = str(self._look_at(start).get("link") or "")
        link, good = QInputDialog.getText(self, "Link", "Address (empty for none):", text=old)
        if good:
            self.link(start, end, link.strip())

    def link(self, start: int, end: int, link: str) -> None:
        """Set or remove the link of some characters."""
        scheme = QUrl(link).scheme()
        if link and scheme not in _WEB:
            self.message.emit(
                f"“{scheme or link[:20]}:” links are not supported. Use http, https, mailto or liven."
            )
            return
        if len(link.encode()) > LONGEST_LOOK:
            self.message.emit(f"That address has {len(link):,} characters; the limit is {LONGEST_LOOK:,}.")
            return
        self._make(
            "link" if link else "no link", (Keep(start, {}), Keep(end - start, {"link": link or None}))
        )

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Move the bars with the page."""
        super().resizeEvent(event)
        self.make_room()

    def changeEvent(self, event: QEvent) -> None:
        """Follow a change of colours, such as high contrast."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange:
            self.recoloured.emit()

    def done(self) -> None:
        """Stop listening to the note."""
        self.find_bar.setParent(self)
        self.note.unhear(self._changed, self._began)
        self.note.unhear_settings(self.dress_page)

    def dress_page(self) -> None:
        """Put on the paper, the letters and the colours that apply now."""
        paper = paper_of(self.note.paper)
        palette = QPalette()
        palette.setColor(QPalette.ColorRole.Base, QColor(paper.sheet))
        palette.setColor(QPalette.ColorRole.Text, QColor(paper.ink))
        palette.setColor(QPalette.ColorRole.PlaceholderText, QColor(paper.quiet))
        for each in (self, self.viewport()):  # a new style sheet gives the viewport a palette of its own
            if each.palette() != palette:
                each.setPalette(palette)
        written_as = (self.note.paper, self.note.size, paper.quiet)
        if written_as == self._written_as:
            return
        self._written_as = written_as
        self._own = True
        self.setFont(letters_of(self.note.size))
        self._page.quiet = paper.quiet
        self._page.set_margins(*margins_of(self.note.paper, self.note.size))
        caret, anchor = self.places()
        self._page.write(self.note.shown)
        self._own = False
        self._put(caret, anchor)
        self.viewport().update()

    def fitting_height(self) -> float:
        """Return the height at which nothing is cut off."""
        return self.document().size().height()

    def dress(self, **look: Any) -> None:
        """Set the look of the selection, or of what is typed next. None removes an attribute."""
        start, end = self._chosen()
        if start == end:
            self._typing = {**self._typing, **look}
            return
        self._make("formatting", (Keep(start, {}), Keep(end - start, look)))

    def toggle(self, quality: str) -> None:
        """Set an attribute of the selection, or remove it if the selection has it."""
        start, end = self._chosen()
        has = self._look_at(start).get(quality) if start < end else self.look_here().get(quality)
        self.dress(**{quality: None if has else True})

    def dress_paragraphs(self, **look: Any) -> None:
        """Set the look of the selected paragraphs, which their line breaks carry."""
        start, end = self._chosen()
        if delta := paragraphs.dressed(self.note.shown, start, end, look):
            self._make("paragraph", delta)

    def toggle_list(self, kind: str) -> None:
        """Make the selected paragraphs list items, or normal paragraphs again."""
        same = self.paragraph_here().get("list") == kind
        self.dress_paragraphs(list=None if same else kind, checked=None, heading=None)

    def look_here(self) -> Look:
        """The look of the text that would be typed next."""
        start, _ = self._chosen()
        return {**self._look_before(start), **self._typing}

    def paragraph_here(self) -> Look:
        """The look of the paragraph at the caret."""
        start, _ = self._chosen()
        return paragraphs.paragraph_look(self.note.shown, start)

    def undo(self) -> None:
        """Undo your newest edit."""
        self._step(self.note.undo, "There is nothing of yours to undo.")

    def redo(self) -> None:
        """Redo the edit that was undone last."""
        self._step(self.note.redo, "There is nothing to redo.")

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Handle undo and formatting; leave other keys to Qt."""
        control = event.modifiers() & Qt.KeyboardModifier.ControlModifier
        shift = event.modifiers() & Qt.KeyboardModifier.ShiftModifier
        key = Qt.Key(event.key())
        if control and key == Qt.Key.Key_Z:
            self.redo() if shift else self.undo()
        elif control and key == Qt.Key.Key_Y:
            self.redo()
        elif control and key == Qt.Key.Key_F:
            self.find_bar.open_bar()
        elif key == Qt.Key.Key_F3:
            self.find_bar.go(-1 if shift else 1)
        elif control and shift and key == Qt.Key.Key_K:
            self.ask_link()
        elif control and not shift and key in _KEYS:
            self.toggle(_KEYS[key])
        elif control and shift and key in _LISTS:
            self.toggle_list(_LISTS[key])
        elif control and event.modifiers() & Qt.KeyboardModifier.AltModifier and key in _HEADINGS:
            self.dress_paragraphs(heading=_HEADINGS[key], list=None, checked=None)
        elif key in _ENTER and not control and not shift:
            self._enter()
        elif key == Qt.Key.Key_Backspace and not control and not shift and self._leave_list():
            pass
        else:
            super().keyPressEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the sheet, the text on it, and the marks of lists."""
        painter = QPainter(self.viewport())
        paint_sheet(painter, QRectF(self.viewport().rect()), self.note.paper)
        painter.end()
        super().paintEvent(event)
        painter.begin(self.viewport())
        bar = self.verticalScrollBar()
        painter.translate(0, -bar.value())
        seen = QRectF(event.rect()).translated(0, bar.value())
        paint_marks(painter, self.document(), seen, paper_of(self.note.paper))
        painter.end()

    def _enter(self) -> None:
        """Begin a new paragraph, as people expect in lists and below headings."""
        delta, caret = paragraphs.entered(self.note.shown, *self._chosen())
        looks = self._typing
        if self._make("typing", delta):
            self._put(caret, caret)
            self._typing = looks
            self.ensureCursorVisible()

    def _leave_list(self) -> bool:
        """Take a list or heading away at the start of its paragraph; False if there is none."""
        start, end = self._chosen()
        delta = paragraphs.backspaced(self.note.shown, start) if start == end else None
        return delta is not None and self._make("paragraph", delta)

    def _replace_mark(self, at: int) -> None:
        """Turn "- " and its like, just typed, into what they stand for."""
        delta = paragraphs.marked(self.note.shown, at)
        if delta is not None and self._make("paragraph", delta):
            start = self._page.text.rfind("\n", 0, max(0, at - sum(_lengths(delta)))) + 1
            self._put(start, start)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Open a link on Ctrl+click, and tick a check box on click."""
        link = self.anchorAt(event.position().toPoint())
        if link and event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            self._open(link)
        elif not self._tick(event):
            super().mousePressEvent(event)

    def insertFromMimeData(self, source: QMimeData) -> None:
        """Insert the plain text of a paste or drop, unless it is too long."""
        text = source.text()
        if len(text) > MOST_AT_ONCE:
            words = f"{len(text):,} characters are too many to paste at once; the limit is {MOST_AT_ONCE:,}."
            self.message.emit(f"{words} Nothing was changed.")
            return
        self.insertPlainText(text)

    def _cursor_at(self, position: int) -> QTextCursor:
        cursor = QTextCursor(self.document())
        cursor.setPosition(min(position, max(0, self.document().characterCount() - 1)))
        return cursor

    def _edited(self, _position: int, _removed: int, _added: int) -> None:
        """Compare the texts: the range of a change that Qt reports is unreliable at both ends."""
        if self._own:
            return
        old = self._page.text
        new = self.toPlainText()
        caret = from_qt(new, self.textCursor().position())
        at, gone, came = difference(read_back(old), new, caret)
        if not gone and not came:
            return
        self._page.text = old[:at] + came + old[at + gone :]
        look = {**self._look_before(at), **self._typing}
        delta: Delta = (Keep(at, {}), Delete(gone), *self._inserts(came, at, look))
        word = len(came) == 1 and not gone and not came.isspace()
        if not self._make("typing" if came else "deleting", delta, join=word):
            self._began()
            self._put(at + gone, at + gone)  # where it was before the key
        elif came == " " and not gone:
            self._replace_mark(at + 1)

    def _inserts(self, came: str, at: int, look: Look) -> list[Insert]:
        """Return the inserted parts; new lines continue the list they are typed in."""
        stop = self.note.text.find("\n", at)
        paragraph = {} if stop < 0 else self._look_at(stop)
        breaking = {quality: value for quality, value in paragraph.items() if quality in _CONTINUED}
        if came.count("\n") > _MOST_DRESSED or not (breaking or look):
            return [Insert(came, {})]  # in one piece: the merge takes quadratic time in the number of pieces
        made: list[Insert] = []
        for number, line in enumerate(came.split("\n")):
            if number:
                made.append(Insert("\n", breaking))
            if line:
                made.append(Insert(line, look))
        return made

    def _make(self, name: str, delta: Delta, *, join: bool = False) -> bool:
        """Make an edit and explain a refusal."""
        try:
            self.note.edit(name, delta, join=join)
        except TooLongError:
            self.message.emit(f"The limit of a note is {LONGEST:,} characters.")
            return False
        except RefusedError as why:
            self.message.emit(_sentence(why))
            return False
        return True

    def _changed(self, delta: Delta) -> None:
        caret, anchor = self._places(delta)
        self._own = True
        self._page.change(self.note.shown, delta)
        self._own = False
        self._put(caret, anchor)

    def _began(self) -> None:
        at = self._place_in_new(from_qt(self._page.text, self.textCursor().position()))
        self._seen = self.note.shown
        self._own = True
        self._page.write(self.note.shown)
        self._own = False
        self._put(at, at)

    def _place_in_new(self, at: int) -> int:
        """Return the place in the new text: behind the same character if that is still there, such as the
        one just typed."""
        if at == 0 or at > len(self._seen):
            return min(at, len(self.note.shown))
        try:
            return self.note.shown.find(self._seen.pin(at, after=False))
        except BrokenUpdateError:
            return min(at, len(self.note.shown))

    def _places(self, delta: Delta) -> tuple[int, int]:
        """Return the caret and its anchor after a change, in characters."""
        cursor, text = self.textCursor(), self._page.text
        caret, anchor = from_qt(text, cursor.position()), from_qt(text, cursor.anchor())
        if text == str(self.note.shown):  # typing here: Qt has moved the caret already
            return caret, anchor
        return moved(caret, delta), moved(anchor, delta)

    def _put(self, caret: int, anchor: int) -> None:
        cursor = self.textCursor()
        cursor.setPosition(to_qt(self._page.text, anchor))
        cursor.setPosition(to_qt(self._page.text, caret), QTextCursor.MoveMode.KeepAnchor)
        looks = self._typing
        self.setTextCursor(cursor)
        self._typing = looks

    def _chosen(self) -> tuple[int, int]:
        cursor, text = self.textCursor(), self._page.text
        return from_qt(text, cursor.selectionStart()), from_qt(text, cursor.selectionEnd())

    def _look_before(self, at: int) -> Look:
        """Return the look of the character before `at`, which text typed there takes on, but without its
        link."""
        if at == 0 or self.note.text[at - 1 : at] == "\n":
            return {}
        return {quality: value for quality, value in self._look_at(at - 1).items() if quality != "link"}

    def _look_at(self, at: int) -> Look:
        return paragraphs.look_at(self.note.shown, at)

    def _marked(self, start: int, end: int, colour: QColor) -> QTextEdit.ExtraSelection:
        made = QTextEdit.ExtraSelection()
        made.cursor = QTextCursor(self.document())
        last = max(0, self.document().characterCount() - 1)
        made.cursor.setPosition(min(start, last))
        made.cursor.setPosition(min(end, last), QTextCursor.MoveMode.KeepAnchor)
        made.format.setBackground(colour)
        return made

    def _forget_look(self) -> None:
        if not self._own:
            self._typing = {}

    def _tick(self, event: QMouseEvent) -> bool:
        """Tick a check item after a click to the left of its text."""
        block = self.cursorForPosition(event.position().toPoint()).block()
        area = mark_area(block, self.document().defaultFont())
        more = max(0.0, (SMALLEST_HIT - area.width()) / 2)
        there = event.position() + QPointF(0, self.verticalScrollBar().value())
        if not area.adjusted(-more, -more, more, more).contains(there):
            return False
        stop = self._page.text.find("\n", from_qt(self._page.text, block.position()))
        look = {} if stop < 0 else self._look_at(stop)
        if look.get("list") != "check":
            return False
        checked = None if look.get("checked") else True
        return self._make("tick", (Keep(stop, {}), Keep(1, {"checked": checked})))

    def _open(self, link: str) -> None:
        url = QUrl(link)
        if url.scheme() in _WEB:
            with users_umask():
                QDesktopServices.openUrl(url)
        else:
            self.message.emit(f"“{url.scheme() or link[:20]}:” links are not supported.")

    def _step(self, step: Callable[[], str | None], nothing: str) -> None:
        try:
            done = step()
        except RefusedError as why:
            self.message.emit(_sentence(why))
        else:
            if done is None:
                self.message.emit(nothing)


def _sentence(why: RefusedError) -> str:
    words = str(why)
    return f"{words[:1].upper()}{words[1:]}."


def _lengths(delta: Delta) -> list[int]:
    """Return how many characters each part of an edit deletes."""
    return [part.length for part in delta if isinstance(part, Delete)]


_ENTER = (Qt.Key.Key_Return, Qt.Key.Key_Enter)
_KEYS = {Qt.Key.Key_B: "bold", Qt.Key.Key_I: "italic"}
_LISTS = {
    Qt.Key.Key_7: "number",
    Qt.Key.Key_Slash: "number",  # the same key with Shift on some keyboards
    Qt.Key.Key_Ampersand: "number",
    Qt.Key.Key_8: "bullet",
    Qt.Key.Key_Asterisk: "bullet",
    Qt.Key.Key_ParenLeft: "check",
    Qt.Key.Key_9: "check",
}
_HEADINGS = {Qt.Key.Key_0: None, Qt.Key.Key_1: 1, Qt.Key.Key_2: 2, Qt.Key.Key_3: 3}


def moved(at: int, delta: Delta) -> int:
    """Return the index of the place `at` after a change."""
    read = shift = 0
    for part in delta:
        if read > at or (read == at and isinstance(part, Insert)):
            break
        if isinstance(part, Insert):
            shift += len(part.text)
        elif isinstance(part, Delete):
            shift -= min(part.length, at - read)
            read += part.length
        else:
            read += part.length
    return at + shift
