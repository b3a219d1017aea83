"""Opens a file as `liven open --new-process` does, and does what it is told on its standard input.

`type WORDS`, `stream FILE` (types a letter each hundredth of a second, and writes down when), `close`; on a
desktop `lay NAME` (a note), `drop PATH`, `write WORDS` (into the first thing), `pan X` (so far to the right),
`grab X` (presses on the first thing, drags it, and holds it), `drag X` (and lets go of it), `stand X Y W H`
(where on the screen the window is).

What is asked is printed in one line: `tell` (what the window shows), `places`, `running` (how many things
run), `inner` (what the first thing says), `pictures` (how much of each has come), `digest` (of what all agree
on), `said` (the last notice), `name` (of the person here), `network` (what the network monitor says); on the
screen `spot` (the middle of the first thing), `ground` (a place of the desktop), `page` (a place of what
fills the window), `number` (of the window, for the X server).

Before anything is shown: `question` (where the trust question and its window are on the screen), `move X Y`
(the question, by so much), `button WORDS` (where it is on the screen), `front` (which page fills the window).

With PLANTED_FAULT in the environment, this replica applies some changes wrongly: a story must notice.
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

from PySide6.QtCore import QEvent, QMimeData, QPoint, QPointF, QSocketNotifier, Qt, QTimer, QUrl
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
    """Each letter stands in the file with the time when its key was handled."""
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
    """Works in the first thing, as after a double-click."""
    canvas().edit(first())
    view = canvas().item_views.view(first().key)
    assert isinstance(view, Container)
    QTest.keyClicks(view.widget(), words)
    canvas().leave_editing()


def pan(by: str) -> None:
    canvas().camera.pan(QPointF(float(by), 0))
    canvas().viewport_changed()


def grab(by: str) -> None:
    """Half a gesture: the button stays pressed."""
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
    """Ctrl is held, so that nothing snaps."""
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
    """Drops a file of the disk in the middle of what is shown."""
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(path)])
    target = window().centralWidget()
    assert target is not None
    at = QPointF(target.rect().center())
    action, button, keys = Qt.DropAction.CopyAction, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    QApplication.sendEvent(target, QDragEnterEvent(at.toPoint(), action, data, button, keys))
    QApplication.sendEvent(target, QDropEvent(at, action, data, button, keys))


def pictures() -> str:
    """How much of each picture has come, in percent, and 100 when it is seen."""
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
    notice = window().findChild(QLabel, "notice")
    return "" if notice is None else notice.text()


def name() -> str:
    """As it is shown beside the caret to the others."""
    handle = window().handle
    thing: Any = None if handle is None else handle.proxy().instance
    return "" if thing is None else local_participant(thing.context).name


def network() -> str:
    """What the monitor says; it is opened for whoever asks first."""
    if window().findChild(NetworkMonitor) is None:
        window().show_network()
    found = window().findChild(NetworkMonitor)
    label = found.findChild(QLabel, options=Qt.FindChildOption.FindChildrenRecursively) if found else None
    return label.text() if isinstance(label, QLabel) else ""


def spot() -> str:
    return on_screen(canvas(), canvas().camera.to_window(rect(first().place).center()))


def ground() -> str:
    """Right and low, where nothing lies yet in these tests."""
    return on_screen(canvas(), QPointF(canvas().width() * 0.6, canvas().height() * 0.6))


def page() -> str:
    widget = window().centralWidget()
    assert widget is not None
    return on_screen(widget, QPointF(widget.rect().center()))


def question() -> str:
    """Where the trust question is on the screen, and its window: left, top, right, bottom of both."""
    asked = [one for one in QApplication.topLevelWidgets() if isinstance(one, TrustQuestion)]
    edges: list[int] = []
    for one in (*asked, window()):
        place = one.frameGeometry()
        edges += (place.left(), place.top(), place.right(), place.bottom())
    return " ".join(map(str, edges)) if any(one.isVisible() for one in asked) else "…"


def move_question(by: str) -> None:
    """As somebody drags it by its title."""
    dialog = next(one for one in QApplication.topLevelWidgets() if isinstance(one, TrustQuestion))
    x, y = map(int, by.split())
    dialog.move(dialog.pos() + QPoint(x, y))


def button(words: str) -> str:
    """Its middle, in whichever window it is seen."""
    every = (one for top in QApplication.topLevelWidgets() for one in top.findChildren(QPushButton))
    seen = [
        one for one in every if one.isVisible() and one.isEnabled() and one.text().replace("&", "") == words
    ]
    return on_screen(seen[0], QPointF(seen[0].rect().center())) if seen else "…"


def front() -> str:
    """What kind of page fills the window."""
    return type(window().centralWidget()).__name__


def on_screen(widget: QWidget, at: QPointF) -> str:
    there = widget.mapToGlobal(at)
    return f"{there.x():.0f} {there.y():.0f}"


def plant_fault(file: str) -> None:
    """One replica that does not fold as the others do: of the note in `file`, or of the desktop. It errs in
    all that it takes in, states too: whoever differs takes the state of the others, and would be well."""
    apply, merge = DesktopModel.apply, Document.merge

    def beside(place: Place) -> Place:
        return replace(place, x=place.x + 1)

    def shifted(model: DesktopModel, state: Desktop, change: Change) -> Desktop:
        if isinstance(change, Move):
            change = Move(change.key, beside(change.place))
        return apply(model, state, change)

    def shifted_state(checkpoint: DesktopState) -> Desktop:
        items = [replace(item, place=beside(item.place)) for item in checkpoint.items]
        return unpacked(DesktopState(checkpoint.background, items, checkpoint.links))

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
"""What can be asked before anything is shown."""


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
    """Whole lines only; what came together is all obeyed."""
    _heard.extend(os.read(sys.stdin.fileno(), 65536))
    while b"\n" in _heard:
        line, _, rest = bytes(_heard).partition(b"\n")
        _heard[:] = rest
        obey(line.decode())


def main() -> int:
    application()
    if "PLANTED_FAULT" in os.environ:
        plant_fault(Path(sys.argv[1]).name)
    parser = argparse.ArgumentParser()
    add_arguments(parser)
    channels = Channels(config_of(parser.parse_args([])), UserFolders.of_user(os.environ))
    ear = QSocketNotifier(sys.stdin.fileno(), QSocketNotifier.Type.Read)
    ear.activated.connect(lambda *_: hear())
    return desktop_program.run(sys.argv[1:], channels, alone=True)


if __name__ == "__main__":
    sys.exit(main())
