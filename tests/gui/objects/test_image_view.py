from __future__ import annotations

import errno
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from PySide6.QtCore import QMimeData, Qt, QUrl
from PySide6.QtGui import QColor, QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QFileDialog

from liven.liveobjects.image.model import SLICE
from liven.liveobjects.image.object import ImageObject
from liven.liveobjects.image.state import Begin, Slice
from liven.liveobjects.image.view import stalled_upload
from liven.liveobjects.image.wire import Frame

if TYPE_CHECKING:
    from tests.gui.objects.conftest import Room

RED, BLUE = "#c02020", "#2020c0"
CONTROL, SHIFT = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.ShiftModifier
ALT = Qt.KeyboardModifier.AltModifier


def image(room: Room, name: str) -> Any:
    """Make an image on the one channel, in its own process."""
    return room.shared(name, ImageObject, Frame, Frame)


def urls(*paths: Path) -> QMimeData:
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(path)) for path in paths])
    return data


def colour(picture: Any, x: float = 0.5, y: float = 0.5) -> str:
    return str(QColor(picture.pixel(int(x * picture.width()), int(y * picture.height()))).name())


def test_a_dropped_picture_file_shows_to_everybody(room: Room) -> None:
    ann, bob = image(room, "ann"), image(room, "bob")
    here, there = room.show(ann), room.show(bob)
    widget = room.widget(here)
    assert colour(room.painted(there)) != RED
    assert room.drop(widget, urls(room.file("cat.png")))
    room.wait(lambda: bob.instance.editor.state.seen)
    room.painted(there)
    room.wait(lambda: there.image)
    assert colour(room.painted(there)) == RED
    assert there.title() == "cat.png"
    assert there.size_hint().toTuple() == (40, 24)


def test_a_picture_is_pasted_copied_and_undone_by_keys(room: Room) -> None:
    ann = image(room, "ann")
    view = room.show(ann)
    widget = room.widget(view)
    for shade in (RED, BLUE):
        QGuiApplication.clipboard().setImage(room.picture(shade))
        QTest.keyClick(widget, Qt.Key.Key_V, CONTROL)
        before = ann.instance.editor.state.shown
        room.wait(lambda before=before: ann.instance.editor.confirmed.shown != before)  # type: ignore[misc]
    QGuiApplication.clipboard().clear()
    room.painted(view)
    room.wait(lambda: view.image)
    assert colour(room.painted(view)) == BLUE
    QTest.keyClick(widget, Qt.Key.Key_C, CONTROL)
    assert colour(QGuiApplication.clipboard().image()) == BLUE
    QTest.keyClick(widget, Qt.Key.Key_Z, CONTROL)
    room.painted(view)
    room.wait(lambda: view.image)
    assert colour(room.painted(view)) == RED
    QTest.keyClick(widget, Qt.Key.Key_Z, CONTROL | SHIFT)
    room.painted(view)
    room.wait(lambda: view.image)
    assert colour(room.painted(view)) == BLUE


def test_a_picture_is_decoded_as_finely_as_it_is_seen(room: Room) -> None:
    ann = image(room, "ann")
    view = room.show(ann)
    ann.instance.put(room.file_bytes(room.picture(width=3000, height=1500), "JPEG"), "big.jpg")
    room.wait(lambda: ann.instance.editor.confirmed.shown)
    room.painted(view)
    room.wait(lambda: view.image)
    assert view.image.width() == 512
    room.painted(view, 1400, 700)
    room.wait(lambda: view.image.width() > 512)
    assert view.image.width() == 2048


def test_an_image_shows_the_progress_of_an_upload(room: Room) -> None:
    ann, bob = image(room, "ann"), image(room, "bob")
    there = room.show(bob)
    room.widget(there)
    noise = os.urandom(1)
    data = room.file_bytes(room.picture(BLUE)) + noise * (40 * SLICE)
    ann.instance.put(data, "long.png")
    seen: list[float] = []
    bob.instance.editor.listen(Watcher(seen))
    room.wait(lambda: bob.instance.editor.state.seen)
    assert len(seen) > 20
    assert seen == sorted(seen)
    assert there.widget().accessibleName() == "Image long.png"


class Watcher:
    def __init__(self, seen: list[float]) -> None:
        self._seen = seen

    def changed(self, before: Any, after: Any) -> None:
        if after.arriving is not None:
            self._seen.append(after.arriving.got)

    def notify(self, message: str) -> None: ...


BOMB = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\xea\x60\0\0\xea\x60\x08\x02\0\0\0"


@pytest.mark.parametrize(
    ("name", "data", "why"),
    [
        ("bomb.png", BOMB, "60,000 by 60,000 pixels"),
        ("cut.png", BOMB[:18], "ends before the size"),
        ("text.png", b"hello", "not a picture"),
        ("empty.png", b"", "not a picture"),
    ],
)
def test_a_bad_picture_is_refused_with_the_reason(room: Room, name: str, data: bytes, why: str) -> None:
    ann = image(room, "ann")
    view = room.show(ann)
    assert room.drop(room.widget(view), urls(room.file(name, data)))
    room.wait(lambda: room.told.words)
    assert name in room.told.words[0]
    assert why in room.told.words[0]
    assert ann.instance.editor.state.order == ()


def test_a_file_that_is_not_a_picture_is_not_accepted(room: Room) -> None:
    view = room.show(image(room, "ann"))
    widget = room.widget(view)
    assert not room.drop(widget, urls(room.file("a.txt", b"hello")))
    data = QMimeData()
    data.setText("hello")
    assert not room.drop(widget, data)


def test_a_drop_is_accepted_as_a_copy_and_a_refused_one_not_at_all(room: Room) -> None:
    widget = room.widget(room.show(image(room, "ann")))
    assert room.move_to(widget, urls(room.file("cat.png"))) == Qt.DropAction.CopyAction
    data = QMimeData()
    data.setImageData("not a picture")
    assert room.move_to(widget, data) == Qt.DropAction.IgnoreAction


def test_a_broken_picture_by_somebody_else_shows_the_problem(room: Room) -> None:
    ann, bob = image(room, "ann"), image(room, "bob")
    there = room.show(bob)
    whole = room.file_bytes(room.picture())
    ann.instance.put(whole[:45], "half.png")
    room.wait(lambda: bob.instance.editor.state.seen)
    room.painted(there)
    room.wait(lambda: there.trouble)
    assert "broken" in there.trouble
    room.painted(there)


def test_sending_can_be_stopped(room: Room) -> None:
    ann = image(room, "ann")
    view = room.show(ann)
    widget = room.widget(view)
    widget.stop()
    assert room.told.words.pop() == "You are not sending a picture."
    done = ann.instance.put(room.file_bytes(room.picture()) + bytes(40 * SLICE), "long.png")
    widget.stop()
    room.house.advance(1)
    assert done.settled
    assert ann.instance.editor.confirmed.order == ()


def test_esc_stops_an_upload_and_otherwise_goes_to_the_host(room: Room) -> None:
    ann = image(room, "ann")
    widget = room.widget(room.show(ann))
    done = ann.instance.put(room.file_bytes(room.picture()) + bytes(40 * SLICE), "long.png")
    QTest.keyClick(widget, Qt.Key.Key_Escape)
    room.house.advance(1)
    assert done.settled
    said = len(room.told.words)
    QTest.keyClick(widget, Qt.Key.Key_Escape)
    assert len(room.told.words) == said


def test_a_stalled_picture_says_so_and_can_be_abandoned(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stalled_upload, "PATIENCE_MS", 20)
    bob = image(room, "bob")
    there = room.show(bob)
    widget = room.widget(there)
    gone = Begin("k", "far.png", "png", 4, 4, 4 * SLICE), Slice("k", 0, bytes(SLICE))
    bob.instance.editor.also("as somebody did who was killed", *gone)
    room.settle()
    assert not there.has_stopped
    room.painted(there)
    room.wait(lambda: there.has_stopped)
    words = there._words(bob.instance.editor.state)
    assert "far.png did not arrive: it stalled at 25%" in words
    assert "Drop the picture again" in words
    room.painted(there)
    bob.instance.editor.also("it goes on after all", Slice("k", SLICE, bytes(SLICE)))
    room.settle()
    assert not there.has_stopped
    room.wait(lambda: there.has_stopped)
    QTest.keyClick(widget, Qt.Key.Key_Escape)
    room.settle()
    assert bob.instance.editor.confirmed.arriving is None
    assert "Drop a picture here" in there._words(bob.instance.editor.state)


def test_a_full_disk_leaves_the_file_that_a_picture_would_replace(
    room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    ann = image(room, "ann")
    widget = room.widget(room.show(ann))
    ann.instance.put(room.file_bytes(room.picture()), "cat.png")
    room.wait(lambda: ann.instance.editor.confirmed.shown)
    path = room.file("saved.png", b"what was there")

    def full(_: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(path), ""))
    monkeypatch.setattr(os, "fsync", full)
    widget.save()
    room.wait(lambda: room.told.words)
    assert room.told.words == [f"It was not saved as {path}: No space left on device."]
    assert path.read_bytes() == b"what was there"
    assert sorted(one.name for one in room.folder.iterdir()) == ["saved.png"]


def test_a_picture_is_saved_as_its_original_file(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    ann = image(room, "ann")
    widget = room.widget(room.show(ann))
    path = room.folder / "saved.png"
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(path), ""))
    QTest.keyClick(widget, Qt.Key.Key_S, CONTROL | ALT)
    assert room.told.words.pop() == "There is no picture to save."
    data = room.file_bytes(room.picture())
    chosen = room.file("in.png", data)
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *_: (str(chosen), ""))
    QTest.keyClick(widget, Qt.Key.Key_O, CONTROL | SHIFT)
    room.wait(lambda: ann.instance.editor.confirmed.shown)
    QTest.keyClick(widget, Qt.Key.Key_S, CONTROL | ALT)
    room.wait(lambda: room.told.words)
    assert path.read_bytes() == data
