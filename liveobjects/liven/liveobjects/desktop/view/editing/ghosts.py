"""Ghosts: invisible buttons over the zones of the selected item, for the keyboard and for screen readers.

The item is painted; a ghost paints its ring alone, and leaves the mouse to the canvas."""

from __future__ import annotations

from typing import Final, Protocol

from PySide6.QtCore import QEvent, QObject, QRectF, Qt, QTimer, Signal
from PySide6.QtGui import QKeyEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QWidget

from liven.liveobjects.desktop.state import Desktop
from liven.liveobjects.desktop.view.camera import Camera
from liven.liveobjects.desktop.view.editing.zone_field import ZoneField
from liven.liveobjects.desktop.view.geometry import on_plane
from liven.liveobjects.desktop.view.items.item_views import ItemViews
from liven.liveobjects.look.view.light import current_look
from liven.liveobjects.look.view.marks import paint_line_inside
from liven.liveobjects.look.view.pressable import Pressable
from liven.liveobjects.view.accessibility import announce
from liven.liveobjects.view.zones import Role, Zone

MOST: Final = 60
"""Ghosts of one item; what comes after them is reached by entering the item."""


class GhostCanvas(Protocol):
    """The part of the canvas that ghosts need."""

    @property
    def state(self) -> Desktop: ...

    @property
    def camera(self) -> Camera: ...

    @property
    def selected(self) -> frozenset[str]: ...

    @property
    def editing(self) -> str | None: ...

    @property
    def item_views(self) -> ItemViews: ...

    @property
    def zone_field(self) -> ZoneField: ...


class Ghost(Pressable):
    """A button over one zone."""

    def __init__(self, ghosts: Ghosts, zone: Zone, parent: QWidget) -> None:
        super().__init__(parent)
        self._ghosts = ghosts
        self.zone = zone
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.take(zone)

    def take(self, zone: Zone) -> None:
        """Stand for a zone as it is now."""
        self.zone = zone
        self.setAccessibleName(zone.words)
        self.setCheckable(zone.role in (Role.TICK, Role.CHOICE))
        self.setAutoExclusive(False)  # Qt would not take back the last choice
        if self.isCheckable():
            self.setChecked(zone.is_on)
        self.setAutoExclusive(zone.role is Role.CHOICE)

    def nextCheckState(self) -> None:
        """Leave the state to the object, which may refuse."""

    def focusNextPrevChild(self, forward: bool) -> bool:
        """Go from zone to zone of the item, in a circle."""
        self._ghosts.step(self, 1 if forward else -1)
        return True

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Go back to the desktop with Esc."""
        if event.key() == Qt.Key.Key_Escape:
            self._ghosts.leave()
        else:
            super().keyPressEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        del event
        if not self.hasFocus():
            return
        look = current_look()
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        paint_line_inside(painter, QRectF(self.rect()), self.zone.radius, look.select, look.ring)
        painter.end()


class Ghosts(QObject):
    """The ghosts of one canvas."""

    refreshed = Signal()

    def __init__(self, canvas: GhostCanvas, below: QWidget) -> None:
        super().__init__(below)
        self._canvas, self._below = canvas, below
        self._key = ""
        self._unheard: str | None = None
        """The words of the object before the last press, until it has others."""
        self.shown: list[Ghost] = []
        self._soon = QTimer(self, singleShot=True, interval=0)
        self._soon.timeout.connect(self.refresh)

    def refresh_soon(self) -> None:
        """Do `refresh` in the next turn: many things change at once."""
        self._soon.start()

    def refresh(self) -> None:
        """Show the ghosts of the selected item, where its zones are now."""
        self._show()
        self._announce_change()
        self.refreshed.emit()

    def _show(self) -> None:
        canvas = self._canvas
        key = next(iter(canvas.selected)) if len(canvas.selected) == 1 else ""
        item = None if canvas.editing is not None else canvas.state.items.get(key)
        if item is None or key != self._key:
            self._remove(0)
            self._unheard = None
        self._key = key
        if item is None:
            return
        zones = canvas.item_views.zones(key, QRectF(0, 0, item.place.width, item.place.height))[:MOST]
        self._remove(len(zones))
        transform = on_plane(item.place) * canvas.camera.transform()
        for at, zone in enumerate(zones):
            if at == len(self.shown):
                self._add(zone)
            ghost = self.shown[at]
            ghost.take(zone)
            ghost.setGeometry(transform.mapRect(zone.area).toRect())
            ghost.show()
        for ghost in reversed(self.shown):
            ghost.lower()  # below the islands; readers go through them in the order of the zones

    def enter(self) -> bool:
        """Give the focus to the first zone of the selected item. Return False if it has none."""
        self.refresh()
        if self.shown:
            self.shown[0].setFocus(Qt.FocusReason.TabFocusReason)
        return bool(self.shown)

    def leave(self) -> None:
        """Give the focus back to the desktop."""
        self._below.setFocus()

    def step(self, ghost: Ghost, by: int) -> None:
        """Give the focus to another ghost."""
        at = (self.shown.index(ghost) + by) % len(self.shown)
        self.shown[at].setFocus(Qt.FocusReason.TabFocusReason)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Repaint a ghost that gets or loses the focus."""
        if event.type() in (QEvent.Type.FocusIn, QEvent.Type.FocusOut) and isinstance(watched, Ghost):
            watched.update()
        return False

    def _add(self, zone: Zone) -> None:
        ghost = Ghost(self, zone, self._below)
        ghost.installEventFilter(self)
        ghost.clicked.connect(lambda: self._press(ghost))
        self.shown.append(ghost)

    def _press(self, ghost: Ghost) -> None:
        if ghost.zone.is_field:
            self._canvas.zone_field.open(self._key, ghost.zone)
            return
        self._unheard = self._spoken()
        self._canvas.item_views.press_zone(self._key, ghost.zone.key)
        self.refresh_soon()  # a screen reader has changed the ghost already; the object may refuse

    def _spoken(self) -> str:
        item = self._canvas.state.items.get(self._key)
        return "" if item is None else self._canvas.item_views.spoken(item)

    def _announce_change(self) -> None:
        """Announce what a press has changed, once the object has changed: some wait for others."""
        if self._unheard is not None and (words := self._spoken()) != self._unheard:
            self._unheard = None
            announce(self._below, words)

    def _remove(self, kept: int) -> None:
        gone, self.shown = self.shown[kept:], self.shown[:kept]
        for ghost in gone:
            if ghost.hasFocus():
                self._below.setFocus()
            ghost.hide()
            ghost.deleteLater()
