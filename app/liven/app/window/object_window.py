"""A window that shows one object."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from itertools import takewhile
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QCloseEvent, QKeyEvent, QMoveEvent, QPixmap, QResizeEvent
from PySide6.QtWidgets import (
    QDockWidget,
    QMainWindow,
    QWidget,
)

from liven.app.network_panel.member_names import person_at
from liven.app.palette.sections import Offers, nothing_else
from liven.app.window.docks.panels import Panels
from liven.app.window.floating.controls import FloatingControls, fill_menu_corner
from liven.app.window.floating.problem_sign import ProblemSign
from liven.app.window.floating.toast import Toast
from liven.app.window.floating.waiting_chip import ConfirmationWatch, WaitingChip
from liven.app.window.insertion import Insertion
from liven.app.window.menus.menu_bar import Menus
from liven.app.window.pages.loading_page import LoadingPage
from liven.app.window.pages.stopped_page import StoppedPage
from liven.app.window.problems.badge import ProblemBadge
from liven.app.window.problems.panel import ProblemsPanel
from liven.app.window.recordings.past import WindowPast
from liven.app.window.recordings.recording_badge import RecordingBadge
from liven.liveobjects.look.view.labels import brief, plain_label
from liven.liveobjects.view.contract import HasParts, NoViewError, View, ViewState, view_of
from liven.liveobjects.view.focus import set_initial_focus
from liven.liveobjects.view.loading import LOADING, LoadingIndicators
from liven.runtime import author_traceback
from liven.runtime.foreign_text import shown_line
from liven.runtime.objects.node import Node
from liven.runtime.objects.proxy import ProxyHandle
from liven.runtime.objects.reply import Reply
from liven.runtime.objects.ui_endpoint import NothingToShowError, OpenInterface
from liven.runtime.problems import Kind, Problem
from liven.runtime.reference.errors import ReadError
from liven.runtime.reference.model import Object, name_of
from liven.runtime.reference.xml import read_object

if TYPE_CHECKING:
    from liven.app.time_travel.time_machine import TimeMachine
    from liven.liveobjects.channel.line.traffic_counters import TrafficCounters

NETWORK_HEIGHT, INSPECTOR_HEIGHT, FEEDS_HEIGHT = 260, 320, 300
_LONGEST_NAME, _LONGEST_WORDS = 120, 2000
_TELL_AUTHOR = "tell the object's author"


class ObjectWindow(QMainWindow):
    """A window that shows one object: first a loading page, then the object, and a page with the reason when
    it stops."""

    about_to_close = Signal()
    """Emitted before the window's contents go away."""
    closed = Signal()
    open_requested = Signal(object)
    """Emitted to open another window: on a path, a recipe, its bytes or a link."""
    begin_requested = Signal(object)
    """Emitted with the `Kind` of an object to begin in another window."""
    start_requested = Signal()
    """Emitted to show the start window, with its search."""
    other_program_requested = Signal()
    """Emitted to open the same object in another program."""
    moved = Signal()
    """Emitted when the window was moved or resized."""
    view_state_changed = Signal()
    """Emitted when the view's settings or the open panels have changed."""
    restart_requested = Signal()
    """Emitted to load the object again."""
    rename_requested = Signal()
    """Emitted to change the user's name."""
    quit_requested = Signal()
    """Emitted to quit the program."""
    saved = Signal(object)
    """Emitted with the path of a file in which the recipe was saved."""
    file: Path | None = None
    """The file that was opened; None for an object without one."""
    _last_look: Callable[[], QPixmap | None] | None = None
    """Returns the last picture of the object that was kept."""

    def __init__(
        self,
        name: str,
        recent: Callable[[], Sequence[Path]] = tuple,
        offers: Offers = nothing_else,
        onlooker: Callable[[], TrafficCounters] | None = None,
        machine: Callable[[], TimeMachine] | None = None,
    ) -> None:
        """Create a window. `recent` returns the files opened last, the insert popover lists `offers`,
        `onlooker` reads the traffic counters for the network monitor, and `machine` finds recordings."""
        super().__init__()
        self.name = name
        self.step = name
        """The first step of the paths of this object and its parts: its name, made unique among the
        windows."""
        self.recent = recent
        self.view: View | None = None
        self.handle: ProxyHandle | None = None
        self.recipe: Object | None = None
        self.picture_only = False
        self.declined = False
        """True if the user declined the code of this object."""
        self.is_safe = False
        """True while nothing inside the object runs, so that a bad part of it can be removed."""
        self._showing: OpenInterface | None = None
        self.awaited: Reply[ProxyHandle] | None = None
        """The object while it is loading."""
        self._node: Node | None = None
        self._onlooker = onlooker
        self._outlook: ViewState = {}
        """The last known settings of the view."""
        self._tells_outlook = False  # also if the current view failed to return its settings
        self._message = Toast(self)
        self.floating = FloatingControls(self)
        self._message.foot = self.floating.message_foot
        self._loading_state = LoadingIndicators(self._show_loading_message)
        self._loading_page: LoadingPage | None = None
        self._forget: Callable[[], object] = lambda: None
        self.problems = ProblemsPanel()
        self.problems.concerns = self._is_about_object
        self.problems.restart_requested.connect(self.restart)
        self.problems.pause_requested.connect(self.pause)
        self._marked: set[str] = set()
        self._problem_badge = self._make_problem_badge()
        self.insertion = Insertion(self, offers)
        self._add_hidden(Qt.DockWidgetArea.BottomDockWidgetArea, self.problems)
        makers = {
            "inspector": (self._make_inspector, INSPECTOR_HEIGHT),
            "network": (self._make_network, NETWORK_HEIGHT),
            "feeds": (self._make_feeds, FEEDS_HEIGHT),
        }
        self._waiting_panels: tuple[tuple[str, ...], str] | None = None
        self.panels = Panels(self, (self.problems,), makers, self.view_state_changed.emit)
        self._machine = machine
        self.past = WindowPast(self, machine)
        self.menus = Menus(self)
        self._recording_badge = RecordingBadge(self)
        self.confirmation = ConfirmationWatch(self)
        self._problem_counter = self._make_problem_counter()
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self._update_title()
        self.resize(900, 620)

    def _make_problem_badge(self) -> ProblemBadge:
        made = ProblemBadge(self)
        made.clicked.connect(lambda: self.show_problems_of(""))
        return made

    def show_menus(self) -> None:
        """Show the menus."""
        self.floating.show_menus()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Listen to Alt, which opens the menus of the mark."""
        self.floating.key_pressed(event)
        super().keyPressEvent(event)

    def show_act(self, message: str, act: str, do: Callable[[], object]) -> None:
        """Show a message with a button that does something about it."""
        self._message.say(message, act=(act, do))

    def _make_problem_counter(self) -> ProblemSign:
        made = ProblemSign(self.problems)
        made.clicked.connect(self.show_problems)
        self.problems.counted.connect(lambda _: self._show_problem_counts())
        fill_menu_corner(self.menuBar(), WaitingChip(self.confirmation), self._recording_badge, made)
        return made

    def _add_hidden(self, area: Qt.DockWidgetArea, dock: QDockWidget) -> None:
        self.addDockWidget(area, dock)
        dock.hide()

    def show_message(self, message: str) -> None:
        """Show a message."""
        self._message.say(message)

    def open_object(self, recipe: str, name: str) -> None:
        """Open another object in a window of its own."""
        try:
            self.open_requested.emit(read_object(recipe))
        except ReadError as error:
            self.show_message(f"{name} cannot be opened: {error}")

    def withdraw_message(self, message: str) -> None:
        """Remove a message that is no longer true."""
        self._message.withdraw(message)

    def _show_loading_message(self, key: str) -> None:
        """Show a message while the object waits for its state for long; remove it when the state arrives."""
        if self._loading_state.is_late(key):
            self._message.say(LOADING, stays=True)
        else:
            self._message.withdraw(LOADING)

    def close_message(self) -> None:
        """Close the current message."""
        self._message.close_it()

    def say_again(self) -> None:
        """Show last message, with its details."""
        self._message.say_again()

    def show_problems(self) -> None:
        """Show or hide the problems panel."""
        self.panels.toggle("problems")

    def show_problems_of(self, part: str) -> None:
        """Show the problems panel at the problems of one item, or of the whole object (empty `part`)."""
        if part and not self.problems.parts(self.step)[part] and self._restart_part(part):
            return  # it was only paused, and runs again now
        self.panels.show("problems")
        self.problems.choose((self.step, part) if part else (self.step,))

    def restart(self, where: tuple[str, ...] = ()) -> None:
        """Restart the object at a path, or the whole object of this window, and clear its problems."""
        part = where[1] if len(where) > 1 else ""
        if part and self._restart_part(part):
            self.problems.forget((self.step, part))
        elif self.recipe is None:
            self.show_message("There is nothing to restart here.")
        else:
            self.stop_loading()
            self._release_object()
            self.problems.forget((self.step,))
            self.restart_requested.emit()

    def _restart_part(self, part: str) -> bool:
        return isinstance(self.view, HasParts) and self.view.restart_part(part)

    def pause(self, where: tuple[str, ...] = ()) -> None:
        """Stop the object at a path, or the whole object of this window, and show a still picture of it.
        Everything else keeps running."""
        part = where[1] if len(where) > 1 else ""
        if part and isinstance(self.view, HasParts) and self.view.pause_part(part):
            return
        if self.view is None:
            self.show_message("Nothing is running here.")
            return
        picture = self.view.widget().grab()
        self._release_object()
        words = f"“{self.name}” is paused: it does not run, send or receive."
        self.show_page(StoppedPage(words, self.restart, picture))

    def show_inspector(self) -> None:
        """Show or hide the inspector."""
        self.panels.toggle("inspector")

    def show_network(self) -> None:
        """Show or hide the network monitor."""
        self.panels.toggle("network")

    def show_feeds(self) -> None:
        """Show or hide the feed panel."""
        self.panels.toggle("feeds")

    def _make_inspector(self) -> QDockWidget | None:
        if self._node is None:
            self.show_message("Nothing is running here yet.")
            return None
        from liven.app.inspector.dock import Inspector  # rarely needed

        return Inspector(self._node, self.handle.path[0] if self.handle is not None else self.step)

    def _make_feeds(self) -> QDockWidget | None:
        if self._machine is None:
            self.show_message("There are no feeds here.")
            return None
        from liven.app.window.docks.feeds import WindowFeeds  # rarely needed

        return WindowFeeds(self, self._machine()).panel

    def _make_network(self) -> QDockWidget | None:
        if self._onlooker is None:
            self.show_message("There is no network connection.")
            return None
        from liven.app.network_panel.dock import NetworkMonitor  # rarely needed

        return NetworkMonitor(self._onlooker(), self._object_path, self._who)

    def current_panels(self) -> tuple[tuple[str, ...], str]:
        """Return the names of the open panels and their layout."""
        return self._waiting_panels or (self.panels.shown(), self.panels.layout())

    def restore_panels_later(self, shown: tuple[str, ...], layout: str) -> None:
        """Restore these panels as soon as the object is shown."""
        self._waiting_panels = (shown, layout)

    def restore_panels(self) -> None:
        """Restore the panels that were waiting for the object."""
        waiting, self._waiting_panels = self._waiting_panels, None
        if waiting is not None:
            self.panels.restore(*waiting)

    @property
    def outlook(self) -> ViewState:
        """The view's own settings, such as scroll position and zoom, or the last known ones if no view is
        open."""
        if self.view is not None and self._tells_outlook:
            try:
                self._outlook = dict(self.view.view_state())
            except Exception as error:  # code of the view's author
                self._tells_outlook = False
                self._fault(f"its view cannot save its settings: {type(error).__name__}: {error}")
        return self._outlook

    def restore_view_state(self, outlook: ViewState) -> None:
        """Restore the view's settings, now or as soon as the object is shown."""
        self._outlook = outlook
        if self.view is None or not outlook:
            return
        try:
            self.view.restore_view_state(outlook)
        except Exception as error:
            self._fault(f"its view cannot restore its settings: {type(error).__name__}: {error}")

    def choose_appearance(self) -> None:
        """Show the dialog for contrast and motion."""
        from liven.app.window.appearance_choice import choose_appearance  # rarely needed

        choose_appearance(self)

    def add_problem(self, problem: Problem) -> None:
        """Add a problem to the panel, and show it as a message unless the panel is visible."""
        self.problems.add(problem)
        if not self.problems.isVisible():
            self.show_message(str(problem))

    def show_loading(self, what: str) -> None:
        """Show the loading page, on which the user can cancel."""
        page = LoadingPage(self._loading_text(what))
        page.cancelled.connect(self.cancel_loading)
        self.show_page(page)
        self._loading_page = page

    def take_last_look(self, picture: Callable[[], QPixmap | None]) -> None:
        """Show what `picture` returns when the object stops: its view cannot be asked any more then."""
        self._last_look = picture

    def cancel_loading(self) -> None:
        """Stop loading because the user cancelled. The window stays open."""
        self.stop_loading()
        self.show_page(StoppedPage(f"“{self.name}” is not open because you cancelled it.", self.restart))

    def show_loading_step(self, what: str) -> None:
        """Show the next step of loading."""
        if self._loading_page is not None:
            self._loading_page.say(self._loading_text(what))

    def _loading_text(self, what: str) -> str:
        return f"Opening {brief(self.name, _LONGEST_NAME)}: {brief(what, _LONGEST_NAME)}"

    def stop_loading(self) -> None:
        """Cancel loading."""
        awaited, self.awaited = self.awaited, None
        if awaited is not None:
            awaited.cancel()

    def show_object(
        self, node: Node, handle: ProxyHandle, follow: Callable[[object], Callable[[], None]]
    ) -> None:
        """Show a running object; raise NothingToShowError or NoViewError if it cannot be shown.

        `follow` is called with the object's model and returns a function to call when the object is gone.
        """
        self.handle = handle
        self._node = node
        self._recording_badge.watch(node, handle.path[0])
        self.confirmation.watch(node, handle.path[0])
        self._showing = OpenInterface.of(node, handle, self._show_stopped)
        self._forget = follow(self._showing.shown.model)
        self.view = view = view_of(self._showing.shown, self)
        try:
            self._show_view(view)
        except Exception as error:  # code of the view's author
            self._close_view()
            name = self._showing.shown.view
            said = f"{type(error).__name__}: {error}{author_traceback.author_line(error)}"
            raise NoViewError(f"the view {name} does not start: {said}") from error
        self._show_problem_counts()
        self.restore_view_state(self._outlook)
        self._tells_outlook = True
        self._loading_state.expect("", partial(_waits, view))
        self.past.begin(node)

    def _show_view(self, view: View) -> None:
        widget = view.widget()
        self.show_page(widget)
        widget.show()  # Qt would show it later, and a hidden widget cannot get the focus
        set_initial_focus(widget)
        view.changed.connect(self._update_title)
        view.view_state_changed.connect(self.view_state_changed)
        view.actions_changed.connect(self._show_actions)
        view.palette_requested.connect(self.insertion.toggle)
        view.problems_requested.connect(self.show_problems_of)
        view.part_restarted.connect(lambda part: self.problems.forget((self.step, part)))
        self._update_title()
        self.menus.show_actions(view.actions())
        self.floating.begin(view)

    def _show_actions(self) -> None:
        """Update the menus with the actions that are available now."""
        if self.view is None or self.past.view is not None:
            return
        try:
            self.menus.show_actions(self.view.actions())
        except Exception as error:  # code of the view's author; keep the old menus
            self._fault(f"its view cannot list its actions: {type(error).__name__}: {error}")

    def past_changed(self) -> None:
        """Update menus and title: an earlier moment, or the live object, is shown now."""
        if self.past.view is not None:
            self.menus.show_actions(self.past.view.page.commands())
        self._show_actions()
        self.floating.show_menu_bar()
        self._update_title()

    def show_words(self, words: str) -> None:
        """Show a sentence instead of an object."""
        label = plain_label(brief(words, _LONGEST_WORDS))
        label.setWordWrap(True)
        label.setAlignment(Qt.AlignmentFlag.AlignCenter)
        label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        label.setContentsMargins(40, 40, 40, 40)
        self.show_page(label)

    def show_page(self, page: QWidget) -> None:
        """Replace the contents of the window."""
        self._loading_page = None  # it is deleted with the old page
        self.setCentralWidget(page)

    def moveEvent(self, event: QMoveEvent) -> None:
        """Emit `moved`, so that the new position is saved."""
        super().moveEvent(event)
        self.moved.emit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Emit `moved`, so that the new size is saved."""
        super().resizeEvent(event)
        self.moved.emit()

    def closeEvent(self, event: QCloseEvent) -> None:
        """Close the window and its object. The object keeps running if something else in this program uses
        it."""
        try:
            self.about_to_close.emit()
            self.panels.end()
            self.stop_loading()
            self._release_object()
        finally:  # otherwise the program would wait for this window forever
            self.closed.emit()
            super().closeEvent(event)

    def _show_stopped(self) -> None:
        """Replace the object's view after the object stopped.

        The runtime calls this, perhaps from inside a handler of the object, so the object must not be
        touched.
        """
        failed = self.handle is not None and self.handle.failed
        picture = None if self._last_look is None else self._last_look()
        self._release_object()
        why = " stopped because of an error. See the problems panel." if failed else " has ended."
        again, details = self.restart if self.recipe else None, self.show_problems if failed else None
        self.show_page(StoppedPage(f"{self.name}{why}", again, picture, details, failed=failed))

    def _release_object(self) -> None:
        self.past.end()
        self._close_view()
        self._recording_badge.stop()
        self.confirmation.stop()
        self._forget()
        self._forget = lambda: None
        if self._showing is not None:
            self._showing.close()
            self._showing = None
        if self.handle is not None:
            self.handle.close()
            self.handle = None

    def _close_view(self) -> None:
        """Close the view, even if its author's code raises."""
        self.insertion.close()
        self.menus.show_actions(())
        self._outlook, self._tells_outlook = self.outlook, False
        view, self.view = self.view, None
        self.floating.end()
        self._loading_state.end("")
        if view is None:
            return
        shown = self.takeCentralWidget()
        try:
            view.close()
        except Exception as error:
            if shown is not None:
                shown.deleteLater()
            self._fault(f"its view raised when it was closed: {type(error).__name__}: {error}")

    def _fault(self, what: str) -> None:
        """Report an error in the code of the view's author."""
        if self._node is not None:
            self._node.problems.report(Problem(Kind.RAISED, (self.step,), what, _TELL_AUTHOR))

    def _is_about_object(self, problem: Problem) -> bool:
        """Return True if a problem is about this window's object, so that restarting the object may help."""
        return self.recipe is not None and problem.where[:1] == (self.step,)

    def _show_problem_counts(self) -> None:
        """Show problem badges on the items that have problems; count the remaining problems on the window's
        own badge."""
        counts = self.problems.parts(self.step)
        rest = counts.pop("", 0)
        for part in self._marked | counts.keys():
            view = self.view
            if not (isinstance(view, HasParts) and view.show_problem_count(part, counts[part])):
                rest += counts[part]
        self._marked = set(counts)
        self._problem_badge.count(0 if self.floating.is_on else rest)  # an island has a sign of its own

    def _object_path(self, channel: str) -> tuple[str, ...]:
        """Return the path of the object that uses a channel: its name, after the names of its containers."""
        running = self._node.running.values() if self._node is not None else ()
        paths = (proxy.path for proxy in running if getattr(proxy.instance, "name", None) == channel)
        named = (takewhile(lambda step: not step.startswith("Parameter["), path) for path in paths)
        return next(map(tuple, named), ())

    def _who(self, member: int) -> str:
        """Return the name of the person behind a network member, from their presence information."""
        return "" if self._node is None else person_at(self._node, member)

    def contents_complete(self) -> bool:
        """Return True if everything in view is loaded. Errors of the view's author count as complete."""
        try:
            return self.view is not None and self.view.is_complete()
        except Exception:
            return True

    def saved_as(self, path: Path, recipe: Object) -> None:
        """Take the name of the file in which the recipe was saved."""
        self.recipe, self.name = recipe, name_of(recipe) or path.stem
        self._update_title()
        self.saved.emit(path)

    def object_title(self) -> str:
        """Return the title of the object, or its name if it has none."""
        title = self.view.title() if self.view is not None else ""
        return brief(shown_line(title or self.name), _LONGEST_NAME)

    def _update_title(self) -> None:
        moment = " (not live)" if self.past.view is not None else ""
        self.setWindowTitle(f"{self.object_title()}{moment} — Liven")
        self.floating.name_changed()


def _waits(view: View) -> bool:
    """Return True if the object has no state yet. Errors of the view's author are ignored: this is polled,
    and each poll would report the same error again."""
    try:
        return view.is_loading()
    except Exception:
        return False


__all__ = ["NoViewError", "NothingToShowError", "ObjectWindow"]
