"""Opening, failing and closing windows, and their messages, on Qt's event loop."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QEvent, QMimeData, QPointF, Qt, QTimer
from PySide6.QtGui import QDragEnterEvent, QDropEvent, QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QMenu, QPushButton

from liven.app.instance.spawn import file_for_program
from liven.app.opening.link_url import link_to
from liven.app.opening.source import LARGEST_FILE
from liven.app.program.desktop_program import open_handed_over
from liven.app.window.floating import toast as toast_module
from liven.app.window.floating.problem_sign import ProblemSign
from liven.app.window.floating.toast import ToastButton
from liven.app.window.pages.loading_page import LoadingPage
from liven.app.window.pages.prompt_bar import PromptBar
from liven.app.window.saved.crash_restore import OpenWindow, OpenWindows
from liven.liveobjects.channel.process.channel_system import ChannelSystem
from liven.liveobjects.text.object import TextObject
from liven.liveobjects.text.view import NoteEditor
from liven.liveobjects.view.contract import DETAILS
from liven.liveobjects.view.loading import LOADING
from liven.runtime.folder.item_files import MIME
from liven.runtime.problems import Kind, Problem
from liven.runtime.reference.model import Reference
from liven.runtime.reference.xml import write


def test_a_note_opens_and_can_be_edited(desk: Any, local_recipe: Any) -> None:
    window = desk.open(local_recipe("liven:text", "List"))
    page = window.centralWidget()
    assert isinstance(page, NoteEditor)
    QTest.keyClicks(page, "milk")
    assert window.windowTitle() == "milk — Liven"
    assert desk.problems is not None
    assert len(desk.problems) == 0


def test_a_note_has_the_focus_without_a_click(desk: Any, local_recipe: Any) -> None:
    for name in ("first", "second"):
        window = desk.open(local_recipe("liven:text", name), name)
        window.activateWindow()
        desk.wait(window.isActiveWindow)
        focused = QApplication.focusWidget()
        assert focused is not None
        QTest.keyClicks(focused, "milk")
        assert window.windowTitle() == "milk — Liven"


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"", "this file holds no object"),
        (b"\x00\xff rubbish", "this file holds no object"),
        (b"<html></html>", "this file holds no object"),
        (b"<Root><Object", "this file holds no object"),
        (b"<Root/>", "its recipe is empty"),
        (write(Reference("no such:thing")), "cannot be opened"),
    ],
    ids=["empty file", "rubbish", "another kind of XML", "cut off", "empty recipe", "unknown id"],
)
def test_a_file_that_cannot_be_opened_says_why_and_is_a_problem(desk: Any, data: bytes, said: str) -> None:
    path = desk.file("broken", data)
    window = desk.windows.open_file(path)
    desk.wait(lambda: said in desk.words(window))
    assert len(desk.problems) >= 1
    assert window.view is None
    holds_a_recipe = b"no such" in data
    buttons = [one.text() for one in window.centralWidget().findChildren(QPushButton)]
    assert buttons == (["&Restart"] if holds_a_recipe else [])
    assert desk.windows.recent.files() == ((path,) if holds_a_recipe else ())


def test_a_file_of_another_type_is_shown_with_its_suffix(desk: Any) -> None:
    path = desk.folder / "text.log"
    path.write_text("hello")
    window = desk.windows.open_file(path)
    assert window.windowTitle() == "text.log — Liven"
    assert "it is not a .liveobject file, but a text, which you can drop on a desktop" in desk.words(window)


def test_a_recipe_in_a_file_with_another_suffix_opens(desk: Any, local_recipe: Any) -> None:
    path = desk.folder / "list.xml"
    path.write_bytes(write(local_recipe("liven:text", "List")))
    window = desk.windows.open_file(path)
    desk.wait(lambda: window.view is not None)
    assert window.name == "List"


def test_details_of_a_message_are_shown_on_request(desk: Any, local_recipe: Any) -> None:
    window = desk.open(local_recipe("liven:text", "n"))
    window.show_message(f"It does not fit.{DETAILS}The endpoint UI is missing.")
    notice = window.findChild(QLabel, "toast")
    more, _ = notice.findChildren(ToastButton)
    assert notice.text() == "It does not fit."
    desk.click(more)
    assert notice.text() == "It does not fit.\n\nThe endpoint UI is missing."
    assert not more.isVisible()
    window.show_message("Something else.")
    assert notice.text() == "Something else."
    assert not more.isVisible()


def noticed(desk: Any, local_recipe: Any, monkeypatch: pytest.MonkeyPatch) -> tuple[Any, Any]:
    """Return a window whose messages are due at once, and its message widget."""
    for name in ("_EACH_LETTER_MS", "_AT_LEAST_MS", "_WITH_DETAILS_MS"):
        monkeypatch.setattr(toast_module, name, 0)
    window = desk.open(local_recipe("liven:text", "n"))
    window.activateWindow()
    desk.wait(window.isActiveWindow)
    return window, window.findChild(QLabel, "toast")


def due(desk: Any, window: Any) -> None:
    """Wait until a message without details would have disappeared."""
    rounds: list[int] = []
    for number in range(3):
        QTimer.singleShot(0, window, lambda number=number: rounds.append(number))
        desk.wait(lambda number=number: number in rounds)


@pytest.mark.parametrize("goes_on", ["by a key", "by a click"])
def test_a_message_with_details_stays_until_the_user_does_something_else(
    desk: Any, local_recipe: Any, monkeypatch: pytest.MonkeyPatch, goes_on: str
) -> None:
    window, notice = noticed(desk, local_recipe, monkeypatch)
    page = window.centralWidget()
    window.show_message("Something else.")
    desk.wait(lambda: not notice.isVisible())
    window.show_message(f"It does not fit.{DETAILS}The endpoint UI is missing.")
    due(desk, window)
    assert notice.isVisible()
    more, _ = notice.findChildren(ToastButton)
    desk.click(more)
    due(desk, window)
    QTest.keyClick(page, Qt.Key.Key_A)
    assert notice.text().endswith("The endpoint UI is missing."), "one reads it, and the mouse is over it"
    QTest.mouseMove(page.viewport())
    desk.wait(lambda: not notice.underMouse())
    due(desk, window)
    if goes_on == "by a key":
        QTest.keyClick(page, Qt.Key.Key_A)
    else:
        desk.click(page.viewport())
    assert not notice.isVisible()
    window.show_message("Something else.")
    desk.wait(lambda: not notice.isVisible())


def test_a_message_with_details_stays_for_its_minimum_time(
    desk: Any, local_recipe: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    window, notice = noticed(desk, local_recipe, monkeypatch)
    monkeypatch.setattr(toast_module, "_WITH_DETAILS_MS", 1_000_000)
    window.show_message(f"It does not fit.{DETAILS}The endpoint UI is missing.")
    due(desk, window)
    QTest.keyClick(window.centralWidget(), Qt.Key.Key_A)
    assert notice.isVisible()


def test_a_message_stays_while_its_button_has_the_focus(
    desk: Any, local_recipe: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    window, notice = noticed(desk, local_recipe, monkeypatch)
    window.show_message("It does not fit.")
    _, close = notice.findChildren(ToastButton)
    close.setFocus(Qt.FocusReason.TabFocusReason)
    due(desk, window)
    assert notice.isVisible()
    window.centralWidget().setFocus()
    desk.wait(lambda: not notice.isVisible())


def test_f4_shows_the_last_message_with_its_details(desk: Any, local_recipe: Any) -> None:
    window = desk.open(local_recipe("liven:text", "n"))
    window.activateWindow()
    desk.wait(window.isActiveWindow)
    notice, page = window.findChild(QLabel, "toast"), window.centralWidget()
    QTest.keyClick(page, Qt.Key.Key_F4)
    assert notice.text() == "No message yet."
    window.show_message(f"It does not fit.{DETAILS}The endpoint UI is missing.")
    notice.hide()
    for _ in range(2):
        QTest.keyClick(page, Qt.Key.Key_F4)
        assert notice.isVisible()
        assert notice.text() == "It does not fit.\n\nThe endpoint UI is missing."
    window.show_message("Something else.")
    QTest.keyClick(page, Qt.Key.Key_F4)
    assert notice.text() == "Something else."


def test_a_message_is_closed_by_mouse_and_keyboard(desk: Any, local_recipe: Any) -> None:
    window = desk.open(local_recipe("liven:text", "n"))
    window.activateWindow()
    desk.wait(window.isActiveWindow)
    notice, page = window.findChild(QLabel, "toast"), window.centralWidget()
    _, close = notice.findChildren(ToastButton)
    window.show_message("It does not fit.")
    QTest.mouseClick(close, Qt.MouseButton.LeftButton)
    assert not notice.isVisible()
    assert page.hasFocus()
    window.show_message("It does not fit.")
    QTest.keyClick(page, Qt.Key.Key_F4, Qt.KeyboardModifier.ShiftModifier)
    assert not notice.isVisible()
    window.show_message("It does not fit.")
    assert close.focusPolicy() & Qt.FocusPolicy.TabFocus
    close.setFocus(Qt.FocusReason.TabFocusReason)
    QTest.keyClick(close, Qt.Key.Key_Space)
    assert not notice.isVisible()
    assert page.hasFocus(), "the keys go back to what one works with"


def test_a_message_is_withdrawn_when_its_cause_is_gone(desk: Any, local_recipe: Any) -> None:
    window = desk.open(local_recipe("liven:desktop", "Table"))
    notice, canvas = window.findChild(QLabel, "toast"), window.centralWidget()
    bad, good = QMimeData(), QMimeData()
    bad.setText("<Root>no recipe")
    good.setData(MIME, write(local_recipe("liven:text", "n")))
    for data, said in ((bad, True), (good, False), (bad, True)):
        drop(canvas, data)
        assert notice.isVisible() == said
    window.show_message("Something else.")
    drop(canvas, good)
    assert notice.text() == "Something else.", "that was not about drops"
    assert notice.isVisible()


def drop(canvas: Any, data: QMimeData) -> None:
    at, copy = QPointF(canvas.rect().center()), Qt.DropAction.CopyAction
    left, none = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    QApplication.sendEvent(canvas, QDragEnterEvent(at.toPoint(), copy, data, left, none))
    QApplication.sendEvent(canvas, QDropEvent(at, copy, data, left, none))


def test_a_window_says_that_its_object_is_loading(
    desk: Any, local_recipe: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    begin = TextObject.initialize
    held: list[Any] = []
    monkeypatch.setattr(TextObject, "initialize", lambda note, checkpoint: held.append((note, checkpoint)))
    window = desk.open(local_recipe("liven:text", "n"))
    notice = window.findChild(QLabel, "toast")
    desk.wait(lambda: notice.isVisible() and notice.text() == LOADING)
    desk.wait(lambda: held)
    begin(*held[0])
    desk.wait(lambda: not notice.isVisible())


def test_a_loading_window_names_its_object_once(desk: Any, local_recipe: Any, monkeypatch: Any) -> None:
    said: list[str] = []
    begin = LoadingPage.say

    def say(page: LoadingPage, what: str) -> None:
        said.append(what)
        begin(page, what)

    monkeypatch.setattr(LoadingPage, "say", say)
    desk.open(local_recipe("liven:text", "exits"))
    desk.wait(lambda: said)
    assert [each.count("exits") for each in said] == [1] * len(said), said


def test_what_another_program_was_given_is_no_recent_file(desk: Any, local_recipe: Any) -> None:
    file = file_for_program(desk.program.folders, local_recipe("liven:text", "n"), "shopping")
    desk.windows.open_file(file)
    assert desk.windows.recent.files() == ()


def test_messages_are_announced_to_screen_readers(
    desk: Any, local_recipe: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    said: list[str] = []
    monkeypatch.setattr(toast_module, "announce", lambda _, words: said.append(words))
    window = desk.open(local_recipe("liven:text", "n"))
    window.show_message(f"It does not fit.{DETAILS}The endpoint UI is missing.")
    assert said == ["It does not fit."]


def test_a_message_on_a_broken_file_ends_with_the_error(desk: Any) -> None:
    """A list of formats that could be opened would not help."""
    for data in (b"<broken\n", b"<Root/>"):
        desk.windows.open_file(desk.file("broken", data))
    cut, empty = (str(problem) for problem in desk.problems)
    assert cut.endswith("broken (which begins in line 1)")
    assert empty.endswith("its recipe is empty")


def test_a_huge_file_is_refused_unread(desk: Any) -> None:
    path = desk.folder / "huge.liveobject"
    with path.open("wb") as stream:
        stream.truncate(LARGEST_FILE + 1)
    window = desk.windows.open_file(path)
    assert "the limit is 4,194,304 bytes" in desk.words(window)


@pytest.mark.parametrize("name", ["missing.liveobject", "."])
def test_a_missing_file_is_reported(desk: Any, name: str) -> None:
    window = desk.windows.open_file(desk.folder / name)
    assert "cannot be read" in desk.words(window)


def test_files_of_another_start_are_opened_or_answered_with_a_reason(desk: Any, local_recipe: Any) -> None:
    soon: list[Any] = []
    broken, good = desk.file("broken", b"<Root/>"), desk.file("n", local_recipe("liven:text", "n"))
    [why] = open_handed_over(desk.windows, [str(broken)], soon.append, tell=True)
    assert why == f"{broken}: this file holds no object: its recipe is empty"
    assert soon == []
    assert len(open_handed_over(desk.windows, [str(broken), str(good)], soon.append, tell=True)) == 1
    soon.pop()()
    assert [window.name for window in desk.windows.open_windows] == ["n"]
    assert open_handed_over(desk.windows, [str(broken)], soon.append, tell=False) == []
    soon.pop()()
    assert [window.name for window in desk.windows.open_windows] == ["n", "broken"]


def test_an_object_without_a_view_runs_with_a_note(desk: Any) -> None:
    channel = (desk.folder / "x").parent
    del channel
    sample = Path(__file__).parents[3] / "samples" / "channels" / "tester.liveobject"
    window = desk.windows.open_file(sample)
    desk.wait(lambda: window.view is not None or "nothing to show" in desk.words(window))


def test_closing_a_window_cancels_loading(desk: Any, local_recipe: Any) -> None:
    window = desk.windows.open_file(desk.file("n", local_recipe("liven:text", "n")))
    window.close()
    assert desk.windows.open_windows == []
    assert desk.emptied == 1
    desk.open(local_recipe("liven:text", "m"), "m")  # which began later: the first would run by then as well
    running = {one.path[0] for one in desk.program.session.node.running.values()}
    assert "m" in running
    assert "n" not in running


def test_a_window_says_that_its_object_ended_or_failed(desk: Any, local_recipe: Any) -> None:
    window = desk.open(local_recipe("liven:text", "n"))
    window.handle.proxy().fail()
    desk.wait(lambda: "stopped because of an error" in desk.words(window))
    assert window.view is None
    other = desk.open(local_recipe("liven:text", "m"))
    other.handle.proxy().handles = 0
    other.handle.proxy().end()
    desk.wait(lambda: "has ended" in desk.words(other))


def test_the_last_window_that_closes_ends_the_program(desk: Any, local_recipe: Any) -> None:
    one = desk.open(local_recipe("liven:text", "n"))
    two = desk.open(local_recipe("liven:text", "m"))
    one.close()
    assert desk.emptied == 0
    QTest.keyClick(two, Qt.Key.Key_W, Qt.KeyboardModifier.ControlModifier)
    assert desk.emptied == 1


def badge(window: Any) -> str:
    [sign] = window.findChildren(ProblemSign)
    return f"⚠ {sign.shown}" if sign.isVisibleTo(window) else "✓"


def test_a_window_counts_its_own_problems_and_those_of_the_program(desk: Any, local_recipe: Any) -> None:
    desk.problems.listen(desk.windows.show_problem)
    good = desk.open(local_recipe("liven:text", "Good"))
    broken = desk.windows.open_file(desk.file("broken", b"rubbish"))
    assert (badge(good), badge(broken)) == ("✓", "⚠ 1")
    broken.close()
    desk.problems.report(Problem(Kind.RAISED, ("broken", "channel"), "came too late"))
    assert badge(good) == "✓"
    desk.problems.report(Problem(Kind.PEER, (), "the network is odd"))
    assert badge(good) == "⚠ 1"


def test_ctrl_q_closes_all_windows(desk: Any, local_recipe: Any) -> None:
    desk.open(local_recipe("liven:text", "n"))
    two = desk.open(local_recipe("liven:text", "m"))
    two.activateWindow()
    desk.wait(two.isActiveWindow)
    QTest.keyClick(two, Qt.Key.Key_Q, Qt.KeyboardModifier.ControlModifier)
    assert desk.windows.open_windows == []
    assert desk.emptied == 1


def test_both_save_actions_explain_their_effect(desk: Any, local_recipe: Any) -> None:
    window = desk.open(local_recipe("liven:text", "n"))
    entries = {one.text(): one for menu in window.findChildren(QMenu) for one in menu.actions()}
    same, another = entries["Save as a file…"], entries["Save a copy…"]
    assert "A link to this live object, not a copy" in same.statusTip()
    assert "A separate object" in another.statusTip()
    assert same.toolTip() == same.statusTip()
    assert "New caption window" in entries
    assert "New window" not in entries


def test_windows_of_a_crashed_program_are_offered_and_reopened(desk: Any, local_recipe: Any) -> None:
    import os

    crashed = OpenWindows(desk.folders.state / "windows")
    recipe = write(local_recipe("liven:text", "Lost")).decode()
    crashed.write([OpenWindow("Lost", recipe, (10, 10, 400, 300))])
    assert crashed._lock is not None
    os.close(crashed._lock)
    window = desk.open(local_recipe("liven:text", "n"))
    desk.windows.offer_to_restore()
    [bar] = window.findChildren(PromptBar)
    desk.click(bar.findChildren(QPushButton)[0])
    desk.wait(lambda: [one.name for one in desk.windows.open_windows] == ["n", "Lost"])
    assert desk.windows.open_windows[1].width() == 400
    desk.wait(lambda: not window.findChildren(PromptBar))
    desk.windows.offer_to_restore()
    assert not window.findChildren(PromptBar)


def test_windows_that_are_open_again_are_not_offered(desk: Any, local_recipe: Any) -> None:
    import os

    thing = local_recipe("liven:text", "Lost")
    crashed = OpenWindows(desk.folders.state / "windows")
    crashed.write([OpenWindow("Lost", write(thing).decode(), (10, 10, 400, 300))])
    assert crashed._lock is not None
    os.close(crashed._lock)
    window = desk.open(thing)
    desk.windows.offer_to_restore()
    assert not window.findChildren(PromptBar)
    assert window.width() == 400
    assert "is restored" in window._message.text()


def test_the_file_menu_has_sections_and_a_submenu_for_new_objects(desk: Any, local_recipe: Any) -> None:
    window = desk.open(local_recipe("liven:desktop", "Table"))
    menus = {one.title().replace("&", ""): one for one in window.findChildren(QMenu)}
    new = [entry.text() for entry in menus["New"].actions()]
    assert "New note" in new
    assert "New note" not in [entry.text() for entry in menus["File"].actions()]
    for name in ("File", "Edit", "Arrange", "View"):
        entries = menus[name].actions()
        lines = [entry.isSeparator() for entry in entries]
        assert any(lines)
        assert not lines[0]
        assert not lines[-1]
        assert not any(a and b for a, b in pairwise(lines))


def test_a_link_is_copied_and_opens_the_same_object(desk: Any, local_recipe: Any) -> None:
    thing = local_recipe("liven:text", "Linked")
    window = desk.open(thing)
    desk.press(window, "Copy link to this object")
    link = QGuiApplication.clipboard().text()
    assert link == link_to(write(thing))
    desk.windows.open_files([link])
    desk.wait(lambda: len(desk.windows.open_windows) == 2 and desk.windows.open_windows[1].view is not None)
    assert desk.windows.open_windows[1].recipe == thing
    desk.windows.open_files(["liven:nonsense"])
    assert "is not a link to an object" in desk.words(desk.windows.open_windows[2])


def test_a_recipe_is_copied_and_pasted_as_a_window(desk: Any, local_recipe: Any) -> None:
    window = desk.open(local_recipe("liven:text", "Copied"))
    desk.press(window, "Copy this object")
    desk.press(window, "Open from clipboard")
    desk.wait(lambda: len(desk.windows.open_windows) == 2 and desk.windows.open_windows[1].view is not None)
    assert desk.windows.open_windows[1].name == "Copied"
    QGuiApplication.clipboard().setText("just words")
    desk.press(window, "Open from clipboard")
    assert "holds no object" in desk.words(desk.windows.open_windows[2])


def test_recent_files_are_listed_and_open_again(desk: Any, local_recipe: Any) -> None:
    window = desk.open(local_recipe("liven:text", "n"), "shopping")
    QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    [menu] = [one for one in window.menuBar().findChildren(QMenu) if "recent" in one.title()]
    menu.aboutToShow.emit()
    [entry] = menu.actions()
    assert entry.text() == "shopping"
    entry.trigger()
    desk.wait(lambda: len(desk.windows.open_windows) == 2)


def test_another_program_is_started_on_the_same_object(
    desk: Any, local_recipe: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    started: list[Path] = []

    class Program:
        def poll(self) -> int:
            return 0

    def another(file: Path, *arguments: str) -> Program:
        started.append(file)
        return Program()

    monkeypatch.setattr("liven.app.program.window_list.spawn", another)
    thing = local_recipe("liven:text", "A/B")
    window = desk.open(thing)
    QTest.keyClick(
        window, Qt.Key.Key_N, Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier
    )
    [file] = started
    assert file.read_bytes() == write(thing)
    assert file.name.startswith("A_B ")


def test_with_place_both_the_second_program_starts_when_the_first_shows_the_object(
    desk: Any, local_recipe: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    started: list[tuple[str, ...]] = []
    monkeypatch.setattr("liven.app.program.window_list.spawn", lambda _, *words: started.append(words))
    desk.windows._place = "both"
    window = desk.open(local_recipe("liven:text", "n"))
    assert started == [("--place", "right")]
    desk.open(local_recipe("liven:text", "m"))
    assert len(started) == 1
    screen = QGuiApplication.primaryScreen().availableGeometry()
    assert window.geometry().right() <= screen.center().x()


def test_a_branch_is_opened_beside_the_object_as_it_is(desk: Any, local_recipe: Any) -> None:
    window = desk.open(local_recipe("liven:text", "List"))
    QTest.keyClicks(window.centralWidget(), "milk")
    channels = desk.program.session.node.service(ChannelSystem)
    channels.viewer("List", "List~ab")
    [other] = [one for one in desk.windows.open_windows if one is not window]
    desk.wait(lambda: other.view is not None)
    assert other.windowTitle() != window.windowTitle() == "milk — Liven"
    assert b"List~ab" in write(other.recipe)
    assert b"List~ab" not in write(window.recipe)


def test_opening_a_branch_without_a_window_reports_that_it_stays(desk: Any, local_recipe: Any) -> None:
    window = desk.open(local_recipe("liven:text", "List"))
    desk.windows.open_branch("Other", "Other~ab")
    assert desk.windows.open_windows == [window]
    assert "the branch Other~ab stays" in str(list(desk.problems)[-1])


def test_a_lasting_message_survives_hovering_and_is_forgotten_when_withdrawn(
    desk: Any, local_recipe: Any
) -> None:
    notice = desk.open(local_recipe("liven:text", "n"))._message
    notice.say(LOADING, stays=True)
    QApplication.sendEvent(notice, QEvent(QEvent.Type.Leave))
    assert not notice._timer.isActive()
    notice.say_again()
    assert not notice._timer.isActive()
    notice.withdraw(LOADING)
    assert not notice.isVisible()
    notice.say_again()
    assert notice.text() == "No message yet."
    assert notice._timer.isActive()
    notice.say("It does not fit.")
    notice.withdraw("It does not fit.")
    notice.say_again()
    assert notice.text() == "It does not fit."
