"""The rail of the start window: which boards are shown, and who is where."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from PySide6.QtCore import QPointF, QRectF, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPalette,
)
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from liven.liveobjects.look.contrast import mix
from liven.liveobjects.look.tokens import CONTROL_RADIUS
from liven.liveobjects.look.view.buttons import ToolButton, paint_mark
from liven.liveobjects.look.view.labels import plain_label
from liven.liveobjects.look.view.letters import font
from liven.liveobjects.look.view.light import current_look
from liven.liveobjects.look.view.marks import paint_box, paint_line_inside
from liven.liveobjects.look.view.pressable import Pressable
from liven.liveobjects.look.view.signs import Sign, paint_sign
from liven.liveobjects.view.avatars import Face, paint_avatars
from liven.liveobjects.view.face import paint_words, width_of

WIDTH: Final = 236
_MOST_PEOPLE: Final = 6


Page = tuple[str, Sign, Callable[[], int] | None]
"""A page of the gallery: its name, its sign, and how many boards it has, if that is shown."""


class RailButton(Pressable):
    """A row of the rail: a sign, words and a count."""

    def __init__(self, words: str, sign: Sign, count: Callable[[], int] | None = None) -> None:
        super().__init__()
        self._sign, self._count = sign, count
        self.setText(words)
        self.setAccessibleName(words)
        self.setCheckable(True)
        self.setAutoExclusive(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)
        self.setFixedHeight(36)

    def paintEvent(self, event: QPaintEvent) -> None:
        del event
        look = current_look()
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        area, chosen = QRectF(self.rect()), self.isChecked()
        if chosen:
            paint_box(painter, area, CONTROL_RADIUS, look.select_soft)
        elif self.underMouse() or self.isDown():
            paint_box(painter, area, CONTROL_RADIUS, look.press if self.isDown() else look.hover)
        if self.hasFocus() or (look.high_contrast and chosen):
            paint_line_inside(painter, area, CONTROL_RADIUS, look.select, look.ring)
        ink = look.select if chosen else look.quiet
        paint_sign(painter, QRectF(10, 0, 20, area.height()), self._sign, 18, ink, 1.9)
        letters = font("body", 600 if chosen else 500)
        count = self._count() if self._count is not None else 0
        told = f"{count:,}" if count else ""
        wide = width_of(told, font("caption")) + 8 if told else 0.0
        paint_words(
            painter, QRectF(40, 0, area.width() - 52 - wide, area.height()), self.text(), letters, look.ink
        )
        if told:
            place = QRectF(area.right() - 12 - wide, 0, wide, area.height())
            right = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight
            paint_words(painter, place, told, font("caption"), look.quiet, right)
        painter.end()


class PersonRow(QWidget):
    """Somebody who is in a board now: a disc, the name and the board."""

    pressed = Signal()

    def __init__(self, name: str, where: str, face: Face, *, here: bool = True) -> None:
        """With `here`, a green dot says that they are in the board now."""
        super().__init__()
        self._name, self._where, self._face, self._here = name, where, face, here
        self.setAccessibleName(f"{name}: {where}")
        self.setFixedHeight(46)

    def rename(self, name: str, face: Face) -> None:
        """Show another name."""
        self._name, self._face = name, face
        self.setAccessibleName(f"{name}: {self._where}")
        self.update()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Emit `pressed`."""
        if self.rect().contains(event.position().toPoint()):
            self.pressed.emit()

    def paintEvent(self, event: QPaintEvent) -> None:
        del event
        look = current_look()
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        paint_avatars(painter, QPointF(38, 8), 28, 0, (self._face,), look, look.card)
        painter.setPen(Qt.PenStyle.NoPen)
        dot = ((5.5, look.card), (3.8, look.good)) if self._here else ()
        for size, colour in dot:
            painter.setBrush(QColor(colour))
            painter.drawEllipse(QPointF(35, 33), size, size)
        paint_words(painter, QRectF(48, 4, self.width() - 52, 20), self._name, font("body", 500), look.ink)
        words = QRectF(48, 23, self.width() - 52, 16)
        paint_words(painter, words, self._where, font("caption"), look.quiet)
        painter.end()


class Rail(QWidget):
    """The rail. `chosen` is emitted with the page that is wanted."""

    chosen = Signal(object)
    rename_wanted = Signal()
    settings_wanted = Signal()

    def __init__(
        self, pages: Sequence[tuple[str, Sign, Callable[[], int] | None]], person: PersonRow
    ) -> None:
        """Make it for pages by name, sign and count, and for the person who uses the program."""
        super().__init__()
        self.setFixedWidth(WIDTH)
        self.setAccessibleName("Places")
        self.buttons: dict[str, RailButton] = {}
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(12, 84, 12, 12)
        self._column.setSpacing(4)
        for name, sign, count in pages:
            button = self.buttons[name] = RailButton(name, sign, count)
            button.clicked.connect(lambda _=False, name=name: self.chosen.emit(name))
            self._column.addWidget(button)
        next(iter(self.buttons.values())).setChecked(True)
        self._heading = plain_label("With you now")
        self._heading.setFont(font("label"))
        self._heading.setForegroundRole(QPalette.ColorRole.PlaceholderText)
        self._heading.setContentsMargins(12, 16, 0, 4)
        self._column.addWidget(self._heading)
        self._people = QVBoxLayout()
        self._people.setSpacing(0)
        self._column.addLayout(self._people)
        self._column.addStretch(1)
        self._column.addLayout(self._foot(person))
        self._shown: tuple[tuple[str, str, Face], ...] = ()
        self.show_people(())

    def show_people(self, people: tuple[tuple[str, str, Face], ...]) -> None:
        """Show who is where: names, boards and faces."""
        if people == self._shown and (people or self._heading.isHidden()):
            return
        self._shown = people
        while (item := self._people.takeAt(0)) is not None:
            if (gone := item.widget()) is not None:
                gone.hide()
                gone.deleteLater()
        for name, where, face in people[:_MOST_PEOPLE]:
            self._people.addWidget(PersonRow(name, where, face))
        self._heading.setVisible(bool(people))

    def paintEvent(self, event: QPaintEvent) -> None:
        del event
        look = current_look()
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        ground = mix(look.plane, look.card, 0.55) if look.dark else look.card
        painter.fillRect(self.rect(), QColor(ground))
        edge = look.line if look.high_contrast else look.rule
        painter.fillRect(self.width() - 1, 0, 1, self.height(), QColor(edge))
        painter.save()
        painter.translate(22, 22)
        painter.scale(1.35, 1.35)
        paint_mark(painter, QRectF(0, 0, 22, 22), look)
        painter.restore()
        paint_words(painter, QRectF(62, 20, 150, 34), "Liven", font("heading2", 700), look.ink)
        painter.end()

    def _foot(self, person: PersonRow) -> QHBoxLayout:
        row = QHBoxLayout()
        row.setSpacing(0)
        row.addWidget(person, 1)
        person.pressed.connect(self.rename_wanted)
        settings = ToolButton("Contrast, motion and light", Sign.SETTINGS, size=32, glyph=18)
        settings.clicked.connect(self.settings_wanted)
        row.addWidget(settings)
        return row
