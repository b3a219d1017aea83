"""The view of a roster: people with their avatars, and what they do."""

from __future__ import annotations

from PySide6.QtCore import QRectF, QSizeF, Qt
from PySide6.QtGui import QColor, QIcon, QPainter, QPixmap
from PySide6.QtWidgets import QLineEdit, QListWidget, QListWidgetItem, QVBoxLayout, QWidget

from liven.liveobjects.look.tokens import Look
from liven.liveobjects.look.view.letters import font
from liven.liveobjects.presence.participant import LONGEST_NAME
from liven.liveobjects.roster.object import Present, RosterObject
from liven.liveobjects.view.avatars import Face, initials, paint_avatar, tone_of
from liven.liveobjects.view.contract import Searchable, View, ViewHost
from liven.liveobjects.view.face import PAD, card, paint_sentence, paint_title, paint_words
from liven.runtime.foreign_text import shown_line

_HEAD = 46.0
"""Height of the title with the space below."""
_ROW = 38.0
_GAP = 8.0
_MORE = 20.0
_AVATAR = 28.0


class RosterView(View, Searchable):
    """The view of a roster: it paints names; in its widget you enter what you are doing."""

    def __init__(self, model: RosterObject, host: ViewHost) -> None:
        super().__init__()
        self._model = model
        self._host = host
        self._list: QListWidget | None = None
        model.watchers.append(self._differs)

    def paint(self, painter: QPainter, area: QRectF) -> None:
        people = self._model.people
        with card(painter, area) as look:
            facts = f"{len(people):,} here" if people else ""
            paint_title(painter, area, shown_line(self.shown_name) or "People", look, facts)
            room = area.adjusted(PAD, _HEAD, -PAD, -_GAP)
            if not people:
                paint_sentence(painter, room, "Nobody is here.", look)
                return
            seen = max(0, int((room.height() + _GAP) // _ROW))
            if seen < len(people):
                seen = max(0, int((room.height() - _MORE) // _ROW))
            for number, person in enumerate(people[:seen]):
                top = room.top() + number * _ROW
                _paint_person(painter, QRectF(room.left(), top, room.width(), _ROW), person, look)
            if seen < len(people) and seen * _ROW + _MORE <= room.height():
                rest = QRectF(room.left(), room.top() + seen * _ROW, room.width(), _MORE)
                words = f"and {len(people) - seen:,} more" if seen else f"{len(people):,} people"
                paint_words(painter, rest, words, font("caption"), look.quiet)

    def make_widget(self) -> QWidget:
        made = QWidget()
        made.setAutoFillBackground(True)
        self._list = QListWidget()
        self._list.setAccessibleName("People")
        doing = QLineEdit(self._model.doing)
        doing.setMaxLength(LONGEST_NAME)
        doing.setAccessibleName("What you are doing")
        doing.setPlaceholderText("What are you doing?")
        doing.returnPressed.connect(lambda: self._model.do(doing.text()))
        layout = QVBoxLayout(made)
        layout.addWidget(self._list, 1)
        layout.addWidget(doing)
        self._differs()
        return made

    def release_widget(self, widget: QWidget) -> None:
        del widget
        self._list = None

    def summary(self) -> str:
        """Return the names and what these people do."""
        return "\n".join(map(_words, self._model.people))

    def size_hint(self) -> QSizeF:
        return QSizeF(220, _HEAD + _ROW * max(3, len(self._model.people)) + _GAP)

    def close(self) -> None:
        self._model.watchers.remove(self._differs)
        super().close()

    def _differs(self) -> None:
        if self._list is not None:
            self._list.clear()
            for person in self._model.people:
                picture = QPixmap(12, 12)
                picture.fill(Qt.GlobalColor.transparent)
                painter = QPainter(picture)
                _dot(painter, QRectF(1, 1, 10, 10), person)
                painter.end()
                self._list.addItem(QListWidgetItem(QIcon(picture), _words(person)))
        self.changed.emit()


def _paint_person(painter: QPainter, row: QRectF, person: Present, look: Look) -> None:
    """Paint an avatar with the name beside it, and what the person does below."""
    name = shown_line(person.name[:LONGEST_NAME]) or "Somebody"
    who = Face(initials(name), tone_of(look, person.colour))
    paint_avatar(painter, row.topLeft(), _AVATAR, who, look)
    doing = shown_line(person.doing[:LONGEST_NAME])
    beside = row.adjusted(_AVATAR + 10, 0, 0, _AVATAR - row.height())
    if not doing:
        paint_words(painter, beside, name, font("body", 500), look.ink)
        return
    upper, lower = beside.adjusted(0, -3, 0, -13), beside.adjusted(0, 13, 0, 3)
    paint_words(painter, upper, name, font("body", 500), look.ink)
    paint_words(painter, lower, doing, font("caption"), look.quiet)


def _dot(painter: QPainter, area: QRectF, person: Present) -> None:
    colour = QColor(person.colour[:20])
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(colour if colour.isValid() else QColor("#5d6d7e"))
    painter.drawEllipse(area)
    painter.restore()


def _words(person: Present) -> str:
    name = shown_line(person.name[:LONGEST_NAME]) or "Somebody"
    return f"{name} — {shown_line(person.doing[:LONGEST_NAME])}" if person.doing else name


def make(model: RosterObject, host: ViewHost) -> RosterView:
    """Make the view of a roster."""
    return RosterView(model, host)
