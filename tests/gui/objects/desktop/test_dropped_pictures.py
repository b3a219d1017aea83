from __future__ import annotations

from itertools import combinations
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import pytest
from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest

from liven.liveobjects.desktop.object import DesktopObject
from liven.liveobjects.desktop.running_items import LINGER
from liven.liveobjects.desktop.view.geometry import rect
from liven.liveobjects.desktop.wire import DesktopOperation, DesktopState
from liven.liveobjects.image.object import ImageObject
from liven.liveobjects.image.state import Album
from liven.liveobjects.image.view.upload_job import PATIENCE, UploadJob
from liven.liveobjects.image.view.upload_queue import AT_ONCE, MOST, MOST_LATE
from liven.runtime.objects.reply import Reply

if TYPE_CHECKING:
    from tests.gui.objects.conftest import Room

ROOT = Path(__file__).parents[4]
CONTROL = Qt.KeyboardModifier.ControlModifier


def desktop(room: Room, name: str) -> Any:
    return room.shared(name, DesktopObject, DesktopOperation, DesktopState)


def urls(*paths: object) -> QMimeData:
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(path)) for path in paths])
    return data


def images_of(view: Any) -> list[Any]:
    """Return what the running images on a desktop show."""
    canvas = view.widget()
    views = [canvas.item_views.view(key) for key in sorted(canvas.state.items)]
    return [one.model.editor.confirmed.seen for one in views if hasattr(one, "image")]


def test_dropped_picture_files_become_images_that_others_see(room: Room) -> None:
    room.furnish()
    here, there = (room.show(desktop(room, name)) for name in ("ann", "bob"))
    canvas = room.widget(here, 600, 400)
    room.widget(there, 600, 400)
    cat = room.file("cat.png", room.file_bytes(room.picture(width=800, height=400)))
    note = room.file("note.liveobject", (ROOT / "samples" / "desk" / "note.liveobject").read_bytes())
    assert room.drop(canvas, urls(cat, note, room.file("dog.png")), QPoint(300, 200))
    room.wait(lambda: len(here.widget().state.items) == 3)
    room.wait(lambda: len([one for one in images_of(there) if one is not None]) == 2)
    sizes = {item.label: (item.place.width, item.place.height) for item in canvas.state.items.values()}
    assert sizes["cat.png"] == (360, 180)
    assert sizes["dog.png"] == (40, 24)


def test_few_of_many_pictures_are_in_memory_at_a_time_and_all_arrive(
    room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    room.furnish()
    here = room.show(desktop(room, "ann"))
    canvas = room.widget(here, 600, 400)
    giving = canvas.drop_and_paste._uploads
    busy: list[int] = []
    begin = giving._go_on

    def watched() -> None:
        begin()
        busy.append(giving.busy)

    monkeypatch.setattr(giving, "_go_on", watched)
    files = [room.file(f"{number}.png") for number in range(12)]
    broken = room.file("broken.png", b"\x89PNG\r\n\x1a\n" + bytes(40))
    assert room.drop(canvas, urls(broken, *files), QPoint(300, 200))
    room.wait(lambda: len(canvas.state.items) == 12 and giving.busy == 0)
    assert max(busy) <= AT_ONCE
    assert ["broken.png" in word for word in room.told.words] == [True]


def test_too_many_pictures_are_refused_unread(room: Room) -> None:
    room.furnish()
    here = room.show(desktop(room, "ann"))
    canvas = room.widget(here, 600, 400)
    one = room.file("cat.png")
    assert room.drop(canvas, urls(*[one] * (MOST + 1)), QPoint(300, 200))
    assert room.told.words == ["501 pictures at once are too many; the limit is 500."]
    assert not canvas.state.items


def _stand_still(monkeypatch: pytest.MonkeyPatch) -> list[Reply[None]]:
    """Let uploads of pictures with these names hang; return their replies."""
    put, stuck = ImageObject.put, list[Reply[None]]()

    def held(model: ImageObject, data: bytes, name: str) -> Reply[None]:
        if not name.startswith("stuck"):
            return put(model, data, name)
        stuck.append(Reply())
        return stuck[-1]

    monkeypatch.setattr(ImageObject, "put", held)
    return stuck


def test_stuck_pictures_make_way_for_others_and_the_user_is_told(
    room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    room.furnish()
    stuck = _stand_still(monkeypatch)
    here = room.show(desktop(room, "ann"))
    canvas = room.widget(here, 900, 700)
    names = [f"stuck{number}.png" for number in range(AT_ONCE)]
    files = [room.file(name) for name in (*names, "good.png", "fine.png")]
    assert room.drop(canvas, urls(*files), QPoint(300, 200))
    room.wait(lambda: len(stuck) == AT_ONCE)
    assert {item.label for item in canvas.state.items.values()} == set(names)
    room.house.advance(2 * PATIENCE + 1)
    room.wait(lambda: len([one for one in images_of(here) if one is not None]) == 2)
    late = f"is late: for over {PATIENCE:.0f} seconds, nothing can be sent. Other pictures continue."
    assert sorted(room.told.words) == [f"{name} {late}" for name in names]
    stuck[0].resolve(None)
    assert canvas.drop_and_paste._uploads.busy == 0
    assert len(room.told.words) == len(names), "one that arrives after all is not spoken of"


def test_of_too_many_stuck_pictures_the_oldest_are_given_up_by_name(
    room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    room.furnish()
    stuck = _stand_still(monkeypatch)
    here = room.show(desktop(room, "ann"))
    canvas = room.widget(here, 900, 700)
    many = MOST_LATE + 2
    assert room.drop(canvas, urls(*(room.file(f"stuck{number}.png") for number in range(many))))
    room.wait(lambda: len(stuck) == AT_ONCE)
    room.house.advance(2 * PATIENCE + 1)
    room.wait(lambda: len(stuck) == many)
    room.house.advance(2 * PATIENCE + 1)
    given_up = [words for words in room.told.words if "was not added" in words]
    assert len(given_up) == 2
    assert all(words.endswith("nothing can be sent. Drop it on its image again.") for words in given_up)
    assert canvas.drop_and_paste._uploads.busy == 0


def test_unread_picture_is_reported_without_an_image() -> None:
    """No image was added."""
    told: list[str] = []
    entry = SimpleNamespace(cancel=lambda: None)
    context: Any = SimpleNamespace(work=lambda _: Reply(), call_later=lambda *_: entry)
    offered: Any = SimpleNamespace(name="cat.png", read=None)
    frame: Any = SimpleNamespace(show_message=told.append)
    gift = UploadJob(context, frame, offered, QPointF(), lambda *_: True)
    gift.begin()
    gift.give_up()
    assert told == ["cat.png was not added: it is still being read. Drop or paste it again."]


def test_picture_with_slow_progress_is_not_late(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    room.furnish()
    stuck = _stand_still(monkeypatch)
    here = room.show(desktop(room, "ann"))
    canvas = room.widget(here, 900, 700)
    assert room.drop(canvas, urls(room.file("stuck.png")))
    room.wait(lambda: stuck)
    [gift] = canvas.drop_and_paste._uploads._busy
    for _ in range(8):
        room.house.advance(PATIENCE / 2)
        gift.changed(Album(), Album())
    assert not room.told.words


def test_picture_file_is_copied_so_that_the_source_does_not_delete_it(room: Room) -> None:
    room.furnish()
    here = room.show(desktop(room, "ann"))
    canvas = room.widget(here, 600, 400)
    assert room.move_to(canvas, urls(room.file("cat.png"))) == Qt.DropAction.CopyAction
    room.wait(lambda: images_of(here) and images_of(here)[0] is not None)


def test_picture_on_the_clipboard_is_pasted_as_an_image(room: Room) -> None:
    room.furnish()
    here = room.show(desktop(room, "ann"))
    canvas = room.widget(here, 600, 400)
    QGuiApplication.clipboard().setImage(room.picture())
    QTest.keyClick(canvas, Qt.Key.Key_V, CONTROL)
    QGuiApplication.clipboard().clear()
    room.wait(lambda: images_of(here) and images_of(here)[0] is not None)
    [item] = canvas.state.items.values()
    assert (item.place.x, item.place.y) == (280, 180), "in the middle, on the grid"
    assert canvas.editor.undo_list.undo_names == ("Add a picture",)


def test_pasted_pictures_go_to_free_space_and_dropped_ones_to_the_pointer(
    room: Room,
) -> None:
    room.furnish()
    here = room.show(desktop(room, "ann"))
    canvas = room.widget(here, 900, 700)
    files = urls(*(room.file(f"{number}.png") for number in range(3)))
    QGuiApplication.clipboard().setMimeData(files)
    QTest.keyClick(canvas, Qt.Key.Key_V, CONTROL)
    QGuiApplication.clipboard().clear()
    room.wait(lambda: len(canvas.state.items) == 3)
    areas = [rect(item.place) for item in canvas.state.items.values()]
    assert not any(one.intersects(other) for one, other in combinations(areas, 2))
    assert all(canvas.rect().contains(area.toRect()) for area in areas)
    there = areas[0].center().toPoint()
    assert room.drop(canvas, urls(room.file("dropped.png")), there)
    room.wait(lambda: len(canvas.state.items) == 4)
    [place] = [rect(one.place) for one in canvas.state.items.values() if one.label == "dropped.png"]
    assert place.contains(there.toPointF())


def test_image_gets_its_picture_even_if_it_is_out_of_view(room: Room) -> None:
    room.furnish()
    here, there = (room.show(desktop(room, name)) for name in ("ann", "bob"))
    canvas = room.widget(here, 600, 400)
    room.widget(there, 600, 400)
    data = room.file_bytes(room.picture()) + bytes(5_000_000)
    assert room.drop(canvas, urls(room.file("long.png", data)))
    room.wait(lambda: canvas.state.items)
    canvas.camera.pan(QPoint(90_000, 0).toPointF())
    canvas.viewport_changed()
    room.house.advance(LINGER + 1)
    room.wait(lambda: images_of(there) and images_of(there)[0] is not None)
    assert images_of(there)[0].about.size == len(data)


def test_decompression_bomb_is_refused_and_the_desktop_unchanged(room: Room) -> None:
    room.furnish()
    here = room.show(desktop(room, "ann"))
    canvas = room.widget(here, 600, 400)
    bomb = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\xea\x60\0\0\xea\x60\x08\x02\0\0\0"
    assert room.drop(canvas, urls(room.file("bomb.png", bomb)))
    room.wait(lambda: room.told.words)
    assert "bomb.png: 60,000 by 60,000 pixels" in room.told.words[0]
    assert not canvas.state.items
