from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from PySide6.QtCore import QMimeData, QPoint, Qt, QUrl
from PySide6.QtGui import QContextMenuEvent, QDrag, QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLineEdit, QListWidget, QMenu

from liven.liveobjects.desktop.view.transfer.drop_contents import items_in
from liven.liveobjects.folder.object import SharedFolder
from liven.liveobjects.folder.recipe import folder, view_of_disk
from liven.liveobjects.folder.view import FolderPanel
from liven.liveobjects.folder.wire import FolderOperation, FolderState
from liven.liveobjects.icons.object_kind import kind_of
from liven.liveobjects.image.recipe import image
from liven.runtime.folder.item_files import MIME, names
from liven.runtime.reference.xml import compact, write

if TYPE_CHECKING:
    from tests.gui.objects.conftest import Room

CONTROL, SHIFT = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.ShiftModifier


@pytest.fixture
def views(room: Room) -> tuple[Any, Any]:
    """The views of two people on one folder."""
    room.furnish()
    made = [room.shared(name, SharedFolder, FolderOperation, FolderState) for name in ("ann", "bob")]
    here, there = (room.show(one) for one in made)
    room.widget(here)
    room.widget(there)
    here.widget().activateWindow()
    here.widget().setFocus()
    return here, there


def shown(view: Any) -> list[str]:
    panel: FolderPanel = view.widget()
    return [panel.item(row).text() for row in range(panel.count())]


def put(room: Room, view: Any, *called: str) -> None:
    files = [room.file(f"{name}.liveobject", write(image(name))) for name in called]
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(path)) for path in files])
    assert room.drop(view.widget(), data)
    room.settle()


def choose(view: Any, name: str) -> None:
    panel: FolderPanel = view.widget()
    [item] = panel.findItems(name, Qt.MatchFlag.MatchExactly)
    panel.setCurrentItem(item)
    assert panel.chosen() == (name,)


def test_dropped_files_are_seen_by_everybody_in_order(room: Room, views: tuple[Any, Any]) -> None:
    here, there = views
    put(room, here, "plan", "list")
    room.wait(lambda: shown(there) == ["list", "plan"])
    put(room, there, "more")
    room.wait(lambda: shown(here) == ["list", "more", "plan"])
    before = room.painted(there)
    put(room, here, "another")
    room.wait(lambda: len(shown(there)) == 4)
    assert room.painted(there) != before


def test_drop_that_is_no_object_is_refused_with_the_reason(room: Room, views: tuple[Any, Any]) -> None:
    here, _ = views
    data = QMimeData()
    data.setText("<Root>hello")
    assert not room.drop(here.widget(), data)
    assert "cannot go into a folder" in room.told.words[0]
    assert shown(here) == []


def test_object_is_moved_into_a_folder_only_if_it_arrived(room: Room, views: tuple[Any, Any]) -> None:
    here, _ = views
    data = QMimeData()
    data.setData(MIME, write(image("list")))
    assert room.move_to(here.widget(), data) == Qt.DropAction.MoveAction
    data.setData(MIME, b"rubbish")
    assert room.move_to(here.widget(), data) == Qt.DropAction.IgnoreAction
    files = QMimeData()
    files.setUrls([QUrl.fromLocalFile(str(room.file("plan.liveobject", write(image("plan")))))])
    assert room.move_to(here.widget(), files) == Qt.DropAction.CopyAction
    assert shown(here) == ["list", "plan"]


def test_f2_renames_del_removes_and_ctrl_z_restores(room: Room, views: tuple[Any, Any]) -> None:
    here, there = views
    put(room, here, "list", "plan")
    choose(here, "list")
    QTest.keyClick(here.widget(), Qt.Key.Key_F2)
    editor = here.widget().findChild(QLineEdit)
    editor.selectAll()
    QTest.keyClicks(editor, "shopping")
    QTest.keyClick(editor, Qt.Key.Key_Return)
    room.wait(lambda: shown(there) == ["plan", "shopping"])
    assert shown(here) == ["plan", "shopping"]
    choose(here, "plan")
    here.widget().setFocus()
    QTest.keyClick(here.widget(), Qt.Key.Key_Delete)
    room.wait(lambda: shown(there) == ["shopping"])
    QTest.keyClick(here.widget(), Qt.Key.Key_Z, CONTROL)
    room.wait(lambda: shown(there) == ["plan", "shopping"])
    assert room.told.words[-1] == "Undone: Take out plan"
    QTest.keyClick(here.widget(), Qt.Key.Key_Z, CONTROL | SHIFT)
    room.wait(lambda: shown(there) == ["shopping"])
    assert room.told.words[-1] == "Redone: Take out plan"


def test_taken_or_empty_name_is_refused_and_the_old_one_stays(room: Room, views: tuple[Any, Any]) -> None:
    here, _ = views
    put(room, here, "list", "plan")
    [item] = here.widget().findItems("list", Qt.MatchFlag.MatchExactly)
    item.setText("plan")
    assert "“plan” is in the folder already" in room.told.words.pop()
    item.setText("../list")
    assert "not a valid name" in room.told.words.pop()
    assert shown(here) == ["list", "plan"]


def test_enter_and_double_click_open_in_a_window(room: Room, views: tuple[Any, Any]) -> None:
    here, _ = views
    put(room, here, "list")
    choose(here, "list")
    panel: FolderPanel = here.widget()
    QTest.keyClick(panel, Qt.Key.Key_Return)
    place = panel.visualItemRect(panel.item(0)).center()
    QTest.mouseClick(panel.viewport(), Qt.MouseButton.LeftButton, pos=place)
    QTest.mouseDClick(panel.viewport(), Qt.MouseButton.LeftButton, pos=place)
    assert [name for _, name in room.told.opened] == ["list", "list"]
    assert "liven:image-2d" in room.told.opened[0][0]


def test_context_menu_is_of_the_item_under_the_mouse(
    room: Room, views: tuple[Any, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    here, _ = views
    put(room, here, "cat", "dog")
    panel: FolderPanel = here.widget()
    menus: list[QMenu] = []
    monkeypatch.setattr(QMenu, "popup", lambda menu, _: menus.append(menu))
    [dog] = panel.findItems("dog", Qt.MatchFlag.MatchExactly)
    for point in (panel.visualItemRect(dog).center(), QPoint(panel.width() - 8, panel.height() - 8)):
        reason = QContextMenuEvent.Reason.Mouse
        everywhere = panel.viewport().mapToGlobal(point)
        QApplication.sendEvent(panel.viewport(), QContextMenuEvent(reason, point, everywhere))
    of_dog, of_folder = ({one.text().partition("\t")[0]: one for one in menu.actions()} for menu in menus)
    assert "Paste" in of_folder
    assert not of_folder.keys() & of_dog.keys()
    assert panel.chosen() == ()
    panel.setCurrentItem(dog)
    of_dog["Remove from the folder"].trigger()
    room.settle()
    assert shown(here) == ["cat"]
    for menu in menus:
        menu.close()


def test_copied_object_can_be_pasted_into_another_folder(room: Room, views: tuple[Any, Any]) -> None:
    here, there = views
    put(room, here, "list")
    choose(here, "list")
    QTest.keyClick(here.widget(), Qt.Key.Key_X, CONTROL)
    room.wait(lambda: shown(there) == [])
    there.widget().activateWindow()
    there.widget().setFocus()
    there.widget().paste()
    room.wait(lambda: shown(here) == ["list"])
    QGuiApplication.clipboard().clear()


def test_dragged_object_is_a_recipe_and_a_file(
    room: Room, views: tuple[Any, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    here, there = views
    put(room, here, "list", "plan")
    dragged: list[QMimeData] = []
    read: list[list[str]] = []

    def drop_elsewhere(drag: QDrag, *_: object) -> Qt.DropAction:
        data = drag.mimeData()
        dragged.append(data)
        read.append([offer.label for offer in items_in(data)])
        assert bytes(data.data(MIME).data()).startswith(b"<")
        assert names(Path(data.urls()[0].toLocalFile()).parent) == ["list", "plan"]
        return Qt.DropAction.MoveAction

    monkeypatch.setattr(QDrag, "exec", drop_elsewhere)
    panel: FolderPanel = here.widget()
    monkeypatch.setattr(QDrag, "target", lambda _: panel)
    panel.selectAll()
    panel.startDrag(Qt.DropAction.CopyAction)
    assert read == [["list", "plan"]]
    room.wait(lambda: shown(there) == [])


def test_object_that_another_program_claims_to_move_stays_here(
    room: Room, views: tuple[Any, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    here, _ = views
    put(room, here, "list")
    monkeypatch.setattr(QDrag, "exec", lambda *_: Qt.DropAction.MoveAction)
    monkeypatch.setattr(QDrag, "target", lambda _: None)
    panel: FolderPanel = here.widget()
    panel.selectAll()
    panel.startDrag(Qt.DropAction.CopyAction)
    assert shown(here) == ["list"]
    assert room.told.words[-1] == "list went to another program and stays here as well."
    room.told.words.clear()


def test_pictures_become_images_in_the_folder(room: Room, views: tuple[Any, Any]) -> None:
    here, there = views
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(room.file("cat.png")))])
    assert room.drop(here.widget(), data)
    room.wait(lambda: shown(there) == ["cat.png"])
    loaded = room.house.processes[1].load(there.shelf.content.items["cat.png"])
    room.wait(lambda: loaded.instance.editor.state.seen)


def test_folder_is_shown_as_icons_or_as_a_list(room: Room, views: tuple[Any, Any]) -> None:
    here, _ = views
    panel: FolderPanel = here.widget()
    put(room, here, "list")
    QTest.keyClick(panel, Qt.Key.Key_2, CONTROL)
    assert panel.viewMode() == QListWidget.ViewMode.ListMode
    QTest.keyClick(panel, Qt.Key.Key_1, CONTROL)
    assert panel.viewMode() == QListWidget.ViewMode.IconMode
    put(room, here, "plan")
    assert shown(here) == ["list", "plan"]


def test_view_of_a_folder_on_disk_shows_its_files(room: Room) -> None:
    room.furnish()
    room.file("list.liveobject", write(image("list")))
    view = room.show(room.person("ann").load(view_of_disk("Disk", str(room.folder))))
    room.widget(view)
    room.wait(lambda: shown(view) == ["list"])
    choose(view, "list")
    QTest.keyClick(view.widget(), Qt.Key.Key_C, CONTROL)
    assert [offer.label for offer in items_in(QGuiApplication.clipboard().mimeData())] == ["list"]
    QGuiApplication.clipboard().clear()
    QTest.keyClick(view.widget(), Qt.Key.Key_Delete)
    room.wait(lambda: shown(view) == [])
    assert names(room.folder) == []


def test_empty_folder_says_what_to_do(room: Room, views: tuple[Any, Any]) -> None:
    here, _ = views
    empty = here.widget().grab().toImage()
    put(room, here, "list")
    assert here.widget().grab().toImage() != empty
    here.insert(compact(image("plan")), "plan")
    assert shown(here) == ["list", "plan"]


def test_kind_of_an_object_is_read_from_its_recipe() -> None:
    assert kind_of(compact(image("a"))) == "Image"
    assert kind_of(compact(folder("a"))) == "Folder"
    assert kind_of("<") == "broken"
