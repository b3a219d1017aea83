"""A desktop as it fills a window, or lies on another desktop."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from typing import Any

from PySide6.QtCore import QMimeData, QRectF, QSizeF, Qt, QTimer
from PySide6.QtGui import QColor, QPainter
from PySide6.QtWidgets import QApplication, QWidget

from liven.liveobjects.desktop.object import Showable
from liven.liveobjects.desktop.search.text_cache import TextCache, word_memory
from liven.liveobjects.desktop.spatial_index import extent
from liven.liveobjects.desktop.state import Desktop, Item
from liven.liveobjects.desktop.view.canvas.canvas import MOST, Canvas
from liven.liveobjects.desktop.view.items.closed_item_card import paint_card
from liven.liveobjects.desktop.view.items.thumbnail_cache import last_looks
from liven.liveobjects.desktop.view.tools.gestures import rect, turned
from liven.liveobjects.desktop.view.tools.shortcuts import KEYS
from liven.liveobjects.desktop.view.transfer.closed_desktop_drop import ClosedDesktopDrop
from liven.liveobjects.desktop.view.transfer.drop_and_paste import Offer
from liven.liveobjects.desktop.view.viewport.saved_viewport import outlook_of, take
from liven.liveobjects.view.accessibility import is_high_contrast
from liven.liveobjects.view.contract import (
    Action,
    Container,
    DropTarget,
    HasParts,
    Searchable,
    View,
    ViewHost,
    ViewState,
)
from liven.liveobjects.view.painting import paint_sheet


class DesktopView(View, Container, DropTarget, HasParts, Searchable):
    """Painted small, it shows what lies where, each thing as a card; in its widget, the canvas, they run."""

    def __init__(self, model: Any, host: ViewHost) -> None:
        super().__init__()
        self._model = model
        self._host = host
        self._inlet = ClosedDesktopDrop(model, host, lambda entries: self.on_received(entries))
        self._listener = _Listener(self)
        model.editor.listen(self._listener)
        self._words = TextCache(word_memory(model.context), model.context.call_soon)
        self._recipes: tuple[object, frozenset[str]] = (None, frozenset())
        last_looks().differ.connect(self._one_differs)
        self._soon = QTimer(self, singleShot=True, interval=0)
        self._soon.timeout.connect(self.changed)

    def paint(self, painter: QPainter, area: QRectF) -> None:
        state: Desktop = self._model.editor.state
        paint_sheet(painter, area)
        if state.background and not is_high_contrast():
            painter.fillRect(area.adjusted(1, 1, -1, -1), QColor(state.background))
        left, top, right, bottom = extent(state.items.values())
        if right <= left:
            words = "An empty desktop" if self._model.ready else "Looking for what lies here…"
            painter.drawText(area, Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextWordWrap, words)
            return
        scale = min(area.width() / (right - left), area.height() / (bottom - top)) * 0.9
        scale = min(scale, 1.0)  # a small thing alone does not look like a large one
        painter.save()
        painter.translate(area.center())
        painter.scale(scale, scale)
        painter.translate(-(left + right) / 2, -(top + bottom) / 2)
        self._paint_things(painter, state.stacked())
        painter.restore()

    def _paint_things(self, painter: QPainter, things: tuple[Item, ...]) -> None:
        """A card for each; where very many lie in each other's way, the lowest are empty ones."""
        under = things[: max(0, len(things) - MOST)]
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QApplication.palette().mid())
        for item in under:
            painter.drawPolygon(turned(item.place))
        for item in things[len(under) :]:
            area = rect(item.place)
            painter.save()
            painter.translate(area.center())
            painter.rotate(item.place.degrees)
            painter.translate(-area.width() / 2, -area.height() / 2)
            paint_card(painter, QRectF(0, 0, area.width(), area.height()), item, self._words)
            painter.restore()

    def _one_differs(self, recipe: str) -> None:
        """Of something that lies here, perhaps, another look is known. Many end at one time."""
        if self._widget is not None:
            return  # its canvas is seen, and not what is painted
        items = self._model.editor.state.items
        if self._recipes[0] is not items:
            self._recipes = items, frozenset(item.reference for item in items.values())
        if recipe in self._recipes[1]:
            self._soon.start()

    def make_widget(self) -> QWidget:
        canvas = Canvas(self._model, self._host)
        canvas.problems_requested.connect(self.problems_requested)
        canvas.part_restarted.connect(self.part_restarted)
        canvas.view_state_changed.connect(self.view_state_changed)
        canvas.palette_requested.connect(self.palette_requested)
        canvas.entered_differs.connect(self.actions_changed)
        return canvas

    def view_state(self) -> ViewState:
        return outlook_of(self._canvas())

    def restore_view_state(self, outlook: ViewState) -> None:
        take(self._canvas(), outlook)

    def actions(self) -> tuple[Action, ...]:
        """Its own, and what can be done besides in the thing that one works in: the window has no other menu
        for that."""
        canvas = self._canvas()
        own = tuple(
            Action(
                key.words, key.keys, partial(canvas.press, key.action, key.argument), key.group, part=key.part
            )
            for key in KEYS
        )
        key, words = canvas.editing, {action.words for action in own}
        none: tuple[Action, ...] = ()
        entered = none if key is None else canvas.actors.ask(key, lambda view: view.actions(), none)
        more = (one for one in entered if one.group == "Edit" and one.words not in words)
        return (*own, *(replace(one, part="entered") for one in more))

    def insert(self, recipe: str, name: str) -> None:
        """Lays it down where one was wanted or there is room; what does not fit is refused."""
        self._canvas().taking.lay_down_wanted(Offer(recipe, name))

    def edit_inserted(self) -> None:
        self._canvas().beginning.begin()

    def accepts(self, recipe: str) -> bool:
        return bool(self._model.context.may_fit(recipe, Showable))

    def accepts_drop(self, data: QMimeData) -> bool:
        return self._inlet.accepts_drop(data)

    def receive(self, data: QMimeData) -> bool:
        return self._inlet.receive(data)

    def holds(self, data: QMimeData) -> bool:
        return self._inlet.holds(data)

    def when_settled(self, call: Callable[[], object]) -> None:
        self._model.editor.when_settled(call)

    def entries(self) -> Mapping[str, object]:
        return self._inlet.entries()

    def remove_entries(self, entries: Mapping[str, object]) -> bool:
        return self._inlet.remove_entries(entries)

    def restore_entries(self, entries: Mapping[str, object]) -> bool:
        return self._inlet.restore_entries(entries)

    def entry_name(self, key: str, entry: object) -> str:
        del key
        return entry.label if isinstance(entry, Item) else ""

    def show_problem_count(self, part: str, count: int) -> bool:
        return self._canvas().badges.mark(part, count)

    def restart_part(self, part: str) -> bool:
        """Begins the thing that problems mean by this step anew."""
        canvas = self._canvas()
        found = canvas.badges.called(part)
        for item in found:
            canvas.actors.start_again(item)
        return bool(found)

    def pause_part(self, part: str) -> bool:
        """That thing runs no more, until it is started again."""
        canvas = self._canvas()
        found = canvas.badges.called(part)
        for item in found:
            canvas.leave_editing()
            canvas.actors.set_aside(item.key)
        return bool(found)

    def _canvas(self) -> Canvas:
        canvas = self.widget()
        assert isinstance(canvas, Canvas)
        return canvas

    def release_widget(self, widget: QWidget) -> None:
        assert isinstance(widget, Canvas)
        widget.close_down()

    def summary(self) -> str:
        """The names of what lies on it."""
        return "\n".join(item.label for item in self._model.editor.state.stacked() if item.label)

    def is_empty(self) -> bool:
        return self._model.ready and not self.summary()

    def size_hint(self) -> QSizeF:
        return QSizeF(480, 320)

    def close(self) -> None:
        last_looks().differ.disconnect(self._one_differs)
        self._model.editor.unlisten(self._listener)
        self._inlet.close()
        super().close()


class _Listener:
    """What the editor tells; apart, since a view's `changed` is a signal."""

    def __init__(self, face: DesktopView) -> None:
        self._face = face

    def changed(self, before: Desktop, after: Desktop) -> None:
        del before, after
        self._face.changed.emit()

    def notify(self, message: str) -> None:
        """The canvas tells the person."""


def make(model: Any, host: ViewHost) -> DesktopView:
    """The view of a desktop's proxy."""
    return DesktopView(model, host)
