"""Saving, copying and exporting what a window shows."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QPointF
from PySide6.QtGui import QGuiApplication, QImage
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QFileDialog

from liven.app.desk.copies import CopyError, copied
from liven.app.desk.exporting import ExportError, export
from liven.app.desk.recipes import desktop, note
from liven.liveobjects.desktop import commands
from liven.liveobjects.desktop.view import Canvas
from liven.liveobjects.desktop.view.gestures import rect
from liven.runtime.reference.model import Composite, Reference
from liven.runtime.reference.xml import read, write


@pytest.fixture
def answer(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Any:
    """Answers the question for a file."""

    def choose(name: str) -> Path:
        path = tmp_path / name if name else Path()
        words = str(path) if name else ""
        monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (words, ""))
        return path

    return choose


def test_a_save_is_the_same_object(desk: Any, local_recipe: Any, answer: Any) -> None:
    thing = local_recipe("liven:text", "List")
    window = desk.open(thing)
    path = answer("saved")
    desk.press(window, "Save as a file…")
    assert read(path.with_suffix(".liveobject").read_bytes()).object == thing
    answer("")
    desk.press(window, "Save as a file…")
    answer("no/such/folder/x.liveobject")
    desk.press(window, "Save as a file…")
    assert "could not be saved" in window._notice.text()


@pytest.mark.slow
def test_a_copy_begins_as_it_is_now_and_goes_its_own_way(desk: Any, answer: Any) -> None:
    window = desk.open(note("List", "of ours"))
    desk.wait(lambda: window.handle.proxy().instance.ready)
    QTest.keyClicks(window.centralWidget(), "milk")
    desk.wait(lambda: window.handle.proxy().instance.note.pending == 0)
    path = answer("copy.liveobject")
    desk.press(window, "Save a copy…")
    copy = desk.windows.open_file(path)
    desk.wait(lambda: copy.view is not None and copy.centralWidget().toPlainText() == "milk")
    QTest.keyClicks(copy.centralWidget(), "more ")
    desk.wait(lambda: copy.handle.proxy().instance.note.pending == 0)
    assert window.centralWidget().toPlainText() == "milk"
    assert "of ours" not in path.read_text()


def test_a_copy_renames_the_channel_and_carries_the_state_and_its_classes() -> None:
    made = copied(desktop("Table", "ours"), b"state")
    text = write(made).decode()
    assert "ours" not in text
    assert "c3RhdGU=" in text
    assert "8E058A84A89546389352AD2F551696CD" in text
    assert write(copied(made, b"state")) != write(made)


@pytest.mark.parametrize("thing", [Reference("x"), Composite()])
def test_what_has_no_channel_of_its_own_cannot_be_copied(thing: Any) -> None:
    with pytest.raises(CopyError, match="channel of its own"):
        copied(thing, b"")


def test_a_channel_within_the_process_cannot_begin_with_a_state(desk: Any, local_recipe: Any) -> None:
    window = desk.open(local_recipe("liven:text", "List"))
    desk.press(window, "Save a copy…")
    assert "No copy can be made" in window._notice.text()


@pytest.fixture
def laid(desk: Any, local_recipe: Any) -> Any:
    window = desk.open(local_recipe("liven:desktop", "Table"))
    for name in ("a", "b"):
        assert window.view.take_in(write(local_recipe("liven:text", name)).decode(), name)
    canvas = window.centralWidget()
    assert isinstance(canvas, Canvas)
    desk.wait(lambda: all(canvas.actors.view(key) is not None for key in canvas.state.items))
    return window


@pytest.mark.parametrize(("kind", "begins"), [("png", b"\x89PNG"), ("svg", b"<?xml"), ("pdf", b"%PDF")])
def test_a_desktop_is_exported_in_each_format(
    desk: Any, laid: Any, answer: Any, kind: str, begins: bytes
) -> None:
    path = answer(f"table.{kind}")
    desk.press(laid, "Export as a picture…")
    assert path.read_bytes().startswith(begins)
    assert path.stat().st_size > 500
    assert f"table.{kind}" in laid._notice.text()


def test_a_picture_shows_all_or_what_is_selected(laid: Any, tmp_path: Path) -> None:
    canvas = laid.centralWidget()
    canvas.choose(list(canvas.state.items)[:1])
    export(canvas, tmp_path / "all.png", selection=False)
    export(canvas, tmp_path / "one.png", selection=True)
    whole, one = QImage(str(tmp_path / "all.png")), QImage(str(tmp_path / "one.png"))
    assert one.width() == 240 + 40
    assert whole.width() * whole.height() > one.width() * one.height()
    assert one.pixelColor(one.rect().center()).name() == "#fff7d1"
    canvas.choose(())
    with pytest.raises(ExportError, match="nothing is selected"):
        export(canvas, tmp_path / "none.png", selection=True)


def test_a_picture_shows_the_connectors_whose_ends_it_shows(laid: Any, tmp_path: Path) -> None:
    canvas = laid.centralWidget()
    first, second = canvas.state.items.values()

    def dark(path: Path) -> bool:
        """Whether there is a line between the two things."""
        image = QImage(str(path))
        left, top, _, _ = commands.bounds(canvas.state.items.values())
        ends = [rect(one.place).center() - QPointF(left - 20, top - 20) for one in (first, second)]
        between = ((ends[0] + ends[1]) / 2).toPoint()
        spots = [(x, y) for x in range(-8, 9) for y in range(-8, 9)]
        return any(image.pixelColor(between.x() + x, between.y() + y).lightness() < 200 for x, y in spots)

    place = first.place
    canvas.do(commands.move(canvas.state, {second.key}, place.x + 600 - second.place.x, 0))
    export(canvas, tmp_path / "apart.png", selection=False)
    assert not dark(tmp_path / "apart.png")
    canvas.do(commands.connect(canvas.state, first.key, second.key))
    second = canvas.state.items[second.key]
    export(canvas, tmp_path / "joined.png", selection=False)
    assert dark(tmp_path / "joined.png")
    canvas.choose({first.key})
    export(canvas, tmp_path / "one.png", selection=True)


def test_letters_are_as_large_in_a_drawing_as_on_the_screen(laid: Any, tmp_path: Path) -> None:
    export(laid.centralWidget(), tmp_path / "all.svg", selection=False)
    export(laid.centralWidget(), tmp_path / "all.png", selection=False)
    pixels = QImage(str(tmp_path / "all.png")).width()
    said = re.search(r'width="([\d.]+)mm"', (tmp_path / "all.svg").read_text())
    assert said is not None
    assert float(said[1]) == pytest.approx(pixels * 25.4 / 96, abs=0.1)  # as many to the inch as a screen has


def test_an_image_of_it_is_copied(desk: Any, laid: Any) -> None:
    desk.press(laid, "Copy as an image")
    assert not QGuiApplication.clipboard().image().isNull()


@pytest.mark.parametrize("name", ["x", "x.jpeg2", "no/such/folder/x.png", "no/such/folder/x.pdf"])
def test_a_file_that_cannot_be_says_why_and_leaves_nothing(laid: Any, tmp_path: Path, name: str) -> None:
    with pytest.raises(OSError, match=r"cannot be written|says no format"):
        export(laid.centralWidget(), tmp_path / name, selection=False)
    assert list(tmp_path.glob("**/.x*")) == []
