"""The field in which one writes into a zone of a painted item, such as "Add an answer" of a vote."""

from __future__ import annotations

from typing import Final, Protocol

from PySide6.QtCore import QEvent, QObject, QRectF, Qt, QTimer
from PySide6.QtGui import QColor, QKeyEvent, QPalette
from PySide6.QtWidgets import QLineEdit, QWidget

from liven.liveobjects.desktop.state import Desktop, Item
from liven.liveobjects.desktop.view.camera import Camera
from liven.liveobjects.desktop.view.geometry import on_plane
from liven.liveobjects.desktop.view.items.item_views import ItemViews
from liven.liveobjects.look.tokens import TYPE
from liven.liveobjects.look.view.letters import sized
from liven.liveobjects.look.view.light import current_look
from liven.liveobjects.view.zones import HasZones, Zone

_NARROWEST: Final = 120
"""Pixels of a field, however far one has zoomed out."""
_LOWEST: Final = 24
_MOST_DRAFTS: Final = 50


class FieldCanvas(Protocol):
    """The part of the canvas that fields need."""

    @property
    def state(self) -> Desktop: ...

    @property
    def camera(self) -> Camera: ...

    @property
    def item_views(self) -> ItemViews: ...


class ZoneField(QObject):
    """The field of one canvas. It keeps words that were begun and not sent, until the field opens again."""

    def __init__(self, canvas: FieldCanvas, below: QWidget) -> None:
        super().__init__(below)
        self._canvas, self._below = canvas, below
        self._at: tuple[str, Zone] | None = None
        self._drafts: dict[tuple[str, str], str] = {}
        self.field: QLineEdit | None = None
        self._soon = QTimer(self, singleShot=True, interval=0)
        self._soon.timeout.connect(self.place)

    def place_soon(self) -> None:
        """Do `place` in the next turn: a view announces changes before they are complete."""
        if self.field is not None:
            self._soon.start()

    def open(self, key: str, zone: Zone) -> None:
        """Write into a zone of an item."""
        self.close()
        look = current_look()
        field = self.field = QLineEdit(self._below)
        self._at = key, zone
        field.setFrame(False)
        field.setMaxLength(zone.longest)
        field.setAccessibleName(zone.words)
        field.setPlaceholderText(zone.words)
        palette = QPalette(field.palette())
        palette.setColor(QPalette.ColorRole.Base, QColor(look.card))
        palette.setColor(QPalette.ColorRole.Text, QColor(look.ink))
        field.setPalette(palette)
        field.setText(self._drafts.pop((key, zone.key), ""))
        field.returnPressed.connect(self._send)
        field.installEventFilter(self)
        self.place()
        field.show()
        field.lower()  # below the islands
        field.setFocus()

    def close(self) -> None:
        """Remove the field, and keep what was begun."""
        field, self.field = self.field, None
        at, self._at = self._at, None
        if field is None or at is None:
            return
        field.removeEventFilter(self)
        if field.text() and len(self._drafts) < _MOST_DRAFTS:
            self._drafts[at[0], at[1].key] = field.text()
        focused = field.hasFocus()
        field.hide()
        field.deleteLater()
        if focused:
            self._below.setFocus()

    def place(self) -> None:
        """Put the field over its zone, with letters of the size in which the item is seen."""
        item, field = self._item(), self.field
        if field is None or self._at is None:
            return
        zone = None if item is None else self._zone(item)
        if item is None or zone is None:
            self.close()
            return
        area = (on_plane(item.place) * self._canvas.camera.transform()).mapRect(zone.area).toRect()
        area.setWidth(max(area.width(), _NARROWEST))
        area.setHeight(max(area.height(), _LOWEST))
        field.setFont(sized(TYPE["body"].size * self._canvas.camera.zoom))
        field.setGeometry(area)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Close the field on Esc, and when the focus goes elsewhere in the window."""
        if event.type() == QEvent.Type.FocusOut and watched is self.field:
            self.close()
        pressed = isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress
        if pressed and isinstance(event, QKeyEvent) and event.key() == Qt.Key.Key_Escape:
            self.close()
            return True
        return False

    def _send(self) -> None:
        field, at = self.field, self._at
        if field is None or at is None or not field.text().strip():
            return
        text = field.text()

        def write(view: object) -> bool:
            return isinstance(view, HasZones) and bool(view.write(at[1].key, text))

        if self._canvas.item_views.ask(at[0], write, False) and self.field is field:
            field.clear()

    def _item(self) -> Item | None:
        return None if self._at is None else self._canvas.state.items.get(self._at[0])

    def _zone(self, item: Item) -> Zone | None:
        """Return the zone as it is now: it moves when others add something."""
        assert self._at is not None
        whole = QRectF(0, 0, item.place.width, item.place.height)
        zones = self._canvas.item_views.zones(item.key, whole)
        return next((one for one in zones if one.key == self._at[1].key and one.is_field), None)
