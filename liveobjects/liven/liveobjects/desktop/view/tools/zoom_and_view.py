"""Looking around on a desktop: how closely, where, with whom; and what is shown beside the things."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from PySide6.QtCore import QPointF, QRectF, QSizeF, Qt

from liven.liveobjects.desktop.spatial_index import extent
from liven.liveobjects.desktop.state import Item
from liven.liveobjects.desktop.view.tools.command_feedback import NOTHING_HERE
from liven.liveobjects.desktop.view.tools.gestures import rect, turned
from liven.liveobjects.desktop.view.viewport.camera import STEP, into_view

if TYPE_CHECKING:
    from liven.liveobjects.desktop.view.canvas.canvas import Canvas

HAND = Qt.CursorShape.OpenHandCursor


class Looking:
    """One canvas's."""

    def __init__(self, canvas: Canvas) -> None:
        self._canvas = canvas
        self.hand = False
        """Whether dragging moves the plane wherever it begins."""
        self._before: tuple[QPointF, float] | None = None
        """From where, and how closely, one looked before one came to a thing to work in it."""

    # how closely

    def zoom(self, factor: float, around: QPointF | None = None) -> None:
        """Looks closer, around a point of the window; without one, around its middle."""
        canvas = self._canvas
        canvas.gazes.own_way()
        canvas.camera.zoom_by(factor, QPointF(canvas.rect().center()) if around is None else around)
        canvas.looks_elsewhere()

    def zoom_in(self) -> None:
        self._zoom_or_say(STEP, "This is as near as one can look.")

    def zoom_out(self) -> None:
        self._zoom_or_say(1 / STEP, "This is as far away as one can look.")

    def zoom_as_is(self, around: QPointF | None = None) -> None:
        if self._canvas.camera.zoom == 1:
            self._canvas.host.show_message("It is seen at 100 %.")
        self.zoom(1 / self._canvas.camera.zoom, around)

    def come_to(self, item: Item) -> None:
        """Looks at a thing as one has to while one works in it: all of it is seen, or as much as there is
        room for from its upper left corner on. Its letters have one size, and it lies straight meanwhile."""
        camera, area = self._canvas.camera, rect(item.place)
        before = QPointF(camera.corner), camera.zoom
        if camera.zoom != 1:
            self.zoom_as_is(camera.to_window(area.center()))
        by = into_view(area, camera.seen(QSizeF(self._canvas.size())))
        if not by.isNull():
            self._canvas.gazes.own_way()
            camera.pan(by)
            self._canvas.looks_elsewhere()
        if before != (camera.corner, camera.zoom):
            self._before = before

    def go_away(self, *, back: bool) -> None:
        """The thing is left. One who has zoomed meanwhile looks at something else by now."""
        before, self._before = self._before, None
        if back and before is not None and self._canvas.camera.zoom == 1:
            self._canvas.camera.corner, self._canvas.camera.zoom = before
            self._canvas.looks_elsewhere()

    def zoom_to_fit(self) -> None:
        if not self._canvas.state.items:
            self._canvas.host.show_message(NOTHING_HERE)
        self._fit(self._canvas.state.items.values())

    def zoom_to_chosen(self) -> None:
        self._canvas.asked.has("Zoom to the selection")
        self._fit(self._canvas.state.items[key] for key in self._canvas.chosen)

    # where

    def go_to(self, point: QPointF) -> None:
        """Puts a place of the plane into the middle."""
        camera = self._canvas.camera
        self._canvas.gazes.own_way()
        camera.pan(QPointF(self._canvas.rect().center()) - camera.to_window(point))
        self._canvas.looks_elsewhere()

    def look_at(self, area: QRectF) -> None:
        """Shows a part of the plane, as somebody sees it who is followed. While they only point, or somebody
        else does, nothing moves, and what is seen is painted sharp."""
        camera = self._canvas.camera
        before = camera.corner, camera.zoom
        camera.fit(area, QSizeF(self._canvas.size()), margin=0)
        if (camera.corner, camera.zoom) != before:
            self._canvas.looks_elsewhere()

    def bring_into_view(self, item: Item) -> None:
        """Moves the plane so that a thing is seen."""
        area = turned(item.place).boundingRect()
        if not self._canvas.camera.seen(QSizeF(self._canvas.size())).contains(area):
            self.go_to(area.center())

    def toggle_hand(self) -> None:
        """Takes the hand, by which dragging moves the plane, or puts it away."""
        self.hand = not self.hand
        self._canvas.setCursor(HAND if self.hand else Qt.CursorShape.ArrowCursor)
        self._canvas.host.show_message(
            "Dragging moves the plane; H or Esc ends that." if self.hand else "The hand is away."
        )

    # with whom

    def follow_next(self) -> None:
        """Sees what the next of the others sees; after the last of them, goes one's own way."""
        gazes = self._canvas.gazes
        others = gazes.others
        if not others:
            self._canvas.host.show_message("Nobody else is here.")
            return
        windows = [one.window for one in others]
        at = windows.index(gazes.followed) + 1 if gazes.followed in windows else 0
        gazes.follow(windows[at] if at < len(windows) else None)
        said = f"You see what {others[at].name} sees." if at < len(windows) else "You go your own way."
        self._canvas.host.show_message(said)

    # what is shown

    def toggle_map(self) -> None:
        """Shows the map, or not; before that, it is shown when there is more than one sees."""
        minimap = self._canvas.minimap
        minimap.wanted = not minimap.isVisible()
        minimap.decide()
        self._canvas.view_state_changed.emit()

    def toggle_pointers(self) -> None:
        canvas = self._canvas
        canvas.gazes.pointers = not canvas.gazes.pointers
        canvas.host.show_message(
            "Others' pointers are shown." if canvas.gazes.pointers else "Others' pointers are hidden."
        )
        canvas.view_state_changed.emit()
        canvas.update()

    def toggle_snapping(self) -> None:
        canvas = self._canvas
        canvas.snapping = not canvas.snapping
        canvas.host.show_message(
            "Things snap to edges and grid." if canvas.snapping else "Things do not snap."
        )
        canvas.view_state_changed.emit()

    def toggle_grid(self) -> None:
        self._canvas.grid = not self._canvas.grid
        self._canvas.view_state_changed.emit()
        self._canvas.update()

    def _zoom_or_say(self, factor: float, otherwise: str) -> None:
        before = self._canvas.camera.zoom
        self.zoom(factor)
        if self._canvas.camera.zoom == before:
            self._canvas.host.show_message(otherwise)

    def _fit(self, items: Iterable[Item]) -> None:
        self._canvas.gazes.own_way()
        left, top, right, bottom = extent(items)
        if right > left:
            self._canvas.camera.fit(
                QRectF(left, top, right - left, bottom - top), QSizeF(self._canvas.size())
            )
            self._canvas.looks_elsewhere()
