"""The view of a chat: its newest lines, and a field to write in."""

from __future__ import annotations

from html import escape

from PySide6.QtCore import QDateTime, QEvent, QLocale, QRectF, QSizeF
from PySide6.QtGui import QColor, QPainter, QPalette, QTextCursor
from PySide6.QtWidgets import QApplication, QLineEdit, QTextBrowser, QVBoxLayout, QWidget

from liven.liveobjects.chat.model import LONGEST_LINE, LONGEST_NAME, Line, Talk
from liven.liveobjects.chat.object import ChatObject
from liven.liveobjects.chat.view.chat_face import MESSAGE, ChatFace
from liven.liveobjects.presence.participant import local_participant
from liven.liveobjects.view.accessibility import is_high_contrast
from liven.liveobjects.view.contract import Action, Searchable, View, ViewHost
from liven.liveobjects.view.messages import undo_and_report
from liven.liveobjects.view.state_listener import StateListener
from liven.liveobjects.view.zones import HasZones, Zone
from liven.runtime.fold import RefusedError
from liven.runtime.foreign_text import shown_line, shown_lines

_TOLD = 300


class ChatPanel(QWidget):
    """The widget of a chat."""

    def __init__(self, model: ChatObject, host: ViewHost) -> None:
        super().__init__()
        self._model = model
        self._host = host
        self.setAutoFillBackground(True)
        self.lines = QTextBrowser()
        self.lines.setOpenLinks(False)
        self.lines.setAccessibleName("Messages")
        self.words = QLineEdit()
        self.words.setMaxLength(LONGEST_LINE)
        self.words.setAccessibleName("Message")
        self.words.setPlaceholderText("Write a message to everybody")
        self.words.returnPressed.connect(self._say)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(4, 4, 4, 4)
        layout.addWidget(self.lines, 1)
        layout.addWidget(self.words)
        self.setFocusProxy(self.words)
        self.show_change(Talk(), model.editor.state)

    def show_change(self, before: Talk, after: Talk) -> None:
        """Update the shown lines."""
        bar = self.lines.verticalScrollBar()
        at_end = bar.value() >= bar.maximum() - 4
        gone = [at for at, key in enumerate(before.order) if key not in after.lines]
        kept = len(before.order) - len(gone)
        if not kept or tuple(key for key in before.order if key in after.lines) != after.order[:kept]:
            self.lines.clear()
            gone, kept = [], 0
        for at in reversed(gone):
            self._remove(at)
        for key in after.order[kept:]:
            self.lines.append(_html(after.lines[key]))
        if at_end:
            bar.setValue(bar.maximum())

    def changeEvent(self, event: QEvent) -> None:
        """Write all lines again in the new colours, such as those of high contrast."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange:
            self.show_change(Talk(), self._model.editor.state)

    def _remove(self, at: int) -> None:
        """Remove one line. In a long chat the oldest line goes with each new one."""
        cursor = QTextCursor(self.lines.document().findBlockByNumber(at))
        cursor.movePosition(QTextCursor.MoveOperation.NextBlock, QTextCursor.MoveMode.KeepAnchor)
        if at == self.lines.document().blockCount() - 1:
            cursor.movePosition(QTextCursor.MoveOperation.PreviousCharacter)
            cursor.movePosition(QTextCursor.MoveOperation.End, QTextCursor.MoveMode.KeepAnchor)
        cursor.removeSelectedText()

    def _say(self) -> None:
        text = self.words.text().strip()
        if not text:
            return
        if say(self._model, self._host, text):
            self.words.clear()


class ChatView(View, Searchable, HasZones):
    """The view of a chat: it paints the newest lines; its widget also sends."""

    def __init__(self, model: ChatObject, host: ViewHost) -> None:
        super().__init__()
        self._model = model
        self.host = host
        self._listener = StateListener(self.show_change, host.show_message)
        model.editor.listen(self._listener)
        self.panel: ChatPanel | None = None

    def is_loading(self) -> bool:
        return not self._model.ready

    def paint(self, painter: QPainter, area: QRectF) -> None:
        self._face().paint(painter, area)

    def zones(self, area: QRectF) -> tuple[Zone, ...]:
        return self._face().zones(area)

    def press(self, key: str) -> None:
        del key

    def write(self, key: str, text: str) -> bool:
        """Send a message."""
        return key == MESSAGE and say(self._model, self.host, text)

    def _face(self) -> ChatFace:
        name = shown_line(self.shown_name) or "Chat"
        person = local_participant(self._model.context).key
        return ChatFace(self._model.editor.state, person, name, self.is_loading())

    def make_widget(self) -> QWidget:
        self.panel = ChatPanel(self._model, self.host)
        return self.panel

    def release_widget(self, widget: QWidget) -> None:
        del widget
        self.panel = None

    def actions(self) -> tuple[Action, ...]:
        return (Action("Delete my last message", (), self._undo, "Edit"),)

    def summary(self) -> str:
        """Return the newest lines with their authors."""
        said = self._model.editor.state.said()[-_TOLD:]
        return "\n".join(f"{line.name}: {line.text}" for line in said)

    def is_empty(self) -> bool:
        return self._model.ready and not self.summary()

    def size_hint(self) -> QSizeF:
        return QSizeF(280, 390)

    def close(self) -> None:
        self._model.editor.unlisten(self._listener)
        super().close()

    def show_change(self, before: Talk, after: Talk) -> None:
        """Update the widget and repaint."""
        if self.panel is not None:
            self.panel.show_change(before, after)
        self.changed.emit()

    def _undo(self) -> None:
        undo_and_report(self._model.editor.undo, self.host)


def say(model: ChatObject, host: ViewHost, text: str) -> bool:
    """Send a message, or say why that is impossible and return False."""
    if not model.ready:
        host.show_message("The chat is still loading: nobody can read you yet.")
        return False
    try:
        model.say(text)
    except RefusedError as why:
        host.show_message(str(why))
        return False
    return True


def _html(line: Line) -> str:
    """Return one line as harmless markup, whatever it contains."""
    colour = QColor(line.colour[:20])
    shade = colour.name() if colour.isValid() else "#5d6d7e"
    when = QDateTime.fromMSecsSinceEpoch(max(0, min(line.when, 2**52)))
    clock = QLocale().toString(when.time(), QLocale.FormatType.ShortFormat)
    faint = "gray"
    if is_high_contrast():
        faint = shade = QApplication.palette().color(QPalette.ColorRole.Text).name()
    name = escape(shown_line(line.name[:LONGEST_NAME]))
    text = escape(shown_lines(line.text)).replace("\n", "<br>")
    return f'<span style="color:{faint}">{clock}</span> <b style="color:{shade}">{name}</b> {text}'


def make(model: ChatObject, host: ViewHost) -> ChatView:
    """Make the view of a chat."""
    return ChatView(model, host)
