"""What a view is: the contract between an object's view and whoever shows it.

A proxy class names the maker of its view. Whoever shows the object, a window or a desktop, calls it with the
object and with itself, and gets a `View`. It paints the view where it lies; while one works in it, it is
given the view's widget instead, of which there is one at a time.
"""

from __future__ import annotations

import html
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib import import_module
from typing import Protocol, TypeAlias, cast

from PySide6.QtCore import QMimeData, QObject, QRectF, QSizeF, Qt, Signal
from PySide6.QtGui import QAccessible, QAccessibleAnnouncementEvent, QPainter, QPalette
from PySide6.QtWidgets import QApplication, QLabel, QWidget

from liven.runtime import author_traceback
from liven.runtime.fold import RefusedError
from liven.runtime.objects.ui_endpoint import Shown

DETAILS = "\n\nDetails:\n"
"""What follows this in a message is for those who ask for it."""


_LONGEST_TIP = 1000
Outlook: TypeAlias = Mapping[str, float | str]
"""How somebody looks at an object, as which part of it is seen; of numbers and short texts alone."""
HIGH_CONTRAST, REDUCED_MOTION = "liven_high_contrast", "liven_reduced_motion"
"""Properties of the application, by which the program tells every view how it shall look."""


class Frame(Protocol):
    """Whoever shows a view: what the view may ask for."""

    def tell(self, message: str) -> None:
        """Says a sentence to the person, without interrupting. What comes after `DETAILS` is shown when the
        person asks for it."""

    def unsay(self, message: str) -> None:
        """What was told is true no more, since what it was about has gone well: it need not be read."""

    def open_object(self, recipe: str, name: str) -> None:
        """Opens another object, by its recipe, in a window of its own."""


class Complaints:
    """What a view told of things that did not go well, each until one of the same kind goes well."""

    def __init__(self, frame: Frame) -> None:
        self._frame = frame
        self._told: dict[str, str] = {}

    def tell(self, kind: str, message: str) -> None:
        """It did not go well."""
        self._told[kind] = message
        self._frame.tell(message)

    def over(self, *kinds: str) -> None:
        """It goes well, or is tried anew."""
        for kind in kinds:
            if kind in self._told:
                self._frame.unsay(self._told.pop(kind))


@dataclass(frozen=True, slots=True)
class Action:
    """One thing that a person can do in a view, for menus, the command palette and the sheet of keys."""

    words: str
    keys: tuple[str, ...]
    """Key sequences, as Qt writes them. The view's own widget listens to them."""
    run: Callable[[], object]
    group: str
    """The menu it stands in."""
    tip: str = ""
    """What comes of it, where the words alone may be mistaken."""
    part: str = ""
    """What is of one part of a menu stands together, between lines."""


class View(QObject):
    """How one object is shown. Made and used on the one thread of the program."""

    changed = Signal()
    """It looks different now."""
    problems_wanted = Signal(str)
    begun_anew = Signal(str)
    """The part that problems mean by this step was started again here: what was listed of it goes."""
    """The person asks for the problems of a part, by its name."""
    looked = Signal()
    """The person looks at it otherwise now: its `outlook` differs."""
    actions_differ = Signal()
    """Other things can be done in its widget now: its `actions` are others."""
    more_wanted = Signal()
    """The person wants to put something in, and looks for what there is."""

    def __init__(self) -> None:
        super().__init__()
        self.took_in: Callable[[Mapping[str, object]], object] = lambda _: None
        """Called with the `entries` of what it received, where that had to be read first, as a picture: they
        are kept by now. No signal, for by then it may be shown no longer."""
        self._widget: QWidget | None = None

    def paint(self, painter: QPainter, area: QRectF) -> None:
        """Paints it into `area`."""
        raise NotImplementedError

    def make_widget(self) -> QWidget:
        """A widget in which the person works with it."""
        raise NotImplementedError

    def unmake_widget(self, widget: QWidget) -> None:
        """Unties a widget from the model before it goes."""

    def actions(self) -> tuple[Action, ...]:
        """What can be done in its widget; asked for when there is one."""
        return ()

    def waits(self) -> bool:
        """Whether its object has no state yet, and looks for it: whoever shows it says so meanwhile. A view
        that says so itself need not."""
        return False

    def take_in(self, recipe: str, name: str) -> bool:
        """Takes an object in, by its recipe; false if this is nothing that others can be put into. What is
        refused for its type is told by the frame."""
        del recipe, name
        return False

    def begin_new(self) -> None:
        """What was taken in last was made for this, by the person who works here: what one writes in is
        entered, so that one writes at once."""

    def takes(self, recipe: str) -> bool:
        """Whether it would take an object in; without a word to anybody."""
        del recipe
        return False

    def wants(self, data: QMimeData) -> bool:
        """Whether what is dragged over it, where it lies on a desktop, goes into it when it is dropped there.
        Asked while the mouse moves: it opens no file."""
        del data
        return False

    def lacks(self, data: QMimeData) -> bool:
        """Whether it is empty and asks for just this, so that it goes into it also when it is pasted while
        nothing else is chosen."""
        del data
        return False

    def receive(self, data: QMimeData) -> bool:
        """Takes in what it `wants`, as its widget would; false if that was refused, and the person was told
        why."""
        del data
        return False

    def holds(self, data: QMimeData) -> bool:
        """Whether it keeps all of what was dropped, which may then be taken away from where it was."""
        del data
        return False

    def when_settled(self, call: Callable[[], object]) -> None:
        """Calls once all agree on what was put in here, at once where they do: before, `holds` is only what
        is seen here, and others may have been first."""
        call()

    def entries(self) -> Mapping[str, object]:
        """What it keeps, by whatever tells one thing from another there."""
        return {}

    def let_go(self, entries: Mapping[str, object]) -> bool:
        """Takes out what it received, when whoever put it in takes that back; false, and nothing changed,
        where not all of these `entries` are there as they were."""
        del entries
        return False

    def put_again(self, entries: Mapping[str, object]) -> bool:
        """Puts in again what was `let_go`, when that is done again; false, and nothing changed, where it
        cannot be there as it was."""
        del entries
        return False

    def entry_name(self, key: str, entry: object) -> str:
        """What one of its `entries` is called; empty for nothing."""
        del entry
        return key

    def mark(self, part: str, count: int) -> bool:
        """So many problems of the part of this name are listed, which it may show; false if it shows no
        such part."""
        del part, count
        return False

    def restart(self, part: str) -> bool:
        """Ends a part and begins it anew; false if it shows no such part."""
        del part
        return False

    def set_aside(self, part: str) -> bool:
        """Ends a part, which begins again only by `restart`; false if it shows no such part."""
        del part
        return False

    def outlook(self) -> Outlook:
        """How the person looks at it in its widget, so that it is found so when it is opened again."""
        return {}

    def take_outlook(self, outlook: Outlook) -> None:
        """Looks at it as in an earlier run. It may have become another by then, or not be all there yet; and
        what stands in `outlook` may be anything."""
        del outlook

    def title(self) -> str:
        """What a window that shows it is called; empty if it has no name of its own."""
        return ""

    def summary(self) -> str:
        """What it says, as text: for those who cannot see it, and to be searched."""
        return self.title()

    def is_empty(self) -> bool:
        """Whether it is known to say nothing: its state has come, and `summary` is empty. While it is not,
        an empty summary may mean that it has not begun, and what it said in an earlier run is found."""
        return False

    def size_hint(self) -> QSizeF:
        """How large it would like to be on a plane."""
        return QSizeF(240, 160)

    def widget(self) -> QWidget:
        """The widget, made when it is first asked for."""
        if self._widget is None:
            self._widget = self.make_widget()
        return self._widget

    def put_away(self) -> None:
        """The widget is needed no longer; what was typed in it is the model's already."""
        widget, self._widget = self._widget, None
        if widget is not None:
            self.unmake_widget(widget)
            widget.setParent(None)
            widget.deleteLater()

    def close(self) -> None:
        """It is shown no longer."""
        self.put_away()
        self.deleteLater()


NOT_HERE = "…"
"""What a view shows instead of its object's state while it `waits`: nothing is known yet, so neither a zero
nor that it is empty. Whoever shows the view says that it is looked for."""


def paper(painter: QPainter, area: QRectF) -> None:
    """Paints a sheet with an edge, so that it is seen on a ground of its own colour."""
    palette = QApplication.palette()
    painter.fillRect(area, palette.base())
    painter.setPen(palette.color(QPalette.ColorRole.Mid))
    painter.drawRect(area.adjusted(0.5, 0.5, -0.5, -0.5))
    painter.setPen(palette.color(QPalette.ColorRole.Text))


def plain_label(text: str = "") -> QLabel:
    """A label that shows its text as it is. Qt's own looks for markup in it, and reads every file that this
    names: what others wrote could have the program wait for a pipe, or read a device that never ends."""
    made = QLabel()
    made.setTextFormat(Qt.TextFormat.PlainText)
    made.setText(text)
    return made


def brief(text: str, most: int) -> str:
    """At most so many letters of a text, its beginning and its end: a label of a million is wider than any
    screen, and takes seconds to be laid out."""
    return text if len(text) <= most else f"{text[: most // 2]} … {text[-(most // 2) :]}"


def announce(widget: QWidget, words: str) -> None:
    """Has a screen reader say something now, where one listens."""
    if QAccessible.isActive():
        QAccessible.updateAccessibility(QAccessibleAnnouncementEvent(widget, words))


def plain_tip(text: str) -> str:
    """A text for a tool tip, which has no format of its own, so that it is shown as it is."""
    text = brief(text, _LONGEST_TIP)
    if "<" not in text and "&" not in text:
        return text  # what looks like no markup is not taken for any
    return f"<span>{html.escape(text).replace(chr(10), '<br>')}</span>"


def is_high_contrast() -> bool:
    """Whether views shall use the palette's colours alone."""
    return _told(HIGH_CONTRAST)


def is_motion_reduced() -> bool:
    """Whether nothing shall move by itself."""
    return _told(REDUCED_MOTION)


def _told(what: str) -> bool:
    running = QApplication.instance()
    return running is not None and bool(running.property(what))


def take_back(undo: Callable[[], str | None], frame: Frame) -> None:
    """Makes an undo, and tells the person by the name of the step what was taken back, if anything was."""
    _tell_step(undo, frame, "Taken back", "There is nothing of yours to take back.")


def do_again(redo: Callable[[], str | None], frame: Frame) -> None:
    """Makes a redo, likewise."""
    _tell_step(redo, frame, "Done again", "There is nothing to do again.")


def _tell_step(step: Callable[[], str | None], frame: Frame, done: str, nothing: str) -> None:
    try:
        name = step()
    except RefusedError as why:  # as while the channel takes nothing more
        frame.tell(f"{str(why)[:1].upper()}{str(why)[1:]}.")
    else:
        if name is None:
            frame.tell(nothing)
        elif name:  # else it was told why nothing could be done
            frame.tell(f"{done}: {name}")


class NoViewError(Exception):
    """The view of an object cannot be had; says why."""


def view_of(shown: Shown, frame: Frame) -> View:
    """The view of what an object shows, its module imported now. Whatever its code raises is a NoViewError,
    for it is the object's author's."""
    module, _, name = shown.view.partition(":")
    try:
        make = cast(Callable[[object, Frame], View], getattr(import_module(module), name))
        made = make(shown.model, frame)
    except Exception as error:
        said = f"{type(error).__name__}: {error}{author_traceback.place(error)}"
        raise NoViewError(f"the view {shown.view} does not start: {said}") from error
    if not isinstance(made, View):
        raise NoViewError(f"the view {shown.view} gave a {type(made).__name__}, which is no View")
    return made
