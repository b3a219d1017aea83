"""Chapter 3 of the author guide is true: its code is installed, opened, painted and clicked on."""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from PySide6.QtCore import QMimeData, QPoint, QRectF, QSize, Qt, QUrl
from PySide6.QtGui import QColor, QDragEnterEvent, QDropEvent, QImage, QPainter
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

pytestmark = pytest.mark.slow
CHAPTER = "docs/author-guide-view.md"
Script = Callable[[str], ModuleType]


@pytest.fixture
def reader(script: Script) -> Any:
    """The test module of chapter 2, which reads this chapter too."""
    return script("tests/integration/guides/test_author_guide_objects.py")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, root: Path, reader: Any) -> Path:
    """The files of the chapter, under their names."""
    monkeypatch.chdir(tmp_path)
    for kind, text in reader._FENCE.findall((root / CHAPTER).read_text(encoding="utf-8")):
        if kind != "console":
            named = reader._FILE.match(text)
            assert named is not None, f"a block that is no file: {text[:60]}"
            content = text if kind == "python" else text.partition("\n")[2]
            (tmp_path / named[1]).write_text(content, encoding="utf-8")
    return tmp_path


@pytest.fixture
def desk(qtbot: QtBot, tmp_path: Path, root: Path) -> Iterator[Any]:
    """The program with its windows, offscreen, in the folders that the commands use."""
    spec = importlib.util.spec_from_file_location("desk_of_guide", root / "tests" / "gui" / "conftest.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    made = module.Desk(qtbot, tmp_path)
    made.local = module.local
    yield made
    made.close()


def in_the_middle(shown: Any) -> QColor:
    """Return the colour in the middle of a widget in its window, or of a view as a desktop paints it."""
    if isinstance(shown, QWidget):
        image = shown.grab().toImage()
    else:
        image = QImage(QSize(200, 100), QImage.Format.Format_RGB32)
        image.fill(0)
        with QPainter(image) as painter:
            shown.paint(painter, QRectF(image.rect()))
    return image.pixelColor(QPoint(image.width() // 2, image.height() // 2))


def opened(desk: Any, folder: Path) -> Any:
    window = desk.windows.open_file(folder / "lamp.liveobject")
    desk.wait(lambda: window.view is not None or "nothing to show" in desk.words(window))
    assert window.view is not None, desk.words(window)
    return window


def is_a_lamp_that_a_click_and_a_key_switch(window: Any) -> None:
    widget = window.centralWidget()
    on, off = QColor("gold"), QColor("dimgray")
    assert [in_the_middle(one) for one in (widget, window.view)] == [off, off]
    QTest.mouseClick(widget, Qt.MouseButton.LeftButton)
    assert [in_the_middle(one) for one in (widget, window.view)] == [on, on]
    assert window.view.summary() == "the lamp is on"
    QTest.keyClick(widget, Qt.Key.Key_Space)
    assert [in_the_middle(one) for one in (widget, window.view)] == [off, off]


def test_the_chapter_shows_the_printed_output_and_the_picture(
    folder: Path, root: Path, reader: Any, desk: Any
) -> None:
    typed = 0
    for kind, text in reader._FENCE.findall((root / CHAPTER).read_text(encoding="utf-8")):
        for command, shown in reader.commands(text) if kind == "console" else ():
            printed = reader.typed(command)
            assert reader.agrees(shown, printed), f"{command}\n{printed}"
            typed += 1
    assert typed == 2
    window = opened(desk, folder)
    is_a_lamp_that_a_click_and_a_key_switch(window)
    model = window._showing.shown.model
    window.close()
    assert model.watchers == []
    assert list(desk.problems) == []


def dropped(desk: Any, table: Any, file: Path) -> Any:
    """Drop a file there, and return its view once it runs."""
    canvas = table.centralWidget()
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(file))])
    at, copy = QPoint(300, 200), Qt.DropAction.CopyAction
    left, none = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    QApplication.sendEvent(canvas, QDragEnterEvent(at, copy, data, left, none))
    QApplication.sendEvent(canvas, QDropEvent(at.toPointF(), copy, data, left, none))
    [key] = canvas.state.items
    desk.wait(lambda: canvas.item_views.view(key) is not None)
    return canvas.item_views.view(key)


@pytest.fixture
def table(desk: Any) -> Any:
    """A desktop that runs before anything of the chapter is installed."""
    made = desk.open(desk.local("liven:desktop", "Table"), "table")
    desk.wait(lambda: made.centralWidget().state is not None)
    return made


def test_a_lamp_dropped_on_a_running_desktop_is_painted(
    folder: Path, reader: Any, desk: Any, table: Any
) -> None:
    """The lamp was never opened in this program."""
    reader.typed("liven library add lamp.py")
    lamp = dropped(desk, table, folder / "lamp.liveobject")
    assert in_the_middle(lamp) == QColor("dimgray")
    assert lamp.summary() == "the lamp is off"
    assert list(desk.problems) == []


def test_an_object_made_by_liven_new_is_painted(
    folder: Path, monkeypatch: pytest.MonkeyPatch, reader: Any, desk: Any, table: Any
) -> None:
    (folder / "mine").mkdir()
    monkeypatch.chdir(folder / "mine")
    reader.typed("liven new Lamp")
    reader.typed("liven library add lamp.py")
    assert type(dropped(desk, table, Path("lamp.liveobject").resolve())).__name__ == "LampView"
    assert list(desk.problems) == []


def test_the_view_may_be_in_a_module_of_its_own(folder: Path, reader: Any, desk: Any) -> None:
    """The chapter says so about libraries of several files."""
    whole = (folder / "lamp.py").read_text(encoding="utf-8")
    model, _, view = whole.partition("def show(")
    data = folder / "lamps" / "data"
    data.mkdir(parents=True)
    (data / "lamp.py").write_text(
        model.replace('view=__name__ + ":show"', 'view=f"{__package__}.view:show"'), encoding="utf-8"
    )
    (data / "view.py").write_text(
        f"from __future__ import annotations\n\n\ndef show({view}", encoding="utf-8"
    )
    library = '<Library id="07F0A1B2C3D44E5F8A9B0C1D2E3F4A5B`2"><Include filename="lamp.py"/></Library>'
    (folder / "lamps" / "metadata.xml").write_text(library, encoding="utf-8")
    assert "installed\n07F0A1B2C3D44E5F8A9B0C1D2E3F4A5B`2" in reader.typed("liven library add lamps")
    is_a_lamp_that_a_click_and_a_key_switch(opened(desk, folder))


def test_a_view_that_raises_is_reported_with_the_line(folder: Path, reader: Any, desk: Any) -> None:
    lamp = (folder / "lamp.py").read_text(encoding="utf-8")
    text = lamp.replace("    return LampView()\n", "    return LampVie()\n")
    line = 1 + text.splitlines().index("    return LampVie()")
    (folder / "lamp.py").write_text(text, encoding="utf-8")
    reader.typed("liven library add lamp.py")
    window = desk.windows.open_file(folder / "lamp.liveobject")
    desk.wait(lambda: "nothing to show" in desk.words(window))
    assert f"NameError: name 'LampVie' is not defined, at lamp.py:{line} in show" in desk.words(window)


def test_the_code_passes_the_type_checker_and_runs_without_qt(folder: Path) -> None:
    """The object is built with Qt blocked, as on a machine without it."""
    words = ["-m", "mypy", "--strict", "--no-error-summary", "--cache-dir", os.devnull, "lamp.py"]
    done = subprocess.run([sys.executable, *words], cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    without = (
        "import sys; sys.modules['PySide6'] = None; from lamp import Lamp; lamp = Lamp(); lamp.switch()"
        "; assert lamp.lit"
    )
    done = subprocess.run(
        [sys.executable, "-c", without], cwd=folder, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
