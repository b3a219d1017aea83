"""Zooming, panning, following others, and what is shown besides the items: minimap, pointers, grid,
snapping."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Protocol

from PySide6.QtCore import QPointF, QRect, QRectF, QSize, QSizeF, Qt

from liven.liveobjects.desktop.spatial_index import extent
from liven.liveobjects.desktop.state import Desktop, Item
from liven.liveobjects.desktop.view.camera import STEP, Camera, into_view
from liven.liveobjects.desktop.view.command_feedback import NOTHING_HERE, CommandFeedback
from liven.liveobjects.desktop.view.geometry import rect, turned
from liven.liveobjects.desktop.view.people.collaborators import Collaborators
from liven.liveobjects.desktop.view.viewport.minimap import Minimap
from liven.liveobjects.view.contract import ViewHost

LEGIBLE = 0.5
"""The least zoom at which one can write."""
HAND = Qt.CursorShape.OpenHandCursor
STOPPED_FOLLOWING = "You stopped following."


class _HeldTool(Protocol):
    def hand_changed(self) -> None: ...


class ViewCanvas(Protocol):
    """The part of the canvas that zooming and the other view actions need."""

    snapping: bool
    grid: bool

    @property
    def state(self) -> Desktop: ...

    @property
    def selected(self) -> frozenset[str]: ...

    @property
    def camera(self) -> Camera: ...

    @property
    def visible_area(self) -> QRectF: ...

    @property
    def clear_area(self) -> QRectF: ...

    @property
    def collaborators(self) -> Collaborators: ...

    @property
    def minimap(self) -> Minimap: ...

    @property
    def feedback(self) -> CommandFeedback: ...

    @property
    def held_tool(self) -> _HeldTool: ...

    @property
    def host(self) -> ViewHost: ...

    def viewport_changed(self) -> None: ...

    def display_changed(self) -> None:
        """Repaint after something else is shown besides the items, and save that."""

    def rect(self) -> QRect: ...

    def size(self) -> QSize: ...

    def setCursor(self, cursor: Qt.CursorShape) -> None: ...


class ZoomAndView:
    """The view actions of one canvas."""

    def __init__(self, canvas: ViewCanvas) -> None:
        self._canvas = canvas
        self.hand = False
        """True while the hand tool is on: every drag pans."""
        self._before: tuple[QPointF, float] | None = None
        """Corner and zoom of the camera before an item was edited."""
        self._editing_zoom = 1.0
        """The zoom at which the edited item was entered."""

    # zoom

    def zoom(self, factor: float, around: QPointF | None = None) -> None:
        """Zoom around a point of the window; without one, around its centre."""
        canvas = self._canvas
        canvas.collaborators.stop_following()
        canvas.camera.zoom_by(factor, QPointF(canvas.rect().center()) if around is None else around)
        canvas.viewport_changed()

    def zoom_in(self) -> None:
        self._zoom_or_say(STEP, "You cannot zoom in any further.")

    def zoom_out(self) -> None:
        self._zoom_or_say(1 / STEP, "You cannot zoom out any further.")

    def zoom_to_100(self, around: QPointF | None = None) -> None:
        if self._canvas.camera.zoom == 1:
            self._canvas.host.show_message("The zoom is 100 % already.")
        self.zoom(1 / self._canvas.camera.zoom, around)

    def show_for_editing(self, item: Item, *, at_any_zoom: bool = False) -> None:
        """Show an item for editing, unscaled or, where one can write in it `at_any_zoom`, so that it is
        legible: all of it, or as much as fits, from its upper left corner."""
        camera, area = self._canvas.camera, rect(item.place)
        before = QPointF(camera.corner), camera.zoom
        if camera.zoom < LEGIBLE or (camera.zoom != 1 and not at_any_zoom):
            self.zoom_to_100(camera.to_window(area.center()))
        by = into_view(area, self._canvas.visible_area)
        if not by.isNull():
            self._canvas.collaborators.stop_following()
            camera.pan(by)
            self._canvas.viewport_changed()
        self._editing_zoom = camera.zoom
        if before != (camera.corner, camera.zoom):
            self._before = before

    def return_from_editing(self, *, back: bool) -> None:
        """Stop editing. With `back`, return to the viewport from before, unless the user has zoomed
        since."""
        before, self._before = self._before, None
        if back and before is not None and self._canvas.camera.zoom == self._editing_zoom:
            self._canvas.camera.corner, self._canvas.camera.zoom = before
            self._canvas.viewport_changed()

    def zoom_to_fit(self) -> None:
        if not self._canvas.state.items:
            self._canvas.host.show_message(NOTHING_HERE)
        self._fit(self._canvas.state.items.values())

    def zoom_to_selection(self) -> None:
        self._canvas.feedback.has("Zoom to selection")
        self.zoom_to(self._canvas.selected)

    def zoom_to(self, keys: Iterable[str]) -> None:
        """Bring these items into view, as large as they fit."""
        self._fit(self._canvas.state.items[key] for key in keys)

    # pan

    def go_to(self, point: QPointF) -> None:
        """Centre the view on a point of the plane."""
        camera = self._canvas.camera
        self._canvas.collaborators.stop_following()
        camera.pan(QPointF(self._canvas.rect().center()) - camera.to_window(point))
        self._canvas.viewport_changed()

    def show_area(self, area: QRectF) -> None:
        """Show the part of the plane that a followed person sees. If it is the same, nothing moves and
        pictures are painted sharp."""
        camera = self._canvas.camera
        before = camera.corner, camera.zoom
        camera.fit(area, QSizeF(self._canvas.size()), margin=0)
        if (camera.corner, camera.zoom) != before:
            self._canvas.viewport_changed()

    def bring_into_view(self, item: Item) -> None:
        """Pan so that an item is visible."""
        area = turned(item.place).boundingRect()
        if not self._canvas.visible_area.contains(area):
            self.go_to(area.center())

    def toggle_hand(self) -> None:
        """Turn the hand tool on or off: with it, dragging pans."""
        self.hand = not self.hand
        self._canvas.setCursor(HAND if self.hand else Qt.CursorShape.ArrowCursor)
        self._canvas.held_tool.hand_changed()
        self._canvas.host.show_message(
            "Drag to pan. Press H or Esc to stop." if self.hand else "The hand tool is off."
        )

    # follow

    def follow_next(self) -> None:
        """Follow the next person; after the last one, nobody."""
        gazes = self._canvas.collaborators
        others = gazes.others
        if not others:
            self._canvas.host.show_message("Nobody else has this desktop open.")
            return
        windows = [one.window for one in others]
        at = windows.index(gazes.followed) + 1 if gazes.followed in windows else 0
        gazes.follow(windows[at] if at < len(windows) else None)
        said = f"Following {others[at].name}." if at < len(windows) else STOPPED_FOLLOWING
        self._canvas.host.show_message(said)

    # display options

    def toggle_minimap(self) -> None:
        """Show or hide the minimap. Before the first use, it shows itself when items are out of view."""
        minimap = self._canvas.minimap
        minimap.wanted = not minimap.isVisible()
        minimap.update_visibility()
        self._canvas.display_changed()

    def toggle_pointers(self) -> None:
        canvas = self._canvas
        canvas.collaborators.pointers = not canvas.collaborators.pointers
        canvas.host.show_message(
            "Other people's pointers are shown."
            if canvas.collaborators.pointers
            else "Other people's pointers are hidden."
        )
        canvas.display_changed()

    def toggle_snapping(self) -> None:
        canvas = self._canvas
        canvas.snapping = not canvas.snapping
        canvas.host.show_message(
            "Items snap to edges and the grid." if canvas.snapping else "Snapping is off."
        )
        canvas.display_changed()

    def toggle_grid(self) -> None:
        self._canvas.grid = not self._canvas.grid
        self._canvas.display_changed()

    def _zoom_or_say(self, factor: float, otherwise: str) -> None:
        before = self._canvas.camera.zoom
        self.zoom(factor)
        if self._canvas.camera.zoom == before:
            self._canvas.host.show_message(otherwise)

    def _fit(self, items: Iterable[Item]) -> None:
        self._canvas.collaborators.stop_following()
        left, top, right, bottom = extent(items)
        if right > left:
            area = QRectF(left, top, right - left, bottom - top)
            self._canvas.camera.fit_into(area, self._canvas.clear_area)
            self._canvas.viewport_changed()
