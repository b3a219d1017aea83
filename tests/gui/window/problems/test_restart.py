"""Problems of one object: its badge, restarting and pausing it, while everything else keeps running."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QListWidget, QPushButton

from liven.app.window.object_window import ObjectWindow
from liven.app.window.pages.stopped_page import StoppedPage
from liven.app.window.problems.badge import ProblemBadge
from liven.liveobjects.desktop.state import Add, Item, Place
from liven.liveobjects.text.view import NoteEditor
from liven.runtime.problems import Kind, Problem
from liven.runtime.reference.xml import write


def opened(desk: Any, local_recipe: Any, name: str = "List") -> Any:
    window = desk.open(local_recipe("liven:text", name), name)
    window.resize(700, 500)
    return window


def desktop(desk: Any, local_recipe: Any, *names: str) -> Any:
    """Open a window on a desktop with running notes of these names."""
    window = desk.open(local_recipe("liven:desktop", "Desk"), "Desk")
    window.resize(900, 600)
    things = [
        Add(Item(f"k{at}", name, Place(40 + 200 * at, 60, 180, 120), _text(local_recipe, name)))
        for at, name in enumerate(names)
    ]
    window.handle.proxy().instance.editor.edit("lay", *things)
    desk.wait(lambda: all(canvas(window).item_views.view(one.item.key) for one in things))
    return window


def _text(local_recipe: Any, name: str) -> str:
    return write(local_recipe("liven:text", name)).decode()


def canvas(window: Any) -> Any:
    return window.centralWidget()


def badge(window: Any) -> Any:
    return window.findChild(ProblemBadge)


def button(place: Any, words: str) -> Any:
    return next(one for one in place.findChildren(QPushButton) if words in one.text().replace("&", ""))


def report(desk: Any, *where: str) -> None:
    desk.problems.report(Problem(Kind.RAISED, where, "it raised"))


def test_a_window_has_a_badge_while_its_object_has_problems(desk: Any, local_recipe: Any) -> None:
    desk.problems.listen(desk.windows.show_problem)
    window, other = opened(desk, local_recipe), opened(desk, local_recipe, "Other")
    assert badge(window).isHidden()
    report(desk, "List", "Parameter[channel]")
    report(desk, "List")
    assert badge(window).isVisible()
    assert badge(window).text() == "⚠ 2"
    assert "2 problems" in badge(window).accessibleName()
    assert badge(other).isHidden()
    report(desk)
    assert badge(other).isHidden(), "the network is nobody's own problem"
    desk.click(badge(window))
    assert window.problems.isVisible()
    assert window.problems.findChild(QListWidget).currentRow() >= 0
    desk.click(button(window.problems, "Clear"))
    assert badge(window).isHidden()


def test_a_failed_object_is_restarted_from_its_page(desk: Any, local_recipe: Any) -> None:
    desk.problems.listen(desk.windows.show_problem)
    window, other = opened(desk, local_recipe), opened(desk, local_recipe, "Other")
    QTest.keyClicks(window.centralWidget(), "milk")
    report(desk, "List")
    window.handle.proxy().fail()
    desk.wait(lambda: isinstance(window.centralWidget(), StoppedPage))
    desk.click(button(window.centralWidget(), "Restart"))
    desk.wait(lambda: isinstance(window.centralWidget(), NoteEditor))
    assert badge(window).isHidden()
    assert other.view is not None
    QTest.keyClicks(window.centralWidget(), "bread")
    assert "bread" in window.centralWidget().toPlainText()


def test_the_shortcut_restarts_an_object_without_losing_text(desk: Any, local_recipe: Any) -> None:
    keeper = opened(desk, local_recipe)  # another hand on the channel, which keeps what was written
    window = opened(desk, local_recipe)
    QTest.keyClicks(window.centralWidget(), "milk")
    desk.wait(lambda: keeper.centralWidget().toPlainText() == "milk")
    before = window.handle.proxy()
    window.activateWindow()
    desk.wait(window.isActiveWindow)
    QTest.keyClick(
        window, Qt.Key.Key_R, Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier
    )
    desk.wait(lambda: window.view is not None and window.handle.proxy() is not before)
    desk.wait(lambda: window.centralWidget().toPlainText() == "milk")
    assert before.ended


def test_an_object_is_paused_with_a_picture_and_restarted(desk: Any, local_recipe: Any) -> None:
    window, other = opened(desk, local_recipe), opened(desk, local_recipe, "Other")
    proxy = window.handle.proxy()
    desk.press(window, "Pause this object")
    assert proxy.ended
    assert "it does not run" in desk.words(window)
    assert other.view is not None
    desk.press(window, "Pause this object")
    assert "Nothing is running here" in window._message.text()
    desk.click(button(window.centralWidget(), "Restart"))
    desk.wait(lambda: window.view is not None)


def test_an_item_shows_its_problems_and_restarts_alone(desk: Any, local_recipe: Any) -> None:
    desk.problems.listen(desk.windows.show_problem)
    window = desktop(desk, local_recipe, "Milk", "Bread")
    whole = window.handle.proxy()
    bread = next(one for one in whole.node.running.values() if one.path == ("Desk", "Bread"))
    report(desk, "Desk", "Bread")
    bread.fail()
    items = canvas(window).state.items
    assert canvas(window).badges.words(items["k1"]) == "⚠ 1"
    assert canvas(window).badges.words(items["k0"]) == ""
    assert badge(window).isHidden(), "the thing has it, not the whole"
    [area] = [area for _, area, _ in canvas(window).badges._all()]
    QTest.mouseClick(canvas(window), Qt.MouseButton.LeftButton, pos=QPoint(*_whole(area.center())))
    assert window.problems.isVisible()
    desk.click(button(window.problems, "Restart"))
    desk.wait(lambda: canvas(window).item_views.view("k1") is not None)
    assert window.handle.proxy() is whole, "the desktop itself went on"
    assert canvas(window).badges.words(items["k1"]) == ""
    assert window.problems.findChild(QListWidget).count() == 0


def _whole(point: Any) -> tuple[int, int]:
    return round(point.x()), round(point.y())


def test_an_item_is_paused_from_the_panel_and_restarted_by_its_badge(desk: Any, local_recipe: Any) -> None:
    desk.problems.listen(desk.windows.show_problem)
    window = desktop(desk, local_recipe, "Milk", "Bread")
    report(desk, "Desk", "Milk")
    window.show_problems_of("Milk")
    desk.click(button(window.problems, "Pause"))
    assert canvas(window).item_views.view("k0") is None
    assert canvas(window).item_views.view("k1") is not None
    items = canvas(window).state.items
    assert canvas(window).badges.words(items["k0"]) == "⚠ 1  paused"
    desk.click(button(window.problems, "Clear"))
    assert canvas(window).badges.words(items["k0"]) == "paused"
    [area] = [area for _, area, _ in canvas(window).badges._all()]
    QTest.mouseClick(canvas(window), Qt.MouseButton.LeftButton, pos=QPoint(*_whole(area.center())))
    desk.wait(lambda: canvas(window).item_views.view("k0") is not None)


def test_problems_of_other_objects_offer_no_restart(desk: Any, local_recipe: Any) -> None:
    desk.problems.listen(desk.windows.show_problem)
    window = opened(desk, local_recipe)
    report(desk, "multicast")
    window.show_problems()
    window.problems.choose(("multicast",))
    shown = [one.text() for one in window.problems.findChildren(QPushButton) if one.isVisible()]
    assert "Restart" not in shown


def test_the_badge_stays_in_place_and_messages_cover_no_panel(desk: Any, local_recipe: Any) -> None:
    desk.problems.listen(desk.windows.show_problem)
    window = opened(desk, local_recipe)
    report(desk, "List")
    window.show_problems()
    desk.wait(lambda: window.centralWidget().geometry().bottom() < window.problems.geometry().top())
    shown = window.centralWidget().geometry
    desk.wait(lambda: shown().contains(badge(window).geometry()))
    window.close_message()
    window.show_message("Short.")
    desk.wait(lambda: is_read_whole(window))
    others = (window.problems, window.menuBar())
    desk.wait(lambda: not any(one.geometry().intersects(said(window)) for one in others))
    window.show_message("A long sentence about what went wrong, and where, and what to do. " * 8)
    desk.wait(lambda: is_read_whole(window))
    window.close_message()


def said(window: Any) -> QRect:
    """Return the area of the message in its window."""
    place: QRect = window._message.rect().translated(window._message.mapTo(window, QPoint(0, 0)))
    return place


def is_read_whole(window: ObjectWindow) -> bool:
    notice = window._message
    return notice.height() >= notice.heightForWidth(notice.width()) and window.rect().contains(said(window))


def test_with_the_panel_open_a_problem_is_not_a_message_too(desk: Any, local_recipe: Any) -> None:
    desk.problems.listen(desk.windows.show_problem)
    window = opened(desk, local_recipe)
    window.show_problems()
    report(desk, "List")
    assert not window._message.isVisible()


def test_a_handler_that_took_long_is_for_the_log_alone(desk: Any, local_recipe: Any) -> None:
    window = desk.open(local_recipe("liven:text", "note"), "note")
    for kind, over in ((Kind.SLOW, False), (Kind.SLOW, True), (Kind.RAISED, False)):
        made = Problem(kind, (window.step,), "it took 3 s", topic=kind.value, is_over=over)
        desk.windows.show_problem(made)
    assert window.problems.listed == 1


def test_two_windows_with_the_same_name_list_their_own_problems(desk: Any, local_recipe: Any) -> None:
    desk.problems.listen(desk.windows.show_problem)
    first = desk.open(local_recipe("liven:text", "List"), "one")
    second = desk.open(local_recipe("liven:text", "List"), "two")
    assert [one.windowTitle() for one in (first, second)] == ["List — Liven"] * 2
    assert first.handle.path != second.handle.path
    report(desk, *second.handle.path)
    assert badge(first).isHidden()
    assert badge(second).text() == "⚠ 1"
    first.close()
    third = desk.open(local_recipe("liven:text", "List"), "three")
    report(desk, *third.handle.path)
    assert badge(second).text() == "⚠ 1"
    assert badge(third).text() == "⚠ 1"


def test_one_of_two_items_with_the_same_name_is_restarted(desk: Any, local_recipe: Any) -> None:
    desk.problems.listen(desk.windows.show_problem)
    window = desktop(desk, local_recipe, "Milk", "Milk")
    handles = {
        key: canvas(window).item_views.running_items._items[key].handle.proxy() for key in ("k0", "k1")
    }
    report(desk, *handles["k1"].path)
    items = canvas(window).state.items
    assert [canvas(window).badges.words(items[key]) for key in ("k0", "k1")] == ["", "⚠ 1"]
    window.show_problems_of(handles["k1"].path[1])
    desk.click(button(window.problems, "Restart"))
    desk.wait(lambda: handles["k1"].ended)
    assert not handles["k0"].ended
