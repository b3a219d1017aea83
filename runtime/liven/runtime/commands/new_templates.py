"""The templates of `liven new`."""

from __future__ import annotations

from liven.runtime.reference.model import NAME, Attribute, Document, Reference, Requirement
from liven.runtime.reference.xml import write

_MODULE = '''"""{name}: a live object."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Protocol

from liven.runtime.objects.context import Context
from liven.types.declare import Dual, ExportedUI, interface, proxy

if TYPE_CHECKING:
    from liven.liveobjects.view.contract import View, ViewHost
    from PySide6.QtCore import QRectF
    from PySide6.QtGui import QPainter
    from PySide6.QtWidgets import QWidget

LIBRARY = "{library}`1"
"""`liven library add` installs it under this name. Increase the number at the end for each change."""


@interface
class {name}Commands(Protocol):
    """The events and calls that it handles: a method with a result is a call."""

    def put(self, value: float) -> None: ...
    def latest(self) -> float: ...


@interface
class {name}Events(Protocol):
    """The events that it sends."""

    def changed(self, value: float) -> None: ...


@proxy(id="{id}", alias="mine:{module}", view=__name__ + ":show")
class {name}:
    """A number that grows by `step` each second, and is sent to the connected object.

    The constructor's parameters come from its .liveobject file; the runtime adds `context`.
    """

    UI: ExportedUI
    data: Dual[{name}Commands, {name}Events]

    def __init__(self, context: Context, step: float = 1.0) -> None:
        self.context = context
        self.step = step
        self.value = 0.0
        self.watchers: list[Callable[[], object]] = []
        context.call_later(1.0, self.grow)

    def put(self, value: float) -> None:
        """Handle an event that came in over `data`."""
        self.value = value
        if self.context.connected("data"):
            self.data.peer.changed(value)
        for watcher in tuple(self.watchers):
            watcher()

    def latest(self) -> float:
        """Answer a call that came in over `data`."""
        return self.value

    def data_connected(self) -> None:
        """Send the number to an object that was just connected to `data`."""
        self.data.peer.changed(self.value)

    def grow(self) -> None:
        """Grow, once a second. No other handler runs meanwhile, so no lock is needed."""
        self.put(self.value + self.step)
        self.context.call_later(1.0, self.grow)


def show(model: {name}, host: ViewHost) -> View:
    """Return its view. Qt is imported only here, so that the object runs without a screen."""
    from liven.liveobjects.view.contract import View
    from liven.liveobjects.view.painting import paint_sheet
    from PySide6.QtCore import Qt
    from PySide6.QtWidgets import QPushButton

    class {name}View(View):
        """The number; while you work in it, a button that sets it back to 0."""

        def __init__(self) -> None:
            super().__init__()
            self.button: QPushButton | None = None
            model.watchers.append(self.refresh)

        def paint(self, painter: QPainter, area: QRectF) -> None:
            """Paint it on a desktop, while nobody works in it."""
            paint_sheet(painter, area)
            painter.drawText(area, Qt.AlignmentFlag.AlignCenter, str(model.value))

        def make_widget(self) -> QWidget:
            """Return the widget for a window, or for a desktop after a double-click."""
            self.button = QPushButton(str(model.value))
            self.button.clicked.connect(lambda: model.put(0.0))
            return self.button

        def release_widget(self, widget: QWidget) -> None:
            """Forget the widget: nobody works in it any more."""
            self.button = None

        def refresh(self) -> None:
            """Show the new number; the model calls this after each change."""
            if self.button is not None:
                self.button.setText(str(model.value))
            self.changed.emit()

        def close(self) -> None:
            """Stop watching the model: the view is no longer shown."""
            model.watchers.remove(self.refresh)
            super().close()

    return {name}View()
'''

_TEST = '''"""The test of {name}: time passes only when the test says so."""

from __future__ import annotations

from liven.runtime.testing import Bench

from {module} import {name}


def test_it_sends_its_value_when_it_is_connected() -> None:
    with Bench() as bench:
        probe = bench.build({name}).probe("data")
        assert probe.heard == [("connect",), ("changed", 0.0)]


def test_it_takes_a_value_and_answers_with_it() -> None:
    with Bench() as bench:
        probe = bench.build({name}).probe("data")
        probe.send("put", 21.5)
        assert probe.heard[-1] == ("changed", 21.5)
        assert probe.call("latest").value() == 21.5


def test_it_grows_each_second() -> None:
    with Bench() as bench:
        probe = bench.build({name}, step=0.5).probe("data")
        bench.advance(3)
        assert [event[1] for event in probe.heard if event[0] == "changed"] == [0.0, 0.5, 1.0, 1.5]
'''


def new_files(name: str, module: str, id_: str, library: str) -> dict[str, str]:
    """Return the module, its test, and a file that opens the object, by their names."""
    given = {"name": name, "module": module, "id": id_, "library": library}
    requires = (Requirement(library, 1),)  # the error says what to install if it is missing
    reference = Reference(id_, attributes=(Attribute(NAME, name),), requires=requires)
    return {
        f"{module}.py": _MODULE.format(**given),
        f"test_{module}.py": _TEST.format(**given),
        f"{module}.liveobject": write(Document(reference)).decode(),
    }
