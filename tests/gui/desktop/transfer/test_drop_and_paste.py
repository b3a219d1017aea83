"""Drops and pastes on a desktop: what fits is added, everything else refused with the reason."""

from __future__ import annotations

import json
import os
from base64 import b64decode
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QMimeData, QPointF, QRectF, QSizeF, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDropEvent, QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLineEdit

from liven.liveobjects.desktop.free_space import CASCADE
from liven.liveobjects.desktop.snap import GRID
from liven.liveobjects.desktop.state import Place
from liven.liveobjects.desktop.view.geometry import rect
from liven.liveobjects.desktop.view.transfer.drop_contents import LARGEST_FILE, MOST_FILES, SEVERAL, items_in
from liven.liveobjects.desktop.view.transfer.refusal_text import NOTHING_TO_SEE
from liven.liveobjects.text.document import Document
from liven.liveobjects.text.object import note_state
from liven.liveobjects.text.recipe import MOST_BYTES
from liven.liveobjects.view.contract import DETAILS
from liven.runtime.folder.item_files import MIME
from liven.runtime.reference.model import NAME, Attribute, OtherClass, Parameter, Reference
from liven.runtime.reference.xml import read_object, write
from liven.types.codec import Codec
from liven.types.terms.value_types import TEXT

CLASSES = tuple(
    Parameter(one, OtherClass("ValueClass", "982130E40A294E3CAD5441841E87941E"))
    for one in ("MessageClass", "CheckpointClass")
)
CHANNEL = Reference("liven:local-communication-channel", CLASSES)
NOTE = write(Reference("liven:text", (Parameter("channel", CHANNEL),), attributes=(Attribute(NAME, "List"),)))


def data(**formats: Any) -> QMimeData:
    made = QMimeData()
    if "recipe" in formats:
        made.setData(MIME, formats["recipe"])
    if "several" in formats:
        made.setData(SEVERAL, formats["several"])
    if "text" in formats:
        made.setText(formats["text"])
    if "files" in formats:
        made.setUrls([QUrl.fromLocalFile(str(path)) for path in formats["files"]])
    return made


def drop(table: Any, what: QMimeData, at: QPointF | None = None) -> bool:
    action, button = Qt.DropAction.CopyAction, Qt.MouseButton.LeftButton
    keys = Qt.KeyboardModifier.NoModifier
    at = at or QPointF(400, 300)
    enter = QDragEnterEvent(at.toPoint(), action, what, button, keys)
    QApplication.sendEvent(table.canvas, enter)
    event = QDropEvent(at, action, what, button, keys)
    QApplication.sendEvent(table.canvas, event)
    table.settle()
    return event.isAccepted()


def move_to(table: Any, what: QMimeData) -> Qt.DropAction:
    """Drop something that the source would like to move; return the action it hears of."""
    actions = Qt.DropAction.CopyAction | Qt.DropAction.MoveAction
    button, keys = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.ShiftModifier
    at = QPointF(400, 300)
    QApplication.sendEvent(table.canvas, QDragEnterEvent(at.toPoint(), actions, what, button, keys))
    event = QDropEvent(at, actions, what, button, keys)
    assert event.proposedAction() == Qt.DropAction.MoveAction
    event.accept()  # as another widget may have left it
    QApplication.sendEvent(table.canvas, event)
    table.settle()
    return event.dropAction() if event.isAccepted() else Qt.DropAction.IgnoreAction


def test_dropped_recipe_is_added_at_the_drop_position_and_selected(table: Any) -> None:
    assert drop(table, data(recipe=NOTE), QPointF(400, 300))
    [item] = table.canvas.state.items.values()
    assert (item.label, item.place) == ("List", Place(280, 210, 240, 180))
    assert table.selected() == {"List"}
    table.key(Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert table.labels() == []


def test_a_drop_from_the_palette_gives_the_desktop_the_keyboard(table: Any) -> None:
    palette = QLineEdit()
    table.bot.addWidget(palette)
    palette.show()
    palette.activateWindow()
    table.bot.waitUntil(palette.isActiveWindow)
    palette.setFocus()
    table.canvas.activateWindow()
    table.bot.waitUntil(table.canvas.isActiveWindow)
    table.canvas.clearFocus()
    drop(table, data(recipe=NOTE), QPointF(400, 300))
    assert table.canvas.hasFocus()


def test_several_files_are_added_as_one_step(table: Any, tmp_path: Path) -> None:
    files = [tmp_path / "a.liveobject", tmp_path / "b.liveobject"]
    for path in files:
        path.write_bytes(NOTE)
    assert drop(table, data(files=files))
    assert table.labels() == ["List", "List"]
    assert table.canvas.editor.undo_list.undo_names == ("Add 2 items",)


def test_xml_text_is_read_as_a_recipe(table: Any) -> None:
    assert drop(table, data(text=NOTE.decode()))
    assert table.labels() == ["List"]


def test_object_without_user_interface_is_refused_and_the_details_name_the_part(table: Any) -> None:
    assert not drop(table, data(recipe=write(CHANNEL)))
    [said] = table.said
    words, _, details = said.partition(DETAILS)
    assert NOTHING_TO_SEE in words
    assert "Add the note or image that uses it" in words
    plain, _, formal = details.partition("For the author of the object:")
    for said_plainly in (
        "What it is: a channel, which connects objects",
        "What belongs here: a desktop shows notes, images",
        "What to do: add a note or an image (Ctrl+P)",
    ):
        assert said_plainly in plain
    assert "UI" in formal
    assert "UI" not in words + plain
    assert table.labels() == []


def test_object_of_an_unknown_class_is_refused_for_that_reason(table: Any) -> None:
    assert not drop(table, data(recipe=write(Reference("liven:no-such-thing"))))
    [said] = table.said
    assert NOTHING_TO_SEE not in said
    words, _, details = said.partition(DETAILS)
    assert "liven:no-such-thing" in words
    assert "What it is: an object of the kind “no such thing”; its recipe cannot be resolved here." in details
    assert (
        "What to do: open its file in its own window (Ctrl+O), which searches all installed libraries"
        in details
    )


@pytest.mark.parametrize(
    ("what", "said"),
    [
        (data(text="  "), "it contains no text"),
        (data(text="<?xml version='1.0'?><Root><Object"), "its end is missing"),
        (data(text="x" * (MOST_BYTES + 1)), "0.5 MB; the limit here is 0.5 MB"),
        (data(text="<Root/>"), "contains no object"),
        (data(recipe=b"\xff\xfe"), "is not an object"),
        (data(several=b"nonsense"), "cannot be read"),
        (data(several=json.dumps([[1, 2]]).encode()), "cannot be read"),
        (data(text=write(Reference("no such:class")).decode()), "cannot be put on a desktop"),
        (data(files=["/no/such.liveobject"]), "No such file"),
    ],
    ids=[
        "blank",
        "cut off",
        "long",
        "empty",
        "bytes",
        "several",
        "several of another shape",
        "unknown",
        "missing",
    ],
)
def test_wrong_drop_says_why_and_changes_nothing(table: Any, what: QMimeData, said: str) -> None:
    assert not drop(table, what)
    assert said in " ".join(table.said)
    assert table.labels() == []


def test_file_of_another_kind_is_reported_with_its_full_name(table: Any, tmp_path: Path) -> None:
    for name in ("data.bin", "broken.liveobject"):
        (tmp_path / name).write_bytes(b"hello\0")
        assert not drop(table, data(files=[tmp_path / name]))
    other, broken = table.said
    assert other.endswith("data.bin is not a .liveobject file, a picture or a text")
    assert "broken.liveobject is not an object" in broken


def test_refused_drop_is_reported_to_its_source(table: Any, tmp_path: Path) -> None:
    plain = tmp_path / "text.txt"
    plain.write_text("hello")
    for what in (data(recipe=write(CHANNEL)), data(text="just words"), data(files=[plain])):
        assert move_to(table, what) == Qt.DropAction.IgnoreAction
    assert table.labels() == []


def test_files_are_copied_so_that_the_source_does_not_delete_them(table: Any, tmp_path: Path) -> None:
    recipe = tmp_path / "a.liveobject"
    recipe.write_bytes(NOTE)
    assert move_to(table, data(files=[recipe])) == Qt.DropAction.CopyAction


def test_items_are_moved_only_if_all_of_them_arrived(table: Any) -> None:
    good, bad = ([text.decode(), "x", 0, 0, 100, 60] for text in (NOTE, write(CHANNEL)))
    assert move_to(table, data(several=json.dumps([good, good]).encode())) == Qt.DropAction.MoveAction
    assert move_to(table, data(several=json.dumps([good, bad]).encode())) == Qt.DropAction.CopyAction
    assert len(table.labels()) == 3


def test_huge_file_is_not_read(table: Any, tmp_path: Path) -> None:
    path = tmp_path / "huge.liveobject"
    with path.open("wb") as stream:
        stream.truncate(LARGEST_FILE + 1)
    assert not drop(table, data(files=[path]))
    assert "too large for an object" in table.said[0]


@pytest.mark.parametrize(
    ("name", "begins", "said"),
    [
        (
            "big.txt",
            "Wörter ".encode(),
            "big.txt cannot become a note: the text has 10.0 MB; the limit here is",
        ),
        (
            "big",
            b"words, words\n",
            "big cannot become a note: the text has 10.0 MB; the limit here is 0.5 MB",
        ),
        ("big.xml", b'<?xml version="1.0"?>', "big.xml is too large for an object; the limit is 4 MB"),
        ("big.html", b"<!doctype html>", "big.html is not a .liveobject file, a picture or a text"),
        ("big.bin", b"\0\1\2", "big.bin is not a .liveobject file, a picture or a text"),
    ],
)
def test_file_that_is_too_large_is_described_by_its_first_bytes(
    table: Any, tmp_path: Path, name: str, begins: bytes, said: str
) -> None:
    path = tmp_path / name
    path.write_bytes((begins * 1_000_000)[:10_000_000].ljust(10_000_000, b" "))
    assert not drop(table, data(files=[path]))
    assert said in table.said[0]


def test_of_several_files_the_good_ones_are_added_and_the_others_reported(table: Any, tmp_path: Path) -> None:
    files = [tmp_path / f"{number}.liveobject" for number in range(5)]
    for number, path in enumerate(files):
        path.write_bytes(NOTE if number == 2 else b"<")
    assert drop(table, data(files=files))
    assert table.labels() == ["List"]
    [said] = table.said
    assert said.startswith("4 of 5 files were left out: 0.liveobject is not an object")
    assert said.endswith("; and 1 more")


def test_too_many_files_are_refused_unread(table: Any, tmp_path: Path) -> None:
    files = [tmp_path / f"{number}.liveobject" for number in range(MOST_FILES + 1)]
    assert not drop(table, data(files=files))
    assert "501 files are too many; the limit is 500 at a time" in table.said[0]


def test_model_refuses_numbers_that_cannot_be_drawn(table: Any) -> None:
    row = [NOTE.decode(), "x", 0, 0, 1e300, 10]
    assert not drop(table, data(several=json.dumps([row]).encode()))
    assert "outside the desktop" in table.said[0]


@pytest.mark.parametrize("size", ["1e308", "Infinity", "NaN"])
def test_numbers_that_cannot_be_drawn_are_refused_when_snapping_to_the_grid(table: Any, size: str) -> None:
    table.canvas.snapping = True
    row = [NOTE.decode(), "x", 0, 0, 100, 100]
    several = json.dumps([row, row]).replace("100, 100", f"{size}, 100")
    _paste(table, data(several=several.encode()))
    assert table.labels() == []
    assert "outside the desktop" in table.said[0]


def test_copied_items_are_pasted_with_size_and_arrangement(table: Any) -> None:
    a, b = table.lay("a", 100, 100, 50, 40), table.lay("b", 300, 200)
    table.canvas.select({a, b})
    table.key(Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    table.key(Qt.Key.Key_V, Qt.KeyboardModifier.ControlModifier)
    order = sorted(table.canvas.selected, key=lambda key: table.item(key).label)
    one, two = (table.item(key).place for key in order)
    assert (two.x - one.x, two.y - one.y) == (200, 100)
    assert {(one.width, one.height), (two.width, two.height)} == {(50, 40), (100, 60)}
    assert table.labels() == ["a", "b", "a", "b"]


def test_single_item_is_pasted_into_free_space(table: Any) -> None:
    table.lay("in the way", 300, 200, 240, 180)
    QGuiApplication.clipboard().setMimeData(data(recipe=NOTE))
    QTest.keyClick(table.canvas, Qt.Key.Key_V, Qt.KeyboardModifier.ControlModifier)
    table.settle()
    one, two = (table.canvas.state.items[key].place for key in table.canvas.state.items)
    distinct_colour = (
        one.x + one.width <= two.x or two.x + two.width <= one.x or one.y + one.height <= two.y
        or two.y + two.height <= one.y
    )  # fmt: skip
    assert distinct_colour


def test_item_from_the_palette_is_added_on_the_grid(table: Any) -> None:
    table.canvas.snapping = True
    table.canvas.camera.pan(QPointF(7, 3))
    [offer] = items_in(data(recipe=NOTE))
    for _ in range(2):
        assert table.canvas.drop_and_paste.add_at_insertion_point(offer)
    table.settle()
    places = [item.place for item in table.canvas.state.items.values()]
    assert len(places) == 2
    assert all(one.x % GRID == 0 and one.y % GRID == 0 for one in places)


def test_empty_clipboard_and_empty_selection_are_harmless(table: Any) -> None:
    QGuiApplication.clipboard().clear()
    table.canvas.clipboard.paste()
    assert table.said == ["The clipboard is empty."]
    assert not table.canvas.drop_and_paste.copy()
    table.canvas.clipboard.cut()
    assert table.labels() == []


def test_markdown_becomes_a_note_with_its_looks(tmp_path: Path) -> None:
    path = tmp_path / "plan.md"
    path.write_text("# Plan\n\n- [x] tea\n- **two** cups\nsee https://example.org/a")
    assert looks_of(data(files=[path])) == [
        ("Plan", {}),
        ("\n", {"heading": 1}),
        ("\ntea", {}),
        ("\n", {"list": "check", "checked": True}),
        ("two", {"bold": True}),
        (" cups", {}),
        ("\n", {"list": "bullet"}),
        ("see ", {}),
        ("https://example.org/a", {"link": "https://example.org/a"}),
        ("\n", {}),
    ]


def looks_of(what: QMimeData) -> list[tuple[str, Any]]:
    """Return the text of the note that a drop makes, with its looks."""
    [item] = items_in(what)
    thing: Any = read_object(item.reference)
    [channel] = [one.value for one in thing.parameters if one.id == "channel"]
    [seed] = [one.value.text for one in channel.parameters if one.id == "seed"]
    state = Codec(TEXT).decode(b64decode(seed), "seed")
    return [(run.text, dict(run.look)) for run in Document(note_state(state)).runs()]


def test_a_pasted_web_address_becomes_a_link() -> None:
    found = looks_of(data(text=" https://example.org/a?b=c "))
    assert ("https://example.org/a?b=c", {"link": "https://example.org/a?b=c"}) in found


@pytest.mark.parametrize("before", [b"", b"\xef\xbb\xbf\n"])
def test_a_pdf_file_of_letters_is_no_note(table: Any, tmp_path: Path, before: bytes) -> None:
    path = tmp_path / "letter.txt"
    path.write_bytes(before + b"%PDF-1.4\n1 0 obj\n<< >>\nendobj\n")
    drop(table, data(files=[path]))
    assert not table.canvas.state.items
    assert "letter.txt is a PDF file. Give it a name that ends with .pdf" in table.said[-1]


def test_dropped_pipe_is_refused_without_waiting(table: Any, tmp_path: Path) -> None:
    """It used to block the program until somebody wrote into it."""
    for name in ("pipe.liveobject", "pipe.png"):
        os.mkfifo(tmp_path / name)
        assert not drop(table, data(files=[tmp_path / name]))
    assert [said.partition("desktop: ")[2] for said in table.said] == [
        "pipe.liveobject: it is a pipe or a device, not a file",
        "pipe.png: it is a pipe or a device, not a file",
    ]


def test_endless_list_is_refused(table: Any) -> None:
    assert not drop(table, data(several=b"[" * 200_000))
    assert "cannot be read" in table.said[0]


def _paste(table: Any, what: QMimeData) -> None:
    QGuiApplication.clipboard().setMimeData(what)
    table.key(Qt.Key.Key_V, Qt.KeyboardModifier.ControlModifier)
    QGuiApplication.clipboard().clear()  # what stays there would be destroyed after Python


def _newest(table: Any) -> QRectF:
    [key] = table.canvas.selected
    return rect(table.item(key).place)


def test_pasted_items_go_to_free_space_in_view_and_the_viewport_stays(table: Any) -> None:
    """The centre is occupied, the sides are free."""
    middle = table.lay("middle", 300, 100, 200, 400)
    before = table.canvas.camera.corner
    for _ in range(2):
        _paste(table, data(recipe=NOTE))
    laid = [rect(one.place) for one in table.canvas.state.items.values() if one.key != middle]
    assert not any(one.intersects(rect(table.item(middle).place)) for one in laid)
    assert not laid[0].intersects(laid[1])
    assert all(QRectF(0, 0, 800, 600).contains(one) for one in laid)
    assert table.canvas.camera.corner == before


def test_pasted_items_cascade_if_the_view_is_full(table: Any) -> None:
    table.lay("all", -500, -500, 3000, 3000)
    for _ in range(3):
        _paste(table, data(recipe=NOTE))
    a, b, c = (rect(one.place).topLeft() for one in table.canvas.state.stacked() if one.label == "List")
    assert b - a == c - b == QPointF(CASCADE, CASCADE)
    assert table.canvas.camera.seen(QSizeF(800, 600)).contains(_newest(table))


def test_items_copied_together_are_pasted_in_their_arrangement(table: Any) -> None:
    keys = table.lay("a", 300, 200), table.lay("b", 420, 300)
    table.canvas.select(keys)
    table.canvas.clipboard.copy()
    table.key(Qt.Key.Key_V, Qt.KeyboardModifier.ControlModifier)
    new = [one.place for one in table.canvas.state.stacked() if one.key not in keys]
    assert (new[1].x - new[0].x, new[1].y - new[0].y) == (120, 100)
    old = [rect(table.item(key).place) for key in keys]
    assert not any(rect(one).intersects(other) for one in new for other in old)


def test_unnamed_object_is_called_an_object_in_the_undo_list(table: Any) -> None:
    _paste(table, data(recipe=write(Reference("liven:text", (Parameter("channel", CHANNEL),)))))
    assert table.canvas.editor.undo_list.undo_names[0] == "Add an object"


def test_undo_list_names_the_only_accepted_item(table: Any) -> None:
    """The others, which come first, are refused."""
    several = [[write(CHANNEL).decode(), "Talk", 0, 0, 50, 50], [NOTE.decode(), "List", 60, 0, 50, 50]]
    _paste(table, data(several=json.dumps(several).encode()))
    assert table.labels() == ["List"]
    assert table.canvas.editor.undo_list.undo_names[0] == "Add List"
