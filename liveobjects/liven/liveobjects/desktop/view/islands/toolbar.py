"""The toolbar at the foot: what is in hand, and what one puts on the desktop."""

from __future__ import annotations

from functools import partial
from typing import Final

from PySide6.QtCore import QEvent, QPoint, QPointF, QRectF, Qt
from PySide6.QtGui import QActionGroup, QColor, QKeyEvent, QMouseEvent, QPainter, QPen
from PySide6.QtWidgets import QMenu, QWidget

from liven.liveobjects.desktop.view.actions.choice_menu import swatch
from liven.liveobjects.desktop.view.tools.held_tool import (
    CONNECTOR,
    ERASER,
    HAND,
    PEN,
    SELECT,
    SHAPES,
    HeldTool,
)
from liven.liveobjects.look.tokens import DEFAULT_PAPER, Look
from liven.liveobjects.look.view import shade
from liven.liveobjects.look.view.buttons import ToolButton
from liven.liveobjects.look.view.island import RULE, Island
from liven.liveobjects.look.view.light import current_look
from liven.liveobjects.look.view.marks import paint_box
from liven.liveobjects.look.view.menu_corners import round_corners
from liven.liveobjects.look.view.signs import Sign, icon, paint_sign
from liven.liveobjects.view.window_controls import ObjectTool

IMAGE_KEY: Final = "I"
ADD_KEY: Final = "/"
_RADIUS: Final = 14
_ARROW_FROM: Final = 18
"""Pixels from the right end of the note tool within which a press opens the papers."""
_ABOVE: Final = 8
"""Pixels between the toolbar and a menu above it."""
_SHAPE_SIGNS: Final = {"Box": Sign.SQUARE, "Ellipse": Sign.CIRCLE, "Diamond": Sign.DIAMOND}
_SHAPE_KEYS: Final = {"Box": "R", "Ellipse": "O", "Diamond": "D"}
_UNDER: Final = "sky"
"""The paper of the sheet that lies under the next note in the sign."""


class Toolbar(Island):
    """The tools of one canvas."""

    def __init__(self, held: HeldTool, parent: QWidget) -> None:
        super().__init__(parent, "Tools", radius=_RADIUS)
        self._held = held
        self.buttons: dict[str, ToolButton] = {}
        self._optional: list[QWidget] = []
        """Shown where there is room; what they do is behind the last tool as well."""
        self.shape = ToolButton("Shape", Sign.SHAPES, drops=True)
        self.shape.setCheckable(True)
        self.shape.clicked.connect(self._choose_shape)
        self._build()
        held.changed.connect(self.refresh)
        self.refresh()

    def refresh(self) -> None:
        """Show which tool is in hand."""
        for name, button in self.buttons.items():
            button.setChecked(name == self._held.name)
            button.update()
        self.shape.sign = _SHAPE_SIGNS.get(self._held.name, Sign.SHAPES)
        self.shape.setChecked(self._held.name in SHAPES)
        self.shape.update()

    def fit(self, width: int) -> None:
        """Show as many tools as there is room for."""
        for one in self._optional:
            one.show()
        self.adjustSize()
        for one in reversed(self._optional):
            if self.sizeHint().width() <= width:
                break
            one.hide()
            self.row.activate()
        self.adjustSize()

    def _build(self) -> None:
        self.add(self._tool(SELECT, Sign.SELECT, "V"), self._tool(HAND, Sign.HAND, "H"), RULE)
        parts = list(dict.fromkeys(one.part for one in self._held.objects))
        for at, part in enumerate(parts):
            tools = [one for one in self._held.objects if one.part == part]
            made: list[QWidget] = [self._object(one) for one in tools]
            if at == 0:
                image = ToolButton("Image", Sign.IMAGE, key=IMAGE_KEY)
                image.clicked.connect(self._held.choose_pictures)
                pen = self._tool(PEN, Sign.PEN, "P")
                eraser = self._tool(ERASER, Sign.ERASER, "E")
                made += [image, self._tool(CONNECTOR, Sign.CONNECTOR, "C"), self.shape, pen, eraser]
                self._optional += [self.shape, pen, eraser]
            else:
                self._optional += made
            self.add(*made, RULE)
        more = ToolButton("Add something else", Sign.PLUS, key=ADD_KEY)
        more.clicked.connect(self._held.add_something)
        self.add(more)
        self.buttons["Image"], self.buttons["More"] = _found(self, "Image"), more

    def _choose_shape(self) -> None:
        """Show the shapes above their tool."""
        self.refresh()
        menu = round_corners(QMenu(self))
        menu.aboutToHide.connect(menu.deleteLater)
        for name, sign in _SHAPE_SIGNS.items():
            entry = menu.addAction(icon(sign), f"{name}\t{_SHAPE_KEYS[name]}")
            entry.triggered.connect(partial(self._take_shape, name))
        menu.popup(self.shape.mapToGlobal(QPoint(0, -menu.sizeHint().height() - _ABOVE)))

    def _take_shape(self, name: str, _: bool = False) -> None:
        self._held.take(name)

    def _tool(self, name: str, sign: Sign, key: str) -> ToolButton:
        made = self.buttons[name] = ToolButton(name, sign, key=key)
        made.setCheckable(True)
        made.clicked.connect(lambda: self._held.take(name))
        return made

    def _object(self, tool: ObjectTool) -> ToolButton:
        if tool.sign is Sign.NOTE:
            made: ToolButton = NoteButton(tool, self._held)
        else:
            made = ToolButton(tool.name, tool.sign, key=tool.key)
        self.buttons[tool.name] = made
        made.setCheckable(True)
        made.clicked.connect(lambda: self._held.take(tool.name))
        return made


class NoteButton(ToolButton):
    """The tool for notes, in the colour of the next one; its arrow opens the papers."""

    def __init__(self, tool: ObjectTool, held: HeldTool) -> None:
        super().__init__(tool.name, tool.sign, key=tool.key, drops=True, drawing=self._draw)
        self._held = held

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if self.isDown() and event.position().x() >= self.width() - _ARROW_FROM:
            self.setDown(False)
            self.open_papers()
        else:
            super().mouseReleaseEvent(event)

    def event(self, event: QEvent) -> bool:
        """Keep the arrow that points down from the desktop, which would move its selection."""
        if (
            event.type() == QEvent.Type.ShortcutOverride
            and isinstance(event, QKeyEvent)
            and event.key() == Qt.Key.Key_Down
        ):
            event.accept()
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Open the papers with the arrow that points down."""
        if event.key() == Qt.Key.Key_Down:
            self.open_papers()
        else:
            super().keyPressEvent(event)

    def open_papers(self) -> None:
        """Show the papers over the button."""
        menu = self.papers()
        menu.popup(self.mapToGlobal(QPoint(0, -menu.sizeHint().height() - 6)))

    def papers(self) -> QMenu:
        """Make the menu of papers; the one of the next note has a tick."""
        menu = round_corners(QMenu(self))
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        group = QActionGroup(menu)
        for name, paper in current_look().papers.items():
            entry = menu.addAction(swatch(paper.sheet), name.capitalize())
            entry.setCheckable(True)
            entry.setChecked(name == self._held.paper)
            entry.triggered.connect(lambda _=False, name=name: self._held.take_paper(name))
            group.addAction(entry)
        return menu

    def _draw(self, painter: QPainter, area: QRectF, look: Look) -> None:
        paint_sheets(painter, area, look, self._held.paper)


def paint_sheets(painter: QPainter, area: QRectF, look: Look, top: str) -> None:
    """Paint the sheet that the next note will be, over another one."""
    if look.high_contrast:
        paint_sign(painter, area, Sign.NOTE, 20, look.ink, 1.75)
        return
    under = _UNDER if top != _UNDER else DEFAULT_PAPER
    for turn, name in ((9, under), (-5, top)):
        paper = look.papers[name]
        painter.save()
        painter.translate(area.center())
        painter.rotate(turn)
        sheet = QRectF(-9.5, -9.5, 19, 19)
        shade.paint_shadow(painter, sheet, look.shadows.rest, 3)
        paint_box(painter, sheet, 3, paper.sheet, paper.edge)
        if name == top:
            painter.setPen(QPen(QColor(paper.quiet), 1.5, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap))
            for y, right in ((-3.2, 5.0), (0.6, 3.6), (4.4, 1.0)):
                painter.drawLine(QPointF(-5, y), QPointF(right, y))
        painter.restore()


def _found(bar: QWidget, name: str) -> ToolButton:
    return next(one for one in bar.findChildren(ToolButton) if one.accessibleName() == name)
