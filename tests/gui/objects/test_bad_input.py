"""Broken, hostile and unknown input is contained: its place shows the problem, and everything else works."""

from __future__ import annotations

import errno
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from PySide6.QtCore import QMimeData, QRectF, Qt
from PySide6.QtGui import QFont, QPainter
from PySide6.QtWidgets import QLabel, QWidget

from liven.app.palette.new_objects import note
from liven.liveobjects.channel.objects.shared import SharedChannel
from liven.liveobjects.channel.store.segments import Segments
from liven.liveobjects.channel.testing import Processes
from liven.liveobjects.desktop.object import DesktopObject
from liven.liveobjects.desktop.state import Add, Item, Place
from liven.liveobjects.desktop.wire import DesktopOperation, DesktopState
from liven.liveobjects.folder.model import fitting_name
from liven.liveobjects.folder.object import SharedFolder
from liven.liveobjects.folder.state import Put
from liven.liveobjects.folder.wire import FolderOperation, FolderState
from liven.liveobjects.local_file.object import LocalFile
from liven.liveobjects.text.model import typed
from liven.liveobjects.text.object import TextObject
from liven.liveobjects.text.view.formats import character_format
from liven.liveobjects.view.contract import View, ViewHost
from liven.liveobjects.window.object import WindowObject
from liven.runtime.objects.context import Context
from liven.runtime.reference.model import Reference
from liven.runtime.reference.xml import write
from liven.types.catalogue import register
from liven.types.declare import ExportedUI, proxy, scan
from liven.types.terms.value_types import TEXT

if TYPE_CHECKING:
    from tests.gui.objects.conftest import Room

UNKNOWN = write(Reference("liven:unheard-of")).decode()
BROKEN = {
    name: write(Reference(f"test:{name}")).decode() for name in ("unpaintable", "unmakeable", "nowhere")
}


@proxy(id="0B6E1C66D3D04C0D9E4C9C0C8E1A7B31", alias="test:unpaintable", view=f"{__name__}:paint_badly")
class Unpaintable:
    UI: ExportedUI

    def __init__(self, context: Context) -> None:
        self.context = context


@proxy(id="0B6E1C66D3D04C0D9E4C9C0C8E1A7B32", alias="test:unmakeable", view=f"{__name__}:make_badly")
class Unmakeable(Unpaintable):
    UI: ExportedUI


@proxy(id="0B6E1C66D3D04C0D9E4C9C0C8E1A7B33", alias="test:nowhere", view="no.such.module:make")
class Nowhere(Unpaintable):
    UI: ExportedUI


class BadView(View):
    def paint(self, painter: QPainter, area: QRectF) -> None:
        raise ZeroDivisionError("planted in paint")

    def make_widget(self) -> QWidget:
        return QLabel("it works all the same")


def paint_badly(model: object, frame: ViewHost) -> View:
    return BadView()


def make_badly(model: object, frame: ViewHost) -> View:
    raise ZeroDivisionError("planted in make")


def desktop(room: Room) -> Any:
    room.furnish()
    sys.modules.setdefault(__name__, sys.modules[Unpaintable.__module__])
    register(room.house.known.catalogue, scan(sys.modules[__name__]), room.house.known.matcher)
    return room.shared("ann", DesktopObject, DesktopOperation, DesktopState)


def lay(thing: Any, **recipes: str) -> None:
    changes = [
        Add(Item(name, name, Place(10 + 150 * at, 10, 140, 120), recipe))
        for at, (name, recipe) in enumerate(recipes.items())
    ]
    thing.instance.editor.edit("lay", *changes)


def test_each_broken_item_shows_its_problem_and_the_others_work(room: Room) -> None:
    made = desktop(room)
    view = room.show(made)
    canvas = room.widget(view, 900, 200)
    lay(made, good=write(note("good")).decode(), unknown=UNKNOWN, **BROKEN)
    room.wait(lambda: canvas.item_views.view("good") is not None)
    room.house.advance(1)
    canvas.grab()
    trouble = {key: canvas.item_views.why_not_shown(key) for key in canvas.state.items}
    assert trouble["good"] == ""
    assert "unheard-of" in trouble["unknown"]
    assert "planted in paint" in trouble["unpaintable"]
    assert "planted in make" in trouble["unmakeable"]
    assert "no.such.module" in trouble["nowhere"]
    canvas.edit(canvas.state.items["good"])
    assert canvas.editing == "good"
    canvas.leave_editing()
    room.forgive()


def test_a_window_survives_a_view_that_cannot_paint(room: Room) -> None:
    desktop(room)
    window = room.person("bob").build(WindowObject, caption="Box")
    view = room.show(window)
    for name, words in (("unpaintable", "planted in paint"), ("unmakeable", "planted in make")):
        view.insert(BROKEN[name], name)
        room.settle()
        room.painted(view)
        assert words in view.words()
        room.painted(view)
    view.insert(write(note("good")).decode(), "good")
    room.wait(lambda: view.inner is not None)
    room.painted(view)
    assert "planted" not in view.words()


def test_unknown_ids_are_kept_in_a_folder_and_reported_when_opened(room: Room) -> None:
    room.furnish()
    made = room.shared("ann", SharedFolder, FolderOperation, FolderState)
    view = room.show(made)
    panel = room.widget(view)
    made.instance.change("put", Put("strange", UNKNOWN), Put("broken", "<"))
    assert [panel.item(row).text() for row in range(panel.count())] == ["broken", "strange"]
    room.painted(view)
    panel.selectAll()
    panel.open_selected()
    assert [name for _, name in room.told.opened] == ["broken", "strange"]
    assert panel.copy()


def test_texts_by_others_are_never_read_as_markup(room: Room) -> None:
    """Markup may name a file, which Qt would read at once; this one never ends."""
    bad = "<img src='/dev/zero'>"
    folder = room.shared("ann", SharedFolder, FolderOperation, FolderState)
    folder.instance.change("put", Put(fitting_name(bad), write(note("x")).decode()))
    panel = room.widget(room.show(folder))
    assert all("<img" not in panel.item(row).toolTip() for row in range(panel.count()))
    window = room.widget(room.show(room.person().build(WindowObject, caption=bad)))
    file = room.widget(room.show(room.person().build(LocalFile, path=f"/none/{bad}")))
    labels = [*window.findChildren(QLabel), *file.findChildren(QLabel)]
    assert any(bad in label.text() for label in labels)
    assert {label.textFormat() for label in labels} == {Qt.TextFormat.PlainText}
    assert "<img" not in character_format({"link": bad}, {}, QFont()).toolTip()


@pytest.mark.parametrize("text", ["<?xml", "<Root/>", "x" * 5_000_000, "<Root><Object/></Root>", "\0\ud800"])
def test_dropped_hostile_text_is_refused_and_changes_nothing(room: Room, text: str) -> None:
    made = desktop(room)
    canvas = room.widget(room.show(made), 400, 300)
    data = QMimeData()
    data.setText(text)
    assert not room.drop(canvas, data)
    assert len(room.told.words) == 1
    assert len(room.told.words[0]) < 2000
    assert not canvas.state.items


def test_a_full_disk_is_reported_once_and_work_continues(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Processes(tmp_path) as house:
        notes = []
        for name in ("ann", "bob"):
            person = house.process(name)
            made = person.build(TextObject)
            channel = person.build(SharedChannel, TEXT, TEXT, name="home/f/note")
            person.connect(channel, "Channel", made, "channel")
            notes.append(made.instance)
        house.advance(2)
        notes[0].note.edit("typing", typed(0, "before "))
        house.advance(1)

        def full(*_: object, **__: object) -> None:
            raise OSError(errno.ENOSPC, "No space left on device")

        with monkeypatch.context() as patched:
            patched.setattr(Segments, "append", full)
            notes[0].note.edit("typing", typed(7, "and after"))
            house.advance(3)
            assert [one.note.text for one in notes] == ["before and after"] * 2
            assert any("No space left" in str(problem) for problem in house.problems)
        for process in house.processes:
            process.problems.clear()
        house._stray.clear()
        house.advance(10)
        notes[1].note.edit("typing", typed(0, "still "))
        house.advance(2)
        assert [one.note.text for one in notes] == ["still before and after"] * 2
        for process in house.processes:
            process.problems.clear()
        house._stray.clear()
