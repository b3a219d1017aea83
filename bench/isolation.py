"""The cost of a process of its own: an event to a confined object and back, and one frame of its view.

    python bench/isolation.py [--json]

One library is opened twice in one run: in this process, as one that a person installed, and confined, as one
that a recipe brought. The event goes to the object and its answer comes back, over Qt's loop in both
processes. The frame is 400 × 300 points at scale 1 with text and shapes; its time goes from the moment when
the last one was shown to the moment when the next one is.
"""

from __future__ import annotations

import os
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from statistics import median

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from figure_report import Figure, report
from PySide6.QtCore import QEventLoop, QRectF, QTimer
from PySide6.QtGui import QImage, QPainter

from liven.app.confined.programs import WITH_VIEWS
from liven.app.qt_application import application
from liven.app.qt_dispatcher import QtDispatcher
from liven.liveobjects.view.contract import View, view_of
from liven.runtime.library.fetching.bundle import Bundle
from liven.runtime.objects.probe import Probe
from liven.runtime.objects.proxy import ProxyHandle
from liven.runtime.objects.reply import Reply
from liven.runtime.objects.ui_endpoint import OpenInterface
from liven.runtime.problems import Problems
from liven.runtime.process.session import Session
from liven.runtime.reference.model import Reference, Requirement
from liven.runtime.reference.xml.metadata import Metadata
from liven.runtime.user_folders import UserFolders

EVENTS = 2000
FRAMES = 300
WIDTH, HEIGHT = 400, 300
NAMESPACE = 0xBE4C1E00000000000000000000000001
OBJECT = "BE4C1E00000000000000000000000002"
LIBRARY = """
from __future__ import annotations
from typing import Protocol
from liven.types.declare import Dual, ExportedUI, Int64, interface, proxy

@interface
class Ball(Protocol):
    def throw(self, number: Int64) -> None: ...

@interface
class Thrower(Protocol):
    def caught(self, number: Int64) -> None: ...

@proxy(id="BE4C1E00000000000000000000000002", alias="bench:wall", view=__name__ + ":show")
class Wall:
    UI: ExportedUI
    ball: Dual[Ball, Thrower]

    def throw(self, number: int) -> None:
        self.ball.peer.caught(number)

def show(model, host):
    from PySide6.QtCore import QPointF, QTimer
    from PySide6.QtGui import QColor
    from liven.liveobjects.view.contract import View

    class WallView(View):
        count = 0

        def paint(self, painter, area):
            self.count += 1
            painter.fillRect(area, QColor("white"))
            for n in range(40):
                painter.setBrush(QColor.fromHsv(n * 9, 200, 220))
                painter.drawEllipse(QPointF(n * 10 + self.count % 10, 150 + n % 7 * 10), 20, 20)
            for n in range(10):
                painter.drawText(QPointF(10, 20 + n * 14), f"frame {self.count}, line {n}")
            QTimer.singleShot(0, self.changed.emit)

    return WallView()
"""


class Program:
    """A program with windows, without its windows."""

    def __init__(self, home: Path, fetched_from: str) -> None:
        self._loop = QEventLoop()
        problems = Problems()
        problems.listen(lambda problem: print(problem, file=sys.stderr))
        self.dispatcher = QtDispatcher(problems.report)
        self.session = Session.start(self.dispatcher, problems, UserFolders.below(home), confined=WITH_VIEWS)
        assert self.session.installation is not None
        index = self.session.installation.acquirer.index
        bundle = Bundle(Metadata(NAMESPACE, 1, ("wall.py",), "wall"), {"wall.py": LIBRARY.encode()})
        index.store.add(bundle, index.declares, fetched_from=fetched_from)

    def open(self) -> ProxyHandle:
        """Open the object."""
        thing = Reference(OBJECT, requires=(Requirement(f"{NAMESPACE:032X}", 1),))
        reply: Reply[ProxyHandle] = self.session.loader.dereference(thing)
        self.run(lambda end: reply.then(lambda _: end()))
        return reply.value()

    def run(self, begin: Callable[[Callable[[], object]], object]) -> None:
        """Run the loop until what `begin` starts calls its argument."""
        QTimer.singleShot(0, lambda: begin(self._loop.quit))
        self._loop.exec()

    def close(self) -> None:
        """End everything."""
        self.session.close()
        self.dispatcher.close()


def round_trip(program: Program, handle: ProxyHandle) -> float:
    """Return the median seconds of an event to the object and back."""
    probe = Probe.joined_to(program.session.node, handle.endpoint("ball"))
    spans: list[float] = []
    begun = [0.0]

    def throw() -> None:
        begun[0] = time.perf_counter()
        probe.send("throw", {"number": len(spans)})

    def play(end: Callable[[], object]) -> None:
        def caught(_: object) -> None:
            spans.append(time.perf_counter() - begun[0])
            program.dispatcher.post(throw if len(spans) < EVENTS else end)

        probe.react(caught=caught)
        throw()

    program.run(play)
    probe.close()
    return median(spans[EVENTS // 10 :])


class _Host:
    def show_message(self, message: str) -> None:
        print(message, file=sys.stderr)

    def withdraw_message(self, message: str) -> None:
        """Ignore it."""

    def open_object(self, recipe: str, name: str) -> None:
        """Ignore it."""


def frame(program: Program, handle: ProxyHandle) -> float:
    """Return the median seconds of a frame."""
    shown = OpenInterface.of(program.session.node, handle, lambda: None)
    view: View = view_of(shown.shown, _Host())
    spans: list[float] = []
    last = [time.perf_counter()]
    image = QImage(WIDTH, HEIGHT, QImage.Format.Format_ARGB32_Premultiplied)

    def paint() -> None:
        with QPainter(image) as painter:
            view.paint(painter, QRectF(0, 0, WIDTH, HEIGHT))
        now = time.perf_counter()
        spans.append(now - last[0])
        last[0] = now

    def watch(end: Callable[[], object]) -> None:
        def changed() -> None:
            paint()
            if len(spans) >= FRAMES:
                view.changed.disconnect(changed)
                end()

        view.changed.connect(changed)
        paint()

    program.run(watch)
    view.close()
    shown.close()
    return median(spans[FRAMES // 10 :])


def figures() -> Iterator[Figure]:
    """Measure both, in one run."""
    application()
    taken: dict[str, tuple[float, float]] = {}
    for name, fetched_from in (("here", ""), ("confined", "https://example.org/wall.py")):
        with tempfile.TemporaryDirectory() as folder:
            program = Program(Path(folder), fetched_from)
            handle = program.open()
            taken[name] = round_trip(program, handle), frame(program, handle)
            handle.close()
            program.close()
    (event_here, frame_here), (event, picture) = taken["here"], taken["confined"]
    yield Figure("event.round_trip.confined", event * 1e6, "µs", 150)
    yield Figure("event.round_trip.here", event_here * 1e6, "µs")
    yield Figure("event.round_trip.ratio", event / event_here, "×")
    yield Figure("frame.400x300.confined", picture * 1e3, "ms", 4)
    yield Figure("frame.400x300.here", frame_here * 1e3, "ms")


def main(argv: list[str] | None = None) -> int:
    """Measure and print."""
    return report("isolation", figures(), argv)


if __name__ == "__main__":
    sys.exit(main())
