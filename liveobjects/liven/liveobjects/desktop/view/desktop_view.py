"""The view of a desktop: cards while it is closed, a canvas once you open or enter it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from functools import partial

from PySide6.QtCore import QMimeData, QRectF, QSizeF, Qt, QTimer
from PySide6.QtGui import QColor, QPainter
from PySide6.QtWidgets import QApplication, QWidget

from liven.liveobjects.desktop.object import DesktopObject, Showable
from liven.liveobjects.desktop.search.picture_store import picture_store
from liven.liveobjects.desktop.search.text_cache import TextCache, text_store
from liven.liveobjects.desktop.spatial_index import extent
from liven.liveobjects.desktop.state import Desktop, Item
from liven.liveobjects.desktop.view.actions.shortcuts import SHORTCUTS
from liven.liveobjects.desktop.view.canvas.canvas import Canvas
from liven.liveobjects.desktop.view.geometry import rect, turned
from liven.liveobjects.desktop.view.items.closed_item_card import paint_card
from liven.liveobjects.desktop.view.items.items_in_view import MOST
from liven.liveobjects.desktop.view.items.thumbnail_cache import thumbnails
from liven.liveobjects.desktop.view.transfer.closed_desktop_drop import ClosedDesktopDrop
from liven.liveobjects.desktop.view.transfer.drop_contents import NewItem
from liven.liveobjects.desktop.view.viewport.saved_viewport import restore, saved_viewport
from liven.liveobjects.view.accessibility import is_high_contrast
from liven.liveobjects.view.contract import (
    Action,
    Container,
    DropTarget,
    HasParts,
    Searchable,
    ShowsNews,
    View,
    ViewHost,
    ViewState,
    part_recipes_of,
)
from liven.liveobjects.view.painting import paint_sheet
from liven.liveobjects.view.window_controls import Floating, WindowControls


class DesktopView(View, Container, DropTarget, Floating, HasParts, Searchable, ShowsNews):
    """Shows a desktop. Painted, it is a picture with one card per item; items run only in its widget, the
    canvas."""

    def __init__(self, model: DesktopObject, host: ViewHost) -> None:
        super().__init__()
        self._model = model
        self._host = host
        self._drop = ClosedDesktopDrop(model, host, lambda entries: self.on_received(entries))
        self._listener = _Listener(self)
        model.editor.listen(self._listener)
        self._texts = TextCache(text_store(model.context), model.context.call_soon)
        self._recipes: tuple[object, frozenset[str]] = (None, frozenset())
        thumbnails().store = picture_store(model.context)
        thumbnails().differ.connect(self._item_changed)
        self._soon = QTimer(self, singleShot=True, interval=0)
        self._soon.timeout.connect(self.changed)

    def paint(self, painter: QPainter, area: QRectF) -> None:
        state = self._model.editor.state
        paint_sheet(painter, area)
        if state.background and not is_high_contrast():
            painter.fillRect(area.adjusted(1, 1, -1, -1), QColor(state.background))
        left, top, right, bottom = extent(state.items.values())
        if right <= left:
            words = "Empty desktop" if self._model.ready else ""  # the host says that it is loading
            painter.drawText(area, Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextWordWrap, words)
            return
        scale = min(area.width() / (right - left), area.height() / (bottom - top)) * 0.9
        scale = min(scale, 1.0)  # so that a single small item does not look large
        painter.save()
        painter.translate(area.center())
        painter.scale(scale, scale)
        painter.translate(-(left + right) / 2, -(top + bottom) / 2)
        self._paint_items(painter, state.stacked())
        painter.restore()

    def _paint_items(self, painter: QPainter, items: tuple[Item, ...]) -> None:
        """Paint a card for each item; if there are too many, plain rectangles for the lowest."""
        under = items[: max(0, len(items) - MOST)]
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QApplication.palette().mid())
        for item in under:
            painter.drawPolygon(turned(item.place))
        thumbnails().fetch(item.reference for item in items[len(under) :])
        for item in items[len(under) :]:
            area = rect(item.place)
            painter.save()
            painter.translate(area.center())
            painter.rotate(item.place.degrees)
            painter.translate(-area.width() / 2, -area.height() / 2)
            paint_card(painter, QRectF(0, 0, area.width(), area.height()), item, self._texts)
            painter.restore()

    def part_recipes(self) -> Iterable[str]:
        canvas = self._widget
        for key, item in self._model.editor.state.items.items():
            yield item.reference
            look = thumbnails().of(item.reference)
            yield from () if look is None else look.parts
            if isinstance(canvas, Canvas):
                none: tuple[str, ...] = ()
                yield from canvas.item_views.ask(key, part_recipes_of, none)

    def _item_changed(self, recipe: str) -> None:
        """Repaint soon if an item on this desktop has a new thumbnail. Many items stop at once."""
        if self._widget is not None:
            return  # the canvas is visible, not this picture
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
        canvas.edited_actions_changed.connect(self.actions_changed)
        return canvas

    def take_controls(self, controls: WindowControls) -> None:
        self._canvas().take_controls(controls)

    def message_foot(self) -> int:
        islands = self._canvas().islands
        return 0 if islands is None else islands.foot

    def name_changed(self) -> None:
        islands = self._canvas().islands
        if islands is not None:
            islands.place()

    def insert_anchor(self) -> QWidget | None:
        islands = self._canvas().islands
        return None if islands is None else islands.toolbar.buttons["More"]

    def title(self) -> str:
        return self._model.editor.state.title

    def is_loading(self) -> bool:
        return not self._model.ready

    def is_complete(self) -> bool:
        canvas = self._widget
        return self._model.ready and (not isinstance(canvas, Canvas) or canvas.item_views.is_settled)

    def view_state(self) -> ViewState:
        return saved_viewport(self._canvas())

    def restore_view_state(self, state: ViewState) -> None:
        restore(self._canvas(), state)

    def actions(self) -> tuple[Action, ...]:
        """Return the desktop's actions, and those of the item being edited: its window has no other menu
        for them."""
        canvas = self._canvas()
        own = tuple(
            Action(
                one.words,
                one.keys,
                partial(one.run, canvas),
                one.group,
                part=one.part,
                can=partial(one.can, canvas),
                ticked=None if one.ticked is None else partial(one.is_ticked, canvas),
            )
            for one in SHORTCUTS
        )
        key, words = canvas.editing, {action.words for action in own}
        none: tuple[Action, ...] = ()
        entered = none if key is None else canvas.item_views.ask(key, lambda view: view.actions(), none)
        more = (one for one in entered if one.group == "Edit" and one.words not in words)
        return (*own, *(replace(one, part="entered") for one in more))

    def insert(self, recipe: str, name: str) -> None:
        """Add an object where the user asked for one, or in free space. If it does not fit, a message
        says why."""
        self._canvas().drop_and_paste.add_at_insertion_point(NewItem(recipe, name))

    def edit_inserted(self) -> None:
        self._canvas().new_note_typing.begin()

    def accepts(self, recipe: str) -> bool:
        return bool(self._model.context.may_fit(recipe, Showable))

    def accepts_drop(self, data: QMimeData) -> bool:
        return self._drop.accepts_drop(data)

    def receive(self, data: QMimeData) -> bool:
        return self._drop.receive(data)

    def holds(self, data: QMimeData) -> bool:
        return self._drop.holds(data)

    def when_settled(self, call: Callable[[], object]) -> None:
        self._model.editor.when_settled(call)

    def entries(self) -> Mapping[str, object]:
        return self._drop.entries()

    def remove_entries(self, entries: Mapping[str, object]) -> bool:
        return self._drop.remove_entries(entries)

    def restore_entries(self, entries: Mapping[str, object]) -> bool:
        return self._drop.restore_entries(entries)

    def entry_name(self, key: str, entry: object) -> str:
        del key
        return entry.label if isinstance(entry, Item) else ""

    def show_problem_count(self, part: str, count: int) -> bool:
        return self._canvas().badges.set_count(part, count)

    def mark_news(self, parts: Mapping[str, str]) -> None:
        self._canvas().news.show(parts)

    def reveal_news(self) -> bool:
        canvas = self._canvas()
        canvas.zoom_and_view.zoom_to(canvas.news.keys)
        return bool(canvas.news.keys)

    def restart_part(self, part: str) -> bool:
        """Restart the item that problems identify by this path step."""
        canvas = self._canvas()
        found = canvas.badges.items_of(part)
        for item in found:
            canvas.item_views.restart(item)
        return bool(found)

    def pause_part(self, part: str) -> bool:
        """Pause the item that problems identify by this path step."""
        canvas = self._canvas()
        found = canvas.badges.items_of(part)
        for item in found:
            canvas.leave_editing()
            canvas.item_views.pause(item.key)
        return bool(found)

    def _canvas(self) -> Canvas:
        canvas = self.widget()
        assert isinstance(canvas, Canvas)
        return canvas

    def release_widget(self, widget: QWidget) -> None:
        assert isinstance(widget, Canvas)
        widget.close_down()

    def summary(self) -> str:
        """Return the labels of all items."""
        return "\n".join(item.label for item in self._model.editor.state.stacked() if item.label)

    def is_empty(self) -> bool:
        return self._model.ready and not self.summary()

    def size_hint(self) -> QSizeF:
        return QSizeF(480, 320)

    def close(self) -> None:
        thumbnails().differ.disconnect(self._item_changed)
        self._model.editor.unlisten(self._listener)
        self._drop.close()
        super().close()


class _Listener:
    """Forwards the editor's calls; separate, because `changed` is a signal in a view."""

    def __init__(self, view: DesktopView) -> None:
        self._view = view

    def changed(self, before: Desktop, after: Desktop) -> None:
        del before, after
        self._view.changed.emit()

    def notify(self, message: str) -> None:
        """Do nothing: the canvas shows the message."""


def make(model: DesktopObject, host: ViewHost) -> DesktopView:
    """Return the view of a desktop."""
    return DesktopView(model, host)
