"""Menus of choices, such as the eight papers of a note as small squares."""

from __future__ import annotations

from typing import Final, Protocol

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QActionGroup, QColor, QIcon, QPainter, QPixmap
from PySide6.QtWidgets import QMenu

from liven.liveobjects.desktop.view.editing.growth import Growth
from liven.liveobjects.desktop.view.items import item_choices
from liven.liveobjects.desktop.view.items.item_choices import ChoosingCanvas
from liven.liveobjects.desktop.view.transfer.cross_object_undo import CrossObjectUndo
from liven.liveobjects.look.view.light import current_look
from liven.liveobjects.view.choices import Choice
from liven.liveobjects.view.contract import ViewHost
from liven.runtime.fold import RefusedError

_SIDE: Final = 16
_RATIO: Final = 2
"""Pixels of a square for one of the screen: enough for a sharp one."""
_CORNER: Final = 3.0


class ChoiceCanvas(ChoosingCanvas, Protocol):
    """The part of the canvas that menus of choices need."""

    @property
    def cross_object_undo(self) -> CrossObjectUndo: ...

    @property
    def growth(self) -> Growth: ...

    @property
    def host(self) -> ViewHost: ...


def add_choices(menu: QMenu, canvas: ChoiceCanvas) -> None:
    """Add a menu for each choice that the selected items offer."""
    for choice in item_choices.offered(canvas):
        entry = menu.addMenu(choice.words)
        group = QActionGroup(entry)
        for option in choice.options:
            action = entry.addAction(option.words)
            action.setIcon(swatch(option.swatch) if option.swatch else QIcon())
            action.setCheckable(True)
            action.setChecked(choice.chosen() == option.key)
            group.addAction(action)
            action.triggered.connect(
                lambda _=False, choice=choice, key=option.key: choose(canvas, choice, key)
            )


def choose(canvas: ChoiceCanvas, choice: Choice, option: str) -> None:
    """Choose an option for the selected items or the selected connector, as one step of undo."""
    if item_choices.are_of_desktop(canvas):
        choice.choose(option)
        return
    words = choice.words
    try:
        changed = item_choices.choose(canvas, choice.key, option)
    except RefusedError as why:
        canvas.host.show_message(f"{words}: {why}")
        return
    if changed:
        canvas.cross_object_undo.record_choice(choice.key, changed, words)
    for key in changed:
        canvas.growth.fit(key)


def swatch(colour: str) -> QIcon:
    """Return a small square of a colour."""
    made = QPixmap(_SIDE * _RATIO, _SIDE * _RATIO)
    made.setDevicePixelRatio(_RATIO)
    made.fill(Qt.GlobalColor.transparent)
    painter = QPainter(made)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(QColor(current_look().line))
    painter.setBrush(QColor(colour))
    painter.drawRoundedRect(QRectF(1, 1, _SIDE - 2, _SIDE - 2), _CORNER, _CORNER)
    painter.end()
    return QIcon(made)
