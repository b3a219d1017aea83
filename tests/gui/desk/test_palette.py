"""The palette: what is listed, in which order, and what a pick leads to."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLineEdit, QListWidget

from liven.app.desk.palette import kinds_in
from liven.liveobjects.channel.folder import channel_reference
from liven.runtime.reference.xml import write


def rows(window: Any) -> list[str]:
    listed = window.palette_dock.findChild(QListWidget)
    return [listed.item(at).text().partition("\n")[0] for at in range(listed.count())]


def save(desk: Any, name: str, data: bytes) -> None:
    folder = desk.folders.data / "objects"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / f"{name}.liveobject").write_bytes(data)


def test_objects_of_the_user_are_listed_and_what_does_not_fit_stands_last(
    desk: Any, local_recipe: Any
) -> None:
    save(desk, "mine", write(local_recipe("liven:text", "Mine")))
    save(desk, "line", write(channel_reference("home/a/b")))
    save(desk, "broken", b"nonsense")
    window = desk.open(local_recipe("liven:desktop", "Table"))
    desk.press(window, "Show the palette")
    desk.wait(lambda: rows(window)[-1] == "line")
    assert "Mine" in rows(window)
    assert "Note" in rows(window)[:3]
    assert "broken" not in rows(window)


def test_the_palette_opens_ready_to_find_and_enter_lays_down_what_is_found(
    desk: Any, local_recipe: Any
) -> None:
    save(desk, "mine", write(local_recipe("liven:text", "Mine")))
    window = desk.open(local_recipe("liven:desktop", "Table"))
    window.activateWindow()
    desk.press(window, "Show the palette")
    line, canvas = window.palette_dock.findChild(QLineEdit), window.centralWidget()
    desk.wait(line.hasFocus)
    QTest.keyClick(line, Qt.Key.Key_Return)
    assert not canvas.state.items  # nothing was looked for
    QTest.keyClicks(line, "min")
    QTest.keyClick(line, Qt.Key.Key_Return)
    desk.wait(lambda: [item.label for item in canvas.state.items.values()] == ["Mine"])
    desk.wait(canvas.hasFocus)  # keys are for what lies there now
    desk.press(window, "Show the palette")
    assert not window.palette_dock.isVisible()
    desk.wait(canvas.hasFocus)


def test_a_name_is_painted_larger_than_what_it_says_below_it(desk: Any, local_recipe: Any) -> None:
    window = desk.open(local_recipe("liven:desktop", "Table"))
    desk.press(window, "Show the palette")
    listed = window.palette_dock.findChild(QListWidget)
    index = listed.indexFromItem(listed.item(0))
    area = listed.visualRect(index)
    assert area.height() >= 2 * listed.fontMetrics().height()
    seen = listed.viewport().grab(area).toImage()
    middle = seen.height() // 2
    ink = [
        sum(255 - seen.pixelColor(x, y).lightness() for x in range(seen.width()) for y in rows)
        for rows in (range(middle), range(middle, seen.height()))
    ]
    assert ink[0] > 0
    assert ink[1] > 0
    name, words = listed.item(0).text().split("\n")
    assert ink[0] / len(name) > ink[1] / len(words)


def test_a_pick_lays_it_down_and_what_does_not_fit_is_refused_with_its_reason(
    desk: Any, local_recipe: Any
) -> None:
    save(desk, "mine", write(local_recipe("liven:text", "Mine")))
    save(desk, "line", write(channel_reference("home/a/b")))
    window = desk.open(local_recipe("liven:desktop", "Table"))
    desk.press(window, "Show the palette")
    listed = window.palette_dock.findChild(QListWidget)
    line = window.palette_dock.findChild(QLineEdit)
    QTest.keyClicks(line, "min")
    [at] = [row for row in range(listed.count()) if not listed.item(row).isHidden()]
    window.activateWindow()
    listed.setFocus()
    desk.wait(listed.hasFocus)
    listed.setCurrentRow(at)
    QTest.keyClick(listed, Qt.Key.Key_Return)
    canvas = window.centralWidget()
    desk.wait(lambda: [item.label for item in canvas.state.items.values()] == ["Mine"])
    line.clear()
    listed.setFocus()
    desk.wait(listed.hasFocus)
    listed.setCurrentRow(listed.count() - 1)
    QTest.keyClick(listed, Qt.Key.Key_Return)
    assert "cannot be laid on a desktop" in window._notice.text()
    assert len(canvas.state.items) == 1


def test_a_folder_that_is_not_there_has_no_objects(desk: Any) -> None:
    assert kinds_in(desk.folder / "none") == []
