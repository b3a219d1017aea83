"""A note with several writers: carets, search, links, the format bar, and texts that are too long."""

from __future__ import annotations

from functools import partial
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QColor, QGuiApplication, QTextCursor
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QComboBox, QInputDialog, QLineEdit, QToolButton

from liven.liveobjects.presence.participant import Participant
from liven.liveobjects.text import model as note_module
from liven.liveobjects.text.caret import Caret
from liven.liveobjects.text.model import typed
from liven.liveobjects.text.object import TextObject
from liven.liveobjects.text.view import NoteEditor, peer_carets
from liven.liveobjects.text.view.find_bar import places_of
from liven.liveobjects.text.view.peer_carets import CaretLayer
from liven.types.terms.value_types import TEXT

if TYPE_CHECKING:
    from tests.gui.objects.conftest import Room

CONTROL, SHIFT = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.ShiftModifier


def note(room: Room, name: str) -> Any:
    if not room.house.processes:
        room.furnish()
    made = room.shared(name, TextObject, TEXT, TEXT)
    room.house.processes[-1].node.services[Participant] = lambda: Participant(name, name.title(), "#00aa00")
    return made


def layer(page: NoteEditor) -> CaretLayer:
    found = page.viewport().findChild(CaretLayer)
    assert isinstance(found, CaretLayer)
    return found


def press(page: NoteEditor, name: str) -> None:
    [button] = [one for one in page.findChildren(QToolButton) if one.accessibleName() == name]
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)


def test_the_caret_of_another_person_shows_with_the_name(room: Room) -> None:
    ann, bob = note(room, "ann"), note(room, "bob")
    here, there = room.widget(room.show(ann), 400, 300), room.widget(room.show(bob), 400, 300)
    QTest.keyClicks(here, "hello world")
    room.wait(lambda: there.toPlainText() == "hello world")
    room.wait(lambda: layer(there).seen())
    [(name, place)] = layer(there).seen()
    assert name == "Ann"
    assert place.left() == there.rect_at(11).left() > there.rect_at(5).left()
    room.wait(lambda: [who for who, _ in layer(here).seen()] == ["Bob"])
    picture = there.viewport().grab().toImage()
    below = QPoint(place.left(), place.bottom() - 1)
    assert QColor(picture.pixel(below)) == QColor("#00aa00")


def test_a_caret_that_rests_loses_its_name_and_fades_until_it_moves(
    room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = [1000.0]
    monkeypatch.setattr(peer_carets, "time", SimpleNamespace(monotonic=lambda: clock[0]))
    ann, bob = note(room, "ann"), note(room, "bob")
    here, there = room.widget(room.show(ann), 400, 300), room.widget(room.show(bob), 400, 300)
    QTest.keyClicks(here, "hello")
    room.wait(lambda: there.toPlainText() == "hello" and layer(there).seen() and is_at(there, 5))

    def colour() -> str:
        [(_, place)] = layer(there).seen()
        picture = there.viewport().grab().toImage()
        return QColor(picture.pixel(QPoint(place.left(), place.bottom() - 1))).name()

    fade = layer(there)._fade
    assert (colour(), bool(layer(there)._flags)) == ("#00aa00", True)
    clock[0] += peer_carets.NAMED_FOR
    fade.timeout.emit()
    assert (colour(), layer(there)._flags) == ("#00aa00", [])
    assert fade.isActive(), "it is painted once more when it fades"
    assert fade.interval() >= 1000 * (peer_carets.IDLE_AFTER - peer_carets.NAMED_FOR)
    clock[0] += peer_carets.IDLE_AFTER
    fade.timeout.emit()
    assert colour() != "#00aa00"
    assert fade.interval() != peer_carets._NAMED_MS
    QTest.keyClicks(here, "!")
    room.wait(lambda: is_at(there, 6))
    room.wait(lambda: colour() == "#00aa00")


def is_at(page: NoteEditor, place: int) -> bool:
    """Return true if the other person's caret shows at a place."""
    [(_, seen)] = layer(page).seen()
    return bool(seen == page.rect_at(place))


def ink(page: NoteEditor, names: bool) -> set[tuple[int, int]]:
    """Return the dark pixels of a page: its letters."""
    layer(page).setVisible(names)
    picture = page.viewport().grab().toImage()
    dots = ((x, y) for x in range(picture.width()) for y in range(picture.height()))
    return {(x, y) for x, y in dots if QColor(picture.pixel(x, y)).lightness() < 90}


def test_a_caret_name_hides_no_words_on_its_line_or_above(room: Room) -> None:
    ann, bob = note(room, "ann"), note(room, "bob")
    here, there = room.widget(room.show(ann), 400, 300), room.widget(room.show(bob), 400, 300)
    words = "mmmm mmmm mmmm mmmm"
    here.note.edit("typing", typed(0, f"{words}\n{words}"))
    room.wait(lambda: there.toPlainText() == f"{words}\n{words}" and layer(there).seen())
    for place in (3, 25, 39):
        here.choose(place, place)
        room.wait(partial(is_at, there, place))
        there.setCursorWidth(0)
        assert ink(there, names=False) <= ink(there, names=True) | caret_dots(there, place)
        [flag] = layer(there)._flags
        assert flag.left() > there.line_end(place)


def caret_dots(page: NoteEditor, place: int) -> set[tuple[int, int]]:
    """Return the pixels of the other person's caret."""
    at = page.rect_at(place)
    return {(x, y) for x in range(at.left(), at.left() + 2) for y in range(at.top(), at.bottom() + 1)}


def test_in_a_full_line_the_caret_name_goes_above_or_below(room: Room) -> None:
    ann, bob = note(room, "ann"), note(room, "bob")
    here, there = room.widget(room.show(ann), 400, 300), room.widget(room.show(bob), 200, 300)
    ann.instance.note.choose_paper("clear")  # no room above the first line
    QTest.keyClicks(here, "m" * 100)
    room.wait(lambda: len(there.toPlainText()) == 100 and layer(there).seen())
    for place, under in ((2, True), (60, False)):
        here.choose(place, place)
        room.wait(partial(is_at, there, place))
        layer(there).grab()
        [flag] = layer(there)._flags
        at = there.rect_at(place)
        assert (flag.top() > at.bottom()) == under
        assert (flag.bottom() < at.top()) != under
        assert layer(there).rect().contains(flag)


def test_the_selection_of_another_person_shows_until_they_close_the_window(room: Room) -> None:
    ann, bob = note(room, "ann"), note(room, "bob")
    view = room.show(ann)
    here, there = room.widget(view, 400, 300), room.widget(room.show(bob), 400, 300)
    QTest.keyClicks(here, "hello")
    QTest.keyClick(here, Qt.Key.Key_A, CONTROL)
    room.wait(lambda: there.extraSelections())
    [marked] = there.extraSelections()
    assert (marked.cursor.selectionStart(), marked.cursor.selectionEnd()) == (0, 5)
    there.note.edit("typing", typed(0, ">> "))
    room.settle()
    assert there.extraSelections()[0].cursor.selectionStart() == 3
    view.close_widget()
    room.wait(lambda: not there.extraSelections() and not layer(there).seen())


def test_an_invalid_caret_is_not_drawn(room: Room) -> None:
    ann, bob = note(room, "ann"), note(room, "bob")
    there = room.widget(room.show(bob), 400, 300)
    ann.instance.show_caret(lambda: (0, 0))
    for number, at in enumerate((b"\xff\xff", b"x" * 100_000)):
        strange = Caret(ann.instance._window, "A" * 5000, "not a colour", at, at)
        ann.instance._others.show(lambda strange=strange: strange)
        room.house.advance(1)
        assert bob.instance.carets, number
        assert layer(there).seen() == []
        there.viewport().grab()


def test_ctrl_f_marks_all_matches_and_goes_through_them(room: Room) -> None:
    ann = note(room, "ann")
    page = room.widget(room.show(ann), 420, 300)
    QTest.keyClicks(page, "one two One three ONE")
    QTest.keyClick(page, Qt.Key.Key_F, CONTROL)
    words = page.find_bar.findChild(QLineEdit)
    QTest.keyClicks(words, "one")
    assert page.find_bar.found == 3
    assert len(page.extraSelections()) == 3
    seen = []
    for _ in range(4):
        QTest.keyClick(words, Qt.Key.Key_Return)
        seen.append(page.textCursor().selectionStart())
    assert seen == [0, 8, 18, 0]
    QTest.keyClick(words, Qt.Key.Key_Return, SHIFT)
    assert page.textCursor().selectionStart() == 18
    QTest.keyClick(words, Qt.Key.Key_Escape)
    assert page.extraSelections() == []
    assert page.find_bar.isHidden()
    QTest.keyClick(page, Qt.Key.Key_F3)
    assert page.textCursor().selectionStart() == 0


def test_text_typed_during_a_search_is_found_too(room: Room) -> None:
    ann = note(room, "ann")
    page = room.widget(room.show(ann), 420, 300)
    QTest.keyClick(page, Qt.Key.Key_F, CONTROL)
    QTest.keyClicks(page.find_bar.findChild(QLineEdit), "x")
    assert page.find_bar.found == 0
    ann.instance.note.edit("typing", typed(0, "x😀x"))
    assert page.find_bar.found == 2
    page.find_bar.go(1)
    page.find_bar.go(1)
    assert page.textCursor().selectedText() == "x"
    assert page.textCursor().selectionStart() == 3


@pytest.mark.parametrize(
    ("words", "text", "places"),
    [("aa", "aaaaa", [0, 2]), ("", "abc", []), ("ẞ", "xẞ", [1]), ("i", "İi", [1]), ("z", "abc", [])],
)
def test_matches_are_found(words: str, text: str, places: list[int]) -> None:
    assert places_of(words, text) == places


def test_ctrl_k_sets_and_removes_links(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    ann = note(room, "ann")
    page = room.widget(room.show(ann), 420, 300)
    answers = ["javascript:alert(1)", "https://example.org", ""]
    monkeypatch.setattr(QInputDialog, "getText", lambda *_, **__: (answers.pop(0), True))
    QTest.keyClick(page, Qt.Key.Key_K, CONTROL | Qt.KeyboardModifier.ShiftModifier)
    assert room.told.words.pop() == "Select the text of the link first."
    QTest.keyClicks(page, "see here")
    QTest.keyClick(page, Qt.Key.Key_K, CONTROL | Qt.KeyboardModifier.ShiftModifier)
    assert "“javascript:” links are not supported" in room.told.words.pop()
    QTest.keyClick(page, Qt.Key.Key_K, CONTROL | Qt.KeyboardModifier.ShiftModifier)
    runs = [(run.text, run.look.get("link")) for run in ann.instance.note.shown.runs()]
    assert runs == [("see ", None), ("here", "https://example.org")]
    QTest.keyClick(page, Qt.Key.Key_K, CONTROL | Qt.KeyboardModifier.ShiftModifier)
    assert all("link" not in run.look for run in ann.instance.note.shown.runs())


def test_the_format_bar_opens_the_find_bar_and_shows_every_key(room: Room) -> None:
    page = room.widget(room.show(note(room, "ann")), 500, 300)
    buttons = {one.accessibleName(): one for one in page.bar.findChildren(QToolButton)}
    assert all("(Ctrl+" in one.toolTip() for one in buttons.values())
    QTest.mouseClick(buttons["Find in note"], Qt.MouseButton.LeftButton)
    assert not page.find_bar.isHidden()
    QTest.keyClicks(page.find_bar.findChild(QLineEdit), "x")
    assert page.find_bar.findChild(QLineEdit).text() == "x", "the line has the keys, not the page"


def test_the_format_bar_does_what_the_keys_do_and_shows_the_format(room: Room) -> None:
    ann = note(room, "ann")
    page = room.widget(room.show(ann), 500, 300)
    QTest.keyClicks(page, "title")
    heading = page.bar.findChild(QComboBox)
    heading.setCurrentIndex(1)
    heading.activated.emit(1)
    assert page.paragraph_here()["heading"] == 1
    page.moveCursor(QTextCursor.MoveOperation.End)
    QTest.keyClicks(page, "plain ")
    press(page, "Bold")
    QTest.keyClicks(page, "bold")
    press(page, "Check list")
    assert page.paragraph_here().get("list") == "check"
    looks = {run.text: run.look for run in ann.instance.note.shown.runs() if "bold" in run.text}
    assert any(look.get("bold") for look in looks.values())
    pressed = {one.accessibleName() for one in page.findChildren(QToolButton) if one.isChecked()}
    assert pressed == {"Bold", "Check list"}
    page.resize(240, 180)
    assert not page.bar.isVisible()


def test_pasting_ten_megabytes_is_refused_at_once_and_changes_nothing(room: Room) -> None:
    ann = note(room, "ann")
    page = room.widget(room.show(ann), 420, 300)
    QTest.keyClicks(page, "kept")
    QGuiApplication.clipboard().setText("x" * 10_000_000)
    QTest.keyClick(page, Qt.Key.Key_V, CONTROL)
    assert "10,000,000 characters are too many to paste at once" in room.told.words.pop()
    assert page.toPlainText() == ann.instance.note.text == "kept"


def test_a_long_pasted_text_reaches_everybody(room: Room) -> None:
    ann, bob = note(room, "ann"), note(room, "bob")
    page = room.widget(room.show(ann), 420, 300)
    text = "a line of a text that is rather long\n" * 3000
    QGuiApplication.clipboard().setText(text)
    QTest.keyClick(page, Qt.Key.Key_V, CONTROL)
    QGuiApplication.clipboard().clear()
    room.wait(lambda: bob.instance.note.text == text)
    assert bob.instance.note.digest() == ann.instance.note.digest()
    assert ann.instance.note.undo() is not None
    assert page.toPlainText() == ""


def test_a_full_note_says_so_and_stays_unchanged(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(note_module, "LONGEST", 8)
    ann = note(room, "ann")
    page = room.widget(room.show(ann), 420, 300)
    QTest.keyClicks(page, "12345678")
    QTest.keyClick(page, Qt.Key.Key_9)
    assert "limit of a note" in room.told.words.pop()
    assert page.toPlainText() == ann.instance.note.text == "12345678"
