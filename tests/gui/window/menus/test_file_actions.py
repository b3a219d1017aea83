"""Saving, copying and exporting a window's object."""

from __future__ import annotations

import re
import resource
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QPointF
from PySide6.QtGui import QGuiApplication, QImage
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QFileDialog, QMessageBox

from liven.app.export.picture import ExportError, export
from liven.app.palette.new_objects import desktop, note
from liven.liveobjects.desktop import commands
from liven.liveobjects.desktop.view import Canvas
from liven.liveobjects.desktop.view.geometry import rect
from liven.liveobjects.text.markdown import delta_of
from liven.liveobjects.text.view.text_view import TextView
from liven.runtime.reference.model import name_of
from liven.runtime.reference.xml import read, write


@pytest.fixture
def answer(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Any:
    """Answer the file dialog."""

    def choose(name: str) -> Path:
        path = tmp_path / name if name else Path()
        words = str(path) if name else ""
        monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (words, ""))
        return path

    return choose


def test_a_saved_file_opens_the_same_object(desk: Any, local_recipe: Any, answer: Any) -> None:
    thing = local_recipe("liven:text", "List")
    window = desk.open(thing)
    path = answer("saved")
    desk.press(window, "Save as a file…")
    saved = read(path.with_suffix(".liveobject").read_bytes()).object
    assert saved is not None
    assert replace(saved, attributes=()) == replace(thing, attributes=())
    assert name_of(saved) == "saved"
    assert "a link to this live object, not a copy" in window._message.text()
    assert "File › Save a copy…" in window._message.text()
    answer("")
    desk.press(window, "Save as a file…")
    path = answer("no/such/folder/x.liveobject")
    desk.press(window, "Save as a file…")
    assert f"Could not save {path}: No such file or directory" in window._message.text()


def test_title_and_recent_files_follow_a_saved_file(desk: Any, local_recipe: Any, answer: Any) -> None:
    window = desk.windows.open_recipe(local_recipe("liven:desktop", "Desktop"))
    desk.wait(lambda: window.view is not None)
    path = answer("Team board.liveobject")
    desk.press(window, "Save as a file…")
    assert window.windowTitle() == "Team board — Liven"
    assert desk.windows.recent.files() == (path,)
    again = desk.windows.open_file(path)
    desk.wait(lambda: again.view is not None)
    assert again.windowTitle() == "Team board — Liven"
    assert desk.program.identity(again.recipe) == desk.program.identity(window.recipe)


def test_title_stays_if_a_file_cannot_be_saved(
    desk: Any, local_recipe: Any, answer: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    window = desk.open(local_recipe("liven:desktop", "Desktop"))

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("liven.app.window.menus.file_actions.write_file", full)
    answer("Team board.liveobject")
    desk.press(window, "Save as a file…")
    assert window.windowTitle() == "Desktop — Liven"


def test_adding_a_suffix_replaces_no_file_without_asking(
    desk: Any, local_recipe: Any, answer: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The dialog asked about the typed name, and no such file exists."""
    window = desk.open(local_recipe("liven:text", "List"))
    precious = desk.folder / "plan.v2.liveobject"
    precious.write_bytes(b"precious")
    answers = iter([QMessageBox.StandardButton.No, QMessageBox.StandardButton.Yes])
    asked: list[str] = []

    def question(_: object, __: str, words: str) -> QMessageBox.StandardButton:
        asked.append(words)
        return next(answers)

    monkeypatch.setattr(QMessageBox, "question", question)
    answer("plan.v2")
    desk.press(window, "Save as a file…")
    assert precious.read_bytes() == b"precious"
    desk.press(window, "Save as a file…")
    assert precious.read_bytes() != b"precious"
    assert asked == ["plan.v2.liveobject already exists. Replace it?"] * 2


def test_a_picture_gets_the_selected_suffix(
    desk: Any, local_recipe: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    window = desk.open(local_recipe("liven:text", "a/b"))
    asked: list[str] = []

    def choose(_: object, __: str, proposed: str, kinds: str) -> tuple[str, str]:
        asked.append(proposed)
        return str(desk.folder / "page 1.5"), next(one for one in kinds.split(";;") if "svg" in one)

    monkeypatch.setattr(QFileDialog, "getSaveFileName", choose)
    desk.press(window, "Export…")
    assert (desk.folder / "page 1.5.svg").read_bytes().startswith(b"<?xml")
    assert asked == ["a_b.png"]


def test_a_copy_gets_a_different_suggested_name(desk: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Pressing Enter in the dialog would have replaced the original."""
    window = desk.open(note("List", "of ours"))
    desk.wait(lambda: window.handle.proxy().instance.ready)
    asked: list[tuple[str, str]] = []

    def choose(_: Any, title: str, proposed: str, *rest: Any) -> tuple[str, str]:
        del rest
        asked.append((title, proposed))
        return "", ""

    monkeypatch.setattr(QFileDialog, "getSaveFileName", choose)
    desk.press(window, "Save a copy…")
    desk.wait(lambda: asked)
    desk.press(window, "Save as a file…")
    assert asked == [("Save a copy", "List copy.liveobject"), ("Save", "List.liveobject")]


def test_an_object_too_large_to_reopen_is_not_saved_as_a_copy(
    desk: Any, answer: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    window = desk.open(note("List", "of ours"))
    desk.wait(lambda: window.handle.proxy().instance.ready)
    monkeypatch.setattr("liven.liveobjects.copying.recipe.LARGEST_FILE", 100)
    path = answer("copy.liveobject")
    desk.press(window, "Save a copy…")
    assert "It cannot be copied: it would have" in window._message.text()
    assert not path.exists()


@pytest.mark.slow
def test_a_copy_starts_with_the_current_contents_and_is_separate(desk: Any, answer: Any) -> None:
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


@pytest.mark.parametrize(
    ("file", "called"),
    [
        ("Shopping for Anna.liveobject", "Shopping for Anna"),
        ("a_b_ copy.liveobject", "a/b? copy"),
        ("v1.5", "v1.5"),
        ("a\nb.liveobject", "ab"),
    ],
)
def test_a_copy_has_the_name_of_its_file(desk: Any, answer: Any, file: str, called: str) -> None:
    """The suggested file name lacks characters that no file name may have; the copy has them again."""
    window = desk.open(desktop("a/b?"))
    desk.wait(lambda: window.handle.proxy().instance.ready)
    path = answer(file)
    if path.suffix != ".liveobject":
        path = path.with_name(path.name + ".liveobject")
    desk.press(window, "Save a copy…")
    desk.wait(path.exists)
    copy = desk.windows.open_file(path)
    desk.wait(lambda: copy.view is not None)
    assert copy.windowTitle() == f"{called} — Liven"
    assert window.windowTitle() == "a/b? — Liven"


def test_an_object_on_a_local_channel_cannot_be_copied(desk: Any, local_recipe: Any) -> None:
    window = desk.open(local_recipe("liven:text", "List"))
    desk.press(window, "Save a copy…")
    assert "It cannot be copied" in window._message.text()


@pytest.fixture
def laid(desk: Any, local_recipe: Any) -> Any:
    window = desk.open(local_recipe("liven:desktop", "Table"))
    for name in ("a", "b"):
        window.view.insert(write(local_recipe("liven:text", name)).decode(), name)
    canvas = window.centralWidget()
    assert isinstance(canvas, Canvas)
    desk.wait(lambda: all(canvas.item_views.view(key) is not None for key in canvas.state.items))
    return window


@pytest.mark.parametrize(("kind", "begins"), [("png", b"\x89PNG"), ("svg", b"<?xml"), ("pdf", b"%PDF")])
def test_a_desktop_is_exported_in_each_format(
    desk: Any, laid: Any, answer: Any, kind: str, begins: bytes
) -> None:
    path = answer(f"table.{kind}")
    desk.press(laid, "Export…")
    assert path.read_bytes().startswith(begins)
    assert path.stat().st_size > 500
    assert f"table.{kind}" in laid._message.text()


@pytest.mark.parametrize(
    ("kind", "scale", "alpha"),
    [
        ("PNG picture, twice the size (*.png)", 2, 255),
        ("PNG picture (*.png)", 1, 255),
        ("PNG picture, transparent (*.png)", 1, 0),
    ],
)
def test_a_picture_has_the_size_and_the_ground_that_are_chosen(
    desk: Any, laid: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str, scale: int, alpha: int
) -> None:
    export(laid.centralWidget(), tmp_path / "plain.png", selection=False)
    path = tmp_path / "table.png"
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(path), kind))
    desk.press(laid, "Export…")
    plain, made = QImage(str(tmp_path / "plain.png")), QImage(str(path))
    assert made.size() == plain.size() * scale
    assert made.pixelColor(1, 1).alpha() == alpha


def test_a_desktop_is_exported_as_markdown(desk: Any, laid: Any, answer: Any) -> None:
    canvas = laid.centralWidget()
    first, second = (item.key for item in commands.in_reading_order(canvas.state.items.values()))
    for key, words in ((first, "# Plan\n- [x] done"), (second, "see **this**")):
        handle = canvas.item_views.running_items.handle(key)
        handle.proxy().instance.note.edit("write", delta_of(words))
    canvas.do(commands.connect(canvas.state, first, second))
    path = answer("table.md")
    desk.press(laid, "Export…")
    desk.wait(path.exists)
    names = " → ".join(canvas.state.items[key].label for key in (first, second))
    text = "# Table\n\n# Plan\n- [x] done\n\nsee **this**\n\n## Connections\n\n- "
    assert path.read_text() == f"{text}{names}\n"
    canvas.select([second])
    path.unlink()
    desk.press(laid, "Export the selection…")
    desk.wait(path.exists)
    assert path.read_text() == "# Table\n\nsee **this**\n"


def test_a_note_is_exported_as_markdown(desk: Any, local_recipe: Any, answer: Any) -> None:
    window = desk.open(local_recipe("liven:text", "List"))
    window.handle.proxy().instance.note.edit("write", delta_of("- one\n- *two*"))
    path = answer("list.md")
    desk.press(window, "Export…")
    assert path.read_text() == "- one\n- *two*\n"


def test_a_picture_shows_everything_or_the_selection(laid: Any, tmp_path: Path) -> None:
    canvas = laid.centralWidget()
    canvas.select(list(canvas.state.items)[:1])
    export(canvas, tmp_path / "all.png", selection=False)
    export(canvas, tmp_path / "one.png", selection=True)
    whole, one = QImage(str(tmp_path / "all.png")), QImage(str(tmp_path / "one.png"))
    assert one.width() == 240 + 40
    assert whole.width() * whole.height() > one.width() * one.height()
    assert one.pixelColor(one.rect().center()).name() == "#ffecae"
    canvas.select(())
    with pytest.raises(ExportError, match="nothing is selected"):
        export(canvas, tmp_path / "none.png", selection=True)


def test_a_view_that_raises_affects_only_its_own_place_in_a_picture(
    desk: Any, laid: Any, answer: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Qt aborts the program if the paint device is destroyed before the painter ends."""

    def raises(*_: object) -> None:
        raise RuntimeError("boom")

    for kind in ("png", "svg", "pdf"):
        path = answer(f"table.{kind}")
        with monkeypatch.context() as broken:
            broken.setattr(TextView, "paint", raises)
            desk.press(laid, "Export…")
        assert path.stat().st_size > 500
    monkeypatch.setattr("liven.app.export.picture._draw_item", raises)
    for kind in ("png", "svg", "pdf"):
        path = answer(f"none.{kind}")
        desk.press(laid, "Export…")
        assert "it cannot be drawn: RuntimeError: boom" in laid._message.text()
        assert not path.exists()
    desk.press(laid, "Copy as an image")
    assert "Copying failed" in laid._message.text()


@pytest.mark.parametrize("kind", ["png", "svg", "pdf"])
def test_a_full_disk_leaves_the_old_picture(laid: Any, tmp_path: Path, kind: str) -> None:
    path = tmp_path / f"table.{kind}"
    export(laid.centralWidget(), path, selection=False)
    good = path.read_bytes()
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (len(good) // 2, before[1]))
    try:
        with pytest.raises(ExportError, match="cannot be written: File too large; choose another place"):
            export(laid.centralWidget(), path, selection=False)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    assert path.read_bytes() == good
    assert list(tmp_path.glob(".liven-*")) == []


@pytest.mark.parametrize("kind", ["png", "svg", "pdf"])
def test_items_far_apart_are_drawn_small(desk: Any, laid: Any, tmp_path: Path, kind: str) -> None:
    canvas = laid.centralWidget()
    first = next(iter(canvas.state.items))
    canvas.select([first])
    canvas.do(commands.move(canvas.state, [first], 9e5, 0))
    desk.wait(lambda: canvas.state.items[first].place.x > 8e5)
    export(canvas, tmp_path / f"far.{kind}", selection=False)
    if kind == "pdf":
        assert re.search(rb"/MediaBox \[0 0 6000\S* 3\.0+\]", (tmp_path / "far.pdf").read_bytes())


def test_a_picture_shows_the_connectors_whose_ends_it_shows(laid: Any, tmp_path: Path) -> None:
    canvas = laid.centralWidget()
    first, second = canvas.state.items.values()

    def dark(path: Path) -> bool:
        """Return True if there is a line between the two items."""
        image = QImage(str(path))
        left, top, _, _ = commands.bounds(canvas.state.items.values())
        ends = [rect(one.place).center() - QPointF(left - 20, top - 20) for one in (first, second)]
        between = ((ends[0] + ends[1]) / 2).toPoint()
        spots = [(x, y) for x in range(-8, 9) for y in range(-8, 9)]
        return any(image.pixelColor(between.x() + x, between.y() + y).lightness() < 200 for x, y in spots)

    place = first.place
    canvas.do(commands.move(canvas.state, {second.key}, place.x + 600 - second.place.x, 0))
    second = canvas.state.items[second.key]
    export(canvas, tmp_path / "apart.png", selection=False)
    assert not dark(tmp_path / "apart.png")
    canvas.do(commands.connect(canvas.state, first.key, second.key))
    export(canvas, tmp_path / "joined.png", selection=False)
    assert dark(tmp_path / "joined.png")
    canvas.select({first.key})
    export(canvas, tmp_path / "one.png", selection=True)


def test_text_in_a_drawing_has_the_size_of_the_screen(laid: Any, tmp_path: Path) -> None:
    export(laid.centralWidget(), tmp_path / "all.svg", selection=False)
    export(laid.centralWidget(), tmp_path / "all.png", selection=False)
    pixels = QImage(str(tmp_path / "all.png")).width()
    said = re.search(r'width="([\d.]+)mm"', (tmp_path / "all.svg").read_text())
    assert said is not None
    assert float(said[1]) == pytest.approx(pixels * 25.4 / 96, abs=0.1)  # as many to the inch as a screen has


def test_an_image_is_copied_to_the_clipboard(desk: Any, laid: Any) -> None:
    desk.press(laid, "Copy as an image")
    assert not QGuiApplication.clipboard().image().isNull()


@pytest.mark.parametrize("name", ["x", "x.jpeg2", "no/such/folder/x.png", "no/such/folder/x.pdf"])
def test_an_invalid_file_name_is_reported_and_no_file_is_left(laid: Any, tmp_path: Path, name: str) -> None:
    with pytest.raises(OSError, match=r"cannot be written|has no known suffix"):
        export(laid.centralWidget(), tmp_path / name, selection=False)
    assert list(tmp_path.glob("**/.x*")) == []
