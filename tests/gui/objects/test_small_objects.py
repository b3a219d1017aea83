"""Chat, vote, roster, colour, window and local file, driven by real events."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from PySide6.QtCore import QMimeData, QPoint, Qt, QUrl
from PySide6.QtGui import QAccessible, QColor, QDrag, QPixmap
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QApplication,
    QColorDialog,
    QLabel,
    QLineEdit,
    QListWidget,
    QPushButton,
    QToolButton,
)
from tests.gui.objects.painted_face import texts

from liven.liveobjects.channel.objects.presence import PresenceChannel
from liven.liveobjects.chat.model import Line, Say
from liven.liveobjects.chat.object import ChatObject, ChatOperation, ChatState
from liven.liveobjects.colour.object import Colour, ColourObject
from liven.liveobjects.image.recipe import image
from liven.liveobjects.image.view.image_view import ImageView
from liven.liveobjects.local_file.object import LocalFile
from liven.liveobjects.presence.participant import Participant
from liven.liveobjects.roster.object import Present, RosterObject
from liven.liveobjects.view.focus import set_initial_focus
from liven.liveobjects.vote.object import VoteObject, VoteOperation, VoteState
from liven.liveobjects.window.model import Put
from liven.liveobjects.window.object import WindowObject, WindowOperation, WindowState
from liven.runtime.folder.item_files import MIME
from liven.runtime.reference.model import Parameter, Plain, Reference
from liven.runtime.reference.xml import write

if TYPE_CHECKING:
    from tests.gui.objects.conftest import Room


def press(widget: Any, name: str) -> None:
    found = [*widget.findChildren(QPushButton), *widget.findChildren(QToolButton)]
    [button] = [one for one in found if name in (one.accessibleName(), one.text()) and one.isVisible()]
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)


def test_a_chat_line_reaches_everybody_and_its_markup_is_harmless(room: Room) -> None:
    ann, bob = (room.shared(name, ChatObject, ChatOperation, ChatState) for name in ("ann", "bob"))
    here, there = room.widget(room.show(ann)), room.show(bob)
    heard = room.widget(there)
    before = room.painted(there)
    QTest.keyClicks(here.words, "hello <b>all</b>")
    QTest.keyClick(here.words, Qt.Key.Key_Return)
    room.wait(lambda: "hello" in heard.lines.toPlainText())
    assert "Somebody hello <b>all</b>" in heard.lines.toPlainText()
    assert here.words.text() == ""
    assert room.painted(there) != before
    ann.instance.editor.edit("Say", Say(Line("k", "p", "Ann", "not a colour", -5, "strange")))
    room.wait(lambda: "strange" in heard.lines.toPlainText())
    [undo] = [one for one in there.actions() if "Delete my" in one.words]
    undo.run()
    assert room.told.words.pop() == "There is nothing of yours to undo."
    ann.instance.editor.undo()
    room.wait(lambda: "strange" not in heard.lines.toPlainText())


def test_nothing_is_sent_before_the_channel_is_ready(room: Room) -> None:
    chat = room.person("ann").build(ChatObject)
    panel = room.widget(room.show(chat))
    QTest.keyClicks(panel.words, "hello")
    QTest.keyClick(panel.words, Qt.Key.Key_Return)
    assert "nobody can read you yet" in room.told.words[0]
    assert panel.words.text() == "hello"


def test_people_ask_answer_and_vote(room: Room) -> None:
    ann, bob = (room.shared(name, VoteObject, VoteOperation, VoteState) for name in ("ann", "bob"))
    view = room.show(bob)
    here, there = room.widget(room.show(ann), 300, 300), room.widget(view, 300, 300)
    QTest.keyClicks(here.question, "Tea?")
    QTest.keyClick(here.question, Qt.Key.Key_Return)
    for answer in ("yes", "no"):
        QTest.keyClicks(here.other, answer)
        QTest.keyClick(here.other, Qt.Key.Key_Return)
    room.wait(lambda: there.question.text() == "Tea?" and len(view.model.editor.state.answers) == 2)
    press(there, "yes: 0")
    room.wait(lambda: list(ann.instance.editor.state.counted().values()) == [1, 0])
    press(here, "no: 0")
    room.wait(lambda: list(bob.instance.editor.state.counted().values()) == [1, 1])
    room.painted(view)
    press(here, "Remove yes")
    room.wait(lambda: len(bob.instance.editor.state.answers) == 1)
    for action in view.actions():
        action.run()
    assert view.title() == "Tea?"


def _is_mine(vote: VoteObject, answer: str) -> bool:
    return vote.mine == answer


def test_toggle_of_a_screen_reader_votes_in_the_open_vote(room: Room) -> None:
    ann = room.shared("ann", VoteObject, VoteOperation, VoteState)
    panel = room.widget(room.show(ann))
    vote = ann.instance
    vote.offer("sea")
    room.wait(lambda: len(vote.editor.state.answers) == 1)
    answer = vote.editor.state.answers[0].key
    for _ in range(2):
        wanted = "" if vote.mine else answer
        [button] = [one for one in panel.findChildren(QPushButton) if not one.parentWidget().isHidden()]
        acts = QAccessible.queryAccessibleInterface(button).actionInterface()
        acts.doAction(acts.toggleAction())
        room.wait(partial(_is_mine, vote, wanted))


def test_a_loading_vote_says_so(room: Room) -> None:
    vote = room.person("ann").build(VoteObject)
    panel = room.widget(room.show(vote))
    QTest.keyClicks(panel.question, "Tea?")
    QTest.keyClick(panel.question, Qt.Key.Key_Return)
    assert "still loading" in room.told.words[0]


def test_the_roster_lists_people_and_what_they_do(room: Room) -> None:
    made = []
    for name in ("Ann", "Bob"):
        person = room.person(name)
        person.node.services[Participant] = partial(Participant, name, name, "#cc0000")
        roster = person.build(RosterObject)
        channel = person.build(PresenceChannel, room.term(Present), name="home/f/people")
        person.connect(channel, "Presence", roster, "presence")
        made.append(roster)
    views = [room.show(one) for one in made]
    here, there = (room.widget(view) for view in views)
    listed = there.findChild(QListWidget)
    room.wait(lambda: listed.count() == 2)
    doing = here.findChild(QLineEdit)
    QTest.keyClicks(doing, "tea")
    QTest.keyClick(doing, Qt.Key.Key_Return)
    room.wait(lambda: listed.item(0).text() == "Ann — tea")
    assert {"Ann", "tea", "Bob", "2 here"} <= set(texts(views[1].paint, 220, 140))


def test_a_colour_is_chosen_for_all(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    ann, bob = (room.shared(name, ColourObject, Colour, Colour) for name in ("ann", "bob"))
    here, there = room.show(ann), room.show(bob)
    widget = room.widget(here)
    press(widget, "Blue")
    room.wait(lambda: bob.instance.colour.text == "#2471a3")
    assert QColor(room.painted(there).pixel(100, 20)) == QColor("#2471a3")
    monkeypatch.setattr(QColorDialog, "getColor", lambda *_: QColor("#010203"))
    press(widget, "Choose…")
    room.wait(lambda: there.title() == "#010203")
    undo, redo, _ = here.actions()
    undo.run()
    room.wait(lambda: there.title() == "#2471a3")
    redo.run()
    room.wait(lambda: there.title() == "#010203")
    redo.run()
    assert room.told.words[-1] == "There is nothing to redo."


def a_folder_of_the_disk() -> Reference:
    """Return an object without a view."""
    return Reference("liven:local-folder", (Parameter("path", Plain("string", "/tmp")),))


def test_a_window_accepts_objects_with_a_view_and_refuses_others(room: Room) -> None:
    room.furnish()
    window = room.person("ann").build(WindowObject, caption="Box")
    view = room.show(window)
    widget = room.widget(view)
    data = QMimeData()
    data.setText(write(image("Cat")).decode())
    assert room.drop(widget, data)
    room.wait(lambda: view.inner is not None)
    assert "Drop a picture" not in view.words()
    assert widget.focusProxy() is view.inner.widget()
    room.painted(view)
    assert view.title() == "Box"
    view.inner.summary = lambda: "what is said on a channel with a key"
    assert view.summary() == "Box", "the words of another are not kept for those of the window"
    assert len(view.actions()) > 1
    data.setText('<Root xmlns:xsi="x"/>')
    assert not room.drop(widget, data)
    assert "cannot go into a window" in room.told.words.pop()
    view.insert(write(image("Cat")).decode().replace("liven:image-2d", "liven:local-folder"), "Folder")
    said = room.told.words.pop()
    assert "Folder cannot be shown in a window: " in said
    assert "What it is: an object of the kind “local folder” named “Cat”; its recipe cannot" in said
    assert "What belongs here: a window shows notes, images" in said
    view.insert(write(a_folder_of_the_disk()).decode(), "Folder")
    said = room.told.words.pop()
    assert (
        "Folder cannot be shown in a window: a window shows objects, and this one has no user interface."
        in said
    )
    assert "or put this one into a folder, which accepts everything" in said
    view.close_widget()
    view.actions()[0].run()
    assert view.inner is None


def shared_windows(room: Room, *names: str) -> list[Any]:
    """Return the views of one window, each of another person."""
    kind = (WindowObject, WindowOperation, WindowState)
    return [room.show(room.shared(name, *kind, caption="Box")) for name in names]


def recipe_of(thing: Any) -> QMimeData:
    data = QMimeData()
    data.setData(MIME, write(thing))
    return data


def test_an_object_dropped_into_a_window_shows_to_others_who_can_take_it_out(room: Room) -> None:
    room.furnish()
    here, there = shared_windows(room, "ann", "bob")
    panel, other = room.widget(here), room.widget(there)
    assert "everybody with this window sees it" in here.words()
    assert texts(here.paint, 300, 200)[0] == "Box"
    assert " ".join(texts(here.paint, 300, 200)[1:]) == here.words()
    assert room.move_to(panel, recipe_of(image("Cat"))) == Qt.DropAction.MoveAction, "it is kept there"
    room.wait(lambda: here.inner is not None and there.inner is not None)
    assert other._stack.currentWidget() is there.inner.widget()
    assert there.summary() == "Box\nCat"
    take_out, undo, redo, *_ = there.actions()
    undo.run()
    assert room.told.words.pop() == "There is nothing of yours to undo."
    take_out.run()
    room.wait(lambda: here.inner is None)
    assert "Drop an object here" in here.words()
    assert other._empty.text() == here.words()
    other.setFocus()
    QTest.keyClick(other._empty, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    room.wait(lambda: here.inner is not None and there.inner is not None)
    assert room.told.words.pop() == "Undone: Take out Cat"
    redo.run()
    room.wait(lambda: here.inner is None)
    take_out.run()
    assert room.told.words.pop() == "Take out: nothing was put in."
    assert here.is_empty() is False  # it has a caption


def test_a_button_takes_the_object_out_and_undo_brings_it_back(room: Room) -> None:
    room.furnish()
    [here] = shared_windows(room, "ann")
    panel = room.widget(here)
    assert not panel._out.isVisible()
    room.drop(panel, recipe_of(image("Cat")))
    room.wait(lambda: here.inner is not None)
    set_initial_focus(panel)
    press(panel, "Take the object out")
    room.wait(lambda: here.inner is None)
    assert not panel._out.isVisible()
    assert panel._empty.hasFocus()
    QTest.keyClick(panel._empty, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    room.wait(lambda: here.inner is not None)


def test_the_caption_drags_the_object_out(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    room.furnish()
    here, there = shared_windows(room, "ann", "bob")
    panel, other = room.widget(here), room.widget(there)
    room.drop(panel, recipe_of(image("Cat")))
    room.wait(lambda: here.inner is not None and there.inner is not None)
    asked: list[QMimeData] = []
    answer = Qt.DropAction.CopyAction

    def executed(drag: QDrag, *_: object) -> Qt.DropAction:
        asked.append(drag.mimeData())
        return answer

    def pull() -> None:
        caption = panel._caption
        QTest.mousePress(caption, Qt.MouseButton.LeftButton, pos=QPoint(5, 5))
        QTest.mouseMove(caption, QPoint(60, 8))
        QApplication.processEvents()
        QTest.mouseRelease(caption, Qt.MouseButton.LeftButton, pos=QPoint(60, 8))

    monkeypatch.setattr(QDrag, "exec", executed)
    monkeypatch.setattr(QDrag, "target", lambda _: other)
    pull()
    assert bytes(asked[0].data(MIME).data()).decode() == here.held
    assert here.inner is not None, "a copy"
    answer = Qt.DropAction.MoveAction
    monkeypatch.setattr(QDrag, "target", lambda _: None)
    pull()
    assert here.inner is not None, "another program may still refuse it"
    monkeypatch.setattr(QDrag, "target", lambda _: other)
    pull()
    room.wait(lambda: here.inner is None and there.inner is None)
    pull()
    assert len(asked) == 3, "there is nothing to drag"


def test_a_window_shows_why_an_object_of_others_fails_and_retries(room: Room) -> None:
    room.furnish()
    [here] = shared_windows(room, "ann")
    panel = room.widget(here)
    model = here._model
    broken = write(image("Cat")).replace(b"liven:image-2d", b"nobody:knows").decode()
    model.editor.edit("as another program may", Put(broken, "Cat"))
    room.wait(lambda: here.has_trouble)
    room.forgive()
    assert here.words().startswith("⚠ “Cat”: ")
    assert panel._again.isVisible()
    room.painted(here)
    press(panel, "Start it again")
    room.wait(lambda: room.house.problems)
    room.forgive()
    assert not here.restart_part("other")
    assert not here.accepts_drop(recipe_of(image("Dog"))), "it is not empty"
    assert room.drop(panel, recipe_of(image("Dog")))
    room.wait(lambda: here.inner is not None)
    assert not panel._again.isVisible()
    assert here.restart_part("Dog")
    room.wait(lambda: here.inner is not None)


def test_a_loading_window_takes_nothing_and_says_so(room: Room) -> None:
    room.furnish()
    [here] = shared_windows(room, "ann")
    here._model.ready = False
    assert here.is_loading()
    assert not here.accepts_drop(recipe_of(image("Cat")))
    assert room.move_to(room.widget(here), recipe_of(image("Cat"))) == Qt.DropAction.IgnoreAction
    assert "cannot go into the window: the window is not ready yet" in room.told.words.pop()


def test_a_window_takes_a_copy_and_a_refused_object_stays_in_its_place(room: Room) -> None:
    room.furnish()
    widget = room.widget(room.show(room.person("ann").build(WindowObject, caption="Box")))
    data = QMimeData()
    data.setData(MIME, write(image("Cat")))
    assert room.move_to(widget, data) == Qt.DropAction.CopyAction
    data.setData(MIME, write(image("Cat")).replace(b"liven:image-2d", b"liven:local-folder"))
    assert room.move_to(widget, data) == Qt.DropAction.IgnoreAction
    assert "cannot be shown in a window" in room.told.words.pop()
    data.setData(MIME, b"rubbish")
    assert room.move_to(widget, data) == Qt.DropAction.IgnoreAction


def test_an_object_whose_view_state_cannot_be_restored_still_shows(
    room: Room, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def restore_view_state(*_: object) -> None:
        raise TypeError("what was left is of another kind")

    room.furnish()
    monkeypatch.setattr(ImageView, "restore_view_state", restore_view_state)
    view = room.show(room.person("ann").build(WindowObject, caption="Box"))
    view.restore_view_state({"zoom": 2})
    data = QMimeData()
    data.setText(write(image("Cat")).decode())
    room.drop(room.widget(view), data)
    room.wait(lambda: view.inner is not None)
    assert "cannot be restored" in caplog.text
    room.painted(view)


def test_a_local_file_shows_its_name_and_size(room: Room) -> None:
    room.file("a.txt", b"12345")
    there = room.show(room.person("ann").build(LocalFile, path=str(room.folder / "a.txt")))
    gone = room.show(room.person("bob").build(LocalFile, path=str(room.folder / "none")))
    assert there.title() == "a.txt"
    label = room.widget(there).findChild(QLabel)
    room.wait(lambda: "5 bytes" in label.text())
    room.wait(lambda: "is missing" in room.widget(gone).findChild(QLabel).text())
    room.painted(there)
    room.file("a.txt", b"123456")
    there.actions()[1].run()
    room.wait(lambda: "6 bytes" in label.text())


def test_the_focus_stays_on_a_button_when_others_vote(room: Room) -> None:
    """All buttons are made again; without care the focus would be lost."""
    ann, bob = (room.shared(name, VoteObject, VoteOperation, VoteState) for name in ("ann", "bob"))
    here = room.widget(room.show(ann))
    ann.instance.offer("R&D")
    room.wait(lambda: bob.instance.editor.confirmed.answers)
    [answer] = bob.instance.editor.confirmed.answers
    button = here._buttons[f"choose {answer.key}"]
    assert button.text() == "R&&D — 0"  # a single sign would be taken for a key
    button.setFocus()
    bob.instance.choose(answer.key)
    room.wait(lambda: ann.instance.editor.confirmed.counted()[answer.key] == 1)
    fresh = here._buttons[f"choose {answer.key}"]
    assert fresh is not button
    assert fresh.hasFocus()


def test_a_picture_dropped_on_a_window_is_refused_with_the_reason(room: Room, tmp_path: Path) -> None:
    panel = room.widget(room.show(room.person().build(WindowObject)))
    QPixmap(4, 4).save(str(tmp_path / "a.png"))
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(tmp_path / "a.png"))])
    room.drop(panel, data)
    assert "A window holds one object" in room.told.words[-1]
