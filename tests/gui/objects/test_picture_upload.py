"""An upload shows a placeholder at once, can be stopped, and blocks nobody."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import pytest
from PySide6.QtCore import QMimeData, QPoint, Qt, QUrl
from PySide6.QtGui import QGuiApplication, QImage
from PySide6.QtTest import QTest

from liven.liveobjects.desktop.object import DesktopObject
from liven.liveobjects.desktop.view.transfer.placeholders import words
from liven.liveobjects.desktop.wire import DesktopOperation, DesktopState
from liven.liveobjects.image.object import ImageObject
from liven.liveobjects.image.picture_header import measure
from liven.liveobjects.image.view import decoding, dropped_pictures
from liven.liveobjects.image.view.dropped_pictures import pictures_in
from liven.liveobjects.image.wire import Frame
from liven.runtime.errors import CallFailedError
from liven.runtime.objects.reply import Reply
from liven.runtime.testing.immediate_workers import ImmediateWorkers

if TYPE_CHECKING:
    from tests.gui.objects.conftest import Room

CONTROL = Qt.KeyboardModifier.ControlModifier
ESC = Qt.Key.Key_Escape


class Gate:
    """A gate in front of the workers: while it is shut, none begins."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self._patch = monkeypatch
        self._run = ImmediateWorkers.run
        self._held: list[tuple[ImmediateWorkers, Callable[[], object]]] = []

    def shut(self) -> None:
        self._patch.setattr(ImmediateWorkers, "run", lambda workers, job: self._held.append((workers, job)))

    def open(self) -> None:
        self._patch.setattr(ImmediateWorkers, "run", self._run)
        for workers, job in self._held:
            workers.run(job)


@pytest.fixture
def gate(monkeypatch: pytest.MonkeyPatch) -> Gate:
    return Gate(monkeypatch)


@pytest.fixture
def canvas(room: Room) -> Any:
    room.furnish()
    made = room.widget(room.show(room.shared("ann", DesktopObject, DesktopOperation, DesktopState)), 600, 400)
    made.zoom_and_view.toggle_grid()
    return made


def paste(widget: Any, picture: QImage) -> None:
    QGuiApplication.clipboard().setImage(picture)
    QTest.keyClick(widget, Qt.Key.Key_V, CONTROL)
    QGuiApplication.clipboard().clear()


def test_a_pasted_picture_has_a_placeholder_before_it_is_read(room: Room, canvas: Any, gate: Gate) -> None:
    before = canvas.grab().toImage()
    gate.shut()
    paste(canvas, room.picture())
    assert canvas.grab().toImage() != before, "its place is seen at once"
    assert not canvas.state.items
    gate.open()
    room.wait(lambda: canvas.state.items)
    assert not canvas.drop_and_paste._uploads.unread


def test_a_dropped_picture_has_its_placeholder_at_the_drop(room: Room, canvas: Any, gate: Gate) -> None:
    data = QMimeData()
    data.setImageData(room.picture())
    before = canvas.grab().toImage()
    gate.shut()
    assert room.drop(canvas, data, QPoint(120, 90))
    after = canvas.grab().toImage()
    assert after.copy(20, 40, 200, 100) != before.copy(20, 40, 200, 100)
    assert after.copy(300, 260, 300, 140) == before.copy(300, 260, 300, 140)


def test_esc_cancels_reading_a_picture_and_changes_nothing(room: Room, canvas: Any, gate: Gate) -> None:
    before = canvas.grab().toImage()
    gate.shut()
    paste(canvas, room.picture())
    QTest.keyClick(canvas, ESC)
    assert room.told.words == ["Stopped: 1 picture was not added. Nothing has changed here."]
    assert canvas.grab().toImage() == before
    gate.open()
    room.house.advance(1)
    room.settle()
    assert not canvas.state.items
    paste(canvas, room.picture())
    room.wait(lambda: canvas.state.items)


@pytest.mark.parametrize("in_time", [True, False])
def test_esc_stops_an_upload_and_says_that_the_image_stays_empty(
    room: Room, canvas: Any, monkeypatch: pytest.MonkeyPatch, *, in_time: bool
) -> None:
    sent: list[Reply[None]] = []

    def put(_model: ImageObject, _data: bytes, _name: str) -> Reply[None]:
        made: Reply[None] = Reply()
        made.on_cancel(lambda: made.fail(CallFailedError("it was cancelled")) if in_time else None)
        sent.append(made)
        return made

    monkeypatch.setattr(ImageObject, "put", put)
    paste(canvas, room.picture())
    room.wait(lambda: sent)
    QTest.keyClick(canvas, ESC)
    assert sent[0].settled
    assert room.told.words == in_time * [
        "Stopped: the image stays empty. Press Del to remove it, or drop another picture."
    ]
    assert canvas.selected, "the next Esc lets go of the selection"
    QTest.keyClick(canvas, ESC)
    assert not canvas.selected


def test_an_image_shows_that_a_picture_is_being_read_and_esc_cancels(room: Room, gate: Gate) -> None:
    ann = room.shared("ann", ImageObject, Frame, Frame)
    view = room.show(ann)
    widget = room.widget(view)
    before = widget.grab().toImage()
    gate.shut()
    paste(widget, room.picture())
    assert widget.grab().toImage() != before
    QTest.keyClick(widget, ESC)
    assert room.told.words == ["The picture was not added; nothing has changed."]
    assert widget.grab().toImage() == before
    gate.open()
    room.house.advance(1)
    assert ann.instance.editor.state.order == ()


def test_the_text_counts_pictures_without_a_placeholder() -> None:
    assert words("cat.png", 0) == "cat.png is being read…\nPress Esc to stop"
    assert words("", 9) == "The picture is being read…\nand 9 more\nPress Esc to stop"


def test_an_encoded_picture_from_another_program_is_kept_unchanged(room: Room) -> None:
    packed = room.file_bytes(room.picture(), "JPEG")
    data = QMimeData()
    data.setData("image/jpeg", packed)
    data.setImageData(room.picture())
    [found] = pictures_in(data)
    assert found.read() == packed
    data.setData("image/jpeg", b"not a picture")
    [found] = pictures_in(data)
    assert measure(found.read()).kind == "png"


@pytest.mark.parametrize("kind", ["PNG", "BMP"])
def test_an_oversized_picture_from_another_program_is_encoded_again(
    room: Room, monkeypatch: pytest.MonkeyPatch, kind: str
) -> None:
    picture = room.picture(width=400, height=300)
    packed = room.file_bytes(picture, kind)
    if kind == "PNG":
        packed += b"\0" * 1000
    monkeypatch.setattr(dropped_pictures, "LARGEST", len(packed) - (kind == "PNG"))
    data = QMimeData()
    data.setData(f"image/{kind.lower()}", packed)
    [found] = pictures_in(data)
    read = found.read()
    assert len(read) < len(packed)
    assert measure(read).kind == "png"
    assert QImage.fromData(read) == picture


def test_a_large_picture_is_encoded_fast_and_completely(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[int] = []
    saved = decoding._saved

    def watched(image: QImage, kind: str, quality: int) -> bytes:
        asked.append(quality)
        return saved(image, kind, quality)

    monkeypatch.setattr(decoding, "_saved", watched)
    monkeypatch.setattr(decoding, "MANY_PIXELS", 500)
    picture = room.picture()
    assert QImage.fromData(decoding.encode(picture)) == picture
    assert asked == [89]
    monkeypatch.setattr(decoding, "LARGEST", 10)
    assert measure(decoding.encode(picture)).kind == "jpeg"


def cut(room: Room) -> bytes:
    """Return a PNG without its second half."""
    whole = room.file_bytes(room.picture(width=400, height=300))
    return whole[: len(whole) // 2]


@pytest.mark.parametrize("how", ["dropped file", "pasted file", "pasted bytes"])
def test_a_truncated_picture_is_refused_and_changes_nothing(room: Room, canvas: Any, how: str) -> None:
    data = QMimeData()
    if how == "pasted bytes":
        data.setData("image/png", cut(room))
    else:
        data.setUrls([QUrl.fromLocalFile(str(room.file("half.png", cut(room))))])
    before = canvas.grab().toImage()
    if how == "dropped file":
        assert room.drop(canvas, data)
    else:
        QGuiApplication.clipboard().setMimeData(data)
        QTest.keyClick(canvas, Qt.Key.Key_V, CONTROL)
        QGuiApplication.clipboard().clear()
    room.wait(lambda: room.told.words)
    [told] = room.told.words
    assert "it is cut off or damaged" in told
    assert told.endswith("Get it from its source again; nothing has changed here.")
    assert ("half.png" in told) == (how != "pasted bytes")
    assert not canvas.state.items
    assert not canvas.editor.undo_list.undo_names
    assert canvas.grab().toImage() == before


def test_an_image_keeps_its_picture_when_a_truncated_one_is_dropped(room: Room) -> None:
    ann = room.shared("ann", ImageObject, Frame, Frame)
    widget = room.widget(room.show(ann))
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(room.file("half.png", cut(room))))])
    assert room.drop(widget, data)
    room.wait(lambda: room.told.words)
    assert "half.png: it is cut off" in room.told.words[0]
    assert ann.instance.editor.state.order == ()


@pytest.mark.qt_log_ignore("Corrupt JPEG data")
def test_a_truncated_jpeg_is_accepted_as_far_as_it_goes(room: Room) -> None:
    whole = room.file_bytes(room.picture(width=400, height=300), "JPEG")
    decoding.check_whole(whole[: len(whole) - 40])
