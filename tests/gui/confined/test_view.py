"""A view that runs in a confined process: it is painted, worked in, and its end costs its window alone."""

from __future__ import annotations

import os
import signal

import pytest
from PySide6.QtCore import QPoint, QRectF, QSize, Qt
from PySide6.QtGui import QImage, QPainter
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QPushButton
from tests.gui.conftest import Desk

from liven.app.window.object_window import ObjectWindow
from liven.app.window.pages.stopped_page import StoppedPage
from liven.liveobjects.confined.view.container import ConfinedView
from liven.liveobjects.confined.view.surface import Surface
from liven.runtime.library.fetching.bundle import Bundle
from liven.runtime.reference.model import Reference, Requirement
from liven.runtime.reference.xml.metadata import Metadata
from liven.runtime.sandbox import Protection

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(
        bool(Protection.of_this_kernel().missing), reason="this kernel cannot confine a process"
    ),
]
NAMESPACE = 0xC0FF1E00000000000000000000000011
PAD = """
from __future__ import annotations
from liven.types.declare import ExportedUI, proxy

@proxy(id="C0FF1E00000000000000000000000012", alias="example:pad", view=__name__ + ":show")
class Pad:
    UI: ExportedUI

    def __init__(self) -> None:
        self.text = ""

def show(model, host):
    from PySide6.QtCore import QRectF, Qt
    from PySide6.QtGui import QColor
    from PySide6.QtWidgets import QComboBox, QLineEdit, QPushButton, QVBoxLayout, QWidget
    from liven.liveobjects.view.contract import Searchable, View

    class PadView(View, Searchable):
        colour = "red"

        def paint(self, painter, area):
            painter.fillRect(area, QColor(self.colour))

        def make_widget(self):
            whole = QWidget()
            layout = QVBoxLayout(whole)
            layout.setContentsMargins(0, 0, 0, 0)
            button, line = QPushButton("blue"), QLineEdit()
            whole.setObjectName("whole")
            whole.setStyleSheet(f"#whole {{ background: {self.colour} }}")
            whole.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
            button.setFixedHeight(40)
            layout.addWidget(button)
            layout.addWidget(line)
            choice = QComboBox()
            choice.addItems(["one", "two", "three"])
            choice.currentTextChanged.connect(self.typed)
            layout.addWidget(choice)
            layout.addStretch()
            button.clicked.connect(lambda: self.turn(whole))
            line.textChanged.connect(self.typed)
            return whole

        def turn(self, whole):
            self.colour = "blue"
            whole.setStyleSheet("#whole { background: blue }")
            self.changed.emit()

        def typed(self, text):
            model.text = text
            if text == "crash":
                import ctypes
                ctypes.string_at(0)
            self.changed.emit()

        def title(self):
            return "Pad"

        def summary(self):
            return f"{self.colour} {model.text}"

    return PadView()
"""


def bring(desk: Desk) -> None:
    """Install the library as a recipe brings it."""
    installation = desk.program.session.installation
    assert installation is not None
    index = installation.acquirer.index
    bundle = Bundle(Metadata(NAMESPACE, 1, ("pad.py",), "pad"), {"pad.py": PAD.encode()})
    index.store.add(bundle, index.declares, fetched_from="https://example.org/pad.py")


def recipe() -> Reference:
    """Return the recipe of its object."""
    return Reference("C0FF1E00000000000000000000000012", requires=(Requirement(f"{NAMESPACE:032X}", 1),))


def opened(desk: Desk) -> ObjectWindow:
    """Open the object in a window."""
    bring(desk)
    window = desk.open(recipe())
    window.resize(400, 300)
    window.show()
    desk.wait(lambda: colour(window) in ("#ff0000", "#0000ff"))
    return window


def view(window: ObjectWindow) -> ConfinedView:
    assert isinstance(window.view, ConfinedView)
    return window.view


def surface(window: ObjectWindow) -> Surface:
    found = window.centralWidget()
    assert isinstance(found, Surface)
    return found


def colour(window: ObjectWindow) -> str:
    """Return the colour that the window shows near its lower edge."""
    picture: QImage = surface(window).grab().toImage()
    return picture.pixelColor(picture.width() // 2, picture.height() - 10).name()


def test_view_of_a_fetched_library_is_painted_by_another_process(desk: Desk) -> None:
    window = opened(desk)
    assert colour(window) == "#ff0000"
    (process,) = desk.program.session.processes.running
    assert process.pid != os.getpid()
    desk.wait(lambda: view(window).summary() == "red ")
    assert view(window).title() == "Pad"


def test_click_reaches_the_author_s_button(desk: Desk) -> None:
    window = opened(desk)
    QTest.mouseClick(surface(window), Qt.MouseButton.LeftButton, pos=QPoint(50, 20))
    desk.wait(lambda: colour(window) == "#0000ff")


def test_typed_text_reaches_the_author_s_line(desk: Desk) -> None:
    window = opened(desk)
    surface(window).setFocus()
    QTest.mouseClick(surface(window), Qt.MouseButton.LeftButton, pos=QPoint(50, 60))
    QTest.keyClicks(surface(window), "hello")
    desk.wait(lambda: view(window).summary() == "red hello")


def test_picture_follows_the_size_of_the_window(desk: Desk) -> None:
    window = opened(desk)
    window.resize(700, 500)
    desk.wait(lambda: view(window).picture_size() == surface(window).size())


def test_crash_costs_its_window_alone_and_starts_again(desk: Desk) -> None:
    window = opened(desk)
    QTest.mouseClick(surface(window), Qt.MouseButton.LeftButton, pos=QPoint(50, 60))
    QTest.keyClicks(surface(window), "crash")
    desk.wait(lambda: isinstance(window.centralWidget(), StoppedPage))
    assert any("SIGSEGV" in problem.what for problem in desk.problems)


def test_frozen_process_is_shown_and_can_be_ended(desk: Desk) -> None:
    window = opened(desk)
    (process,) = desk.program.session.processes.running
    os.kill(process.pid, signal.SIGSTOP)
    QTest.keyClicks(surface(window), "x")
    desk.wait(lambda: view(window).is_silent)
    button = surface(window).findChild(QPushButton)
    assert button is not None and button.isVisible()
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)
    desk.wait(lambda: isinstance(window.centralWidget(), StoppedPage))


def test_list_of_choices_opens_in_the_picture(desk: Desk) -> None:
    window = opened(desk)
    desk.wait(lambda: view(window).summary() == "red ")
    QTest.mouseClick(surface(window), Qt.MouseButton.LeftButton, pos=QPoint(50, 90))
    desk.wait(lambda: surface(window).grab().toImage().pixelColor(50, 120).name() != "#ff0000")
    QTest.keyClick(surface(window), Qt.Key.Key_Down)
    QTest.keyClick(surface(window), Qt.Key.Key_Return)
    desk.wait(lambda: view(window).summary() == "red two")
    desk.wait(lambda: surface(window).grab().toImage().pixelColor(50, 120).name() == "#ff0000")


def test_no_picture_is_shown_half_painted(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each picture of a view that changes without a pause has one colour from corner to corner."""
    flicker = PAD.replace(
        "painter.fillRect(area, QColor(self.colour))",
        "import random; from PySide6.QtCore import QTimer\n"
        "            painter.fillRect(area, QColor.fromRgb(random.getrandbits(24)))\n"
        "            QTimer.singleShot(0, self.changed.emit)",
    )
    monkeypatch.setattr(f"{__name__}.PAD", flicker)
    bring(desk)
    window = desk.open(recipe())
    shown = view(window)
    window.takeCentralWidget()  # it is painted, and nobody works in it
    shown.close_widget()
    seen: list[set[str]] = []

    def look() -> None:
        image = QImage(300, 200, QImage.Format.Format_ARGB32)
        with QPainter(image) as painter:
            shown.paint(painter, QRectF(0, 0, 300, 200))
        corners = ((0, 0), (299, 0), (0, 199), (299, 199), (150, 100))
        if shown.picture_size() == QSize(300, 200):
            seen.append({image.pixelColor(*at).name() for at in corners})

    shown.changed.connect(look)
    look()
    desk.wait(lambda: len(seen) >= 200)
    assert all(len(colours) == 1 for colours in seen)
    assert len({colour for colours in seen for colour in colours}) > 50
