"""Going back in time in a window, by real keys and clicks."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QPalette
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QInputDialog, QLineEdit, QPushButton, QToolButton, QWidget
from tests.gui.conftest import local
from tests.gui.feeds.past_window import go_back, opened, rest
from tests.gui.feeds.recorded import BOARD, NOTE, board, monday, note, written
from tests.unit.liveobjects.feeds.history.recordings import Recording

from liven.app.window.pages.prompt_bar import PromptBar
from liven.liveobjects.desktop.state import Add, Item, Place
from liven.liveobjects.feeds.replay.bookmarks import Bookmark, Bookmarks
from liven.liveobjects.feeds.replay.source.recorders import origin_of
from liven.liveobjects.feeds.view.transport.colours import past_colours
from liven.liveobjects.text.document import Document, Insert
from liven.liveobjects.text.model import typed
from liven.liveobjects.text.view.editor import NoteEditor
from liven.liveobjects.view.accessibility import HIGH_CONTRAST, REDUCED_MOTION

PLAN = Item("plan", "Programme", Place(40, 40, 320, 200), note(NOTE), 0)
CREW = Item("crew", "Crew", Place(420, 300, 260, 160), note("crew"), 1)


@pytest.fixture
def window(desk: Any) -> Iterator[Any]:
    yield opened(desk, monday())


def press(key: Qt.Key, modifier: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier) -> None:
    """Press a key where the focus is."""
    focused = QApplication.focusWidget()
    assert focused is not None
    QTest.keyClick(focused, key, modifier)


def go_to(desk: Any, view: Any, sequence: int) -> None:
    """Go to the beginning, and from there event by event."""
    press(Qt.Key.Key_Home)
    rest(desk, view)
    for _ in range(sequence):
        press(Qt.Key.Key_Right)
        rest(desk, view)


def items_of(view: Any) -> dict[str, Item]:
    return dict(view.show.model.editor.state.items)


def live_items(window: Any) -> dict[str, Item]:
    return dict(window.handle.proxy().instance.editor.state.items)


def text_of(view: Any) -> str:
    """Return the text of the note on the replayed desktop."""
    running = view.show.sandbox.node.running.values()
    texts = [str(one.instance.note.shown) for one in running if hasattr(one.instance, "note")]
    return texts[0] if texts else ""


def live_note(desk: Any, name: str) -> Any:
    """Return the note that runs on the live desktop."""
    running = desk.program.session.node.running.values()
    for one in running:
        if hasattr(one.instance, "note") and name in "/".join(one.path):
            return one.instance.note
    return None


def button(parent: QWidget, words: str) -> QPushButton:
    found = [one for one in parent.findChildren(QPushButton) if one.text().replace("&", "") == words]
    assert len(found) == 1, words
    return found[0]


def click(widget: QWidget) -> None:
    QTest.mouseClick(widget, Qt.MouseButton.LeftButton)


def compare(desk: Any, view: Any) -> Any:
    """Click “What changed”, and wait for the list."""
    click(button(view.page, "What changed"))
    changes = view.page.changes
    desk.wait(lambda: "differen" in changes.words.text() or "cannot" in changes.words.text())
    return changes


def rows_of(changes: Any) -> list[str]:
    tree = changes.tree
    groups = [tree.topLevelItem(at) for at in range(tree.topLevelItemCount())]
    return [group.child(at).text(0) for group in groups for at in range(group.childCount())]


def test_ctrl_h_shows_the_recording_and_esc_returns(desk: Any, window: Any) -> None:
    live = window.centralWidget()
    view = go_back(desk, window)
    assert window.centralWidget() is view.page
    assert view.page.sentence == "24 November 2025 08:00:06 — not live. Esc returns."
    assert window.windowTitle().endswith("(not live) — Liven")
    assert items_of(view).keys() == {"plan"}
    press(Qt.Key.Key_Escape)
    assert window.centralWidget() is live
    assert live.isVisible()
    assert "not live" not in window.windowTitle()


def test_all_recorders_are_shown_together(desk: Any) -> None:
    """Ann's computer was off at the end, and Bo's at the beginning."""
    parts = (slice(0, 5), slice(3, 7))
    feed = written(monday(), desk.folders.state / "feeds", board(), recorders=parts)
    window = desk.open(board(), BOARD)
    window.activateWindow()
    desk.wait(window.isActiveWindow)
    view = go_back(desk, window)
    assert view.show.playback.sequence == 7
    assert items_of(view).keys() == {"plan"}
    go_to(desk, view, 3)
    assert items_of(view)["crew"].place.y == 60
    changes = compare(desk, view)
    changes.findChild(type(changes._with)).setCurrentIndex(1)
    desk.wait(lambda: "by ann" in "".join(rows_of(changes)))
    view.page.bar.slider.setFocus()
    press(Qt.Key.Key_End)
    rest(desk, view)
    view.bookmarks.add(Bookmark("end", *origin_of(view.source, "ann", 6), view.show.playback.moment))
    assert [(one.recorder, one.sequence) for one in Bookmarks(feed).all()] == [("bo", 3)]
    assert [one.name for one in view.page.bar.slider.bookmarks] == ["end"]


def test_the_menus_of_the_live_object_are_away_while_it_is_not_shown(desk: Any, window: Any) -> None:
    before = {one.words for one in window.menus.actions}
    go_back(desk, window)
    assert "Align left edges" in before
    assert "Align left edges" not in {one.words for one in window.menus.actions}
    press(Qt.Key.Key_Escape)
    assert {one.words for one in window.menus.actions} == before


def test_arrows_step_by_events_and_the_note_follows(desk: Any, window: Any) -> None:
    view = go_back(desk, window)
    press(Qt.Key.Key_Left)
    rest(desk, view)
    assert items_of(view).keys() == {"plan", "crew"}
    desk.wait(lambda: text_of(view).endswith("steamer"))
    press(Qt.Key.Key_Left)
    rest(desk, view)
    desk.wait(lambda: text_of(view).endswith("boat"))
    press(Qt.Key.Key_Left)
    rest(desk, view)
    assert items_of(view)["crew"].place.y == 60
    press(Qt.Key.Key_Right)
    rest(desk, view)
    assert items_of(view)["crew"].place.y == 300


def test_shift_and_arrows_go_a_second_and_home_and_end_to_the_ends(desk: Any, window: Any) -> None:
    view = go_back(desk, window)
    begin, end = view.show.source.span
    press(Qt.Key.Key_Left, Qt.KeyboardModifier.ShiftModifier)
    rest(desk, view)
    assert view.show.playback.moment == end - 1_000_000
    press(Qt.Key.Key_Home)
    rest(desk, view)
    assert view.show.playback.moment == begin
    assert not items_of(view)
    press(Qt.Key.Key_End)
    rest(desk, view)
    assert view.show.playback.sequence == view.show.source.end


def test_a_burst_gives_ten_events_at_once(desk: Any, window: Any) -> None:
    view = go_back(desk, window)
    press(Qt.Key.Key_Home)
    rest(desk, view)
    press(Qt.Key.Key_B)
    rest(desk, view)
    assert view.show.playback.sequence == 7  # there are no more


def test_a_drag_on_the_slider_scrubs(desk: Any, window: Any) -> None:
    view = go_back(desk, window)
    slider = view.page.bar.slider
    left, right, middle = QPoint(10, 34), QPoint(slider.width() - 10, 34), slider.width() // 2
    QTest.mousePress(slider, Qt.MouseButton.LeftButton, pos=right)
    QTest.mouseMove(slider, QPoint(middle, 34))
    QTest.mouseMove(slider, left)
    QTest.mouseRelease(slider, Qt.MouseButton.LeftButton, pos=left)
    rest(desk, view)
    assert view.show.playback.moment == view.show.source.span[0]
    assert not items_of(view)


def test_space_plays_to_the_end_and_the_speed_is_chosen(desk: Any, window: Any) -> None:
    view = go_back(desk, window)
    press(Qt.Key.Key_Home)
    rest(desk, view)
    for _ in range(9):
        view.page.bar.change_speed(1)
    assert view.show.playback.speed == float("inf")
    press(Qt.Key.Key_Space)
    desk.wait(lambda: view.show.playback.sequence == view.show.source.end)
    assert items_of(view).keys() == {"plan"}


def test_a_part_is_repeated_between_a_and_b(desk: Any, window: Any) -> None:
    view = go_back(desk, window)
    go_to(desk, view, 2)
    section = next(one for one in view.page.bar.findChildren(QToolButton) if one.text().startswith("A–"))
    click(section)
    press_right = view.page.bar.slider
    QTest.keyClick(press_right, Qt.Key.Key_Right)
    rest(desk, view)
    click(section)
    assert view.show.playback.section is not None
    assert section.text() == "A–B ✕"
    click(section)
    assert view.show.playback.section is None


def test_nothing_can_be_changed_in_the_past(desk: Any, window: Any) -> None:
    view = go_back(desk, window)
    before = items_of(view)
    canvas = view.page.stage.shown
    QTest.mouseDClick(canvas, Qt.MouseButton.LeftButton, pos=QPoint(600, 200))
    QTest.keyClicks(canvas, "x")
    rest(desk, view)
    assert items_of(view) == before


def test_differences_from_now_are_listed_with_who_made_them(desk: Any, window: Any) -> None:
    window.handle.proxy().instance.editor.edit("Add", Add(PLAN))
    view = go_back(desk, window)
    go_to(desk, view, 5)
    changes = compare(desk, view)
    [crew, words] = rows_of(changes)
    assert crew == "−  “Crew” removed\n     by ann, 24 November 2025 08:00"
    assert words == "−  “Programme 10:00 doors 14:00 tour by boat” removed"  # and nobody recorded that


def test_nothing_is_restored_from_the_list_of_a_moment_that_is_not_shown_any_more(
    desk: Any, window: Any
) -> None:
    window.handle.proxy().instance.editor.edit("Add", Add(PLAN))
    view = go_back(desk, window)
    go_to(desk, view, 5)
    changes = compare(desk, view)
    assert button(changes, "Restore all").isEnabled()
    view.page.bar.slider.setFocus()
    press(Qt.Key.Key_Left)
    desk.wait(lambda: view.show.playback.sequence == 4)
    assert not button(changes, "Restore all").isEnabled()
    rest(desk, view)
    desk.wait(button(changes, "Restore all").isEnabled)


def test_at_the_very_beginning_everything_that_is_there_now_is_listed(desk: Any, window: Any) -> None:
    window.handle.proxy().instance.editor.edit("Add", Add(PLAN))
    view = go_back(desk, window)
    press(Qt.Key.Key_Home)
    rest(desk, view)
    changes = compare(desk, view)
    assert rows_of(changes) == ["+  “Programme” added\n     by ann, 24 November 2025 08:00"]
    said = "The recording begins here. 1 difference. Nothing was recorded yet"
    assert changes.words.text().startswith(said)
    assert not button(changes, "Restore all").isEnabled()


def test_one_thing_is_restored_and_undo_takes_it_back(desk: Any, window: Any) -> None:
    window.handle.proxy().instance.editor.edit("Add", Add(PLAN))
    view = go_back(desk, window)
    go_to(desk, view, 5)
    changes = compare(desk, view)
    changes.tree.topLevelItem(0).child(0).setSelected(True)
    click(button(changes, "Restore chosen"))
    desk.wait(lambda: "crew" in live_items(window))
    assert live_items(window)["crew"].place == Place(420, 300, 260, 160)
    prompt = window.findChild(PromptBar)
    click(button(prompt, "Undo"))
    desk.wait(lambda: "crew" not in live_items(window))


@pytest.mark.parametrize("answer", ["Undo", "Keep"])
def test_the_keys_work_after_the_question_about_a_restoration(desk: Any, window: Any, answer: str) -> None:
    window.handle.proxy().instance.editor.edit("Add", Add(PLAN))
    view = go_back(desk, window)
    go_to(desk, view, 5)
    changes = compare(desk, view)
    changes.tree.topLevelItem(0).child(0).setSelected(True)
    click(button(changes, "Restore chosen"))
    desk.wait(lambda: window.findChild(PromptBar) is not None)
    asked = button(window.findChild(PromptBar), answer)
    desk.wait(asked.isVisible)
    click(asked)
    desk.wait(lambda: window.findChild(PromptBar) is None)
    press(Qt.Key.Key_Left)
    rest(desk, view)
    assert view.show.playback.sequence == 4
    press(Qt.Key.Key_Escape)
    assert window.past.view is None


def test_the_live_object_has_the_keys_after_everything_was_restored_and_undone(
    desk: Any, window: Any
) -> None:
    view = go_back(desk, window)
    go_to(desk, view, 5)
    changes = compare(desk, view)
    desk.wait(lambda: rows_of(changes))
    click(button(changes, "Restore all"))
    desk.wait(lambda: window.past.view is None)
    asked = button(window.findChild(PromptBar), "Undo")
    desk.wait(asked.isVisible)
    click(asked)
    desk.wait(lambda: window.findChild(PromptBar) is None)
    assert QApplication.focusWidget() is window.centralWidget()


def test_everything_is_restored_with_the_notes_inside(desk: Any, window: Any) -> None:
    model = window.handle.proxy().instance
    model.editor.edit("Add", Add(PLAN), Add(CREW))
    desk.wait(lambda: live_note(desk, "Programme") is not None and live_note(desk, "Programme").begun)
    live_note(desk, "Programme").edit("Type", typed(0, "All is different"))
    view = go_back(desk, window)
    go_to(desk, view, 5)
    changes = compare(desk, view)
    desk.wait(lambda: len(rows_of(changes)) > 1)
    click(button(changes, "Restore all"))
    desk.wait(lambda: window.past.view is None)
    assert live_note(desk, "Programme").text == "Programme\n10:00 doors\n14:00 tour by boat"
    assert {key: item.place for key, item in live_items(window).items()} == {
        "plan": PLAN.place,
        "crew": CREW.place,
    }
    live_note(desk, "Programme").undo()
    assert live_note(desk, "Programme").text == "All is different"


def test_two_recorded_moments_are_compared_but_not_restored(desk: Any, window: Any) -> None:
    view = go_back(desk, window)
    go_to(desk, view, 3)
    changes = compare(desk, view)
    box = changes.findChild(type(changes._with))
    box.setCurrentIndex(1)
    assert not button(changes, "Restore all").isEnabled()
    desk.wait(lambda: "differen" in changes.words.text())
    assert not button(changes, "Restore all").isEnabled()


def test_a_bookmark_gets_a_name_and_is_found_again(desk: Any, window: Any) -> None:
    view = go_back(desk, window)
    go_to(desk, view, 3)
    moment = view.show.playback.moment
    press(Qt.Key.Key_M)
    dialog = view.page.findChild(QInputDialog)
    field = dialog.findChild(QLineEdit)
    field.setText("before the tent")
    QTest.keyClick(field, Qt.Key.Key_Return)
    desk.wait(lambda: view.page.bar.slider.bookmarks)
    [kept] = Bookmarks(desk.folders.state / "feeds" / "lighthouse").all()
    assert (kept.name, kept.recorder, kept.time) == ("before the tent", "ann", moment)
    window.activateWindow()
    desk.wait(window.isActiveWindow)
    view.page.bar.slider.setFocus()
    press(Qt.Key.Key_End)
    rest(desk, view)
    press(Qt.Key.Key_BracketLeft)
    rest(desk, view)
    assert view.show.playback.moment == moment
    press(Qt.Key.Key_Delete)
    desk.wait(lambda: not view.page.bar.slider.bookmarks)
    assert not Bookmarks(desk.folders.state / "feeds" / "lighthouse").all()


def test_everything_has_a_name_for_screen_readers(desk: Any, window: Any) -> None:
    view = go_back(desk, window)
    compare(desk, view)
    for kind in (QToolButton, QPushButton):
        for one in view.page.findChildren(kind):
            if one.isVisible() and view.page.stage.shown is not None:
                inside = view.page.stage.shown.isAncestorOf(one)
                assert inside or one.accessibleName() or one.text(), one
    slider = view.page.bar.slider
    assert slider.accessibleName() == "Moment of the recording"
    assert slider.accessibleDescription().startswith("24 November 2025 08:00")


def test_high_contrast_uses_the_colours_of_the_palette_alone(qapp: QApplication) -> None:
    palette = qapp.palette()
    qapp.setProperty(HIGH_CONTRAST, True)
    try:
        colours = past_colours(palette)
    finally:
        qapp.setProperty(HIGH_CONTRAST, False)
    assert colours.tint.alpha() == 0
    assert colours.banner == palette.color(QPalette.ColorRole.Highlight)
    assert past_colours(palette).tint.alpha() > 0


def test_an_object_that_was_not_recorded_says_how_to_begin(desk: Any, local_recipe: Any) -> None:
    window = desk.open(local_recipe("liven:text", "alone"))
    said: list[str] = []
    window.show_message = said.append
    desk.press(window, "History")
    desk.wait(lambda: said)
    assert "has no history here" in said[0] and "View › Record" in said[0]
    assert window.past.view is None


def test_a_restart_of_the_object_leaves_the_past(desk: Any, window: Any) -> None:
    go_back(desk, window)
    desk.press(window, "Restart this object")
    desk.wait(lambda: window.view is not None and window.past.view is None)
    assert window.centralWidget() is window.view.widget()


def test_a_window_that_is_closed_in_the_past_closes_in_order(desk: Any, window: Any) -> None:
    view = go_back(desk, window)
    window.close()
    assert view.show.sandbox.handle is None
    assert desk.windows.open_windows == []


def test_a_damaged_recording_is_told_and_the_rest_is_shown(desk: Any, window: Any) -> None:
    [segment] = (desk.folders.state / "feeds" / "lighthouse" / "ann").glob("*.seg")
    data = bytearray(segment.read_bytes())
    data[-100] ^= 0xFF
    segment.write_bytes(data)
    QTest.keyClick(window, Qt.Key.Key_H, Qt.KeyboardModifier.ControlModifier)
    desk.wait(lambda: window.past.view is not None)
    view = window.past.view
    desk.wait(lambda: view.show is not None)
    assert "not live" in view.page.sentence


def test_the_commands_of_the_past_are_in_a_menu_and_in_the_command_palette(desk: Any, window: Any) -> None:
    view = go_back(desk, window)
    assert "Time" in [one.text().replace("&", "") for one in window.menuBar().actions()]
    desk.press(window, "One event back")
    rest(desk, view)
    assert items_of(view).keys() == {"plan", "crew"}
    desk.press(window, "What changed")
    assert view.page.changes.isVisible()
    desk.press(window, "Return to now")
    assert window.past.view is None
    assert "Time" not in [one.text().replace("&", "") for one in window.menuBar().actions()]


def test_space_plays_wherever_the_focus_is_and_return_presses_a_button(desk: Any, window: Any) -> None:
    view = go_back(desk, window)
    changes = compare(desk, view)
    everywhere = (
        button(view.page, "What changed"),
        changes.tree,
        changes._with,
        view.page.bar.slider,
        view.page.bar._speed,
        *(one for one in view.page.bar.findChildren(QToolButton) if one.isVisible()),
        view.page.stage.shown,
    )
    for place in everywhere:
        press(Qt.Key.Key_Home)
        rest(desk, view)
        place.setFocus()
        QTest.keyClick(place, Qt.Key.Key_Space)
        assert view.show.playback.is_running, place
        QTest.keyClick(place, Qt.Key.Key_Space)
        assert not view.show.playback.is_running, place
        view.page.bar.slider.setFocus()
    button(view.page, "What changed").setFocus()
    press(Qt.Key.Key_Return)
    assert not view.page.changes.isVisible()
    view.page.bar._buttons["play"].setFocus()
    press(Qt.Key.Key_Return)
    assert view.show.playback.is_running


def test_with_reduced_motion_the_slider_does_not_glide(desk: Any, window: Any, qapp: QApplication) -> None:
    view = go_back(desk, window)
    gliding = view.page.bar._timer.interval()
    press(Qt.Key.Key_Escape)
    qapp.setProperty(REDUCED_MOTION, True)
    try:
        still = go_back(desk, window).page.bar._timer.interval()
    finally:
        qapp.setProperty(REDUCED_MOTION, False)
    assert gliding < 100
    assert still >= 500


def test_letters_typed_into_a_recorded_note_are_refused_and_the_caret_stays(
    desk: Any, capfd: pytest.CaptureFixture[str]
) -> None:
    recording, document = Recording(), Document(writer=7)
    recording.edit(NOTE, "ann", document, (Insert("doors at ten", {}),))
    written(recording, desk.folders.state / "feeds", local("liven:text", NOTE))
    window = desk.open(local("liven:text", NOTE), NOTE)
    window.activateWindow()
    desk.wait(window.isActiveWindow)
    said: list[str] = []
    view = go_back(desk, window)
    view.message.connect(said.append)
    page = view.page.findChild(NoteEditor)
    page.setFocus()
    page.choose(5, 5)
    QTest.keyClicks(page, "xyz")
    assert page.toPlainText() == view.show.model.note.text == "doors at ten"
    assert page.places() == (5, 5)
    QTest.keyClick(page, Qt.Key.Key_Backspace)
    assert page.toPlainText() == "doors at ten"
    assert page.places() == (5, 5)
    assert {"recording" in one for one in said} == {True}
    assert "panicked" not in capfd.readouterr().err
