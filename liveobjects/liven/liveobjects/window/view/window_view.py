"""The view of a window object: its caption, and in it the view of the inner object."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Mapping

from PySide6.QtCore import QMimeData, QRectF, QSizeF
from PySide6.QtGui import QColor, QPainter
from PySide6.QtWidgets import QWidget

from liven.liveobjects.desktop.view.transfer.drop_contents import (
    NEW_NOTE,
    SEVERAL,
    RefusedDropError,
    how_many,
    items_in,
)
from liven.liveobjects.desktop.view.transfer.refusal_text import refusal
from liven.liveobjects.look.view.letters import font
from liven.liveobjects.view.contract import (
    Action,
    Container,
    DropTarget,
    HasParts,
    NoViewError,
    Searchable,
    View,
    ViewHost,
    ViewState,
    is_known_empty,
    part_recipes_of,
    summary_of,
    view_of,
)
from liven.liveobjects.view.face import PAD, card, paint_sentence, paint_words
from liven.liveobjects.view.loading import NOT_LOADED
from liven.liveobjects.view.messages import redo_and_report, undo_and_report
from liven.liveobjects.view.state_listener import StateListener
from liven.liveobjects.window.model import Inside
from liven.liveobjects.window.object import UnseenError, WindowObject
from liven.liveobjects.window.view.panel import WindowPanel
from liven.runtime.fold import RefusedError
from liven.runtime.folder.item_files import MIME, SUFFIX
from liven.runtime.foreign_text import shown_line

_CAPTION = 36.0
_EMPTY = "Drop an object here. Only you see it, until you close the window."
_EMPTY_FOR_ALL = "Drop an object here. It stays, and everybody with this window sees it."
_STEPS = "putting in or taking out"
_log = logging.getLogger(__name__)


class WindowView(View, Container, DropTarget, HasParts, Searchable):
    """The view of a window."""

    def __init__(self, model: WindowObject, host: ViewHost) -> None:
        super().__init__()
        self._model = model
        self.host = host
        self.inner: View | None = None
        """The view of the inner object."""
        self._broken = ""
        self._shown: object = None
        self._panel: WindowPanel | None = None
        self._outlook: ViewState = {}
        """The saved state of the inner view, until that exists."""
        self._listener: StateListener[Inside] = StateListener(lambda *_: None, host.show_message)
        # the object itself calls `watchers` after a change
        model.watchers.append(self._update)
        model.editor.listen(self._listener)
        self._update_inner()
        self._could = self._can_do()

    @property
    def held(self) -> str:
        """The recipe of the object that was put in; empty for none."""
        return str(self._model.inside.reference)

    @property
    def has_trouble(self) -> bool:
        """True if the object that was put in does not run."""
        return bool(self._model.trouble)

    def part_recipes(self) -> Iterable[str]:
        if self.held:
            yield self.held
        if self.inner is not None:
            yield from part_recipes_of(self.inner)

    def words(self) -> str:
        """Return the text shown while there is nothing to see."""
        trouble = self._broken or self._model.trouble
        if trouble:
            name = self._model.inside.name
            return f"⚠ {f'“{name}”: ' if name else ''}{trouble}"
        if self._model.loading or self.is_loading():
            return NOT_LOADED
        return _EMPTY_FOR_ALL if self._model.shared else _EMPTY

    def is_loading(self) -> bool:
        return self._model.shared and not self._model.ready

    def paint(self, painter: QPainter, area: QRectF) -> None:
        with card(painter, area) as look:
            top = QRectF(area.left(), area.top(), area.width(), min(_CAPTION, area.height()))
            painter.fillRect(top, QColor(look.head))
            rule = QRectF(top.left(), top.bottom() - look.edge_width, top.width(), look.edge_width)
            painter.fillRect(rule, QColor(look.rule))
            caption = shown_line(self.title())
            paint_words(painter, top.adjusted(PAD, 0, -PAD, 0), caption, font("strong"), look.ink)
            below = area.adjusted(look.edge_width, top.height(), -look.edge_width, -look.edge_width)
            if not self._paint_inner(painter, below):
                paint_sentence(painter, below.adjusted(PAD, 4, -PAD, -4), self.words(), look)

    def make_widget(self) -> QWidget:
        self._panel = WindowPanel(self)
        return self._panel

    def release_widget(self, widget: QWidget) -> None:
        del widget
        self._panel = None
        if self.inner is not None:
            self.inner.close_widget()

    def actions(self) -> tuple[Action, ...]:
        inner = self.inner
        own = [Action("Take the object out", (), self.take_out, "Edit")]
        if self._model.shared:
            undo, redo = (("Ctrl+Z",), ("Ctrl+Shift+Z", "Ctrl+Y")) if inner is None else ((), ())
            own += [
                Action(f"Undo {_STEPS}", undo, self.undo, "Edit"),
                Action(f"Redo {_STEPS}", redo, self.redo, "Edit"),
            ]
        if self.has_trouble:
            own.append(Action("Restart the object", (), self.start_again, "Edit"))
        return tuple(own) if inner is None else (*own, *inner.actions())

    def undo(self) -> None:
        undo_and_report(self._model.editor.undo, self.host)

    def redo(self) -> None:
        redo_and_report(self._model.editor.redo, self.host)

    def take_out(self) -> None:
        try:
            self._model.take_out()
        except RefusedError as why:
            self.host.show_message(f"Take out: {why}.")

    def start_again(self) -> None:
        """Start an inner object that does not run, for example after the person refused its code."""
        self._model.again()

    def restart_part(self, part: str) -> bool:
        known = part == self._model.step
        if known:
            self._model.again()
        return bool(known)

    def insert(self, recipe: str, name: str) -> None:
        self.put(recipe, name)

    def accepts(self, recipe: str) -> bool:
        return bool(self._model.accepts(recipe))

    def accepts_drop(self, data: QMimeData) -> bool:
        """Accept one object while the window is empty."""
        ours = data.hasFormat(MIME) or data.hasFormat(SEVERAL)
        one = (
            how_many(data) == 1
            if ours
            else [url.fileName().endswith(SUFFIX) for url in data.urls()] == [True]
        )
        model = self._model
        free = self.inner is None and not model.editor.state.reference
        return one and free and not model.loading and not self.is_loading()

    def receive(self, data: QMimeData) -> bool:
        try:
            offers = items_in(data)
        except RefusedDropError as why:
            self.host.show_message(f"This cannot go into a window: {why}")
            return False
        lost = bool(offers) and offers[0].kind == NEW_NOTE and not self._model.shared
        if not offers or lost:  # it would be lost with the window
            what = "text" if offers else "picture"
            self.host.show_message(f"A window holds one object; put the {what} on a desktop.")
            return False
        return self.put(offers[0].reference, offers[0].label)

    def holds(self, data: QMimeData) -> bool:
        """Return true if the window has a channel and shows just this object. Of several objects it takes
        only one."""
        if not self._model.shared or not (data.hasFormat(SEVERAL) or data.hasFormat(MIME)):
            return False
        offers = items_in(data)
        return [one.reference for one in offers] == [self._model.editor.state.reference]

    def when_settled(self, call: Callable[[], object]) -> None:
        self._model.editor.when_settled(call)

    def entries(self) -> Mapping[str, object]:
        inside = self._model.editor.state if self._model.shared else self._model.inside
        return {"": inside} if inside.reference else {}

    def remove_entries(self, entries: Mapping[str, object]) -> bool:
        if dict(entries) != self.entries():
            return False
        try:
            self._model.take_out()
        except RefusedError:
            return False
        return True

    def restore_entries(self, entries: Mapping[str, object]) -> bool:
        inside = entries.get("")
        if not isinstance(inside, Inside) or self.entries() or self._model.loading or self.is_loading():
            return False
        return self.put(inside.reference, inside.name)

    def entry_name(self, key: str, entry: object) -> str:
        del key
        return entry.name if isinstance(entry, Inside) else ""

    def view_state(self) -> ViewState:
        """Return the state of the inner view."""
        return self._outlook if self.inner is None else self.inner.view_state()

    def restore_view_state(self, outlook: ViewState) -> None:
        self._outlook = outlook
        if self.inner is not None:
            self.inner.restore_view_state(outlook)

    def put(self, recipe: str, name: str) -> bool:
        """Show another object, or explain why that is refused."""
        try:
            self._model.put(recipe, name)
        except UnseenError as why:
            refused = refusal(why.found, recipe, "a window")
            self.host.show_message(f"{name or 'This'} cannot be shown in a window: {refused}")
            return False
        except RefusedError as why:
            self.host.show_message(f"{name or 'This'} cannot go into the window: {why}.")
            return False
        return True

    def title(self) -> str:
        inner = self.inner.title() if self.inner is not None else ""
        return str(self._model.caption or inner)

    def summary(self) -> str:
        """Return the caption and the inner object's text. Of an object that was put in, only the name: its
        text may be locked although the window is not."""
        inner = str(self._model.editor.state.name)
        if not inner and self.inner is not None and self._model.is_own:
            inner = summary_of(self.inner)
        return "\n".join(filter(None, (str(self._model.caption), inner)))

    def is_empty(self) -> bool:
        empty = self._model.ready if self.inner is None else is_known_empty(self.inner)
        return bool(empty) and not self.summary()

    def size_hint(self) -> QSizeF:
        inner = QSizeF(240, 160) if self.inner is None else self.inner.size_hint()
        return inner + QSizeF(8, _CAPTION + 8)

    def close(self) -> None:
        self._model.watchers.remove(self._update)
        self._model.editor.unlisten(self._listener)
        super().close()
        self._drop_inner()

    def _paint_inner(self, painter: QPainter, area: QRectF) -> bool:
        if self.inner is None or area.height() <= 0:
            return False
        try:
            self.inner.paint(painter, area)
        except Exception as error:  # the author's code failed; the window continues
            self._broken = f"its view does not paint: {type(error).__name__}: {error}"
            return False
        return True

    def _update(self) -> None:
        self._update_inner()
        if self._panel is not None:
            self._panel.show_change()
        could, self._could = self._could, self._can_do()
        if could != self._could:
            self.actions_changed.emit()
        self.changed.emit()

    def _can_do(self) -> tuple[object, ...]:
        """Return everything that the actions depend on."""
        return self.inner, self.has_trouble, self._model.shared

    def _update_inner(self) -> None:
        """Make the view of the inner object if that has changed."""
        content = self._model.content
        if content is self._shown:
            return
        if self._shown is not None:
            self._outlook = {}  # it belonged to another object
        self._shown = content
        self._drop_inner()
        self._broken = ""
        if content is None:
            return
        try:
            self.inner = view_of(content, self.host)
        except NoViewError as error:
            self._broken = str(error)
        else:
            self.inner.changed.connect(self.changed)
            self.inner.view_state_changed.connect(self.view_state_changed)
            self.inner.actions_changed.connect(self.actions_changed)
            if self._outlook:
                self._restore_inner(self.inner)

    def _restore_inner(self, inner: View) -> None:
        try:
            inner.restore_view_state(self._outlook)
        except Exception:  # any exception comes from the author of the inner object
            _log.warning("the view state of a window's object cannot be restored", exc_info=True)
            self._outlook = {}

    def _drop_inner(self) -> None:
        inner, self.inner = self.inner, None
        if inner is not None:
            inner.close()


def make(model: WindowObject, host: ViewHost) -> WindowView:
    """Make the view of a window."""
    return WindowView(model, host)
