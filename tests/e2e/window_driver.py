"""Open a file as `liven open --new-process` does, and obey the commands on standard input.

`type WORDS`, `stream FILE` (type a letter every 10 ms and record the times), `close`; on a desktop `lay NAME`
(add a note), `drop PATH`, `write WORDS` (into the first item), `pan X` (scroll right), `grab X` (press on the
first item, drag it and hold it), `drag X` (and release it), `stand X Y W H` (move the window).

Queries print one line: `tell` (the contents of the window), `places`, `running` (the number of running
items), `inner` (the text of the first item), `pictures` (how much of each is loaded), `digest` (of the shared
state), `said` (the last message), `name` (of this user), `network` (the network monitor); on the screen
`spot` (the centre of the first item), `ground` (an empty place of the desktop), `page` (a place on the
window's page), `number` (of the window, for the X server).

Before an object is shown: `question` (the areas of the trust question and its window), `move X Y` (move the
question), `button WORDS` (its position), `front` (the kind of page in the window).

With PLANTED_FAULT in the environment, this replica applies some changes wrongly, which a test must notice.
With NO_COMPARISONS, replicas do not compare their states, by which they would mend that in the end.
"""

from __future__ import annotations

import argparse
import itertools
import os
import string
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

from PySide6.QtCore import QEvent, QMimeData, QPoint, QPointF, QRect, QSocketNotifier, Qt, QTimer, QUrl
from PySide6.QtGui import QDragEnterEvent, QDropEvent, QMouseEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QPushButton, QWidget

import liven.liveobjects.desktop.object as desktop_object
from liven.app.network.cli import config_of
from liven.app.network.settings import add_arguments
from liven.app.network_panel.dock import NetworkMonitor
from liven.app.palette.new_objects import note
from liven.app.program import desktop_program
from liven.app.qt_application import application
from liven.app.trust.dialog import TrustQuestion
from liven.app.window.object_window import ObjectWindow
from liven.liveobjects.channel.composition import Channels
from liven.liveobjects.channel.session import session
from liven.liveobjects.desktop.model import DesktopModel
from liven.liveobjects.desktop.state import Change, Desktop, Item, Move, Place
from liven.liveobjects.desktop.view import Canvas
from liven.liveobjects.desktop.view.geometry import rect
from liven.liveobjects.desktop.wire import DesktopState, unpacked
from liven.liveobjects.image.state import Album
from liven.liveobjects.image.view import ImageView
from liven.liveobjects.presence.participant import local_participant
from liven.liveobjects.text.document import Delete, Document, Keep
from liven.liveobjects.text.view import NoteEditor
from liven.liveobjects.view.contract import Container
from liven.liveobjects.window.view.panel import WindowPanel
from liven.runtime.library.placement import Placement
from liven.runtime.reference.xml import write
from liven.runtime.user_folders import UserFolders

_heard = bytearray()
_clock = QTimer()


def window() -> ObjectWindow:
    [found] = [one for one in QApplication.topLevelWidgets() if isinstance(one, ObjectWindow)]
    return found


def shown() -> str:
    widget = window().centralWidget()
    if isinstance(widget, NoteEditor):
        return widget.toPlainText()
    if isinstance(widget, Canvas):
        return ",".join(sorted(item.label for item in widget.state.items.values()))
    if isinstance(widget, WindowPanel):
        view: Any = window().view
        return "…" if view.is_loading() else "" if view.inner is None else str(view.inner.summary())
    return "…"


def canvas() -> Canvas:
    widget = window().centralWidget()
    assert isinstance(widget, Canvas)
    return widget


def first() -> Item:
    return min(canvas().state.items.values(), key=lambda item: item.label)


def type_words(words: str) -> None:
    widget = window().centralWidget()
    assert widget is not None
    QTest.keyClicks(widget, words)


def stream(path: str) -> None:
    """Type letters, and record each with the time when its key was handled."""
    file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND)
    typed = itertools.count()

    def strike() -> None:
        letter = string.ascii_lowercase[next(typed) % 26]
        type_words(letter)
        os.write(file, f"{letter} {time.monotonic()}\n".encode())

    _clock.timeout.connect(strike)
    _clock.start(10)


def lay(name: str) -> None:
    view = window().view
    assert isinstance(view, Container)
    view.insert(write(note(name)).decode(), name)


def write_words(words: str) -> None:
    """Type into the first item, as after a double-click."""
    canvas().edit(first())
    view = canvas().item_views.view(first().key)
    assert view is not None
    QTest.keyClicks(view.widget(), words)
    canvas().leave_editing()


def pan(by: str) -> None:
    canvas().camera.pan(QPointF(float(by), 0))
    canvas().viewport_changed()


def grab(by: str) -> None:
    """Start a drag and keep the button pressed."""
    canvas().select(())
    at = canvas().camera.to_window(rect(first().place).center())
    to = at + QPointF(float(by), 0)
    for kind, where in ((QEvent.Type.MouseButtonPress, at), (QEvent.Type.MouseMove, to)):
        send_mouse(kind, where)


def drag(by: str) -> None:
    at = canvas().camera.to_window(rect(first().place).center())
    grab(by)
    send_mouse(QEvent.Type.MouseButtonRelease, at + QPointF(float(by), 0))


def send_mouse(kind: QEvent.Type, at: QPointF) -> None:
    """Send a mouse event with Ctrl held, so that nothing snaps."""
    left, control = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.ControlModifier
    where = QPointF(canvas().mapToGlobal(at.toPoint()))
    QApplication.sendEvent(canvas(), QMouseEvent(kind, at, where, left, left, control))


def places() -> str:
    items = sorted(canvas().state.items.values(), key=lambda item: item.label)
    return ",".join(f"{item.label}:{item.place.x:.0f}" for item in items)


def inner() -> str:
    items = canvas().state.items
    view = canvas().item_views.view(first().key) if items else None
    return view.title() if view is not None else ""


def drop(path: str) -> None:
    """Drop a file in the middle of the window."""
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(path)])
    target = window().centralWidget()
    assert target is not None
    at = QPointF(target.rect().center())
    action, button, keys = Qt.DropAction.CopyAction, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    QApplication.sendEvent(target, QDragEnterEvent(at.toPoint(), action, data, button, keys))
    QApplication.sendEvent(target, QDropEvent(at, action, data, button, keys))


def pictures() -> str:
    """Return the loaded percentage of each picture; 100 once it is displayed."""
    views = [canvas().item_views.view(key) for key in sorted(canvas().state.items)]
    states = [view.model.editor.confirmed for view in views if isinstance(view, ImageView)]
    return ",".join(str(share(state)) for state in states)


def share(state: Album) -> int:
    coming = state.arriving
    if coming is not None:
        return 99 * coming.got // coming.about.size
    return 100 if state.seen is not None else 0


def digest() -> str:
    widget = window().centralWidget()
    if isinstance(widget, NoteEditor):
        return widget.note.digest().hex()
    if isinstance(widget, Canvas):
        editor = widget.editor
        return editor.model.digest(editor.confirmed).hex()
    return ""


def stand(area: str) -> None:
    window().setGeometry(*map(int, area.split()))


def said() -> str:
    notice = window().findChild(QLabel, "toast")
    return "" if notice is None else notice.text()


def name() -> str:
    """Return the name beside this user's caret."""
    handle = window().handle
    thing: Any = None if handle is None else handle.proxy().instance
    return "" if thing is None else local_participant(thing.context).name


def network() -> str:
    """Return the text of the network monitor, opening it at first."""
    if window().findChild(NetworkMonitor) is None:
        window().show_network()
    found = window().findChild(NetworkMonitor)
    label = found.findChild(QLabel, options=Qt.FindChildOption.FindChildrenRecursively) if found else None
    return label.text() if isinstance(label, QLabel) else ""


def spot() -> str:
    return on_screen(canvas(), canvas().camera.to_window(rect(first().place).center()))


def ground() -> str:
    """Return a place at the lower right, which is empty in these tests."""
    return on_screen(canvas(), QPointF(canvas().width() * 0.6, canvas().height() * 0.6))


def page() -> str:
    widget = window().centralWidget()
    assert widget is not None
    return on_screen(widget, QPointF(widget.rect().center()))


def question() -> str:
    """Return left, top, right and bottom of the trust question and of its window."""
    asked = [one for one in QApplication.allWidgets() if isinstance(one, TrustQuestion)]
    edges: list[int] = []
    for one in (*asked, window()):
        place = one.frameGeometry() if one.isWindow() else QRect(one.mapToGlobal(QPoint(0, 0)), one.size())
        edges += (place.left(), place.top(), place.right(), place.bottom())
    return " ".join(map(str, edges)) if any(one.isVisible() for one in asked) else "…"


def move_question(by: str) -> None:
    """Move the question as if dragged by its title."""
    dialog = next(one for one in QApplication.allWidgets() if isinstance(one, TrustQuestion))
    x, y = map(int, by.split())
    dialog.move(dialog.pos() + QPoint(x, y))


def button(words: str) -> str:
    """Return the centre of a button in any window."""
    every = (one for top in QApplication.topLevelWidgets() for one in top.findChildren(QPushButton))
    seen = [
        one for one in every if one.isVisible() and one.isEnabled() and one.text().replace("&", "") == words
    ]
    return on_screen(seen[0], QPointF(seen[0].rect().center())) if seen else "…"


def front() -> str:
    """Return the class of the page in the window."""
    return type(window().centralWidget()).__name__


def on_screen(widget: QWidget, at: QPointF) -> str:
    there = widget.mapToGlobal(at)
    return f"{there.x():.0f} {there.y():.0f}"


def plant_fault(file: str) -> None:
    """Make this replica apply changes of a note or a desktop wrongly, in received states as well: otherwise
    it would recover by fetching the state of the others."""
    apply, merge = DesktopModel.apply, Document.merge

    def beside(place: Place) -> Place:
        return replace(place, x=place.x + 1)

    def shifted(model: DesktopModel, state: Desktop, change: Change) -> Desktop:
        if isinstance(change, Move):
            change = Move(change.key, beside(change.place))
        return apply(model, state, change)

    def shifted_state(checkpoint: DesktopState) -> Desktop:
        items = [replace(item, place=beside(item.place)) for item in checkpoint.items]
        return unpacked(replace(checkpoint, items=items))

    def forgetful(document: Document, update: bytes) -> None:
        merge(document, update)
        if len(document) > 3:
            document.edit((Keep(len(document) - 1, {}), Delete(1)))

    if "note" in file:
        Document.merge = forgetful  # type: ignore[method-assign, assignment]  # that is the fault
    else:
        DesktopModel.apply = shifted  # type: ignore[method-assign, assignment]
        vars(desktop_object)["unpacked"] = shifted_state


ORDERS: dict[str, Callable[[str], object]] = {
    "type": type_words,
    "stream": stream,
    "lay": lay,
    "write": write_words,
    "pan": pan,
    "drop": drop,
    "grab": grab,
    "drag": drag,
    "close": lambda _: window().close(),
    "stand": stand,
    "move": move_question,
}
QUESTIONS: dict[str, Callable[[], str]] = {
    "tell": shown,
    "places": places,
    "inner": inner,
    "pictures": pictures,
    "digest": digest,
    "said": said,
    "name": name,
    "network": network,
    "spot": spot,
    "ground": ground,
    "page": page,
    "number": lambda: str(int(window().winId())),
    "running": lambda: str(canvas().item_views.running_items.running),
}


EARLY: dict[str, Callable[[str], str]] = {
    "question": lambda _: question(),
    "button": button,
    "front": lambda _: front(),
}
"""The questions that can be asked before anything is shown."""


def obey(line: str) -> None:
    word, _, rest = line.partition(" ")
    if word in EARLY:
        sys.stdout.write(EARLY[word](rest) + "\n")
        sys.stdout.flush()
    elif word in QUESTIONS:
        ready = window().centralWidget() is not None and window().view is not None
        answer = QUESTIONS[word]() if ready else "…"
        sys.stdout.write(answer.replace("\n", "|") + "\n")
        sys.stdout.flush()
    else:
        ORDERS[word](rest)


def hear() -> None:
    """Obey all complete lines that have arrived."""
    _heard.extend(os.read(sys.stdin.fileno(), 65536))
    while b"\n" in _heard:
        line, _, rest = bytes(_heard).partition(b"\n")
        _heard[:] = rest
        obey(line.decode())


def main() -> int:
    application()
    if "NO_COMPARISONS" in os.environ:
        session.COMPARE_EVERY = 0  # type: ignore[attr-defined]  # a constant of the program
    if "PLANTED_FAULT" in os.environ:
        plant_fault(Path(sys.argv[1]).name)
    parser = argparse.ArgumentParser()
    add_arguments(parser)
    channels = Channels(config_of(parser.parse_args([])), UserFolders.of_user(os.environ))
    ear = QSocketNotifier(sys.stdin.fileno(), QSocketNotifier.Type.Read)
    ear.activated.connect(lambda *_: hear())
    return desktop_program.run(sys.argv[1:], channels, Placement(), alone=True)


if __name__ == "__main__":
    sys.exit(main())
