"""The views of running items, and the pictures of all items."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterable, Mapping
from functools import partial
from typing import TypeVar

from PySide6.QtCore import QPointF, QRectF, QSizeF, Qt, QTimer
from PySide6.QtGui import QColor, QPainter, QPen, QTextOption, QTransform
from PySide6.QtWidgets import QWidget

from liven.liveobjects.desktop.drawings.recipes import drawing_of
from liven.liveobjects.desktop.running_items import Failed, Loading, Running, RunningItems
from liven.liveobjects.desktop.search.picture_store import picture_store
from liven.liveobjects.desktop.search.text_cache import TextCache, text_store
from liven.liveobjects.desktop.state import Item
from liven.liveobjects.desktop.view.drawings.painting import paint_drawing
from liven.liveobjects.desktop.view.items.closed_item_card import paint_card
from liven.liveobjects.desktop.view.items.item_edge import fitting_radius, paint_edge
from liven.liveobjects.desktop.view.items.pixmap_cache import PixmapCache
from liven.liveobjects.desktop.view.items.stopped_card import AGAIN, ASIDE, DETAILS, StoppedCard
from liven.liveobjects.desktop.view.items.thumbnail_cache import current_colours, thumbnails
from liven.liveobjects.icons.object_kind import kind_of, recipe_name
from liven.liveobjects.look.tokens import CARD_RADIUS
from liven.liveobjects.look.view.light import current_look
from liven.liveobjects.look.view.marks import clear_corners, paint_box
from liven.liveobjects.view.choices import Choice, HasChoices
from liven.liveobjects.view.contract import (
    DropTarget,
    NoViewError,
    View,
    ViewHost,
    error_text,
    is_known_empty,
    part_recipes_of,
    runs_parts,
    spoken_of,
    summary_of,
    view_of,
)
from liven.liveobjects.view.loading import LoadingIndicators, paint_loading
from liven.liveobjects.view.zones import HasZones, Zone
from liven.runtime.foreign_text import shown_line, shown_lines
from liven.runtime.objects.context import Context

T = TypeVar("T")
_AGAIN = "To start it again, select it and press F5."
_EMPTIED = 2000
"""Milliseconds after which an empty item was emptied, and is not just being rebuilt from its log."""


class ItemViews:
    """The views of one desktop's items. `changed` is called with the key of each item that looks
    different."""

    def __init__(self, context: Context, host: ViewHost, changed: Callable[[str], None]) -> None:
        self.running_items = RunningItems(context, self._status_changed, allowed=lambda: runs_parts(host))
        self.pictures = PixmapCache()
        self.arrivals = LoadingIndicators(self._loading_changed)
        self._host = host
        self._changed = changed
        self._views: dict[str, View] = {}
        self._broken: dict[str, str] = {}
        self._blank: set[str] = set()
        """Keys of items whose picture is a card or says why they do not run."""
        self._unready: set[str] = set()
        """Keys of items that were last painted before they had their state."""
        self._words = TextCache(text_store(context), context.call_soon)
        thumbnails().store = picture_store(context)
        self._soon = context.call_soon
        self._changed_lately: set[str] = set()
        self._empty: dict[str, float] = {}
        """When items became empty, by key."""
        self._last_text: set[str] = set()
        """Keys of items that had some text in this run."""
        self._after_a_while = QTimer()
        self._after_a_while.setSingleShot(True)
        self._after_a_while.setInterval(_EMPTIED)
        self._after_a_while.timeout.connect(self._forget_emptied)
        self._flat: dict[str, bool] = {}
        """The flatness of items, by key, since they looked different last: each frame asks for it."""
        self._recipes: dict[str, str] = {}
        """Recipes of the items that have a view, by key."""
        self.ground: Callable[[], QColor | None] = lambda: None
        """Returns the background of the desktop, from which drawings stand out."""
        self.paused: set[str] = set()
        """Keys of items that do not run even in view, until they are restarted."""
        self.on_received: Callable[[str, Mapping[str, object]], object] = lambda _key, _entries: None
        """Called with the key and new entries of an item that received something it had to read first."""
        self.act_on_stopped: Callable[[str, str], object] = lambda _key, _zone: None
        """Called with the key of an item that stopped, and the button of its card."""
        self.actions_changed: Callable[[str], object] = lambda _: None
        """Called with the key of an item in which other actions are possible."""

    @property
    def is_settled(self) -> bool:
        """True if no item that is wanted is still being built or without its state."""
        return not self.running_items.queued and not self.arrivals.waiting

    def want(self, items: Iterable[Item]) -> None:
        """Run these items and no others."""
        self.running_items.want(items)
        for key in self.running_items.queued:
            self.arrivals.expect(key, partial(self._waits, key))

    def view(self, key: str) -> View | None:
        """Return the view of an item that runs and has one."""
        return self._views.get(key)

    def why_not_shown(self, key: str) -> str:
        """Return why an item cannot be shown; empty if nothing is wrong."""
        if key in self.paused:
            return "it is paused"
        presence = self.running_items.presence(key)
        return presence.why if isinstance(presence, Failed) else self._broken.get(key, "")

    def notice(self, item: Item) -> str:
        """Return what stands in the place of an item without a view: its name, what is wrong, and what to
        do."""
        name, why = shown_line(item.label) or kind_of(item.reference), self.why_not_shown(item.key)
        if not why:
            return f"{name}\nruns, but has nothing to show"
        return f"{name}\n{why}" if self.is_declined(item.key) else f"{name}\n⚠ {why}\n{_AGAIN}"

    def is_declined(self, key: str) -> bool:
        """True if an item does not run because the user did not allow it."""
        presence = self.running_items.presence(key)
        return isinstance(presence, Failed) and presence.declined

    def title(self, item: Item) -> str:
        """Return the name of an item: its label, or else its view's title."""
        return shown_line(item.label or self.ask(item.key, lambda view: view.title(), ""))

    def words(self, item: Item) -> str:
        """Return the text of an item; if it does not run or has not loaded, its last known text."""
        says = self.ask(item.key, summary_of, "")
        if says or self.ask(item.key, is_known_empty, False):
            return says
        return self._words.of(item.reference)

    def spoken(self, item: Item) -> str:
        """Return what a screen reader says of the object of an item."""
        return self.ask(item.key, spoken_of, "") or self.words(item)

    def enter_drawing(self, key: str, view: View) -> None:
        """Show a drawing by a view, while a person writes in it."""
        self._views[key] = view
        self._flat.pop(key, None)
        view.changed.connect(lambda: self._looks_different(key))
        self.pictures.outdate(key)

    def leave_drawing(self, key: str) -> None:
        """Show a drawing without a view again. Other items keep theirs."""
        if key in self._views and key not in self._recipes:
            self.ask(key, lambda view: view.close(), None)
            self._views.pop(key, None)
            self._flat.pop(key, None)
            self.pictures.forget(key)
            self._changed(key)

    def widget(self, key: str) -> QWidget | None:
        """Return the widget of an item that runs and has one."""
        return self.ask(key, _widget_of, None)

    def close_widget(self, key: str) -> None:
        """Remove an item's widget."""
        self.ask(key, lambda view: view.close_widget(), None)

    def paint(self, painter: QPainter, item: Item, scale: float, *, hurry: bool) -> None:
        """Paint an item at the origin. If `hurry`, an old pixmap is good enough."""
        self._give_name(item)
        size = QSizeF(item.place.width, item.place.height)
        old = self.pictures.kept(item.key, size) if hurry else None
        picture = old or self.pictures.get(
            item.key, size, scale, lambda inner, at: self._paint(inner, at, item)
        )
        painter.drawPixmap(QRectF(QPointF(0, 0), size), picture, QRectF(picture.rect()))

    def _give_name(self, item: Item) -> None:
        """Tell a view the name of its item, which may be the title of its face."""
        view = self._views.get(item.key)
        name = item.label or recipe_name(item.reference)
        if view is not None and view.shown_name != name:
            view.shown_name = name
            self.pictures.outdate(item.key)

    def pause(self, key: str) -> None:
        """Stop an item in place: its last picture stays until it is restarted."""
        self.paused.add(key)
        self.running_items.remove(key)
        self._changed(key)

    def restart(self, item: Item) -> None:
        """Stop an item if it runs, and start it from its recipe."""
        self.paused.discard(item.key)
        self.pictures.forget(item.key)
        self.running_items.restart(item)

    def forget_words(self, recipe: str) -> None:
        """Forget the text of an item that was removed, also on disk."""
        self._words.forget(recipe)
        thumbnails().forget(recipe)

    def remove(self, key: str) -> None:
        """Stop an item that was removed from the desktop."""
        self.paused.discard(key)
        self.running_items.remove(key)
        self.running_items.forget(key)
        self._blank.discard(key)
        self.arrivals.end(key)
        self._drop(key)

    def close(self) -> None:
        """Stop everything."""
        self.arrivals.close()
        self._note_empty()
        self._after_a_while.stop()
        self.running_items.close()
        for key in tuple(self._views):
            self._drop(key)
        self._words.write()
        self.pictures.clear()

    def _status_changed(self, key: str) -> None:
        presence = self.running_items.presence(key)
        if isinstance(presence, Running) and presence.shown is not None:
            if key not in self._views:
                self._take(key, presence)
        else:
            self._drop(key, keep_picture=presence is None)
        self.arrivals.expect(key, partial(self._waits, key))
        self._changed(key)

    def _loading_changed(self, key: str) -> None:
        """Repaint an item that has waited long or has loaded. If there is a picture from before, it
        stays: it is better than words."""
        if key in self._views or key in self._blank:
            self.pictures.forget(key)
            self._changed(key)

    def _waits(self, key: str) -> bool:
        """True if an item is still being built, or has no state yet."""
        if isinstance(self.running_items.presence(key), Loading):
            return True
        return self.ask(key, lambda view: view.is_loading(), False)

    def _take(self, key: str, presence: Running) -> None:
        assert presence.shown is not None
        self.pictures.forget(key)
        self._flat.pop(key, None)
        try:
            view = self._views[key] = view_of(presence.shown, self._host)
            view.on_plane = True
        except NoViewError as error:
            self._broken[key] = str(error)
        else:
            self._recipes[key] = self.running_items.recipe(key)
            view.changed.connect(lambda: self._looks_different(key))
            view.actions_changed.connect(lambda: self.actions_changed(key))
            if isinstance(view, DropTarget):
                view.on_received = partial(self._on_received, key)
            self._look_for_empty(key)

    def _on_received(self, key: str, entries: Mapping[str, object]) -> None:
        self.on_received(key, entries)

    def _looks_different(self, key: str) -> None:
        self.pictures.outdate(key)
        self._flat.pop(key, None)
        self._changed(key)
        self._look_for_empty(key)

    def _look_for_empty(self, key: str) -> None:
        """Check soon whether an item is empty. Not now: a change is announced before it is complete, and
        several may come in one turn."""
        if not self._changed_lately:
            self._soon(self._note_empty)
        self._changed_lately.add(key)

    def _note_empty(self) -> None:
        """Note which items are empty. An item that is being rebuilt from its log is empty at first, and
        may be for a moment in between."""
        for key in self._changed_lately & self._views.keys():
            if self.ask(key, lambda view: bool(summary_of(view)), False):
                self._last_text.add(key)
            if not self.ask(key, is_known_empty, False):
                self._empty.pop(key, None)
            elif key not in self._empty:
                self._empty[key] = time.monotonic()
                if not self._after_a_while.isActive():
                    self._after_a_while.start()
        self._changed_lately.clear()

    def _forget_emptied(self) -> None:
        """Forget the texts of items that have been empty for a while: somebody emptied them."""
        now = time.monotonic()
        for key, since in tuple(self._empty.items()):
            if now - since >= _EMPTIED / 1000:
                self._forget_if_empty(key)
        if self._empty:
            self._after_a_while.start()

    def _forget_if_empty(self, key: str) -> None:
        del self._empty[key]
        if key in self._recipes and self.ask(key, is_known_empty, False):
            self._words.forget(self._recipes[key])

    def _drop(self, key: str, *, keep_picture: bool = False) -> None:
        """Close the view of an item. With `keep_picture`, its last picture stays for when it comes back
        into view."""
        if key in self._empty and key in self._last_text:
            self._forget_if_empty(key)  # it has just been emptied here
        self._empty.pop(key, None)
        self._last_text.discard(key)
        self._flat.pop(key, None)
        if key in self._views:
            recipe, says = self._recipes.pop(key, ""), self.ask(key, summary_of, "")
            self._words.keep(recipe, says)
            if key not in self._unready:
                parts: tuple[str, ...] = self.ask(key, part_recipes_of, ())
                thumbnails().keep(recipe, self.pictures.last(key), says, parts)
            self.ask(key, lambda view: view.close(), None)
            del self._views[key]
        self._broken.pop(key, None)
        if not keep_picture:
            self.pictures.forget(key)

    def _paint(self, painter: QPainter, area: QRectF, item: Item) -> None:
        drawing = drawing_of(item.reference)
        if drawing is not None and item.key not in self._views:
            paint_drawing(painter, area, drawing, item.label, self.ground())
            return
        view = self._views.get(item.key)
        if view is None:
            self._blank.add(item.key)
            self._paint_without_view(painter, area, item)
            return
        self._blank.discard(item.key)
        before = painter.worldTransform()
        try:
            view.paint(painter, area)
            if not painter.isActive():
                raise RuntimeError("it ended the painter")
        except KeyboardInterrupt:
            raise
        except BaseException as error:  # code of its author, SystemExit too; the desktop goes on
            self._broken[item.key] = f"its view does not paint: {error_text(error)}"
            if not painter.isActive():
                return  # nothing can be painted before the next time
            _restore(painter, before)
            self._paint_without_view(painter, area, item)
        else:
            _restore(painter, before)
            self._broken.pop(item.key, None)
            if drawing is not None:
                return
            self._note_state(item.key)
            if self.arrivals.is_late(item.key):
                paint_loading(painter, area, self.arrivals.words(item.key))
            self._round_off(painter, area, item.key)

    def _round_off(self, painter: QPainter, area: QRectF, key: str) -> None:
        """Give the picture of any author's view round corners and an edge."""
        radius = fitting_radius(self.radius(key), area)
        clear_corners(painter, area, radius)
        paint_edge(painter, area, radius, self.ask(key, lambda view: view.edge_colour(), ""))

    def radius(self, key: str) -> float:
        """Return the radius of an item's corners."""
        radius = self.ask(key, lambda view: float(view.radius()), CARD_RADIUS)
        return radius if math.isfinite(radius) else CARD_RADIUS

    def is_flat(self, key: str) -> bool:
        """Return true for an item that has no shadow, since it has no ground of its own."""
        if key not in self._flat:
            flat = self.ask(key, lambda view: bool(view.is_flat()), False)
            if key not in self._views:
                return flat
            self._flat[key] = flat
        return self._flat[key]

    def fitting_height(self, key: str, width: float) -> float:
        """Return the height at which an item's text is seen whole; 0 for what does not grow."""
        height = self.ask(key, lambda view: float(view.fitting_height(width)), 0.0)
        return height if math.isfinite(height) else 0.0

    def choices(self, key: str) -> tuple[Choice, ...]:
        """Return the choices that an item offers."""
        none: tuple[Choice, ...] = ()
        return self.ask(key, lambda view: view.choices() if isinstance(view, HasChoices) else none, none)

    def _note_state(self, key: str) -> None:
        """Note whether the item was painted without its state; such a picture is not remembered."""
        waits = self.ask(key, lambda view: view.is_loading(), False)
        self._unready.add(key) if waits else self._unready.discard(key)

    def ask(self, key: str, question: Callable[[View], T], otherwise: T) -> T:
        """Ask a view something. If its author's code raises, return `otherwise`; the desktop goes on."""
        view = self._views.get(key)
        if view is None:
            return otherwise
        try:
            answer = question(view)
            if otherwise is not None and not isinstance(answer, type(otherwise)):
                raise TypeError(f"it answers with a {type(answer).__name__}")
        except KeyboardInterrupt:
            raise
        except BaseException as error:  # SystemExit too: a view must not end the program
            self._broken[key] = f"its view fails: {error_text(error)}"
            return otherwise
        return answer

    def zone_at(self, key: str, area: QRectF, point: QPointF) -> Zone | None:
        """Return the zone at a point of an item that is painted into `area`."""

        return next((one for one in self.zones(key, area) if one.area.contains(point)), None)

    def zones(self, key: str, area: QRectF) -> tuple[Zone, ...]:
        """Return the zones of an item that is painted into `area`."""
        none: tuple[Zone, ...] = ()
        if self.is_stopped(key):
            return self._stopped_card(key).zones(area)
        return self.ask(
            key, lambda view: tuple(view.zones(area)) if isinstance(view, HasZones) else none, none
        )

    def is_stopped(self, key: str) -> bool:
        """True for an item in whose place a card says why it does not run."""
        return key not in self.paused and bool(self.why_not_shown(key))

    def _stopped_card(self, key: str, name: str = "") -> StoppedCard:
        declined = self.is_declined(key)
        what = f"{name or 'It'} {'is not allowed to run' if declined else 'has stopped'}"
        return StoppedCard(what, shown_lines(self.why_not_shown(key)), declined=declined)

    def press_zone(self, key: str, zone: str) -> None:
        """Do what a zone of an item is for."""
        if zone in (AGAIN, DETAILS, ASIDE):
            self.act_on_stopped(key, zone)
            return
        self.ask(key, lambda view: view.press(zone) if isinstance(view, HasZones) else None, None)

    def ask_target(self, key: str, question: Callable[[DropTarget], T], otherwise: T) -> T:
        """Ask a view that accepts drops; return `otherwise` if it does not, or fails."""
        return self.ask(
            key, lambda view: question(view) if isinstance(view, DropTarget) else otherwise, otherwise
        )

    def _paint_without_view(self, painter: QPainter, area: QRectF, item: Item) -> None:
        """Paint an item without a view: a card, why it stopped, or that it has nothing to show."""
        why = "" if item.key in self.paused else self.why_not_shown(item.key)
        if not why and not isinstance(self.running_items.presence(item.key), Running):
            paint_card(painter, area, item, self._words, by_name=not runs_parts(self._host))
            if self.arrivals.is_late(item.key):
                paint_loading(painter, area, self.arrivals.words(item.key))
                clear_corners(painter, area, fitting_radius(CARD_RADIUS, area))
            return
        if why:
            last = thumbnails().of(item.reference)
            seen = None if last is None or last.colours != current_colours() else last
            picture = (None, QRectF()) if seen is None else (seen.picture, seen.source)
            self._stopped_card(item.key, shown_line(item.label)).paint(painter, area, *picture)
            return
        look, radius = current_look(), fitting_radius(CARD_RADIUS, area)
        paint_box(painter, area, radius, look.head)
        painter.setPen(QPen(QColor(look.line), 1.5, Qt.PenStyle.DashLine))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawRoundedRect(area.adjusted(1, 1, -1, -1), radius - 1, radius - 1)
        option = QTextOption(Qt.AlignmentFlag.AlignCenter)
        option.setWrapMode(QTextOption.WrapMode.WordWrap)
        painter.setPen(QColor(look.ink))
        painter.drawText(area.adjusted(6, 6, -6, -6), self.notice(item), option)


def _widget_of(view: View) -> QWidget:
    made: object = view.widget()
    if not isinstance(made, QWidget):
        raise TypeError(f"its widget is a {type(made).__name__}")
    return made


def _restore(painter: QPainter, transform: QTransform) -> None:
    """Undo changes that a view made to the painter."""
    painter.setWorldTransform(transform)
    painter.setClipping(False)
    painter.setOpacity(1)
    painter.setCompositionMode(QPainter.CompositionMode.CompositionMode_SourceOver)
