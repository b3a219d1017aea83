from __future__ import annotations

from collections.abc import Callable
from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QMimeData, QPoint, QRectF, Qt
from PySide6.QtGui import QFont, QImage, QInputMethodEvent, QPainter, QTextCursor, QTextDocument
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from liven.liveobjects.text.document import Delete, Document, Insert, Keep
from liven.liveobjects.text.model import Note, typed
from liven.liveobjects.text.view import NoteEditor
from liven.liveobjects.text.view import qt_document as page_module
from liven.liveobjects.text.view.editor import moved
from liven.liveobjects.text.view.formats import KIND
from liven.liveobjects.text.view.qt_document import PageWriter
from liven.liveobjects.text.view.text_view import TextView
from liven.liveobjects.text.view.utf16 import difference, from_qt, read_back, to_qt

Room = Callable[[int], list[NoteEditor]]
CONTROL, SHIFT = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.ShiftModifier
ALT = Qt.KeyboardModifier.AltModifier


def commit(view: NoteEditor, text: str) -> None:
    """Commit text as an input method does, for characters without a key."""
    event = QInputMethodEvent()
    event.setCommitString(text)
    QApplication.sendEvent(view, event)


def marks(view: NoteEditor) -> list[str | None]:
    """Return the marks of the paragraphs."""
    document = view.document()
    blocks = [document.findBlockByNumber(at) for at in range(document.blockCount())]
    return [block.blockFormat().property(KIND) for block in blocks]


@pytest.fixture
def room(qtbot: QtBot) -> Room:
    """Several windows of one note."""

    def make(count: int) -> list[NoteEditor]:
        notes: list[Note] = []

        def order(update: bytes) -> None:
            for note in notes:
                note.receive(update)

        notes += [Note(order) for _ in range(count)]
        views = []
        for note in notes:
            note.start(None)
            view = NoteEditor(note)
            qtbot.addWidget(view)
            view.show()
            views.append(view)
        return views

    return make


def test_text_typed_in_one_window_appears_in_the_other(qtbot: QtBot, room: Room) -> None:
    here, there = room(2)
    QTest.keyClicks(here, "hello")
    QTest.keyClick(here, Qt.Key.Key_Return)
    QTest.keyClicks(here, "world")
    assert there.toPlainText() == here.note.text == "hello\nworld"
    QTest.keyClick(there, Qt.Key.Key_End, CONTROL)
    QTest.keyClick(there, Qt.Key.Key_Backspace)
    assert here.toPlainText() == there.note.text == "hello\nworl"


def test_the_caret_stays_with_its_text_when_others_write_before_it(qtbot: QtBot, room: Room) -> None:
    here, there = room(2)
    QTest.keyClicks(here, "abc")
    QTest.keyClick(there, Qt.Key.Key_Home, CONTROL)
    commit(there, "😀")
    QTest.keyClicks(here, "d")
    assert here.toPlainText() == there.toPlainText() == "😀abcd"


def test_undo_removes_my_own_word_and_redo_restores_it(qtbot: QtBot, room: Room) -> None:
    here, there = room(2)
    QTest.keyClicks(here, "mine ")
    QTest.keyClick(there, Qt.Key.Key_End, CONTROL)
    QTest.keyClicks(there, "theirs")
    QTest.keyClick(here, Qt.Key.Key_Z, CONTROL)
    QTest.keyClick(here, Qt.Key.Key_Z, CONTROL)
    assert there.toPlainText() == "theirs"
    QTest.keyClick(here, Qt.Key.Key_Y, CONTROL)
    QTest.keyClick(here, Qt.Key.Key_Z, CONTROL | SHIFT)
    assert there.toPlainText() == "mine theirs"
    with qtbot.waitSignal(there.message) as told:
        for _ in range(3):
            QTest.keyClick(there, Qt.Key.Key_Z, CONTROL)
    assert told.args == ["There is nothing of yours to undo."]


def test_bold_shows_to_everybody_and_continues_while_typing(qtbot: QtBot, room: Room) -> None:
    here, there = room(2)
    QTest.keyClicks(here, "plain ")
    QTest.keyClick(here, Qt.Key.Key_B, CONTROL)
    QTest.keyClicks(here, "bold")
    runs = [(run.text, run.look) for run in there.note.shown.runs()]
    assert runs == [("plain ", {}), ("bold", {"bold": True})]
    cursor = QTextCursor(there.document())
    cursor.setPosition(8)
    assert cursor.charFormat().fontWeight() == QFont.Weight.Bold
    here.selectAll()
    QTest.keyClick(here, Qt.Key.Key_I, CONTROL)
    assert all(run.look.get("italic") for run in there.note.shown.runs())
    QTest.keyClick(here, Qt.Key.Key_I, CONTROL)
    assert not any(run.look.get("italic") for run in there.note.shown.runs())


def test_headings_and_lists_show_to_everybody(qtbot: QtBot, room: Room) -> None:
    here, there = room(2)
    QTest.keyClicks(here, "Title")
    QTest.keyClick(here, Qt.Key.Key_1, CONTROL | ALT)
    assert there.document().firstBlock().blockFormat().headingLevel() == 1
    QTest.keyClick(here, Qt.Key.Key_End, CONTROL)
    QTest.keyClicks(here, "one")
    QTest.keyClick(here, Qt.Key.Key_8, CONTROL | SHIFT)
    QTest.keyClick(here, Qt.Key.Key_Return)
    QTest.keyClicks(here, "two")
    assert here.note.text == "Title\none\ntwo\n"
    assert marks(there) == [None, "bullet", "bullet", None]
    QTest.keyClick(here, Qt.Key.Key_8, CONTROL | SHIFT)
    assert marks(there) == [None, "bullet", None, None]


def test_a_click_ticks_a_check_box(qtbot: QtBot, room: Room) -> None:
    here, there = room(2)
    QTest.keyClicks(here, "milk")
    QTest.keyClick(here, Qt.Key.Key_9, CONTROL | SHIFT)
    line = here.cursorRect(QTextCursor(here.document().firstBlock()))
    QTest.mouseClick(
        here.viewport(), Qt.MouseButton.LeftButton, pos=QPoint(line.left() - 8, line.center().y())
    )
    assert there.note.shown.runs()[-1].look == {"list": "check", "checked": True}
    assert marks(there)[0] == "checked"


def test_a_paste_is_plain_text_and_one_undo_step(qtbot: QtBot, room: Room) -> None:
    here, there = room(2)
    pasted = QMimeData()
    pasted.setHtml("<b>bold</b>")
    pasted.setText("two\nlines")
    here.insertFromMimeData(pasted)
    assert there.toPlainText() == "two\nlines"
    QTest.keyClick(here, Qt.Key.Key_Z, CONTROL)
    assert there.toPlainText() == ""


def test_too_long_a_paste_is_refused_with_the_reason_and_changes_nothing(
    qtbot: QtBot, room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    [here] = room(1)
    QTest.keyClicks(here, "kept")
    monkeypatch.setattr("liven.liveobjects.text.model.LONGEST", 6)
    with qtbot.waitSignal(here.message):
        QTest.keyClicks(here, "abc")
    assert here.toPlainText() == here.note.text == "keptab"


@pytest.mark.parametrize(
    ("old", "new", "near", "found"),
    [
        ("", "a", 1, (0, 0, "a")),
        ("aa", "aaa", 1, (0, 0, "a")),
        ("aa", "aaa", 3, (2, 0, "a")),
        ("abc", "ac", 1, (1, 1, "")),
        ("abc", "xyz", 3, (0, 3, "xyz")),
        ("abcabc", "abc", 3, (3, 3, "")),
        ("a😀b", "a😀😀b", 2, (1, 0, "😀")),
    ],
)
def test_the_difference_is_found_near_the_caret(
    old: str, new: str, near: int, found: tuple[int, int, str]
) -> None:
    at, gone, came = found
    assert difference(old, new, near) == found
    assert old[:at] + came + old[at + gone :] == new


@given(st.integers(0, 9000), st.text("ab", max_size=5), st.integers(0, 5), st.integers(0, 9000))
def test_the_difference_is_found_in_a_long_text_too(at: int, came: str, gone: int, near: int) -> None:
    old = "ab" * 4500
    at = min(at, len(old) - gone)
    new = old[:at] + came + old[at + gone :]
    start, length, words = difference(old, new, near)
    assert old[:start] + words + old[start + length :] == new
    assert max(length, len(words)) <= max(gone, len(came))


def test_only_the_visible_part_of_a_long_painted_note_is_laid_out(qapp: QApplication) -> None:
    note = Note(lambda _: None)
    note.start(None)
    looks: list[Insert] = [Insert("Title", {"bold": True}), Insert("\n", {"heading": 1})]
    note.edit("x", (*looks, Insert("words that are seen and words that are not\n" * 9000, {})))
    face = TextView(note, SimpleNamespace(tell=print))

    def painted() -> bytes:
        picture = QImage(240, 180, QImage.Format.Format_RGB32)
        picture.fill(Qt.GlobalColor.white)
        painter = QPainter(picture)
        face.paint(painter, QRectF(0, 0, 240, 180))
        painter.end()
        return bytes(picture.constBits())

    little = painted()
    assert face._document.characterCount() < 20_000
    face._page.write(note.shown)
    assert painted() == little
    face._changed(())
    assert painted() == little
    assert face._document.characterCount() < 20_000
    larger = QImage(2000, 3000, QImage.Format.Format_RGB32)
    painter = QPainter(larger)
    face.paint(painter, QRectF(0, 0, 2000, 3000))
    painter.end()
    assert face._document.characterCount() > 100_000
    face.close()


def test_positions_convert_to_and_from_qt() -> None:
    text = "a😀é\n😀b"
    for at in range(len(text) + 1):
        assert from_qt(text, to_qt(text, at)) == at
    assert to_qt(text, 2) == 3


def test_a_position_moves_with_a_change_before_it() -> None:
    assert moved(3, (Keep(1, {}), Insert("xy", {}))) == 5
    assert moved(3, (Keep(3, {}), Insert("xy", {}))) == 3
    assert moved(3, (Delete(2),)) == 1
    assert moved(1, (Delete(2),)) == 0
    assert moved(5, (*typed(2, "a"), Delete(1), Keep(1, {"bold": True}))) == 5


def test_the_caret_stays_after_my_typing_when_the_state_arrives_late(qtbot: QtBot) -> None:
    whole = Document(writer=1).edit((Insert("what there was\n", {}),))
    note = Note(lambda _: None)
    view = NoteEditor(note)
    qtbot.addWidget(view)
    view.show()
    QTest.keyClicks(view, "early")
    note.start(whole)
    QTest.keyClicks(view, " bird")
    assert "early bird" in note.text
    assert view.textCursor().position() == note.text.index("early bird") + len("early bird")


@given(
    st.text(st.characters(exclude_categories=["Cs"]) | st.sampled_from("\r\n\xa0\u2028\u2029\ufdd0\ufeff😀"))
)
def test_a_page_has_as_many_characters_as_its_text(qapp: QApplication, text: str) -> None:
    target = QTextDocument()
    document = Document()
    document.edit((Insert(text, {}),))
    PageWriter(target).write(document)
    assert target.toPlainText() == read_back(text)
    assert target.characterCount() - 1 == to_qt(text, len(text))


@pytest.mark.parametrize("odd", ["\r\n", "\r", "\xa0", "\u2028", "\u2029", "\ufdd0", "\ufdd1", "\ufeff"])
def test_typing_after_a_replaced_character_sends_only_that_letter(room: Room, odd: str) -> None:
    """Notes of the original end lines with two characters; everything behind them used to be sent again."""
    here, there = room(2)
    here.note.edit("typing", typed(0, f"{odd}one{odd} two"))
    here.note.edit("formatting", (Keep(3, {}), Keep(2, {"bold": True})))
    sent: list[object] = []
    there.note.hear(sent.append, lambda: None)
    here.moveCursor(QTextCursor.MoveOperation.End)
    QTest.keyClicks(here, "!")
    end = len(f"{odd}one{odd} two")
    assert sent == [(Keep(end, {}), Insert("!", {}))]
    assert here.note.text == there.note.text == f"{odd}one{odd} two!"
    there.note.edit("typing", typed(end, "?"))
    assert here.toPlainText() == there.toPlainText() == read_back(there.note.text)
    assert here.shown_text == there.note.text


def test_an_unknown_heading_level_is_accepted_and_shown_as_plain(room: Room) -> None:
    here, there = room(2)
    for level in (1e300, -5, 2**60, 0.5, "1", True):
        here.note.edit("paragraph", (Insert("x\n", {"heading": level, "list": level, "checked": level}),))
    assert there.toPlainText() == here.toPlainText() == "x\n" * 6


def test_an_address_that_is_too_long_is_refused(room: Room) -> None:
    [here] = room(1)
    said: list[str] = []
    here.message.connect(said.append)
    here.note.edit("typing", typed(0, "words"))
    here.link(0, 5, "https://" + "x" * 5000)
    assert "5,008 characters" in said[0]
    assert here.note.shown.runs()[0].look == {}


def test_writing_many_short_lines_takes_linear_time(
    qapp: QApplication, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In a long table with one accent, each line used to be counted from the beginning."""
    asked: list[int] = []

    def counted(text: str, at: int) -> int:
        asked.append(at)
        return to_qt(text, at)

    monkeypatch.setattr(page_module, "to_qt", counted)
    document = Document()
    document.edit(
        (Insert("é,1\n" * 500, {}), Insert("é😀b", {"bold": True}), Insert("\n", {"list": "bullet"}))
    )
    target = QTextDocument()
    PageWriter(target).write(document)
    assert len(asked) < 10
    last = target.lastBlock().previous()
    assert last.text() == "é😀b"
    cursor = QTextCursor(last)
    for at in (1, 3, 4):
        cursor.setPosition(last.position() + at)
        assert cursor.charFormat().fontWeight() == QFont.Weight.Bold
    assert last.blockFormat().property(KIND) == "bullet"
