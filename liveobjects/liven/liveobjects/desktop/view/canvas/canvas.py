"""The canvas: the widget in which you see and edit a desktop."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from PySide6.QtCore import QEvent, QPointF, QRectF, QSizeF, Qt, QTimer, Signal
from PySide6.QtGui import (
    QContextMenuEvent,
    QDragEnterEvent,
    QDragLeaveEvent,
    QDragMoveEvent,
    QDropEvent,
    QKeyEvent,
    QMouseEvent,
    QMoveEvent,
    QPainter,
    QPaintEvent,
    QResizeEvent,
    QShowEvent,
    QTabletEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import QApplication

from liven.liveobjects.desktop import commands
from liven.liveobjects.desktop.commands import Command
from liven.liveobjects.desktop.drawings.recipes import ink_of
from liven.liveobjects.desktop.frames import is_frame
from liven.liveobjects.desktop.object import DesktopObject
from liven.liveobjects.desktop.spatial_index import SpatialIndex, reach
from liven.liveobjects.desktop.state import Change, Desktop, Item, Link, Place
from liven.liveobjects.desktop.view.actions import item_commands
from liven.liveobjects.desktop.view.actions.arrangement import Arrangement
from liven.liveobjects.desktop.view.actions.clipboard_commands import ClipboardCommands
from liven.liveobjects.desktop.view.actions.context_menu import select_under, show_menu
from liven.liveobjects.desktop.view.actions.item_ear import ItemEar
from liven.liveobjects.desktop.view.actions.key_bindings import bind_shortcuts
from liven.liveobjects.desktop.view.actions.keyboard_navigation import KeyboardNavigation
from liven.liveobjects.desktop.view.actions.rename import rename
from liven.liveobjects.desktop.view.actions.timer_menu import TimerMenu
from liven.liveobjects.desktop.view.background import background_of
from liven.liveobjects.desktop.view.camera import Camera
from liven.liveobjects.desktop.view.canvas import painting
from liven.liveobjects.desktop.view.canvas.mouse_input import MouseInput
from liven.liveobjects.desktop.view.command_feedback import ALL_SELECTED, NOTHING_HERE, CommandFeedback
from liven.liveobjects.desktop.view.drawings.coverage import holds, looks_changed
from liven.liveobjects.desktop.view.editing.ghosts import Ghosts
from liven.liveobjects.desktop.view.editing.growth import Growth
from liven.liveobjects.desktop.view.editing.item_editing import ItemEditing, Surface
from liven.liveobjects.desktop.view.editing.new_note_typing import NewNoteTyping
from liven.liveobjects.desktop.view.editing.zone_field import ZoneField
from liven.liveobjects.desktop.view.gestures.gesture import Gesture
from liven.liveobjects.desktop.view.islands.islands import Islands
from liven.liveobjects.desktop.view.items.connectors import NEAR, Connectors
from liven.liveobjects.desktop.view.items.item_views import ItemViews
from liven.liveobjects.desktop.view.items.items_in_view import ItemsInView
from liven.liveobjects.desktop.view.items.link_badges import LinkBadges
from liven.liveobjects.desktop.view.items.news_marks import NewsMarks
from liven.liveobjects.desktop.view.items.problem_badges import ProblemBadges
from liven.liveobjects.desktop.view.people.avatars import Avatars
from liven.liveobjects.desktop.view.people.collaborators import Collaborators
from liven.liveobjects.desktop.view.people.screen_reader import ScreenReader
from liven.liveobjects.desktop.view.tools.held_tool import HeldTool
from liven.liveobjects.desktop.view.transfer.cross_object_undo import CrossObjectUndo
from liven.liveobjects.desktop.view.transfer.drop_and_paste import DropAndPaste
from liven.liveobjects.desktop.view.transfer.drop_targets import DropTargets
from liven.liveobjects.desktop.view.transfer.insertion_point import InsertionPoint
from liven.liveobjects.desktop.view.transfer.separate_copies import SeparateCopies
from liven.liveobjects.desktop.view.viewport.find_bar import DesktopFindBar
from liven.liveobjects.desktop.view.viewport.initial_viewport import InitialViewport
from liven.liveobjects.desktop.view.viewport.minimap import Minimap
from liven.liveobjects.desktop.view.viewport.zoom_and_view import HAND, STOPPED_FOLLOWING, ZoomAndView
from liven.liveobjects.view.contract import ViewHost
from liven.liveobjects.view.messages import FailureMessages
from liven.liveobjects.view.window_controls import WindowControls
from liven.liveobjects.view.zones import Zone
from liven.runtime.fold import Editor, RefusedError

SETTLE_MS = 120
"""Milliseconds without movement after which pictures are painted sharp."""
CHANGE = "change"
"""The kind of message that a later change without problems withdraws."""


class Canvas(Surface):
    """Shows and edits one desktop. Qt's events arrive here and go to the helper that handles them;
    README.md lists which."""

    selection_changed = Signal()
    view_state_changed = Signal()
    """The viewport or a display option has changed."""
    palette_requested = Signal()
    """The user wants to add something: open the palette."""
    edited_actions_changed = Signal()
    """Another item is edited, or other actions are possible in it."""
    problems_requested = Signal(str)
    """The badge of the item with this path step was clicked."""
    part_restarted = Signal(str)
    """The item with this path step was restarted."""

    def __init__(self, model: DesktopObject, host: ViewHost) -> None:
        super().__init__()
        self.model = model
        self.editor: Editor[Desktop, Change] = model.editor
        self.host = host
        self.failures = FailureMessages(host)
        self.camera = Camera()
        self.preview: dict[str, Place] = {}
        self.snapping = True
        self.grid = True
        self.gesture: Gesture | None = None
        self._index = SpatialIndex(self.editor.state)
        self.editing: str | None = None
        self._selected: frozenset[str] = frozenset()
        self.mouse = MouseInput(self, self)
        self.initial_viewport = InitialViewport(self, self)
        self.item_views = ItemViews(model.context, host, self._repaint_item)
        self.item_views.actions_changed = self.actions_changed
        self.item_views.ground = lambda: background_of(self.state)
        self._items_in_view = ItemsInView(self)
        self.copies = SeparateCopies(self)
        self.drop_and_paste = DropAndPaste(self, self)
        self.clipboard = ClipboardCommands(self)
        self.drop_targets = DropTargets(self)
        self.cross_object_undo = CrossObjectUndo(self)
        self.insertion_point = InsertionPoint(self, self)
        self.new_note_typing = NewNoteTyping(self)
        self.feedback = CommandFeedback(self)
        self.growth = Growth(self)
        self.arrangement = Arrangement(self)
        self.zoom_and_view = ZoomAndView(self)
        self.keyboard_navigation = KeyboardNavigation(self)
        self.item_editing = ItemEditing(self, self)
        self.zone_field = ZoneField(self, self)
        self.ghosts = Ghosts(self, self)
        self.selection_changed.connect(self.ghosts.refresh_soon)
        self.held_tool = HeldTool(self, self)
        self.timer_menu = TimerMenu(self, self)
        self.islands: Islands | None = None
        """Over a desktop that fills its window."""
        self.screen_reader = ScreenReader(self, self, self.ghosts.refreshed)
        self.badges = ProblemBadges(self, self.problems_requested.emit)
        self.link_badges = LinkBadges(self)
        self.news = NewsMarks(self, self.selection_changed)
        self.ear = ItemEar(self, self)
        self.connectors = Connectors(self)
        self.collaborators = Collaborators(self, model, self)
        self.minimap = Minimap(self, self)
        self.find_bar = DesktopFindBar(self, self)
        self.avatars = Avatars(self, self)
        self._settle = QTimer(self, singleShot=True, interval=SETTLE_MS)
        self._settle.timeout.connect(self._paint_sharply)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMouseTracking(True)
        self.setAcceptDrops(True)
        self.setAccessibleName("Desktop")
        self.setMinimumSize(240, 160)
        bind_shortcuts(self, self)
        self.editor.listen(self)

    @property
    def state(self) -> Desktop:
        return self.editor.state

    @property
    def spatial_index(self) -> SpatialIndex:
        """The items by position, as they lie now."""
        self._index = self._index.of(self.state)
        return self._index

    @property
    def visible_area(self) -> QRectF:
        """The part of the plane in view."""
        return self.camera.seen(QSizeF(self.size()))

    @property
    def clear_area(self) -> QRectF:
        """The part of the window that islands leave clear from side to side."""
        return QRectF(self.rect() if self.islands is None else self.islands.clear)

    @property
    def covered(self) -> tuple[Place, ...]:
        """The parts of the plane that islands cover now."""
        islands = () if self.islands is None else self.islands.covered
        areas = (self.camera.transform().inverted()[0].mapRect(QRectF(one)) for one in islands)
        return tuple(Place(one.x(), one.y(), one.width(), one.height()) for one in areas)

    @property
    def selected(self) -> frozenset[str]:
        return self._selected

    def take_controls(self, controls: WindowControls) -> None:
        """Float the controls of the window over the plane."""
        self.held_tool.offer(controls.tools)
        self.islands = Islands(self, self, controls)

    def close_down(self) -> None:
        """Stop everything that runs here. The canvas cannot be used afterwards."""
        self.new_note_typing.cancel()
        self.copies.close()
        self.leave_editing()
        self.collaborators.close()
        self.drop_targets.close()
        self.editor.unlisten(self)
        self.item_views.close()

    # called by the editor

    def changed(self, before: Desktop, after: Desktop) -> None:
        """Handle a new state: stop removed items, repaint what changed."""
        gone = [key for key in after.items.changed_since(before.items) if key not in after.items]
        left = {item.reference for item in after.items.values()} if gone else set()
        self._repaint_drawings(before, after)
        for key in gone:
            if self.editing == key:
                self.leave_editing()
            self.item_views.remove(key)
            stays = key not in before.items or before.items[key].reference in left
            if not stays and not self.cross_object_undo.was_moved(key):
                self.item_views.forget_words(before.items[key].reference)
        if not self._selected <= after.items.keys():
            self.select(self._selected & after.items.keys())
        self.item_editing.place_widget()
        self._place_over_zones()
        self._set_initial_viewport()
        self.minimap.update_visibility()
        self._run_items_in_view()
        if self.islands is not None:
            self.islands.refresh()
        self.update()

    def notify(self, message: str) -> None:
        """Show a message to the user."""
        self.host.show_message(message)

    # what gestures, keys and menus do

    def do(self, command: Command) -> bool:
        """Carry out a command as one undo step, or say why it is not possible. Return False if nothing
        changed."""
        if not command.changes:
            return False
        try:
            self.editor.edit(command.name, *command.changes)
        except RefusedError as why:
            self.failures.show(CHANGE, f"{command.name}: {why}")
            return False
        self.failures.withdraw(CHANGE)
        self.initial_viewport.finish()
        return True

    def select(self, keys: Iterable[str], link: Link | None = None) -> None:
        """Select exactly these items, or a connector."""
        wanted = frozenset(keys)
        if self.connectors.mark(link) or wanted != self._selected:
            self._selected = wanted
            self.selection_changed.emit()
            self.refresh_selection()
            self.collaborators.publish()
            self.update()

    def place_of(self, item: Item) -> Place:
        """Return the place where an item is shown now, which differs from its own while it is dragged."""
        return self.preview.get(item.key) or self.collaborators.moves.place_of(item) or item.place

    @property
    def moving(self) -> frozenset[str]:
        """The keys of the items that somebody moves just now, here or elsewhere."""
        return self.collaborators.moves.keys | self.preview.keys()

    @property
    def faded(self) -> frozenset[str]:
        """The keys of the items that are about to be removed."""
        return frozenset() if self.gesture is None else self.gesture.faded

    def item_at(self, point: QPointF, without: Collection[str] = ()) -> Item | None:
        """Return the topmost item at a point of the window, ignoring those in `without`."""
        on_plane, near = self.camera.to_plane(point), NEAR / self.camera.zoom
        for item in reversed(self.spatial_index.stacked):
            if item.key not in without and holds(item, on_plane, near, whole=item.key in self._selected):
                return item
        return None

    def undo(self) -> None:
        with self.growth.after_undo():
            self.cross_object_undo.undo()

    def redo(self) -> None:
        with self.growth.after_undo():
            self.cross_object_undo.redo()

    def select_all(self) -> None:
        if self._selected == self.state.items.keys():
            self.host.show_message(ALL_SELECTED if self._selected else NOTHING_HERE)
        self.select(self.state.items)

    def escape(self) -> None:
        """Leave the innermost of gesture, editing, following and selection."""
        self.leave_innermost()

    def leave_innermost(self) -> bool:
        """Do the same; return False if there was nothing to leave, so that a nested desktop is left
        itself."""
        if self.gesture is not None:
            self.gesture.cancel()
            self.mouse.end_gesture()
        elif self.editing is not None:
            if not self.item_editing.leave_inner():
                self.leave_editing(back=True)
        elif self.new_note_typing.cancel() or self.copies.stop() or self.drop_and_paste.stop():
            pass  # they tell the user themselves
        elif self.collaborators.end_signals():
            pass
        elif self.collaborators.followed is not None:
            self.collaborators.stop_following()
            self.host.show_message(STOPPED_FOLLOWING)
        elif self.zoom_and_view.hand:
            self.zoom_and_view.toggle_hand()
        elif self.held_tool.put_down():
            pass
        elif self._selected or self.connectors.selected is not None:
            self.select(())
        else:
            return False
        return True

    def remove_selected(self) -> None:
        item_commands.remove_selected(self)

    def remove_through(self) -> None:
        """Remove the selection and connect what it connected."""
        self.feedback.do(commands.remove_through(self.state, self._selected), free=True)

    def rename_selected(self) -> None:
        rename(self, self)

    def restart_selected(self) -> None:
        item_commands.restart_selected(self)

    def restart(self, item: Item) -> None:
        """Restart an item."""
        item_commands.restart(self, item)

    def pause_selected(self) -> None:
        item_commands.pause_selected(self)

    def open_find_bar(self) -> None:
        self.find_bar.open()

    def collaborators_changed(self) -> None:
        """Repaint after somebody else looked elsewhere, came or left."""
        self.avatars.refresh()
        self.minimap.update()
        self.update()

    def open_selected(self) -> None:
        item_commands.open_selected(self)

    def edit_selected(self) -> None:
        """Put the object of the tool in hand, or edit the selected item."""
        if self.held_tool.put_in_middle():
            return
        if self.feedback.has("Edit", most=1):
            self.edit(self.state.items[next(iter(self._selected))])

    def edit(self, item: Item) -> None:
        """Edit an item where it lies."""
        self.leave_editing()
        if is_frame(item.reference):
            self.rename_selected()  # there is nothing else to edit in it
        elif ink_of(item.reference) is None:  # nothing is written in ink
            self.item_editing.edit(item)

    def write_in_zone(self, key: str, zone: Zone) -> None:
        """Open the field of a zone."""
        self.zone_field.open(key, zone)

    def _place_over_zones(self) -> None:
        self.zone_field.place()
        self.ghosts.refresh_soon()

    def edit_at(self, point: QPointF) -> bool:
        """Edit the item at a point of the window. Return False if there is none."""
        item = self.item_at(point)
        if item is None:
            return False
        self.select({item.key})
        self.edit(item)
        self.item_editing.click_at(point)
        return True

    def leave_editing(self, *, back: bool = False) -> None:
        """Remove the widget of the edited item."""
        self.item_editing.leave(back=back)

    def editing_changed(self) -> None:
        """Announce that another item is edited, or none."""
        self.edited_actions_changed.emit()
        self.refresh_selection()
        self.screen_reader.refresh()
        self.ghosts.refresh_soon()
        self.update()

    # events of Qt

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painting.paint(painter, self, QRectF(event.rect()), self)
        self.item_editing.paint(painter)
        self.link_badges.paint(painter)
        self.news.paint(painter)
        self.badges.paint(painter)
        self.collaborators.paint(painter)
        self.drop_targets.paint(painter)
        self.drop_and_paste.paint(painter)
        if self.gesture is not None:
            self.gesture.paint(painter)
        self.ear.paint(painter)
        painter.end()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self.mouse.press(event)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """Open the menu of the item under the mouse, of the selection, or of the plane."""
        if self.item_editing.takes_mouse(event):
            return
        by_mouse = event.reason() == QContextMenuEvent.Reason.Mouse
        point = QPointF(event.pos() if by_mouse else self.rect().center())
        if by_mouse:
            select_under(self, point)
        show_menu(self, point, self)

    def leaveEvent(self, event: QEvent) -> None:
        self.ear.leave()
        self.collaborators.set_pointer(None)
        super().leaveEvent(event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        self.mouse.move(event)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        self.mouse.release(event)

    def tabletEvent(self, event: QTabletEvent) -> None:
        self.mouse.tablet(event)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        self.mouse.double_click(event)

    def request_palette(self) -> None:
        """Ask the window to show what can be added."""
        self.palette_requested.emit()

    def wheelEvent(self, event: QWheelEvent) -> None:
        self.mouse.wheel(event)

    def event(self, event: QEvent) -> bool:
        """Keep keys from being shortcuts while they are typed for a new note."""
        if event.type() == QEvent.Type.ShortcutOverride and self.new_note_typing.accepts_key(event):
            event.accept()
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if self.new_note_typing.keep_key(event):
            return
        if event.key() == Qt.Key.Key_Space and not event.isAutoRepeat():
            self.mouse.holds_space = True
            self.setCursor(HAND)
        elif event.key() == Qt.Key.Key_Escape:
            event.setAccepted(self.leave_innermost())  # otherwise it is for the desktop around this one
        else:
            super().keyPressEvent(event)

    def keyReleaseEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Space and not event.isAutoRepeat():
            self.mouse.holds_space = False
            self.unsetCursor()
        else:
            super().keyReleaseEvent(event)

    def focusNextPrevChild(self, forward: bool) -> bool:
        """Keep Tab, which goes from item to item; Ctrl+Tab leaves the desktop."""
        del forward
        return False

    def changeEvent(self, event: QEvent) -> None:
        """Discard pictures in old colours, for example when the system switches to dark."""
        super().changeEvent(event)
        if event.type() in (QEvent.Type.PaletteChange, QEvent.Type.ApplicationPaletteChange):
            self.item_views.pictures.clear()
            self.update()

    def moveEvent(self, event: QMoveEvent) -> None:
        super().moveEvent(event)
        self.insertion_point.canvas_moved(event.oldPos(), event.pos())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if self.islands is not None:
            self.islands.place()
        self.viewport_changed()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._set_initial_viewport()

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        self.drop_and_paste.drag_enter(event)

    def dragMoveEvent(self, event: QDragMoveEvent) -> None:
        self.drop_and_paste.drag_move(event)

    def dragLeaveEvent(self, event: QDragLeaveEvent) -> None:
        self.drop_and_paste.drag_leave(event)

    def dropEvent(self, event: QDropEvent) -> None:
        self.drop_and_paste.drop(event)
        focused = QApplication.focusWidget()
        if focused is None or not self.isAncestorOf(focused):
            # The next key press is for the new item, not for the palette it was dragged from.
            self.setFocus(Qt.FocusReason.MouseFocusReason)

    # helpers

    def _repaint_drawings(self, before: Desktop, after: Desktop) -> None:
        """Discard the pictures of drawings that look different now."""
        if before.background != after.background:
            self.item_views.pictures.clear()
        for key in after.items.changed_since(before.items):
            old, new = before.items.get(key), after.items.get(key)
            if old is not None and new is not None and looks_changed(old, new):
                self.item_views.pictures.forget(key)

    def _set_initial_viewport(self) -> None:
        if self.initial_viewport.apply():
            self.viewport_changed()

    def refresh_selection(self) -> None:
        """Show the bar of the selection where it belongs now."""
        if self.islands is not None:
            self.islands.refresh_selection()

    def display_changed(self) -> None:
        """Repaint after a display option has changed, and have it saved."""
        self.view_state_changed.emit()
        self.update()

    def viewport_changed(self) -> None:
        """Update everything that depends on the visible part of the plane."""
        self.ear.leave()
        if self.camera.zoom != 1 and not self.item_editing.is_painted:
            self.leave_editing()  # its widget cannot be scaled
        self.item_editing.place_widget()
        self._place_over_zones()
        self._run_items_in_view()
        self._settle.start()
        self.minimap.place()
        self.find_bar.place()
        if self.islands is not None:
            self.islands.refresh_view()
        self.collaborators.publish()
        self.view_state_changed.emit()
        self.update()

    @property
    def is_moving(self) -> bool:
        """True while the plane moves or a gesture lasts: old pictures are shown meanwhile."""
        return self._settle.isActive() or self.gesture is not None

    def _paint_sharply(self) -> None:
        self.minimap.update_visibility()
        self.update()

    def _run_items_in_view(self) -> None:
        keys = (*self.preview, self.editing, self.new_note_typing.key)
        self._items_in_view.run(key for key in keys if key is not None)

    def actions_changed(self, key: str) -> None:
        """Announce that other actions are possible in an item."""
        if key == self.editing:
            self.edited_actions_changed.emit()

    def _repaint_item(self, key: str) -> None:
        if key == self.editing and self.item_views.view(key) is None:
            self.leave_editing()  # it has stopped, and its widget with it
        item = self.state.items.get(key)
        if item is not None:
            covered = self.camera.area(reach(self.place_of(item)))  # rotated, more than its rectangle
            self.update(covered.adjusted(-4, -4, 4, 4).toAlignedRect())
        self.new_note_typing.check_soon()
        self.zone_field.place_soon()
        if key in self._selected:
            self.ghosts.refresh_soon()
        if key == self.editing:
            self.growth.fit_soon(key)
