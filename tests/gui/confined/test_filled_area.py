"""The widget of a confined view fills its area, whatever its size policy, as it does without confinement."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import QPointF, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QWidget
from tests.gui.confined.test_view import surface, view
from tests.gui.conftest import Desk

from liven.liveobjects.desktop import commands
from liven.liveobjects.desktop.state import Place
from liven.liveobjects.desktop.view import Canvas
from liven.runtime.library.fetching.bundle import Bundle
from liven.runtime.reference.model import Object, Reference, Requirement
from liven.runtime.reference.xml import write
from liven.runtime.reference.xml.metadata import Metadata
from liven.runtime.sandbox import Protection

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(
        bool(Protection.of_this_kernel().missing), reason="this kernel cannot confine a process"
    ),
]
LIBRARY = 0x07F0A1B2C3D44E5F8A9B0C1D2E3F4A5B
LAMP = "0C9D2A6E7B1F4D3CA5E8F6071B2C3D4E"
OFF, ON = "#696969", "#ffd700"


@pytest.fixture
def lamp(desk: Desk, root: Path) -> Reference:
    """The recipe of the lamp of the author guide, whose widget is a button without a size hint."""
    chapter = (root / "docs" / "author-guide-view.md").read_text(encoding="utf-8")
    found = re.search(r"```python\n(# lamp\.py\n.*?)```", chapter, re.DOTALL)
    assert found is not None
    installation = desk.program.session.installation
    assert installation is not None
    index = installation.acquirer.index
    bundle = Bundle(Metadata(LIBRARY, 1, ("lamp.py",), "lamp"), {"lamp.py": found[1].encode()})
    index.store.add(bundle, index.declares, fetched_from="https://example.org/lamp.py")
    return Reference(LAMP, requires=(Requirement(f"{LIBRARY:032X}", 1),))


def in_the_middle(shown: QWidget) -> str:
    """Return the colour in the middle of a widget."""
    return shown.grab().toImage().pixelColor(shown.rect().center()).name()


def test_lamp_in_a_window_is_painted_and_a_click_switches_it(desk: Desk, lamp: Reference) -> None:
    window = desk.open(lamp, "lamp")
    window.resize(400, 300)
    window.show()
    desk.wait(lambda: view(window).picture_size() == surface(window).size())
    desk.wait(lambda: in_the_middle(surface(window)) == OFF)
    QTest.mouseClick(surface(window), Qt.MouseButton.LeftButton, pos=surface(window).rect().center())
    desk.wait(lambda: in_the_middle(surface(window)) == ON)
    window.resize(500, 450)
    desk.wait(lambda: view(window).picture_size() == surface(window).size())
    desk.wait(lambda: in_the_middle(surface(window)) == ON)


def test_lamp_on_a_desktop_is_painted_and_switched_after_a_double_click(
    desk: Desk, lamp: Reference, local_recipe: Callable[[str, str], Object]
) -> None:
    window = desk.open(local_recipe("liven:desktop", "table"), "table")
    window.show()
    canvas = window.centralWidget()
    assert isinstance(canvas, Canvas)
    _, command = commands.add(canvas.state, write(lamp).decode(), "Lamp", Place(0.0, 0.0, 200.0, 200.0))
    assert canvas.do(command)

    def colour() -> str:
        at = canvas.camera.to_window(QPointF(100, 100))
        return canvas.grab().toImage().pixelColor(at.toPoint()).name()

    desk.wait(lambda: colour() == OFF)
    at = canvas.camera.to_window(QPointF(100, 100)).toPoint()
    QTest.mouseDClick(canvas, Qt.MouseButton.LeftButton, pos=at)
    desk.wait(lambda: canvas.focusWidget() not in (None, canvas))
    worked_in = canvas.focusWidget()
    assert worked_in is not None
    desk.wait(lambda: colour() == OFF)
    QTest.mouseClick(worked_in, Qt.MouseButton.LeftButton, pos=worked_in.rect().center())
    desk.wait(lambda: colour() == ON)
