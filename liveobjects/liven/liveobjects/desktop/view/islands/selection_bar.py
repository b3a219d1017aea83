"""The bar above the selection: the choices and actions that apply to it, and no others. Over an item in which
one writes, it has the formats of the text."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Final

from PySide6.QtCore import QPoint, QPointF, QRect, QRectF
from PySide6.QtGui import QColor, QPainter, QPen
from PySide6.QtWidgets import QMenu, QWidget

from liven.liveobjects.desktop.drawings.ink import Ink
from liven.liveobjects.desktop.drawings.recipes import drawing_of
from liven.liveobjects.desktop.view.actions import choice_menu, shortcuts
from liven.liveobjects.desktop.view.actions.context_menu import show_menu
from liven.liveobjects.desktop.view.actions.shortcut import Shortcut
from liven.liveobjects.desktop.view.drawings.choices import pen_choices
from liven.liveobjects.desktop.view.islands.canvas_protocol import IslandCanvas, selection_area
from liven.liveobjects.desktop.view.items import item_choices
from liven.liveobjects.desktop.view.tools.held_tool import CONNECTOR, PEN
from liven.liveobjects.look.tokens import Look
from liven.liveobjects.look.view.buttons import Drawing, ToolButton
from liven.liveobjects.look.view.island import RULE, Island
from liven.liveobjects.look.view.menu_corners import round_corners
from liven.liveobjects.look.view.signs import Sign
from liven.liveobjects.view.choices import Choice
from liven.liveobjects.view.contract import Action
from liven.liveobjects.view.focus import set_initial_focus

_TOOL: Final = 32
_GLYPH: Final = 17
_AWAY: Final = 12
"""Pixels between the selection and its bar."""
_OUT: Final = 34
"""Pixels below the selection that the knob and the dots take."""
_RIM: Final = 8
_ABOVE_MESSAGE: Final = 68
"""Pixels between the toolbar and the bar of the pen, which leave room for a message."""
_SWATCH: Final = 8.5
_FORMATS: Final = {
    "Bold": Sign.BOLD,
    "Italic": Sign.ITALIC,
    "Bulleted list": Sign.BULLETS,
    "Check list": Sign.TICKS,
    "Link…": Sign.LINK,
}
"""The signs of the commands of the menu Format that a bar has."""


@dataclass(frozen=True, slots=True)
class BarTool:
    """One tool of the bar. Tools that look alike are equal, and a bar of equal tools is not built anew."""

    name: str
    sign: Sign | None = None
    does: Shortcut | None = None
    """The action of the desktop; None for what the bar itself carries out."""
    label: str = ""
    swatch: str = ""
    choice: Choice | None = field(default=None, compare=False)
    action: Action | None = field(default=None, compare=False)
    """A command of the item in which one writes."""


_DRAW: Final = BarTool("Draw a connector", Sign.CONNECTOR)
_MENU: Final = BarTool("More", Sign.MORE)
_EDIT: Final = BarTool("Edit", Sign.PENCIL, shortcuts.EDIT)
_OPEN: Final = BarTool("Open in its own window", Sign.OPEN, shortcuts.OPEN)
_NAME: Final = BarTool("Rename", Sign.PENCIL, shortcuts.RENAME)
_REMOVE: Final = BarTool("Remove", Sign.REMOVE, shortcuts.REMOVE)
_CONNECT: Final = BarTool("Connect or disconnect", Sign.CONNECTOR, shortcuts.CONNECT)
_GROUP: Final = BarTool("Group", Sign.GROUP, shortcuts.GROUP)
_UNGROUP: Final = BarTool("Ungroup", Sign.UNGROUP, shortcuts.UNGROUP)
_COPY: Final = BarTool("Duplicate", Sign.DUPLICATE, shortcuts.DUPLICATE)
_LOCK: Final = BarTool("Lock", Sign.LOCK_OPEN, shortcuts.LOCK)
_UNLOCK: Final = BarTool("Unlock", Sign.LOCK, shortcuts.LOCK)
Row = tuple[BarTool | None, ...]
"""Tools, and None for a line."""


def tools_for(canvas: IslandCanvas) -> Row:
    """Return the tools for the selection, or for the item in which one writes."""
    items = [canvas.state.items[key] for key in canvas.selected if key in canvas.state.items]
    if canvas.held_tool.name == PEN:
        return tuple(_tools(pen_choices(lambda: canvas.held_tool.pen, canvas.held_tool.choose_pen)))
    if not items:
        return (_NAME, _REMOVE, RULE, _MENU) if canvas.connectors.selected is not None else ()
    chosen = tuple(_choices(canvas))
    if canvas.editing is not None:
        formats = tuple(_formats(canvas, canvas.editing))
        return (*chosen, *((RULE,) if chosen and formats else ()), *formats)
    locked = all(item.locked for item in items)
    lock = _UNLOCK if locked else _LOCK
    if len(items) == 1:
        draw = () if locked else (_DRAW,)
        drawing = drawing_of(items[0].reference)
        own: Row = () if isinstance(drawing, Ink) else (_EDIT, RULE) if drawing else (_EDIT, _OPEN, RULE)
        actions: Row = (*own, *draw, _COPY, lock, _MENU)
    else:
        groups = {item.group for item in items}
        group = _UNGROUP if len(groups) == 1 and "" not in groups else _GROUP
        actions = (_CONNECT, group, RULE, _COPY, lock, _MENU)
    return (*chosen, RULE, *actions) if chosen else actions


def _choices(canvas: IslandCanvas) -> Iterator[BarTool]:
    """Yield a tool for each choice that the selected items have in common."""
    return _tools(item_choices.offered(canvas))


def _tools(choices: Iterable[Choice]) -> Iterator[BarTool]:
    """Yield a tool for each choice."""
    for choice in choices:
        now = next((one for one in choice.options if one.key == choice.chosen()), None)
        coloured = any(one.swatch for one in choice.options)
        yield BarTool(
            choice.words,
            label="" if coloured else (now.words if now is not None else "Mixed"),
            swatch=(now.swatch if now is not None else "mixed") if coloured else "",
            choice=choice,
        )


def _formats(canvas: IslandCanvas, key: str) -> Iterator[BarTool]:
    """Yield a tool for each format of the item in which one writes."""
    none: tuple[Action, ...] = ()
    for action in canvas.item_views.ask(key, lambda view: view.actions(), none):
        sign = _FORMATS.get(action.words)
        if sign is not None and action.group == "Format":
            yield BarTool(action.words, sign, action=action)


class SelectionBar(Island):
    """The bar of one canvas. It has gone while something is moved."""

    def __init__(self, canvas: IslandCanvas, parent: QWidget) -> None:
        super().__init__(parent, "Selection", pad=4, gap=1, radius=11)
        self._canvas, self._below = canvas, parent
        self._shown: Row = ()
        self.buttons: dict[str, ToolButton] = {}
        self.hide()

    def refresh(self, kept_free: Sequence[QRect]) -> None:
        """Show the bar for the present selection, outside the areas that are `kept_free`."""
        area = self._area()
        seen = self._canvas.held_tool.name == PEN or area.intersects(QRectF(self._below.rect()))
        row = () if self._canvas.gesture is not None or not seen else tools_for(self._canvas)
        if row != self._shown:
            self._shown = row
            self._fill(row)
        if row and self._canvas.held_tool.name == PEN:
            self._place_for_pen(kept_free)
        elif row:
            self._place(area, kept_free)
        self.setVisible(bool(row))

    def _area(self) -> QRectF:
        """Return the area of the selection in the window."""
        link = self._canvas.connectors.selected
        if link is None or self._canvas.selected:
            return selection_area(self._canvas)
        at = self._canvas.camera.to_window(self._canvas.connectors.middle(link))
        return QRectF(at - QPointF(8, 8), at + QPointF(8, 8))

    def _fill(self, row: Row) -> None:
        while (gone := self.row.takeAt(0)) is not None:
            widget = gone.widget()
            if widget is not None:
                widget.hide()
                widget.deleteLater()
        self.buttons = {}
        for one in row:
            self.add(RULE if one is None else self._button(one))

    def _button(self, tool: BarTool) -> ToolButton:
        keys = (
            tool.does.keys if tool.does is not None else tool.action.keys if tool.action is not None else ()
        )
        made = self.buttons[tool.name] = ToolButton(
            tool.name,
            tool.sign,
            key=keys[0] if keys else "",
            size=_TOOL,
            glyph=_GLYPH,
            label=tool.label,
            drops=tool.choice is not None,
            drawing=_swatch(tool.swatch) if tool.swatch else None,
        )
        made.clicked.connect(lambda: self._carry_out(tool, made))
        return made

    def _carry_out(self, tool: BarTool, button: ToolButton) -> None:
        below = button.mapTo(self._below, QPoint(0, _TOOL + 4))
        if tool.choice is not None:
            self._show_options(tool.choice, self._below.mapToGlobal(below))
        elif tool.action is not None:
            self._go_on_writing()
            tool.action.run()
        elif tool is _DRAW:
            self._canvas.held_tool.take(CONNECTOR)
        elif tool is _MENU:
            show_menu(self._canvas, QPointF(below), self._below)
        elif tool.does is not None:
            tool.does.run(self._canvas)
            if tool.does is not shortcuts.EDIT:
                self._below.setFocus()

    def _show_options(self, choice: Choice, at: QPoint) -> None:
        """Show the options of a choice below its tool."""
        menu = round_corners(QMenu(self._below))
        menu.aboutToHide.connect(menu.deleteLater)
        for option in choice.options:
            entry = menu.addAction(option.words)
            if option.swatch:
                entry.setIcon(choice_menu.swatch(option.swatch))
            entry.setCheckable(True)
            entry.setChecked(option.key == choice.chosen())
            entry.triggered.connect(partial(self._choose, choice, option.key))
        menu.popup(at)

    def _choose(self, choice: Choice, option: str, _: bool = False) -> None:
        if self._canvas.held_tool.name == PEN:
            choice.choose(option)
        else:
            choice_menu.choose(self._canvas, choice, option)
        self._canvas.refresh_selection()
        self._go_on_writing()

    def _go_on_writing(self) -> None:
        """Give the focus back to the item in which one writes: the press has given it to the desktop."""
        page = self._canvas.item_views.widget(self._canvas.editing or "")
        if page is not None:
            set_initial_focus(page)

    def _place_for_pen(self, kept_free: Sequence[QRect]) -> None:
        """Stand above the toolbar, which has the pen, and above a message."""
        self.adjustSize()
        whole = self._below.rect()
        foot = min((one.top() for one in kept_free if one.top() > whole.height() / 2), default=whole.bottom())
        self.move((whole.width() - self.width()) // 2, foot - _ABOVE_MESSAGE - self.height())

    def _place(self, area: QRectF, kept_free: Sequence[QRect]) -> None:
        self.adjustSize()
        size, whole = self.size(), self._below.rect()
        most = max(whole.width() - _RIM - size.width(), _RIM)
        left = min(max(round(area.center().x() - size.width() / 2), _RIM), most)
        above = round(area.top()) - _AWAY - size.height()
        under = round(area.bottom()) + _OUT
        inside = min(max(above, _RIM), whole.height() - _RIM - size.height())
        for top in (above, under, inside):
            there = QRect(left, top, size.width(), size.height())
            if whole.adjusted(0, _RIM, 0, -_RIM).contains(there) and not any(
                one.intersects(there) for one in kept_free
            ):
                break
        self.move(left, top)


def _swatch(colour: str) -> Drawing:
    """Return the drawing of a colour; of several, an empty circle."""

    def draw(painter: QPainter, area: QRectF, look: Look) -> None:
        painter.setPen(QPen(QColor(look.line), 1))
        painter.setBrush(QColor(colour) if QColor.isValidColorName(colour) else QColor(look.island))
        painter.drawEllipse(area.center(), _SWATCH, _SWATCH)

    return draw
