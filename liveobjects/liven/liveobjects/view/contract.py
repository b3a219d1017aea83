"""The contract between the view of an object and the host that shows it.

An object's proxy class names a function that makes its view. A host, such as a window or a desktop, calls
this function with the object and itself, and gets a `View`. The host paints the view in place; while a person
works in the object, the host shows the view's widget instead. A view has at most one widget at a time.

Every view is a `View`. A view that can do more also inherits from `Searchable`, `DropTarget`, `Container` or
`HasParts`, and the host asks with `isinstance`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from importlib import import_module
from typing import Protocol, TypeAlias, cast, runtime_checkable

from PySide6.QtCore import QMimeData, QObject, QRectF, QSizeF, Signal
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QWidget

from liven.liveobjects.look.tokens import CARD_RADIUS
from liven.liveobjects.look.view.labels import brief
from liven.liveobjects.look.view.light import current_look
from liven.runtime import author_traceback
from liven.runtime.objects.ui_endpoint import Shown

DETAILS = "\n\nDetails:\n"
"""Separates a message from its details, which the host shows on request."""

ViewState: TypeAlias = Mapping[str, float | str]
"""The state in which a person last saw an object, as the scroll position: numbers and short texts."""


class ViewHost(Protocol):
    """A window or desktop that shows a view: what the view may ask of it."""

    def show_message(self, message: str) -> None:
        """Show a sentence without interrupting. The text after `DETAILS` is shown on request."""

    def withdraw_message(self, message: str) -> None:
        """Hide a message whose cause is gone."""

    def open_object(self, recipe: str, name: str) -> None:
        """Open another object, given by its recipe, in its own window."""


@runtime_checkable
class ActingHost(Protocol):
    """A host whose messages may have a button."""

    def show_act(self, message: str, act: str, do: Callable[[], object]) -> None:
        """Show a sentence with a button of this name that does something about it."""


@runtime_checkable
class SafeHost(Protocol):
    """A host that can show an object without running anything inside it."""

    @property
    def is_safe(self) -> bool:
        """True if nothing inside the object runs."""


def runs_parts(host: ViewHost) -> bool:
    """Return True if objects inside the shown one may run."""
    return not (isinstance(host, SafeHost) and host.is_safe)


def _always() -> bool:
    return True


@dataclass(frozen=True, slots=True)
class Action:
    """One command of a view, for menus, the command palette and the sheet of keys."""

    words: str
    keys: tuple[str, ...]
    """Key sequences as Qt writes them. The view's own widget listens to them."""
    run: Callable[[], object]
    group: str
    """The menu that holds the command."""
    tip: str = ""
    """An explanation, where the words alone are ambiguous."""
    part: str = ""
    """Commands of one menu with the same part stand together, between separators."""
    can: Callable[[], bool] = _always
    """Returns false while the command would do nothing: menus show it in grey."""
    ticked: Callable[[], bool] | None = None
    """Returns true while what the command switches is on: menus show a tick."""


class View(QObject):
    """One object as a person sees it. Made and used on the GUI thread only."""

    changed = Signal()
    """The view looks different now: paint it again."""
    actions_changed = Signal()
    """`actions` returns something else now."""
    view_state_changed = Signal()
    """`view_state` returns something else now."""
    palette_requested = Signal()
    """The person wants to add something and asks for the palette."""
    problems_requested = Signal(str)
    """The person asks for the problems of the part with this name."""
    part_restarted = Signal(str)
    """The part with this name was restarted: its listed problems are obsolete."""

    on_plane = False
    """True if a desktop shows the object: its widget then looks just as it is painted, without bars."""
    shown_name = ""
    """The name that the host gives the object, such as the label of an item: the title of a painted face that
    has no name of its own."""

    def __init__(self) -> None:
        super().__init__()
        self._widget: QWidget | None = None

    def paint(self, painter: QPainter, area: QRectF) -> None:
        """Paint the object into `area`."""
        raise NotImplementedError

    def make_widget(self) -> QWidget:
        """Make the widget in which a person works with the object."""
        raise NotImplementedError

    def release_widget(self, widget: QWidget) -> None:
        """Disconnect the widget from the model before it is deleted."""

    def widget(self) -> QWidget:
        """Return the widget; make it if there is none."""
        if self._widget is None:
            self._widget = self.make_widget()
        return self._widget

    def close_widget(self) -> None:
        """Delete the widget. The model already has everything that was typed into it."""
        widget, self._widget = self._widget, None
        if widget is not None:
            self.release_widget(widget)
            widget.setParent(None)
            widget.deleteLater()

    def actions(self) -> tuple[Action, ...]:
        """Return the commands of the widget. Called only while there is a widget."""
        return ()

    def is_loading(self) -> bool:
        """Return true while the object has no state yet, so that the host can say so. A view that shows this
        itself returns false."""
        return False

    def is_complete(self) -> bool:
        """Return true if everything that is in view has loaded: the object, and the objects that it shows."""
        return not self.is_loading()

    def view_state(self) -> ViewState:
        """Return what the person sees in the widget, to be restored the next time the object is opened."""
        return {}

    def restore_view_state(self, state: ViewState) -> None:
        """Show what the person saw in an earlier run. The object may have changed since, or still be loading,
        and `state` may hold anything."""
        del state

    def title(self) -> str:
        """Return the title of a window that shows the object; empty if the object has no name of its own."""
        return ""

    def size_hint(self) -> QSizeF:
        """Return the preferred size on a desktop."""
        return QSizeF(240, 160)

    def fitting_height(self, width: float) -> float:
        """Return the height at which a text is seen whole in a width; 0 for what does not grow. On a desktop,
        an object grows with what a person types into it."""
        del width
        return 0.0

    def is_flat(self) -> bool:
        """Return true for an object without a ground of its own, such as a text on the plane itself: it has
        no shadow on a desktop."""
        return False

    def radius(self) -> float:
        """Return the radius of the corners on a desktop, which cuts off what is painted beyond them."""
        return CARD_RADIUS

    def edge_colour(self) -> str:
        """Return the colour of the hairline around the object on a desktop."""
        return current_look().edge

    def close(self) -> None:
        """Release everything: the view is no longer shown."""
        self.close_widget()
        self.deleteLater()


class Searchable:
    """A view whose object has text: for screen readers and for search."""

    def summary(self) -> str:
        """Return the object's text."""
        raise NotImplementedError

    def is_empty(self) -> bool:
        """Return true if the object is loaded and has no text. As long as this is false, an empty summary may
        mean that the object is still loading, and search uses the text of an earlier run."""
        return False


class Spoken:
    """A view of which a screen reader says more than its text: numbers, and what the person chose."""

    def spoken(self) -> str:
        """Return the state of the object in a few short sentences."""
        raise NotImplementedError


class WritesOnPlane:
    """A view whose widget is a `PlaneEdit`: a desktop shows it at any zoom as it is painted, and `paint`
    paints the document of the widget."""

    def paint_overlay(self, painter: QPainter) -> None:
        """Paint caret and selection over the painted object, in its own coordinates. Called while there is a
        widget."""
        raise NotImplementedError


class DropTarget:
    """A view that takes what is dropped or pasted on it.

    The host remembers the `entries` that a drop added, so that its own undo can remove them again.
    """

    on_received: Callable[[Mapping[str, object]], object] = staticmethod(lambda _: None)
    """Called with the new `entries` of a drop that was read in the background, such as a picture. It is not a
    signal, because the view may be closed by then."""

    def accepts_drop(self, data: QMimeData) -> bool:
        """Return true if a drop of `data` on the painted view goes into the object. Called while the mouse
        moves: open no files."""
        raise NotImplementedError

    def accepts_paste(self, data: QMimeData) -> bool:
        """Return true if the object is empty and made for such data: a paste fills it when it is selected."""
        del data
        return False

    def receive(self, data: QMimeData) -> bool:
        """Put accepted data into the object, as its widget does. Return false after a refusal, which the view
        has explained to the person."""
        raise NotImplementedError

    def holds(self, data: QMimeData) -> bool:
        """Return true if the object keeps all of `data`, so that it may be removed from its old place."""
        del data
        return False

    def when_settled(self, call: Callable[[], object]) -> None:
        """Call `call` once all replicas agree on what was received, at once if they do now. Before that,
        `holds` is only the local view: somebody else may have been first."""
        call()

    def entries(self) -> Mapping[str, object]:
        """Return what the object keeps, by key."""
        return {}

    def remove_entries(self, entries: Mapping[str, object]) -> bool:
        """Remove received entries, for an undo. Return false and change nothing unless all `entries` are
        still there unchanged."""
        del entries
        return False

    def restore_entries(self, entries: Mapping[str, object]) -> bool:
        """Put removed entries back, for a redo. Return false and change nothing if that is impossible."""
        del entries
        return False

    def entry_name(self, key: str, entry: object) -> str:
        """Return the name of one of the `entries`; empty if it has none."""
        del entry
        return key


class Container:
    """A view of an object that holds other objects, such as a desktop or a folder."""

    def accepts(self, recipe: str) -> bool:
        """Return true if the object with this recipe fits. Show no message."""
        raise NotImplementedError

    def insert(self, recipe: str, name: str) -> None:
        """Insert an object, given by its recipe. Explain a refusal to the person."""
        raise NotImplementedError

    def edit_inserted(self) -> None:
        """Enter the newly made object that was inserted last, if it is one to write in, so that the person
        can type at once."""


class HasParts:
    """A view of an object whose parts run, fail and restart on their own."""

    def part_recipes(self) -> Iterable[str]:
        """Return the recipes of all parts that may be seen in a picture of the view, at any depth. An empty
        text stands for a part of which nothing is known."""
        raise NotImplementedError

    def show_problem_count(self, part: str, count: int) -> bool:
        """Show the number of listed problems of a part. Return false if that is impossible."""
        del part, count
        return False

    def restart_part(self, part: str) -> bool:
        """Stop a part and start it anew. Return false if that is impossible."""
        del part
        return False

    def pause_part(self, part: str) -> bool:
        """Stop a part until `restart_part`. Return false if that is impossible."""
        del part
        return False


class ShowsNews:
    """A view that can mark the parts of its object that changed while the person was away."""

    def mark_news(self, parts: Mapping[str, str]) -> None:
        """Mark the parts with these keys, and no others, until the person looks at them; the texts say what
        happened to each."""
        raise NotImplementedError

    def reveal_news(self) -> bool:
        """Bring all marked parts into view. Return false if there are none."""
        raise NotImplementedError


def part_recipes_of(view: View) -> tuple[str, ...]:
    """Return the recipes of the parts that a view shows; none for a view without parts."""
    return tuple(view.part_recipes()) if isinstance(view, HasParts) else ()


def summary_of(view: View) -> str:
    """Return the text of a view's object, or its title if the object has no text."""
    return view.summary() if isinstance(view, Searchable) else view.title()


def spoken_of(view: View) -> str:
    """Return what a screen reader says of a view's object."""
    return view.spoken() if isinstance(view, Spoken) else summary_of(view)


def is_known_empty(view: View) -> bool:
    """Return true if a view's object is loaded and has no text."""
    return isinstance(view, Searchable) and view.is_empty()


class NoViewError(Exception):
    """The view of an object could not be made."""


_LONGEST_ERROR = 300


def error_text(error: BaseException) -> str:
    """Return an error of an author's code for people; its text may be of any length, or fail itself."""
    try:
        text = str(error)
    except Exception:  # the author's own class of errors
        text = ""
    return f"{type(error).__name__}: {brief(text, _LONGEST_ERROR)}" if text else type(error).__name__


def view_of(shown: Shown, host: ViewHost) -> View:
    """Import the module of an object's view and make the view. Anything that the author's code raises becomes
    a NoViewError."""
    module, _, name = shown.view.partition(":")
    try:
        make = cast(Callable[[object, ViewHost], View], getattr(import_module(module), name))
        made = make(shown.model, host)
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # SystemExit too: a view must not end the program
        where = author_traceback.author_line(error)
        raise NoViewError(f"the view {shown.view} does not start: {error_text(error)}{where}") from error
    if not isinstance(made, View):
        raise NoViewError(f"the view {shown.view} is a {type(made).__name__}, not a View")
    return made
