"""Enter, Backspace and marks in a note, by real keys; and a page that looks as it is painted."""

from __future__ import annotations

from types import SimpleNamespace

import pytest
from PySide6.QtCore import QPoint, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QImage, QPainter, QRegion, QTextDocument
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from liven.liveobjects.look.view.light import LIGHT, current_look
from liven.liveobjects.text.document import Insert
from liven.liveobjects.text.model import Note
from liven.liveobjects.text.papers import PAPERS, SIZES
from liven.liveobjects.text.view import NoteEditor
from liven.liveobjects.text.view.formats import KIND, NUMBER
from liven.liveobjects.text.view.sheet import mark_area
from liven.liveobjects.text.view.text_view import TextView

CONTROL, SHIFT = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.ShiftModifier
WORDS = "The lamp is lit at 21:48, the minute the sun is gone, and nobody goes up the tower after that."


@pytest.fixture
def note() -> Note:
    made = Note(lambda _: None)
    made.start(None)
    return made


@pytest.fixture
def view(note: Note) -> TextView:
    made = TextView(note, SimpleNamespace(show_message=lambda _: None))
    made.on_plane = True
    return made


@pytest.fixture
def page(qtbot: QtBot, view: TextView) -> NoteEditor:
    made = view.widget()
    assert isinstance(made, NoteEditor)
    qtbot.addWidget(made)
    made.resize(240, 300)
    made.show()
    made.activateWindow()
    qtbot.waitUntil(made.isActiveWindow, timeout=60_000)
    return made


def marks(page: NoteEditor) -> list[str]:
    document = page.document()
    found = [document.findBlockByNumber(at).blockFormat() for at in range(document.blockCount())]
    return [f"{one.property(KIND) or '-'}{one.property(NUMBER) or ''}" for one in found]


def lines_of(document: QTextDocument) -> list[str]:
    """Return the words of each line as it is broken."""
    made = []
    for at in range(document.blockCount()):
        block = document.findBlockByNumber(at)
        layout = block.layout()
        for number in range(layout.lineCount()):
            line = layout.lineAt(number)
            made.append(block.text()[line.textStart() : line.textStart() + line.textLength()])
    return made


def test_a_shopping_list_is_typed_without_any_menu(page: NoteEditor) -> None:
    QTest.keyClicks(page, "# Friday")
    QTest.keyClick(page, Qt.Key.Key_Return)
    QTest.keyClicks(page, "[] milk")
    QTest.keyClick(page, Qt.Key.Key_Return)
    QTest.keyClicks(page, "rolls")
    QTest.keyClick(page, Qt.Key.Key_Return)
    QTest.keyClick(page, Qt.Key.Key_Return)
    QTest.keyClicks(page, "That is all")
    assert page.note.text.splitlines() == ["Friday", "milk", "rolls", "That is all"]
    assert marks(page)[:4] == ["-", "check", "check", "-"]
    assert page.document().firstBlock().blockFormat().headingLevel() == 1
    assert page.document().findBlockByNumber(3).blockFormat().headingLevel() == 0


def test_undo_gives_back_the_typed_mark(page: NoteEditor) -> None:
    QTest.keyClicks(page, "- ")
    assert marks(page)[0] == "bullet"
    QTest.keyClick(page, Qt.Key.Key_Z, CONTROL)
    assert page.note.text.rstrip("\n") == "- "
    assert marks(page)[0] == "-"


def test_numbers_go_on_and_follow_what_is_removed(page: NoteEditor) -> None:
    QTest.keyClicks(page, "1. one")
    for word in ("two", "three", "four"):
        QTest.keyClick(page, Qt.Key.Key_Return)
        QTest.keyClicks(page, word)
    assert marks(page)[:4] == ["number1", "number2", "number3", "number4"]
    for _ in range(6):
        QTest.keyClick(page, Qt.Key.Key_Left)  # before "three"
    QTest.keyClick(page, Qt.Key.Key_Home)
    QTest.keyClick(page, Qt.Key.Key_Backspace)
    assert marks(page)[:4] == ["number1", "number2", "-", "number1"]
    QTest.keyClick(page, Qt.Key.Key_Z, CONTROL)
    assert marks(page)[:4] == ["number1", "number2", "number3", "number4"]


def test_bold_goes_on_behind_enter(page: NoteEditor) -> None:
    QTest.keyClick(page, Qt.Key.Key_B, CONTROL)
    QTest.keyClicks(page, "a")
    QTest.keyClick(page, Qt.Key.Key_B, CONTROL)
    QTest.keyClick(page, Qt.Key.Key_B, CONTROL)
    QTest.keyClick(page, Qt.Key.Key_Return)
    QTest.keyClicks(page, "b")
    assert [run.look for run in page.note.shown.runs() if run.text == "b"] == [{"bold": True}]


def test_a_click_beside_a_box_ticks_it_and_one_on_its_words_does_not(page: NoteEditor) -> None:
    QTest.keyClicks(page, "[] milk")
    block = page.document().firstBlock()
    area = mark_area(block, page.document().defaultFont())
    QTest.mouseClick(page.viewport(), Qt.MouseButton.LeftButton, pos=area.center().toPoint())
    assert marks(page)[0] == "checked"
    words = page.cursorRect(page.textCursor()).center()
    QTest.mouseClick(page.viewport(), Qt.MouseButton.LeftButton, pos=words)
    assert marks(page)[0] == "checked"


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("width", [180, 241, 333])
def test_a_page_breaks_lines_where_they_are_painted(
    page: NoteEditor, view: TextView, size: str, width: int
) -> None:
    words = (Insert("Programme", {}), Insert("\n", {"heading": 2}), Insert(WORDS, {"bold": True}))
    page.note.edit("typing", (*words, Insert("\n", {"list": "check"}), Insert(WORDS, {})))
    page.note.choose_size(size)
    page.resize(width, 300)
    picture = QImage(QSize(width, 900), QImage.Format.Format_RGB32)
    painter = QPainter(picture)
    view.paint(painter, QRectF(0, 0, width, 900))
    painter.end()
    assert lines_of(page.document()) == lines_of(view._document)
    assert view.fitting_height(width) == page.document().size().height()


@pytest.mark.parametrize("light", ["day", "dusk"])
@pytest.mark.parametrize("paper", PAPERS)
def test_the_page_lies_on_its_paper_painted_and_entered(
    page: NoteEditor, view: TextView, paper: str, light: str, qapp: object
) -> None:
    qapp.setProperty(LIGHT, light)  # type: ignore[attr-defined]
    try:
        page.note.choose_paper(paper)
        QTest.keyClicks(page, "words")
        page.clearFocus()
        look = current_look()
        ground = QColor(look.plane)
        painted = QImage(240, 300, QImage.Format.Format_RGB32)
        entered = QImage(240, 300, QImage.Format.Format_RGB32)
        for picture in (painted, entered):
            picture.fill(ground)
        painter = QPainter(painted)
        view.paint(painter, QRectF(0, 0, 240, 300))
        painter.end()
        page.dress_page()
        page.render(entered, QPoint(), QRegion(), QWidget.RenderFlag.DrawChildren)
        sheet = ground if paper == "clear" else QColor(look.papers[paper].sheet)
        assert painted.pixelColor(120, 295) == entered.pixelColor(120, 295)
        assert _differ(painted.pixelColor(120, 295), sheet) <= 3
        assert painted.pixelColor(0, 0) == entered.pixelColor(0, 0), "the corners are as round"
    finally:
        qapp.setProperty(LIGHT, None)  # type: ignore[attr-defined]


def _differ(one: QColor, other: QColor) -> int:
    return max(abs(one.red() - other.red()), abs(one.green() - other.green()), abs(one.blue() - other.blue()))


def test_a_note_in_a_window_has_its_bar_and_on_a_desktop_none(note: Note, qtbot: QtBot) -> None:
    for has_bar in (True, False):
        page = NoteEditor(note, has_bar=has_bar)
        qtbot.addWidget(page)
        page.resize(500, 400)
        page.show()
        assert page.bar.isVisible() is has_bar


def test_an_empty_note_shows_where_to_type(view: TextView, note: Note) -> None:
    def ink() -> int:
        picture = QImage(240, 100, QImage.Format.Format_RGB32)
        picture.fill(Qt.GlobalColor.white)
        painter = QPainter(picture)
        view.paint(painter, QRectF(0, 0, 240, 100))
        painter.end()
        quiet = QColor(current_look().papers["sun"].quiet)
        dark = (picture.pixelColor(x, y) for x in range(16, 90) for y in range(14, 40))
        return sum(_differ(one, quiet) < 40 for one in dark)

    assert ink() > 20
    note.edit("typing", (Insert(" ", {}),))
    assert ink() == 0
