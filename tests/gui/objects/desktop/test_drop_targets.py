"""Drops on an item that accepts them, such as a folder, image, window or nested desktop."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from PySide6.QtCore import QEvent, QMimeData, QObject, QPoint, QPointF, QRectF, Qt, QUrl
from PySide6.QtGui import QGuiApplication, QMouseEvent, QPaintEvent, QRegion
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from liven.app.palette.new_objects import desktop, note
from liven.liveobjects.desktop import commands
from liven.liveobjects.desktop.object import DesktopObject
from liven.liveobjects.desktop.state import Place
from liven.liveobjects.desktop.view.geometry import rect
from liven.liveobjects.desktop.wire import DesktopOperation, DesktopState
from liven.liveobjects.folder.recipe import folder
from liven.liveobjects.folder.state import Rename, Take
from liven.liveobjects.image.recipe import image
from liven.liveobjects.image.view.dropped_pictures import DroppedPicture
from liven.liveobjects.new_objects import window
from liven.liveobjects.text.recipe import MOST_BYTES
from liven.runtime.reference.model import Object, Parameter, Plain, Reference
from liven.runtime.reference.xml import write

if TYPE_CHECKING:
    from tests.gui.objects.conftest import Room

NONE, CONTROL, ALT = (
    Qt.KeyboardModifier.NoModifier,
    Qt.KeyboardModifier.ControlModifier,
    Qt.KeyboardModifier.AltModifier,
)


class Desk:
    """A desktop in a room, with methods that use the mouse."""

    def __init__(self, room: Room) -> None:
        room.furnish()
        self.room = room
        self.view = room.show(room.shared("ann", DesktopObject, DesktopOperation, DesktopState))
        self.canvas: Any = room.widget(self.view, 800, 600)
        self.canvas.snapping = False

    def lay(self, thing: Object, name: str, x: float, y: float) -> str:
        """Add an item on top; return its key once it runs."""
        recipe = write(thing).decode()
        key, command = commands.add(self.canvas.state, recipe, name, Place(x, y, 200.0, 150.0))
        assert self.canvas.do(command)
        actors = self.canvas.item_views
        self.room.wait(lambda: actors.view(key) is not None and not actors._waits(key))
        return key

    def inside(self, key: str) -> Any:
        """Return the view of an item."""
        return self.canvas.item_views.view(key)

    def middle(self, key: str) -> QPointF:
        return self.canvas.camera.to_window(rect(self.canvas.state.items[key].place).center())  # type: ignore[no-any-return]

    def drag(self, start: QPointF, end: QPointF, keys: Any = NONE) -> None:
        """Press, move and release."""
        self.hold(start, end, keys)
        self.let_go(end, keys)
        self.room.settle()

    def let_go(self, at: QPointF, keys: Any = NONE) -> None:
        """Release without waiting for the result."""
        self._send(QEvent.Type.MouseButtonRelease, at, keys)

    def hold(self, start: QPointF, end: QPointF, keys: Any = NONE) -> None:
        """Press and move."""
        self._send(QEvent.Type.MouseButtonPress, start, NONE)
        for share in (0.3, 0.7, 1.0):
            self._send(QEvent.Type.MouseMove, start + (end - start) * share, keys)

    def names(self) -> list[str]:
        """Return the names of the items, lowest first."""
        return [item.label for item in self.canvas.state.stacked()]

    def key(self, key: Any, keys: Any = NONE) -> None:
        QTest.keyClick(self.canvas, key, keys)
        self.room.settle()

    def _send(self, kind: QEvent.Type, at: QPointF, keys: Any) -> None:
        button = Qt.MouseButton.LeftButton
        pressed = Qt.MouseButton.NoButton if kind == QEvent.Type.MouseMove else button
        held = Qt.MouseButton.NoButton if kind == QEvent.Type.MouseButtonRelease else button
        everywhere = QPointF(self.canvas.mapToGlobal(QPoint(0, 0))) + at
        QApplication.sendEvent(self.canvas, QMouseEvent(kind, at, everywhere, pressed, held, keys))


@pytest.fixture
def desk(room: Room) -> Desk:
    return Desk(room)


def urls(*paths: object) -> QMimeData:
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(path)) for path in paths])
    return data


def test_item_dragged_onto_a_folder_moves_into_it(desk: Desk) -> None:
    page, box = desk.lay(note("Page"), "Page", 0, 0), desk.lay(folder("Box"), "Box", 400, 200)
    desk.drag(desk.middle(page), desk.middle(box))
    assert desk.names() == ["Box"]
    assert desk.inside(box).summary() == "Page"
    desk.key(Qt.Key.Key_Z, CONTROL)
    assert sorted(desk.names()) == ["Box", "Page"]
    assert desk.inside(box).summary() == "", "one gesture, one step"
    desk.key(Qt.Key.Key_Y, CONTROL)
    assert (desk.names(), desk.inside(box).summary()) == (["Box"], "Page")
    desk.key(Qt.Key.Key_Z, CONTROL)
    assert (sorted(desk.names()), desk.inside(box).summary()) == (["Box", "Page"], "")


def test_undo_in_the_folder_and_on_the_desktop_agree(desk: Desk) -> None:
    """Each had a step for the move, so that undoing both put the page into both places or into none."""
    page, box = desk.lay(note("Page"), "Page", 0, 0), desk.lay(folder("Box"), "Box", 400, 200)
    desk.drag(desk.middle(page), desk.middle(box))

    def undo_inside() -> None:
        desk.canvas.edit(desk.canvas.state.items[box])
        QTest.keyClick(desk.canvas.item_views.widget(box), Qt.Key.Key_Z, CONTROL)
        desk.room.settle()
        desk.canvas.leave_editing()

    undo_inside()
    assert (desk.names(), desk.inside(box).summary()) == (["Box"], "Page"), "the desktop undoes it"
    desk.key(Qt.Key.Key_Z, CONTROL)
    assert (sorted(desk.names()), desk.inside(box).summary()) == (["Box", "Page"], "")
    undo_inside()
    assert (sorted(desk.names()), desk.inside(box).summary()) == (["Box", "Page"], "")
    desk.key(Qt.Key.Key_Y, CONTROL)
    assert (desk.names(), desk.inside(box).summary()) == (["Box"], "Page")


def put_into_folder(desk: Desk) -> str:
    page, box = desk.lay(note("Page"), "Page", 0, 0), desk.lay(folder("Box"), "Box", 400, 200)
    desk.drag(desk.middle(page), desk.middle(box))
    assert desk.names() == ["Box"]
    return box


def test_undo_says_that_an_item_renamed_in_the_folder_stays_there(desk: Desk) -> None:
    box = put_into_folder(desk)
    desk.inside(box).shelf.change("Rename", Rename("Page", "Leaf"))
    desk.key(Qt.Key.Key_Z, CONTROL)
    assert (sorted(desk.names()), desk.inside(box).summary()) == (["Box", "Page"], "Leaf")
    said = "Undone: Put into “Box”. It also stays in “Box”; take it out there."
    assert desk.room.told.words[-1] == said
    desk.key(Qt.Key.Key_Y, CONTROL)
    assert (desk.names(), desk.inside(box).summary()) == (["Box"], "Leaf")


def test_undo_restores_an_item_that_others_removed_from_the_folder_and_redo_moves_it_again(
    desk: Desk,
) -> None:
    box = put_into_folder(desk)
    desk.inside(box).shelf.change("Take", Take("Page"))
    desk.key(Qt.Key.Key_Z, CONTROL)
    assert (sorted(desk.names()), desk.inside(box).summary()) == (["Box", "Page"], "")
    assert desk.room.told.words[-1] == "Undone: Put into “Box”"
    desk.key(Qt.Key.Key_Y, CONTROL)
    assert (desk.names(), desk.inside(box).summary()) == (["Box"], "Page")


def test_without_the_folder_undo_says_so_and_redo_loses_nothing(desk: Desk) -> None:
    box = put_into_folder(desk)
    desk.canvas.item_views.pause(box)
    desk.key(Qt.Key.Key_Z, CONTROL)
    assert sorted(desk.names()) == ["Box", "Page"]
    assert desk.room.told.words[-1].endswith("It may also be in “Box”; look there.")
    desk.key(Qt.Key.Key_Y, CONTROL)
    assert sorted(desk.names()) == ["Box", "Page"]
    assert "drag it there" in desk.room.told.words[-1]


def test_redo_after_a_restart_does_not_lose_the_item(desk: Desk) -> None:
    put_into_folder(desk)
    desk.canvas.cross_object_undo._given.clear()  # as after a restart, which keeps what can be undone
    desk.key(Qt.Key.Key_Z, CONTROL)
    assert desk.room.told.words[-1].endswith("It may also be in “Box”; look there.")
    desk.key(Qt.Key.Key_Y, CONTROL)
    assert sorted(desk.names()) == ["Box", "Page"]
    assert "drag it there" in desk.room.told.words[-1]
    desk.key(Qt.Key.Key_Z, CONTROL)
    assert desk.names() == ["Page"], "the step before, which laid the folder down"


def test_alt_drag_puts_a_copy_into_the_folder(desk: Desk) -> None:
    page, box = desk.lay(note("Page"), "Page", 0, 0), desk.lay(folder("Box"), "Box", 400, 200)
    desk.drag(desk.middle(page), desk.middle(box), ALT)
    assert desk.names() == ["Page", "Box"]
    assert desk.inside(box).summary() == "Page"


def test_folder_is_highlighted_during_a_drag_over_it(desk: Desk) -> None:
    page, box = desk.lay(note("Page"), "Page", 0, 0), desk.lay(folder("Box"), "Box", 400, 200)
    before = desk.canvas.grab().toImage()
    corner = (desk.middle(box) + QPointF(98, 70)).toPoint()
    desk.hold(desk.middle(page), desk.middle(box))
    assert desk.canvas.grab().toImage().pixelColor(corner) != before.pixelColor(corner)
    desk.key(Qt.Key.Key_Escape)
    assert desk.names() == ["Page", "Box"]
    assert desk.canvas.grab().toImage().pixelColor(corner) == before.pixelColor(corner)


@pytest.mark.parametrize(
    ("label", "words", "kept"),
    [
        ("Note", "For the folder\nmore", "For the folder"),
        ("Note 2", "For the folder", "For the folder"),
        ("", "For the folder", "For the folder"),
        ("Mine", "For the folder", "Mine"),
        ("Note", "", "Note"),
    ],
)
def test_unnamed_item_gets_its_window_title_as_name_in_the_folder(
    desk: Desk, label: str, words: str, kept: str
) -> None:
    """The title is made of its first words at that time."""
    page, box = desk.lay(note(label), label, 0, 0), desk.lay(folder("Box"), "Box", 400, 200)
    for line in words.splitlines():
        QTest.keyClicks(desk.inside(page).widget(), line)
        QTest.keyClick(desk.inside(page).widget(), Qt.Key.Key_Return)
    desk.room.settle()
    desk.drag(desk.middle(page), desk.middle(box))
    assert desk.inside(box).summary() == kept


def test_redo_restores_the_name_in_the_folder(desk: Desk) -> None:
    page, box = desk.lay(note("Note"), "Note", 0, 0), desk.lay(folder("Box"), "Box", 400, 200)
    QTest.keyClicks(desk.inside(page).widget(), "For the folder")
    desk.room.settle()
    desk.drag(desk.middle(page), desk.middle(box))
    desk.room.wait(lambda: page not in desk.canvas.state.items)
    desk.key(Qt.Key.Key_Z, CONTROL)
    desk.room.wait(lambda: page in desk.canvas.state.items)
    assert desk.inside(box).summary() == ""
    desk.key(Qt.Key.Key_Y, CONTROL)
    desk.room.wait(lambda: page not in desk.canvas.state.items)
    assert desk.inside(box).summary() == "For the folder"


def test_text_of_an_encrypted_item_is_not_used_as_name(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    page, box = desk.lay(note("Note"), "Note", 0, 0), desk.lay(folder("Box"), "Box", 400, 200)
    QTest.keyClicks(desk.inside(page).widget(), "secret")
    monkeypatch.setattr(
        "liven.liveobjects.desktop.view.transfer.drop_and_paste.is_unencrypted", lambda _: False
    )
    desk.drag(desk.middle(page), desk.middle(box))
    assert desk.inside(box).summary() == "Note"


def test_item_refused_by_a_folder_stays(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    page, box = desk.lay(note("Page"), "Page", 0, 0), desk.lay(folder("Box"), "Box", 400, 200)
    monkeypatch.setattr("liven.liveobjects.folder.model.MOST_ITEMS", 0)
    desk.drag(desk.middle(page), desk.middle(box))
    assert desk.canvas.state.items[page].place == Place(0, 0, 200, 150)
    assert "the folder is full" in " ".join(desk.room.told.words)


def test_file_dropped_on_a_folder_goes_into_it(desk: Desk) -> None:
    box = desk.lay(folder("Box"), "Box", 400, 200)
    file = desk.room.file("page.liveobject", write(note("Page")))
    assert desk.room.drop(desk.canvas, urls(file), desk.middle(box).toPoint())
    assert desk.names() == ["Box"]
    assert desk.inside(box).summary() == "Page"
    assert desk.room.drop(desk.canvas, urls(desk.room.file("cat.png")), desk.middle(box).toPoint())
    desk.room.wait(lambda: desk.inside(box).summary() == "cat.png\nPage")
    assert desk.names() == ["Box"]


def test_dragged_item_never_ends_beneath_the_item_it_is_dropped_on(desk: Desk) -> None:
    low, high = desk.lay(note("Low"), "Low", 0, 0), desk.lay(note("High"), "High", 400, 200)
    desk.drag(desk.middle(low), desk.middle(high) + QPointF(20, 20))
    assert desk.names() == ["High", "Low"]
    desk.key(Qt.Key.Key_Z, CONTROL)
    assert desk.names() == ["Low", "High"]
    assert desk.canvas.state.items[low].place == Place(0, 0, 200, 150)


def test_item_beneath_others_is_raised_when_it_is_dragged(desk: Desk) -> None:
    desk.lay(note("Ground"), "Ground", 0, 0)
    desk.lay(note("On it"), "On it", 100, 50)
    desk.drag(desk.canvas.camera.to_window(QPointF(30, 30)), desk.canvas.camera.to_window(QPointF(60, 40)))
    assert desk.names() == ["On it", "Ground"]


def test_picture_dropped_on_an_empty_image_fills_it(desk: Desk) -> None:
    frame = desk.lay(image("Frame"), "Frame", 400, 200)
    assert desk.room.drop(desk.canvas, urls(desk.room.file("cat.png")), desk.middle(frame).toPoint())
    desk.room.wait(lambda: desk.inside(frame).title() == "cat.png")
    assert desk.names() == ["Frame"]
    assert desk.room.drop(desk.canvas, urls(desk.room.file("dog.png")), desk.middle(frame).toPoint())
    desk.room.wait(lambda: desk.names() == ["Frame", "dog.png"])  # it is no longer empty
    assert desk.inside(frame).title() == "cat.png"


def test_pasted_picture_fills_the_selected_empty_image(desk: Desk) -> None:
    frame, other = desk.lay(image("Frame"), "Frame", 400, 200), desk.lay(image("Other"), "Other", 0, 0)
    QGuiApplication.clipboard().setImage(desk.room.picture())
    desk.canvas.select({frame})
    desk.key(Qt.Key.Key_V, CONTROL)
    state = desk.inside(frame).model.editor
    desk.room.wait(lambda: state.state.seen is not None)
    assert desk.names() == ["Frame", "Other"]
    desk.canvas.select({frame, other})
    desk.key(Qt.Key.Key_V, CONTROL)
    desk.room.wait(lambda: len(desk.names()) == 3)


def alone(name: str) -> Object:
    """Return a window without a channel, as in files of the original program."""
    return Reference("liven:window", (Parameter("caption", Plain("string", name)),))


def test_object_dropped_on_an_empty_caption_window_is_shown_there(desk: Desk) -> None:
    page, pane = desk.lay(note("Page"), "Page", 0, 0), desk.lay(alone("Pane"), "Pane", 400, 200)
    assert "Only you see it, until you close the window" in desk.inside(pane).words()
    desk.drag(desk.middle(page), desk.middle(pane))
    desk.room.wait(lambda: desk.inside(pane).inner is not None)
    assert desk.names() == ["Page", "Pane"]  # nothing keeps it in the window
    assert desk.canvas.state.items[page].place == Place(0, 0, 200, 150)
    assert "is still here as well" in desk.room.told.words[-1]
    file = desk.room.file("other.liveobject", write(note("Other")))
    assert desk.room.drop(desk.canvas, urls(file), desk.middle(pane).toPoint())
    assert desk.names() == ["Page", "Pane", "Other"]  # it is full now


def test_object_dropped_on_a_window_with_a_channel_goes_into_it(desk: Desk) -> None:
    page, pane = desk.lay(alone("Page"), "Page", 0, 0), desk.lay(window("Pane"), "Pane", 400, 200)
    assert "everybody with this window sees it" in desk.inside(pane).words()
    desk.drag(desk.middle(page), desk.middle(pane))
    desk.room.wait(lambda: desk.inside(pane).inner is not None)
    assert desk.names() == ["Pane"]
    assert desk.inside(pane).summary() == "Pane\nPage"
    desk.key(Qt.Key.Key_Z, CONTROL)
    assert sorted(desk.names()) == ["Page", "Pane"]
    assert desk.inside(pane).inner is None
    desk.key(Qt.Key.Key_Y, CONTROL)
    assert desk.names() == ["Pane"]
    desk.room.wait(lambda: desk.inside(pane).inner is not None)
    file = desk.room.file("other.liveobject", write(note("Other")))
    assert desk.room.drop(desk.canvas, urls(file), desk.middle(pane).toPoint())
    assert desk.names() == ["Pane", "Other"]  # it is full now


def test_several_objects_do_not_go_into_a_window(desk: Desk) -> None:
    desk.lay(note("Page"), "Page", 0, 0)
    desk.lay(note("Other"), "Other", 0, 200)
    pane = desk.lay(window("Pane"), "Pane", 400, 200)
    desk.canvas.select(key for key in desk.canvas.state.items if key != pane)
    desk.drag(QPointF(desk.canvas.camera.to_window(QPointF(50, 75))), desk.middle(pane))
    assert sorted(desk.names()) == ["Other", "Page", "Pane"]
    assert desk.inside(pane).inner is None


def test_rotated_picture_that_arrives_is_painted_completely(desk: Desk) -> None:
    key, command = commands.add(
        desk.canvas.state, write(image("Frame")).decode(), "Frame", Place(300.0, 280.0, 200.0, 40.0, 90.0)
    )
    assert desk.canvas.do(command)
    desk.room.wait(lambda: desk.inside(key) is not None)
    desk.inside(key).put(DroppedPicture(desk.room.file("cat.png")))
    desk.room.wait(lambda: desk.inside(key).image is not None)
    desk.room.wait(lambda: not desk.canvas.is_moving)
    exposed = Exposed(desk.canvas)
    desk.inside(key).changed.emit()  # as when it is decoded; nothing else has the plane painted now
    desk.room.wait(lambda: exposed.areas)
    shown = desk.canvas.camera.transform().mapRect(QRectF(380, 200, 40, 200)).toRect()  # as it is, rotated
    assert QRegion(shown).subtracted(exposed.areas[-1]).isEmpty()


class Exposed(QObject):
    """Records the areas of a widget that are repainted."""

    def __init__(self, widget: Any) -> None:
        super().__init__(widget)
        self.areas: list[QRegion] = []
        QApplication.processEvents()
        widget.installEventFilter(self)

    def eventFilter(self, watched: Any, event: QEvent) -> bool:
        if isinstance(event, QPaintEvent):
            self.areas.append(event.region())
        return super().eventFilter(watched, event)


def test_pasted_or_dropped_text_becomes_a_note(desk: Desk) -> None:
    QGuiApplication.clipboard().setText("Milk\r\nEggs & <b>bread</b>")
    desk.key(Qt.Key.Key_V, CONTROL)
    [key] = desk.canvas.state.items
    desk.room.wait(lambda: desk.inside(key) is not None and desk.inside(key).summary())
    assert desk.names() == ["Milk"]
    assert desk.inside(key).summary() == "Milk\nEggs & <b>bread</b>"
    letter = desk.room.file("letter.txt", "Dear Ann,\n…".encode())
    assert desk.room.drop(desk.canvas, urls(letter), QPoint(400, 300))
    [other] = desk.canvas.state.items.keys() - {key}
    desk.room.wait(lambda: desk.inside(other) is not None and desk.inside(other).summary())
    assert desk.canvas.state.items[other].label == "letter"
    assert desk.inside(other).summary() == "Dear Ann,\n…"
    desk.key(Qt.Key.Key_Z, CONTROL)
    assert desk.names() == ["Milk"]


def test_longest_accepted_text_fits_on_a_desktop(desk: Desk) -> None:
    QGuiApplication.clipboard().setText("longer " * (MOST_BYTES // 7))
    desk.key(Qt.Key.Key_V, CONTROL)
    assert len(desk.names()) == 1, desk.room.told.words


def test_text_does_not_go_into_a_window_that_would_lose_it(desk: Desk) -> None:
    pane, keeps = desk.lay(alone("Pane"), "Pane", 400, 200), desk.lay(window("Keeps"), "Keeps", 0, 0)
    letter = desk.room.file("letter.txt", b"Dear Ann")
    assert desk.room.drop(desk.canvas, urls(letter), desk.middle(pane).toPoint())
    assert desk.names() == ["Pane", "Keeps", "letter"]
    data = QMimeData()
    data.setText("Dear Ann")
    assert not desk.inside(pane).receive(data)
    assert desk.room.told.words == ["A window holds one object; put the text on a desktop."]
    assert desk.inside(keeps).receive(data)
    desk.room.wait(lambda: desk.inside(keeps).inner is not None and desk.inside(keeps).inner.summary())
    assert desk.inside(keeps).inner.summary() == "Dear Ann"


def test_second_person_who_fills_an_empty_window_keeps_the_object(desk: Desk) -> None:
    box = window("Box")
    one, two = desk.lay(alone("One"), "One", 0, 0), desk.lay(alone("Two"), "Two", 0, 200)
    windows = [desk.lay(box, "Box", 300, 0), desk.lay(box, "Box", 300, 200)]
    for page, into in zip((one, two), windows, strict=True):
        desk.hold(desk.middle(page), desk.middle(into))
        desk.let_go(desk.middle(into))  # the other one has not arrived yet
    desk.room.settle()
    assert [desk.inside(into)._model.inside.name for into in windows] == ["One", "One"]
    assert desk.names() == ["Two", "Box", "Box"]
    assert desk.room.told.words == ["Put Two in the window: “One” was put in first"]
    desk.key(Qt.Key.Key_Z, CONTROL)
    assert desk.names() == ["One", "Two", "Box", "Box"]


def test_moved_item_stays_until_everybody_agrees_that_it_arrived(desk: Desk) -> None:
    page, box = desk.lay(alone("Page"), "Page", 0, 0), desk.lay(folder("Box"), "Box", 400, 200)
    desk.hold(desk.middle(page), desk.middle(box))
    desk.let_go(desk.middle(box))
    assert sorted(desk.names()) == ["Box", "Page"]
    desk.room.settle()
    assert desk.names() == ["Box"]


def test_item_locked_during_a_drag_stays_and_the_user_is_told(desk: Desk) -> None:
    page, box = desk.lay(alone("Page"), "Page", 0, 0), desk.lay(folder("Box"), "Box", 400, 200)
    desk.hold(desk.middle(page), desk.middle(box))
    desk.canvas.editor.edit("Lock", *commands.lock(desk.canvas.state, [page]).changes)
    desk.let_go(desk.middle(box))
    desk.room.settle()
    assert sorted(desk.names()) == ["Box", "Page"]
    assert desk.room.told.words == ["It was put into “Box”, and is still here as well."]


def test_desktop_closed_before_everybody_agrees_removes_nothing(desk: Desk) -> None:
    page, box = desk.lay(alone("Page"), "Page", 0, 0), desk.lay(folder("Box"), "Box", 400, 200)
    desk.hold(desk.middle(page), desk.middle(box))
    desk.let_go(desk.middle(box))
    model = desk.view._model
    desk.room.unshow(desk.view)
    desk.room.settle()
    assert sorted(item.label for item in model.editor.confirmed.items.values()) == ["Box", "Page"]


def test_redo_does_not_replace_what_somebody_else_put_in(desk: Desk) -> None:
    page, box = desk.lay(alone("Page"), "Page", 0, 0), desk.lay(window("Box"), "Box", 400, 200)
    desk.drag(desk.middle(page), desk.middle(box))
    desk.key(Qt.Key.Key_Z, CONTROL)
    inside = desk.inside(box)._model
    inside.put(write(alone("Theirs")).decode(), "Theirs")
    desk.room.settle()
    desk.key(Qt.Key.Key_Y, CONTROL)
    assert (sorted(desk.names()), inside.inside.name) == (["Box", "Page"], "Theirs")
    assert "cannot be put into “Box” again automatically" in desk.room.told.words[-1]


def pictures_in_folder(desk: Desk) -> tuple[str, QMimeData]:
    """Add a page and a folder to the desktop; return the folder and a picture file."""
    desk.lay(note("Page"), "Page", 0, 0)
    return desk.lay(folder("Box"), "Box", 400, 200), urls(desk.room.file("sun.png"))


def test_undo_removes_a_picture_that_was_dropped_on_a_folder(desk: Desk) -> None:
    box, sun = pictures_in_folder(desk)
    assert desk.room.drop(desk.canvas, sun, desk.middle(box).toPoint())
    desk.room.wait(lambda: desk.inside(box).summary() == "sun.png")
    there = desk.inside(box).entries()
    desk.key(Qt.Key.Key_Z, CONTROL)
    assert (desk.names(), desk.inside(box).summary()) == (["Page", "Box"], "")
    assert desk.room.told.words[-1] == "Undone: Put sun.png into Box"
    desk.key(Qt.Key.Key_Y, CONTROL)
    assert desk.inside(box).entries() == there, "the same picture, not another"
    assert desk.room.told.words[-1] == "Redone: Put sun.png into Box"
    desk.key(Qt.Key.Key_Z, CONTROL)
    desk.key(Qt.Key.Key_Z, CONTROL)
    assert (desk.names(), desk.inside(box)) == (["Page"], None), "the step before"


def test_undo_of_the_folder_removes_what_was_dropped_on_it(desk: Desk) -> None:
    box, sun = pictures_in_folder(desk)
    assert desk.room.drop(desk.canvas, sun, desk.middle(box).toPoint())
    desk.room.wait(lambda: desk.inside(box).summary() == "sun.png")
    desk.canvas.edit(desk.canvas.state.items[box])
    QTest.keyClick(desk.inside(box).widget(), Qt.Key.Key_Z, CONTROL)
    desk.room.settle()
    assert desk.inside(box).summary() == ""
    desk.canvas.leave_editing()
    desk.key(Qt.Key.Key_Z, CONTROL)
    said = "“Put sun.png into Box” can no longer be undone: it has changed. Look for it in Box."
    assert desk.room.told.words[-1] == said
    assert desk.names() == ["Page", "Box"]


def test_item_renamed_in_the_folder_stays_and_nothing_else_is_undone(desk: Desk) -> None:
    box, _ = pictures_in_folder(desk)
    page = desk.room.file("page.liveobject", write(note("Leaf")))
    assert desk.room.drop(desk.canvas, urls(page), desk.middle(box).toPoint())
    desk.inside(box).shelf.change("Rename", Rename("Leaf", "Twig"))
    desk.key(Qt.Key.Key_Z, CONTROL)
    assert (desk.names(), desk.inside(box).summary()) == (["Page", "Box"], "Twig")
    assert desk.room.told.words[-1].startswith("“Put Leaf into Box” can no longer be undone: it has changed")


def test_drop_from_outside_on_a_nested_desktop_or_window_is_undone(desk: Desk) -> None:
    desk.lay(note("Page"), "Page", 0, 0)
    page = desk.room.file("page.liveobject", write(note("Leaf")))
    for thing, name in ((desktop("Inner"), "Inner"), (window("Pane"), "Pane"), (alone("Lone"), "Lone")):
        into = desk.lay(thing, name, 400, 200)
        assert desk.room.drop(desk.canvas, urls(page), desk.middle(into).toPoint())
        desk.room.settle()
        there = desk.inside(into).entries()
        assert len(there) == 1
        desk.key(Qt.Key.Key_Z, CONTROL)
        assert desk.inside(into).entries() == {}, name
        assert desk.room.told.words[-1] == f"Undone: Put Leaf into {name}"
        desk.key(Qt.Key.Key_Y, CONTROL)
        assert desk.inside(into).entries() == there
        desk.key(Qt.Key.Key_Z, CONTROL)
        desk.key(Qt.Key.Key_Z, CONTROL)
        assert desk.names() == ["Page"], "the step before, which laid it down"


def test_picture_dropped_on_a_nested_desktop_is_undone(desk: Desk) -> None:
    into = desk.lay(desktop("Inner"), "Inner", 400, 200)
    assert desk.room.drop(desk.canvas, urls(desk.room.file("sun.png")), desk.middle(into).toPoint())
    desk.room.wait(lambda: desk.inside(into).entries())
    desk.key(Qt.Key.Key_Z, CONTROL)
    assert desk.inside(into).entries() == {}
    assert desk.room.told.words[-1] == "Undone: Put sun.png into Inner"
    desk.key(Qt.Key.Key_Y, CONTROL)
    assert [item.label for item in desk.inside(into).entries().values()] == ["sun.png"]
