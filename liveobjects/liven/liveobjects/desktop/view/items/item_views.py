"""The views of what runs on the stage, and the pictures of all that lies on the plane."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping
from functools import partial
from typing import TypeVar

from PySide6.QtCore import QRectF, QSizeF, Qt, QTimer
from PySide6.QtGui import QColor, QPainter, QPalette, QPen, QTextOption, QTransform
from PySide6.QtWidgets import QApplication, QWidget

from liven.liveobjects.desktop.running_items import Failed, Loading, Running, Stage
from liven.liveobjects.desktop.search.text_cache import TextCache, word_memory
from liven.liveobjects.desktop.state import Item
from liven.liveobjects.desktop.view.items.closed_item_card import paint_card
from liven.liveobjects.desktop.view.items.item_shadow import outline, shade
from liven.liveobjects.desktop.view.items.pixmap_cache import Pictures, covered
from liven.liveobjects.desktop.view.items.thumbnail_cache import last_looks
from liven.liveobjects.view.contract import (
    DropTarget,
    NoViewError,
    View,
    ViewHost,
    is_known_empty,
    summary_of,
    view_of,
)
from liven.liveobjects.view.loading import LoadingIndicators, paint_loading
from liven.runtime.objects.context import Context

T = TypeVar("T")
_EMPTIED = 2000
"""After so many milliseconds without a word a thing was emptied, and is not just being built up."""


class ItemViews:
    """`changed` is called with the key of whatever looks different now."""

    def __init__(self, context: Context, host: ViewHost, changed: Callable[[str], None]) -> None:
        self.stage = Stage(context, self._presence_changed)
        self.pictures = Pictures()
        self.arrivals = LoadingIndicators(self._arrives)
        self._host = host
        self._changed = changed
        self._views: dict[str, View] = {}
        self._broken: dict[str, str] = {}
        self._blank: set[str] = set()
        """The keys of things whose picture says that they are not here yet, or why."""
        self._unready: set[str] = set()
        """The keys of things that were painted before they had their state."""
        self._words = TextCache(word_memory(context), context.call_soon)
        self._soon = context.call_soon
        self._changed_lately: set[str] = set()
        self._empty: dict[str, float] = {}
        """Since when things say nothing."""
        self._said: set[str] = set()
        """The keys of things that said something in this run."""
        self._after_a_while = QTimer()
        self._after_a_while.setSingleShot(True)
        self._after_a_while.setInterval(_EMPTIED)
        self._after_a_while.timeout.connect(self._forget_emptied)
        self._recipes: dict[str, str] = {}
        """Of the things that have a view."""
        self.aside: set[str] = set()
        """The keys of things that shall not run, though one sees them."""
        self.on_received: Callable[[str, Mapping[str, object]], object] = lambda _key, _entries: None
        """Called with a thing's key when it keeps what it had to read first."""
        self.can_differently: Callable[[str], object] = lambda _: None
        """Called with a thing's key when other things can be done in it."""

    def want(self, items: Iterable[Item]) -> None:
        """These things, and no others, are to run."""
        self.stage.want(items)
        for key in self.stage.queued:
            self.arrivals.expect(key, partial(self._waits, key))

    def view(self, key: str) -> View | None:
        """The view of a thing that runs and has one."""
        return self._views.get(key)

    def trouble(self, key: str) -> str:
        """Why a thing cannot be shown; empty if nothing is wrong with it."""
        if key in self.aside:
            return "it was set aside and does not run"
        presence = self.stage.presence(key)
        return presence.why if isinstance(presence, Failed) else self._broken.get(key, "")

    def is_declined(self, key: str) -> bool:
        """Whether a thing does not run because its person did not allow it."""
        presence = self.stage.presence(key)
        return isinstance(presence, Failed) and presence.declined

    def title(self, item: Item) -> str:
        """The name of a thing: its own label, or what its view calls itself."""
        return item.label or self.ask(item.key, lambda view: view.title(), "")

    def words(self, item: Item) -> str:
        """What a thing says, or, if it does not run or has not begun, said when it last ran here."""
        says = self.ask(item.key, summary_of, "")
        if says or self.ask(item.key, is_known_empty, False):
            return says
        return self._words.of(item.reference)

    def widget(self, key: str) -> QWidget | None:
        """The widget of a thing that runs and has one."""
        return self.ask(key, lambda view: view.widget(), None)

    def put_away(self, key: str) -> None:
        """Its widget is needed no longer."""
        self.ask(key, lambda view: view.close_widget(), None)

    def paint(self, painter: QPainter, item: Item, scale: float, *, hurry: bool) -> None:
        """Paints a thing at the origin; in a `hurry`, an old picture will do."""
        size = QSizeF(item.place.width, item.place.height)
        old = self.pictures.kept(item.key, size) if hurry else None
        picture = old or self.pictures.get(
            item.key, size, scale, lambda inner, at: self._paint(inner, at, item)
        )
        painter.drawPixmap(covered(picture, size), picture, QRectF(picture.rect()))

    def set_aside(self, key: str) -> None:
        """Ends a thing where it lies: its last picture stays, and it runs only when it is started again."""
        self.aside.add(key)
        self.stage.remove(key)
        self._changed(key)

    def start_again(self, item: Item) -> None:
        """Ends a thing, if it runs, and begins it anew from its recipe."""
        self.aside.discard(item.key)
        self.pictures.forget(item.key)
        self.stage.again(item)

    def forget_words(self, recipe: str) -> None:
        """It lies here no more: what it said is not to be found in the files of this program either."""
        self._words.forget(recipe)

    def remove(self, key: str) -> None:
        """A thing was taken off the desktop."""
        self.aside.discard(key)
        self.stage.remove(key)
        self.stage.forget(key)
        self._blank.discard(key)
        self.arrivals.end(key)
        self._drop(key)

    def close(self) -> None:
        """Ends everything."""
        self.arrivals.close()
        self._note_empty()
        self._after_a_while.stop()
        self.stage.close()
        for key in tuple(self._views):
            self._drop(key)
        self._words.write()
        self.pictures.clear()

    def _presence_changed(self, key: str) -> None:
        presence = self.stage.presence(key)
        if isinstance(presence, Running) and presence.shown is not None:
            if key not in self._views:
                self._take(key, presence)
        else:
            self._drop(key, keep_picture=presence is None)
        self.arrivals.expect(key, partial(self._waits, key))
        self._changed(key)

    def _arrives(self, key: str) -> None:
        """It has waited long, or has come. A picture of how it looked before is better than words."""
        if key in self._views or key in self._blank:
            self.pictures.forget(key)
            self._changed(key)

    def _waits(self, key: str) -> bool:
        """Whether a thing is still being built, or has no state yet."""
        if isinstance(self.stage.presence(key), Loading):
            return True
        return self.ask(key, lambda view: view.is_loading(), False)

    def _take(self, key: str, presence: Running) -> None:
        assert presence.shown is not None
        self.pictures.forget(key)
        try:
            view = self._views[key] = view_of(presence.shown, self._host)
        except NoViewError as error:
            self._broken[key] = str(error)
        else:
            self._recipes[key] = self.stage.recipe(key)
            view.changed.connect(lambda: self._looks_different(key))
            view.actions_changed.connect(lambda: self.can_differently(key))
            if isinstance(view, DropTarget):
                view.on_received = partial(self._took_in, key)
            self._look_for_empty(key)

    def _took_in(self, key: str, entries: Mapping[str, object]) -> None:
        self.on_received(key, entries)

    def _looks_different(self, key: str) -> None:
        self.pictures.outdate(key)
        self._changed(key)
        self._look_for_empty(key)

    def _look_for_empty(self, key: str) -> None:
        """In the next turn: a change tells of itself before all of it is done, and many may come in one."""
        if not self._changed_lately:
            self._soon(self._note_empty)
        self._changed_lately.add(key)

    def _note_empty(self) -> None:
        """What is built up from its log says nothing at first, and may for a moment in between."""
        for key in self._changed_lately & self._views.keys():
            if self.ask(key, lambda view: bool(summary_of(view)), False):
                self._said.add(key)
            if not self.ask(key, is_known_empty, False):
                self._empty.pop(key, None)
            elif key not in self._empty:
                self._empty[key] = time.monotonic()
                if not self._after_a_while.isActive():
                    self._after_a_while.start()
        self._changed_lately.clear()

    def _forget_emptied(self) -> None:
        """What was empty for a while was emptied."""
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
        """Out of view, a thing's last picture is kept for when it comes back into view."""
        if key in self._empty and key in self._said:
            self._forget_if_empty(key)  # it was emptied here just now
        self._empty.pop(key, None)
        self._said.discard(key)
        if key in self._views:
            recipe, says = self._recipes.pop(key, ""), self.ask(key, summary_of, "")
            self._words.keep(recipe, says)
            if key not in self._unready:
                last_looks().keep(recipe, self.pictures.last(key), says)
            self.ask(key, lambda view: view.close(), None)
            del self._views[key]
        self._broken.pop(key, None)
        if not keep_picture:
            self.pictures.forget(key)

    def _paint(self, painter: QPainter, area: QRectF, item: Item) -> None:
        view = self._views.get(item.key)
        if view is None:
            self._blank.add(item.key)
            self._paint_waiting(painter, area, item)
            return
        self._blank.discard(item.key)
        before = painter.worldTransform()
        try:
            view.paint(painter, area)
        except Exception as error:  # its author's code; the desktop goes on
            self._broken[item.key] = f"its view does not paint: {type(error).__name__}: {error}"
            _restore(painter, before)
            self._paint_waiting(painter, area, item)
        else:
            _restore(painter, before)
            outline(painter, area)
            shade(painter, area)
            self._broken.pop(item.key, None)
            self._note_state(item.key)
            if self.arrivals.is_late(item.key):
                paint_loading(painter, area)

    def _note_state(self, key: str) -> None:
        """What it looks like without its state is not how it is remembered."""
        waits = self.ask(key, lambda view: view.is_loading(), False)
        self._unready.add(key) if waits else self._unready.discard(key)

    def ask(self, key: str, question: Callable[[View], T], otherwise: T) -> T:
        """What a view answers; its author's code may raise, and the desktop goes on."""
        view = self._views.get(key)
        if view is None:
            return otherwise
        try:
            return question(view)
        except Exception as error:
            self._broken[key] = f"its view fails: {type(error).__name__}: {error}"
            return otherwise

    def ask_target(self, key: str, question: Callable[[DropTarget], T], otherwise: T) -> T:
        """Return the answer of a view that takes drops, or `otherwise`."""
        return self.ask(
            key, lambda view: question(view) if isinstance(view, DropTarget) else otherwise, otherwise
        )

    def _paint_waiting(self, painter: QPainter, area: QRectF, item: Item) -> None:
        """What does not run yet, or not in view, is a card; why something cannot, and that it shows nothing,
        is said in words."""
        why = "" if item.key in self.aside else self.trouble(item.key)
        if not why and not isinstance(self.stage.presence(item.key), Running):
            paint_card(painter, area, item, self._words)
            shade(painter, area)
            if self.arrivals.is_late(item.key):
                paint_loading(painter, area)
            return
        palette = QApplication.palette()
        declined = self.is_declined(item.key)
        colour = QColor("#c0392b") if why and not declined else palette.color(QPalette.ColorRole.Mid)
        painter.fillRect(area, palette.color(QPalette.ColorRole.AlternateBase))
        painter.setPen(QPen(colour, 1.5, Qt.PenStyle.SolidLine if why else Qt.PenStyle.DashLine))
        painter.drawRect(area.adjusted(1, 1, -1, -1))
        words = item.label or "An object"
        if why:
            words += f"\n{why}" if declined else f"\n⚠ {why}"
        else:
            words += "\nruns; it has nothing to show"
        option = QTextOption(Qt.AlignmentFlag.AlignCenter)
        option.setWrapMode(QTextOption.WrapMode.WordWrap)
        painter.setPen(palette.color(QPalette.ColorRole.Text))
        painter.drawText(area.adjusted(6, 6, -6, -6), words, option)


def _restore(painter: QPainter, transform: QTransform) -> None:
    """Takes back what a view did to the painter and left so."""
    painter.setWorldTransform(transform)
    painter.setClipping(False)
    painter.setOpacity(1)
    painter.setCompositionMode(QPainter.CompositionMode.CompositionMode_SourceOver)
