"""The insert popover: everything that can be added, found by typing, with a living face of what is chosen."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from PySide6.QtCore import QPoint, QRectF, Qt, Signal
from PySide6.QtGui import QColor, QKeyEvent, QPainter, QPainterPath, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget
from shiboken6 import isValid

from liven.app.palette.examples import OpenExample
from liven.app.palette.new_objects import Kind
from liven.app.palette.preview_pane import WIDTH, PictureOf, PreviewPane
from liven.app.palette.sections import NEW, Offers, Section
from liven.app.palette.tile_grid import TileGrid
from liven.liveobjects.look.contrast import mix
from liven.liveobjects.look.tokens import Look
from liven.liveobjects.look.view.buttons import Emphasis, WordButton
from liven.liveobjects.look.view.key_caps import paint_key_hints
from liven.liveobjects.look.view.light import current_look
from liven.liveobjects.look.view.popover import AWAY, Popover
from liven.liveobjects.look.view.search_field import SearchField

_MAIN: Final = 404
_HEIGHT: Final = 604
_RIM: Final = 8
_LEAST_HEIGHT: Final = 220
_NARROW: Final = 560
"""In a narrower window there is no preview."""
_HINTS: Final = (("↑↓", "choose"), ("Enter", "put it here"), ("drag", "where you like"))


class InsertPopover(Popover):
    """The popover. `put` is emitted with the `Kind` that the person wants."""

    put = Signal(object)

    def __init__(
        self,
        below: QWidget,
        anchor: QWidget,
        offers: Offers,
        fits: Callable[[Kind], bool],
        load: OpenExample | None,
        picture_of: PictureOf,
    ) -> None:
        """Make it for a button, or for a widget as a whole. `offers` reads what exists beside new objects;
        `fits` says if the shown object takes one."""
        super().__init__(below, "Add something", anchor, width=_MAIN + WIDTH, pad=0)
        self._back_to: QWidget | None = None
        self.field = SearchField("Find something to put here", "Find something to put here")
        self.grid = TileGrid()
        self.pane = PreviewPane(load, picture_of)
        self.button = WordButton("Put it here", emphasis=Emphasis.STRONG, height=34)
        self.button.setFixedWidth(WIDTH - 36)
        self.pane.column.addWidget(self.button)
        self._lay_out()
        self.field.textChanged.connect(self.grid.search)
        self.field.moved.connect(self.grid.move_choice)
        self.field.returnPressed.connect(self._put)
        self.button.clicked.connect(self._put)
        self.grid.chosen.connect(self._chosen)
        self.grid.picked.connect(lambda _: self._put())
        self.grid.taken.connect(lambda: self.close_popover(back=False))
        self.closed.connect(self.pane.close_example)
        self.grid.rank(fits)
        self.grid.show_sections(NEW)
        offers(self._take)

    def place(self) -> None:
        """Stand over the button, in the middle of it, inside the window."""
        below = self.parentWidget()
        if below is None:
            return
        wide = below.width() - 2 * _RIM
        self.pane.setVisible(wide >= _NARROW)
        width = min(wide, _MAIN + (WIDTH if wide >= _NARROW else 0))
        island = self.anchor.parentWidget() or self.anchor
        standing = self.anchor is not below and below.isAncestorOf(self.anchor)
        top = island.mapTo(below, QPoint(0, 0)).y() if standing else below.height()
        height = max(_LEAST_HEIGHT, min(_HEIGHT, top - AWAY - _RIM))
        self.setFixedSize(width, min(height, below.height() - 2 * _RIM))
        over = self.anchor if standing else below
        middle = over.mapTo(below, over.rect().center())
        left = min(max(middle.x() - width // 2, _RIM), max(below.width() - _RIM - width, _RIM))
        foot = top - AWAY if standing else (below.height() + self.height()) // 2
        self.move(left, max(foot - self.height(), _RIM))

    def paint_ground(self, painter: QPainter, look: Look) -> None:
        super().paint_ground(painter, look)
        if self.pane.isHidden() or look.high_contrast:
            return
        shape = QPainterPath()
        inside = QRectF(self.rect()).adjusted(1, 1, -1, -1)
        shape.addRoundedRect(inside, self.radius - 1, self.radius - 1)
        painter.save()
        painter.setClipPath(shape)
        ground = mix(look.popover, look.plane, 0.55) if look.dark else look.plane
        painter.fillRect(QRectF(self.pane.geometry()), QColor(ground))
        painter.restore()

    def show_beside(self, focused: QWidget | None = None) -> None:
        """Show the popover, and remember what had the focus."""
        self._back_to = self.window().focusWidget()
        super().show_beside(focused)

    def close_popover(self, *, back: bool = True) -> None:
        """Close the popover; with `back`, the focus goes where it was."""
        held = self._back_to
        super().close_popover(back=False)
        if back and held is not None and isValid(held):
            held.setFocus(Qt.FocusReason.PopupFocusReason)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Clear the search on Esc before closing."""
        if event.key() == Qt.Key.Key_Escape and self.field.text():
            self.field.clear()
            self.field.setFocus()
        else:
            super().keyPressEvent(event)

    def _lay_out(self) -> None:
        main = QWidget()
        column = QVBoxLayout(main)
        column.setContentsMargins(0, 16, 0, 0)
        column.setSpacing(10)
        top = QHBoxLayout()
        top.setContentsMargins(16, 0, 16, 0)
        top.addWidget(self.field)
        column.addLayout(top)
        column.addWidget(self.grid, 1)
        column.addWidget(_Hints())
        row = QHBoxLayout()
        row.setSpacing(0)
        row.addWidget(main, 1)
        row.addWidget(self.pane)
        self.column.setSpacing(0)
        self.column.addLayout(row)

    def _take(self, sections: tuple[Section, ...]) -> None:
        """Show what exists below the new objects, unless the popover is gone by now."""
        if isValid(self) and any(one.kinds for one in sections):
            self.grid.show_sections((*NEW, *sections))

    def _chosen(self, kind: Kind | None) -> None:
        self.pane.show_kind(kind)
        self.button.setEnabled(kind is not None)
        told = "" if kind is None else f"{kind.name}: {kind.words}"
        self.field.setAccessibleDescription(told)

    def _put(self) -> None:
        kind = self.grid.current
        if kind is not None:
            self.close_popover(back=False)
            self.put.emit(kind)


class _Hints(QWidget):
    """The keys, at the foot."""

    def __init__(self) -> None:
        super().__init__()
        self.setFixedHeight(40)

    def paintEvent(self, event: QPaintEvent) -> None:
        del event
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        paint_key_hints(painter, QRectF(16, 0, self.width() - 24, self.height()), _HINTS, current_look())
        painter.end()
