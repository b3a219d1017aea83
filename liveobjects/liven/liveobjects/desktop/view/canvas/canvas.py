"""The canvas: the plane as one sees it, and all that one can do on it with the mouse and the keys."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from operator import attrgetter
from typing import Any

from PySide6.QtCore import QEvent, QPointF, QRectF, QSizeF, Qt, QTimer, Signal
from PySide6.QtGui import (
    QContextMenuEvent,
    QKeyEvent,
    QKeySequence,
    QMouseEvent,
    QMoveEvent,
    QPainter,
    QPaintEvent,
    QResizeEvent,
    QShortcut,
    QShowEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import QWidget

from liven.liveobjects.desktop import commands
from liven.liveobjects.desktop.commands import Command
from liven.liveobjects.desktop.spatial_index import SpatialIndex, reach
from liven.liveobjects.desktop.state import Desktop, Item, Link, Place
from liven.liveobjects.desktop.view.canvas import painting
from liven.liveobjects.desktop.view.items.connectors import Connectors
from liven.liveobjects.desktop.view.items.item_views import ItemViews
from liven.liveobjects.desktop.view.items.problem_badges import Badges
from liven.liveobjects.desktop.view.people.avatars import People
from liven.liveobjects.desktop.view.people.collaborators import Collaborators
from liven.liveobjects.desktop.view.people.screen_reader import Spoken
from liven.liveobjects.desktop.view.tools import gestures
from liven.liveobjects.desktop.view.tools.arrangement import Arrangement
from liven.liveobjects.desktop.view.tools.command_feedback import ALL_CHOSEN, NOTHING_HERE, Asked
from liven.liveobjects.desktop.view.tools.context_menu import choose_under, menu_of
from liven.liveobjects.desktop.view.tools.gestures import Gesture, edges, rect
from liven.liveobjects.desktop.view.tools.insertion_point import InsertionPoint
from liven.liveobjects.desktop.view.tools.keyboard_navigation import KeyboardNavigation
from liven.liveobjects.desktop.view.tools.new_note_typing import NewNoteTyping
from liven.liveobjects.desktop.view.tools.press_tool import pressed
from liven.liveobjects.desktop.view.tools.rename import rename
from liven.liveobjects.desktop.view.tools.shortcuts import KEYS
from liven.liveobjects.desktop.view.tools.zoom_and_view import HAND, Looking
from liven.liveobjects.desktop.view.transfer.cross_object_undo import Returning
from liven.liveobjects.desktop.view.transfer.drop_and_paste import Taking
from liven.liveobjects.desktop.view.transfer.drop_targets import Receiving
from liven.liveobjects.desktop.view.viewport.camera import Camera
from liven.liveobjects.desktop.view.viewport.find_bar import Finding
from liven.liveobjects.desktop.view.viewport.initial_viewport import InitialViewport
from liven.liveobjects.desktop.view.viewport.minimap import Minimap
from liven.liveobjects.view.contract import ViewHost
from liven.liveobjects.view.focus import set_initial_focus
from liven.liveobjects.view.messages import FailureMessages
from liven.runtime.fold import Editor, RefusedError

SETTLE_MS = 120
"""After so long without moving, pictures are painted as sharp as they can be."""
CHANGE = "change"
OUT = 32
"""So many pixels outside the window, what is dragged leaves it."""
NEARBY = 0.25
"""What lies so far outside the window, in windows, runs already."""
MOST = 500
"""Of what lies in view, so many things run, the uppermost; more of them cover one another."""
TINY = 24.0
"""What is seen smaller than that, in pixels, need not run: nothing in it could be told apart."""


class Canvas(QWidget):
    """Shows one desktop."""

    chosen_changed = Signal()
    view_state_changed = Signal()
    """Another part of the plane is seen, or something else is shown on it."""
    palette_requested = Signal()
    """Something shall be laid down, and is looked for."""
    entered_differs = Signal()
    """Something else is worked in, or other things can be done in it."""
    problems_requested = Signal(str)
    part_restarted = Signal(str)
    """The badge of what is called so was clicked."""

    def __init__(self, model: Any, host: ViewHost) -> None:
        super().__init__()
        self.model = model
        self.editor: Editor[Desktop, Any] = model.editor
        self.host = host
        self.failures = FailureMessages(host)
        self.camera = Camera()
        self.preview: dict[str, Place] = {}
        self.snapping = True
        self.grid = True
        self.gesture: Gesture | None = None
        self._spread = SpatialIndex(self.editor.state)
        self.editing: str | None = None
        self._chosen: frozenset[str] = frozenset()
        self._panning = False
        self.first_look = InitialViewport(self)
        self.actors = ItemViews(model.context, host, self._looks_different)
        self.actors.can_differently = self.can_differently
        self.taking = Taking(self)
        self.receiving = Receiving(self)
        self.returning = Returning(self)
        self.steady = InsertionPoint(self)
        self.beginning = NewNoteTyping(self)
        self.asked = Asked(self)
        self.arranging = Arrangement(self)
        self.looking = Looking(self)
        self.walking = KeyboardNavigation(self)
        self.spoken = Spoken(self)
        self.badges = Badges(self)
        self.connectors = Connectors(self)
        self.gazes = Collaborators(self)
        self.minimap = Minimap(self)
        self.finding = Finding(self)
        self.people = People(self)
        self._settle = QTimer(self, singleShot=True, interval=SETTLE_MS)
        self._settle.timeout.connect(self._settled)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMouseTracking(True)
        self.setAcceptDrops(True)
        self.setAccessibleName("Desktop")
        self.setMinimumSize(240, 160)
        self._listen_to_keys()
        self.editor.listen(self)

    @property
    def state(self) -> Desktop:
        return self.editor.state

    @property
    def spread(self) -> SpatialIndex:
        """How things lie now."""
        self._spread = self._spread.of(self.state)
        return self._spread

    @property
    def chosen(self) -> frozenset[str]:
        return self._chosen

    def close_down(self) -> None:
        """Ends what runs here; the canvas is of no use afterwards."""
        self.beginning.cancel()
        self.leave_editing()
        self.gazes.done()
        self.receiving.close()
        self.editor.unlisten(self)
        self.actors.close()

    # what the editor tells

    def changed(self, before: Desktop, after: Desktop) -> None:
        """The desktop differs: what was taken off ends, what was altered is painted anew."""
        gone = [key for key in after.items.changed_since(before.items) if key not in after.items]
        left = {item.reference for item in after.items.values()} if gone else set()
        for key in gone:
            if self.editing == key:
                self.leave_editing()
            self.actors.remove(key)
            if key in before.items and before.items[key].reference not in left:
                self.actors.forget_words(before.items[key].reference)
        if not self._chosen <= after.items.keys():
            self.choose(self._chosen & after.items.keys())
        self._place_widget()
        self._look_first()
        self.minimap.decide()
        self._want()
        self.update()

    def notify(self, message: str) -> None:
        """Something the person should know."""
        self.host.show_message(message)

    # what gestures and keys do

    def do(self, command: Command) -> bool:
        """Does a command as one step; says why it cannot be done. False when nothing was changed."""
        if not command.changes:
            return False
        try:
            self.editor.edit(command.name, *command.changes)
        except RefusedError as why:
            self.failures.show(CHANGE, f"{command.name}: {why}")
            return False
        self.failures.withdraw(CHANGE)
        self.first_look.end()
        return True

    def choose(self, keys: Iterable[str], link: Link | None = None) -> None:
        """Chooses these things and no others, or a connector."""
        wanted = frozenset(keys)
        if self.connectors.mark(link) or wanted != self._chosen:
            self._chosen = wanted
            self.chosen_changed.emit()
            self.gazes.tell()
            self.update()

    def place_of(self, item: Item) -> Place:
        """Where a thing is seen now."""
        return self.preview.get(item.key, item.place)

    def thing_at(self, point: QPointF, without: Collection[str] = ()) -> Item | None:
        """The uppermost thing under a point of the window, save these."""
        on_plane = self.camera.to_plane(point)
        for item in reversed(self.spread.stacked):
            place = item.place
            if item.key not in without and rect(place).contains(painting.unturned(place, on_plane)):
                return item
        return None

    def undo(self) -> None:
        self.returning.undo()

    def redo(self) -> None:
        self.returning.redo()

    def choose_all(self) -> None:
        if self._chosen == self.state.items.keys():
            self.host.show_message(ALL_CHOSEN if self._chosen else NOTHING_HERE)
        self.choose(self.state.items)

    def escape(self) -> None:
        """Leaves, one thing after the other, the gesture, the editing and the choice."""
        self.let_go()

    def let_go(self) -> bool:
        """Likewise; false where nothing was left, so that a desktop that lies on another is left itself."""
        if self.gesture is not None:
            self.gesture.cancel()
            self._end_gesture()
        elif self.editing is not None:
            if not _lets_go(self.actors.widget(self.editing)):
                self.leave_editing(back=True)
        elif self.beginning.cancel() or self.taking.stop():
            pass  # it has said so, or nothing is to be said
        elif self.gazes.followed is not None:
            self.gazes.own_way()
            self.host.show_message("You go your own way.")
        elif self.looking.hand:
            self.looking.toggle_hand()
        elif self._chosen or self.connectors.chosen is not None:
            self.choose(())
        else:
            return False
        return True

    def remove_chosen(self) -> None:
        on_link = self.connectors.chosen is not None
        command = self.connectors.removal() if on_link else commands.remove(self.state, self._chosen)
        self.asked.do(command, free=True)

    def remove_through(self) -> None:
        """Removes what is chosen, and connects what was connected through it."""
        self.asked.do(commands.remove_through(self.state, self._chosen), free=True)

    def duplicate_chosen(self) -> None:
        copies, command = commands.duplicate(self.state, self._chosen)
        if self.asked.do(command):
            self.choose(copies)

    def rename_chosen(self) -> None:
        rename(self)

    def start_chosen(self) -> None:
        """Begins what is chosen anew."""
        self.asked.has("Start again")
        for key in sorted(self._chosen):
            self._start(self.state.items[key])

    def _start(self, item: Item) -> None:
        self.part_restarted.emit(self.actors.stage.step(item.key) or item.key)
        self.actors.start_again(item)

    def aside_chosen(self) -> None:
        """Ends what is chosen where it lies, until it is started again."""
        self.leave_editing()
        if self.asked.has("Set aside") and self._chosen <= self.actors.aside:
            self.host.show_message("Set aside: it is already; F5 starts it again.")
        for key in sorted(self._chosen):
            self.actors.set_aside(key)

    def copy(self) -> None:
        if self.asked.has("Copy"):
            self.taking.copy()

    def cut(self) -> None:
        if self.asked.has("Cut") and self.taking.copy():
            self.remove_chosen()

    def paste(self) -> None:
        self.taking.paste()

    def look_for(self) -> None:
        self.finding.open()

    def others_differ(self) -> None:
        """Somebody else looks elsewhere, came, or went."""
        self.people.differ()
        self.minimap.update()
        self.update()

    def open_chosen(self) -> None:
        """Opens what is chosen, each thing in a window of its own."""
        self.asked.has("Open")
        for item in commands.in_reading_order(self.state.items[key] for key in self._chosen):
            self.host.open_object(item.reference, item.label or self.actors.title(item))

    def edit_chosen(self) -> None:
        """Begins to work in the one thing that is chosen."""
        if self.asked.has("Edit", most=1):
            self.edit(self.state.items[next(iter(self._chosen))])

    def edit(self, item: Item) -> None:
        """Begins to work in a thing: its widget is put where it lies, as large as it is."""
        self.leave_editing()
        widget = self.actors.widget(item.key)
        if widget is None and self.actors.is_declined(item.key):
            self._start(item)  # its person wants it now, it seems, and is asked once more
            return
        if widget is None:
            why = self.actors.trouble(item.key)
            self.host.show_message(why or "It is not ready yet.")
            return
        self.looking.come_to(item)
        self.editing = item.key
        widget.setParent(self)
        self._place_widget()
        widget.show()
        set_initial_focus(widget)
        widget.installEventFilter(self)
        self.entered_differs.emit()
        self.update()

    def leave_editing(self, *, back: bool = False) -> None:
        """Puts the widget away; what was typed is the model's already. With `back`, one looks again as one
        did when one began."""
        key, self.editing = self.editing, None
        if key is None:
            return
        self.looking.go_away(back=back)
        widget = self.actors.widget(key)
        if widget is not None:
            widget.removeEventFilter(self)
            self.actors.put_away(key)
        self.entered_differs.emit()
        self.setFocus()
        self.update()

    # Qt's events

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painting.paint(painter, self, QRectF(event.rect()))
        self.badges.paint(painter)
        self.gazes.paint(painter)
        self.receiving.paint(painter)
        self.taking.paint(painter)
        if self.gesture is not None:
            self.gesture.paint(painter)
        painter.end()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        called = self.badges.at(event.position())
        if called:
            self.problems_requested.emit(called)
            return
        self.leave_editing()
        self.setFocus()
        self.beginning.cancel()
        self.steady.forget()
        if event.button() == Qt.MouseButton.RightButton:
            return  # a menu follows
        self.gesture = pressed(self, event, panning=self._panning or self.looking.hand)
        if isinstance(self.gesture, gestures.Pan | gestures.Choose):
            self.gazes.own_way()
        self.setCursor(self.gesture.cursor)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """What can be done with the thing under the mouse, with what is chosen, or on the plane."""
        by_mouse = event.reason() == QContextMenuEvent.Reason.Mouse
        point = QPointF(event.pos() if by_mouse else self.rect().center())
        if by_mouse:
            choose_under(self, point)
        menu = menu_of(self, point)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.popup(event.globalPos())

    def leaveEvent(self, event: QEvent) -> None:
        self.gazes.point(None)
        super().leaveEvent(event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        self.gazes.point(self.camera.to_plane(event.position()))
        if self.gesture is None:
            self.setCursor(HAND if self.looking.hand else painting.cursor_at(self, event.position()))
            return
        if isinstance(self.gesture, gestures.MoveThings) and self._is_outside(event.position()):
            self.gesture.cancel()
            self._end_gesture()
            self.taking.drag_out()
            return
        self.gesture.follow(event.position(), event.modifiers())
        self.looks_elsewhere() if isinstance(self.gesture, gestures.Pan) else self.update()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        gesture = self.gesture
        if gesture is not None:
            gesture.follow(event.position(), event.modifiers())
            self._end_gesture()
            gesture.end()

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        item = self.thing_at(event.position())
        if item is not None:
            self.choose({item.key})
            self.edit(item)
        elif event.button() == Qt.MouseButton.LeftButton:
            self.steady.want(self.camera.to_plane(event.position()))
            self.palette_requested.emit()

    def wheelEvent(self, event: QWheelEvent) -> None:
        self.gazes.own_way()
        if event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            self.looking.zoom(1.0015 ** event.angleDelta().y(), event.position())
        else:
            delta = event.pixelDelta() if not event.pixelDelta().isNull() else event.angleDelta()
            self.camera.pan(QPointF(delta))
            self.looks_elsewhere()
        event.accept()

    def event(self, event: QEvent) -> bool:
        """What is typed for a note that is to be entered is no key of the desktop."""
        if event.type() == QEvent.Type.ShortcutOverride and self.beginning.takes(event):
            event.accept()
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if self.beginning.keep(event):
            return
        if event.key() == Qt.Key.Key_Space and not event.isAutoRepeat():
            self._panning = True
            self.setCursor(HAND)
        elif event.key() == Qt.Key.Key_Escape:
            event.setAccepted(self.let_go())  # else it is for the desktop around
        else:
            super().keyPressEvent(event)

    def keyReleaseEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Space and not event.isAutoRepeat():
            self._panning = False
            self.unsetCursor()
        else:
            super().keyReleaseEvent(event)

    def focusNextPrevChild(self, forward: bool) -> bool:
        """Tab goes from thing to thing; Ctrl+Tab leaves the desktop."""
        del forward
        return False

    def eventFilter(self, watched: Any, event: QEvent) -> bool:
        """Esc leaves what is edited, whatever the widget does with other keys. Another desktop lets go of
        what is held in it first."""
        pressed = event.type() == QEvent.Type.KeyPress and isinstance(event, QKeyEvent)
        if pressed and event.key() == Qt.Key.Key_Escape:  # type: ignore[attr-defined]  # a key event by now
            if not (isinstance(watched, Canvas) and watched.let_go()):
                self.leave_editing(back=True)
            return True
        return super().eventFilter(watched, event)

    def changeEvent(self, event: QEvent) -> None:
        """Other colours, as when the system goes dark: pictures of the old ones are painted anew."""
        super().changeEvent(event)
        if event.type() in (QEvent.Type.PaletteChange, QEvent.Type.ApplicationPaletteChange):
            self.actors.pictures.clear()
            self.update()

    def moveEvent(self, event: QMoveEvent) -> None:
        super().moveEvent(event)
        self.steady.moved(event.oldPos(), event.pos())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.looks_elsewhere()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._look_first()

    def dragEnterEvent(self, event: Any) -> None:
        self.taking.drag_enter(event)

    def dragMoveEvent(self, event: Any) -> None:
        self.taking.drag_move(event)

    def dragLeaveEvent(self, event: Any) -> None:
        self.taking.drag_leave(event)

    def dropEvent(self, event: Any) -> None:
        self.taking.drop(event)

    # the rest

    def _is_outside(self, point: QPointF) -> bool:
        """So far out of the window that a drag to somewhere else is meant."""
        return bool(self._chosen) and not self.rect().adjusted(-OUT, -OUT, OUT, OUT).contains(point.toPoint())

    def _end_gesture(self) -> None:
        self.gesture = None
        self.unsetCursor()
        self.update()

    def _listen_to_keys(self) -> None:
        for key in KEYS:
            for sequence in () if key.action == "escape" else key.keys:  # a shortcut would keep it
                shortcut = QShortcut(QKeySequence(sequence), self)
                shortcut.setContext(Qt.ShortcutContext.WidgetShortcut)
                shortcut.activated.connect(lambda key=key: self.press(key.action, key.argument))

    def press(self, action: str, argument: object) -> None:
        """Does what a key does."""
        method = attrgetter(action)(self)
        method() if argument is None else method(argument)

    def _look_first(self) -> None:
        if self.first_look.look():
            self.looks_elsewhere()

    def looks_elsewhere(self) -> None:
        """Another part of the plane is seen."""
        if self.camera.zoom != 1:
            self.leave_editing()  # its widget has one size of letters
        self._place_widget()
        self._want()
        self._settle.start()
        self.minimap.place()
        self.finding.place()
        self.gazes.tell()
        self.view_state_changed.emit()
        self.update()

    @property
    def hurrying(self) -> bool:
        """Whether the plane moves now, so that old pictures do."""
        return self._settle.isActive() or self.gesture is not None

    def _settled(self) -> None:
        self.minimap.decide()
        self.update()

    def _want(self) -> None:
        """What is in view, or nearly, runs; what is in view first."""
        seen = self.camera.seen(QSizeF(self.size()))
        wide, high = NEARBY * seen.width(), NEARBY * seen.height()
        legible = TINY / self.camera.zoom
        found = (self.spread.within(edges(area)) for area in (seen, seen.adjusted(-wide, -high, wide, high)))
        there = (one for items in found for one in items[-MOST:])
        wanted = [*self._at_hand(), *(one for one in there if one.place.width >= legible <= one.place.height)]
        self.actors.want(one for one in wanted if one.key not in self.actors.aside)

    def _at_hand(self) -> list[Item]:
        """What one works in or moves just now: it runs wherever it lies, and however small it is seen."""
        keys = (*self.preview, self.editing, self.beginning.key)
        return [self.state.items[key] for key in keys if key is not None and key in self.state.items]

    def can_differently(self, key: str) -> None:
        """Other things can be done in a thing."""
        if key == self.editing:
            self.entered_differs.emit()

    def _looks_different(self, key: str) -> None:
        if key == self.editing and self.actors.view(key) is None:
            self.leave_editing()  # it has ended; its widget went with it
        item = self.state.items.get(key)
        if item is not None:
            left, top, right, bottom = reach(self.place_of(item))  # turned, it covers more than its rectangle
            area = QRectF(
                self.camera.to_window(QPointF(left, top)), self.camera.to_window(QPointF(right, bottom))
            )
            self.update(area.adjusted(-4, -4, 4, 4).toAlignedRect())
        self.beginning.look_soon()

    def _place_widget(self) -> None:
        item = self.state.items.get(self.editing or "")
        widget = self.actors.widget(item.key) if item is not None else None
        if item is not None and widget is not None:
            widget.setGeometry(self.camera.transform().mapRect(rect(item.place)).toRect())


def _lets_go(widget: QWidget | None) -> bool:
    """Whether a desktop that is, or lies in, what one works in let go of something."""
    inner = widget if widget is None or isinstance(widget, Canvas) else widget.findChild(Canvas)
    return isinstance(inner, Canvas) and inner.let_go()
