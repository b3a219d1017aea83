"""Everything can be reached by keyboard in a visible order, and has a name and a role.

The tests press real keys: Tab and Shift+Tab within a pane or dialog, F6 between panes.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAccessible
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractButton,
    QApplication,
    QLineEdit,
    QListWidget,
    QPushButton,
    QTabBar,
    QTreeWidget,
    QWidget,
)

from liven.app.doctor.finding import Finding, State
from liven.app.palette.command_palette import CommandPalette, KeySheet
from liven.app.palette.new_objects import KINDS, desktop
from liven.app.trust.dialog import TrustQuestion
from liven.app.trust.question_row import code_row
from liven.app.welcome_window import WelcomeWindow
from liven.app.window.focus_order import parts, stops
from liven.app.window.object_window import ObjectWindow
from liven.app.window.pages.prompt_bar import PromptBar
from liven.app.window.pages.stopped_page import StoppedPage
from liven.runtime.library.trust import Question
from liven.runtime.problems import Kind, Problem, Remedy

ROLE = QAccessible.Role
ROLES: list[tuple[type[QWidget], set[Any]]] = [
    (QAbstractButton, {ROLE.Button, ROLE.CheckBox, ROLE.RadioButton, ROLE.ButtonMenu, ROLE.ButtonDropDown}),
    (QLineEdit, {ROLE.EditableText}),
    (QListWidget, {ROLE.List}),
    (QTreeWidget, {ROLE.Tree}),
]
"""The description of a widget for a screen reader."""


def unnamed(root: QWidget) -> list[str]:
    """Return the focusable widgets without a name or with a wrong role."""
    found = []
    for widget in stops(root):
        told = QAccessible.queryAccessibleInterface(widget)
        name, role = told.text(QAccessible.Text.Name), told.role()
        meant = next((roles for kind, roles in ROLES if isinstance(widget, kind)), None)
        if not name.strip() or role is ROLE.NoRole or (meant is not None and role not in meant):
            found.append(f"{type(widget).__name__} “{name}” is a {role}")
    return found


def focused() -> Any:
    """Return the widget with the focus."""
    found = QApplication.focusWidget()
    assert found is not None
    return found


def walked(first: QWidget, back: bool = False) -> list[QWidget]:
    """Return the widgets that Tab or Shift+Tab visits until it repeats one."""
    window = first.window()
    first.setFocus(Qt.FocusReason.TabFocusReason)
    found: list[QWidget] = []
    keys = Qt.KeyboardModifier.ShiftModifier if back else Qt.KeyboardModifier.NoModifier
    at: Any = first
    while at not in found:
        found.append(at)
        QTest.keyClick(at, Qt.Key.Key_Backtab if back else Qt.Key.Key_Tab, keys)
        at = window.focusWidget()
        assert at is not None
    return found


def active(desk: Any, window: Any) -> Any:
    window.show()
    window.activateWindow()
    desk.wait(window.isActiveWindow)
    return window


def full(desk: Any) -> Any:
    """A window with all docks, an offer, and a problem with a remedy."""
    desk.problems.listen(desk.windows.show_problem)
    window = active(desk, desk.open(desktop("Table"), "Table"))
    window.resize(1400, 1000)
    remedy = Remedy("do it", lambda: None)
    desk.problems.report(Problem(Kind.RAISED, ("Table",), "it raised", remedies=(remedy,)))
    for action in ("Problems panel", "Inspector", "Network monitor"):
        desk.press(window, action)
    window.problems.choose(("Table",))
    PromptBar(window, "It had open: a list.", "Reopen", lambda: None, no="Do not reopen")
    desk.wait(lambda: len(parts(window)) == 10)
    return window


def key_sheet(window: Any) -> QWidget:
    return KeySheet(window, window.menus.actions)


def command_palette(window: Any) -> QWidget:
    return CommandPalette(window, window.menus.actions)


def trust(window: Any) -> QWidget:
    asked = Question("AB`1", 1, "ab" * 32, "somebody", "https://example.org/x.py", "Table/x")
    return TrustQuestion(window, {asked: code_row(asked, None, None)})


def test_f6_moves_through_all_panes_and_shift_f6_back(desk: Any) -> None:
    window = full(desk)
    window.centralWidget().setFocus()
    desk.wait(window.centralWidget().hasFocus)
    ring = [part.accessibleName() or type(part).__name__ for part in parts(window)]
    assert ring[:6] == ["Desktop", "Board", "People", "Zoom", "Help", "Tools"]
    assert {"ProblemsPanel", "Inspector", "NetworkMonitor", "PromptBar"} == set(ring[6:])
    for keys, order in ((Qt.KeyboardModifier.NoModifier, 1), (Qt.KeyboardModifier.ShiftModifier, -1)):
        seen = []
        for _ in ring:
            QTest.keyClick(focused(), Qt.Key.Key_F6, keys)
            at = focused()
            held = [part for part in parts(window) if part is at or part.isAncestorOf(at)]
            seen.append(held[-1].accessibleName() or type(held[-1]).__name__)
        assert seen == ([*ring[1:], ring[0]] if order > 0 else [*ring[:0:-1], ring[0]])


def test_f6_in_a_simple_window_moves_to_the_problems_and_back(desk: Any, local_recipe: Any) -> None:
    window = active(desk, desk.open(local_recipe("liven:text", "List")))
    window.view.widget().setFocus()
    QTest.keyClicks(focused(), "milk")
    window.problems.add(Problem(Kind.RAISED, ("List",), "it raised"))
    QTest.keyClick(focused(), Qt.Key.Key_F6)
    assert focused().accessibleName() == "Problems"
    QTest.keyClick(focused(), Qt.Key.Key_F6)
    assert focused() is window.view.widget()
    assert window.view.widget().toPlainText() == "milk"


def letters(window: Any) -> list[str]:
    """Return all mnemonic letters of menus, buttons and tabs, visible or not."""
    said = [entry.text() for entry in window.menuBar().actions()]
    said += [one.text() for one in window.findChildren(QAbstractButton)]
    said += [bar.tabText(at) for bar in window.findChildren(QTabBar) for at in range(bar.count())]
    return [text[text.index("&") + 1].upper() for text in said if "&" in text.replace("&&", "")]


def test_with_all_docks_open_no_mnemonic_is_ambiguous(desk: Any) -> None:
    window = full(desk)
    strokes = [
        stroke for action in window.menus.actions for keys in action.keys for stroke in keys.split(", ")
    ]
    own = {stroke[len("Alt+") :] for stroke in strokes if stroke.startswith("Alt+") and len(stroke) == 5}
    found = letters(window)
    assert {"A", "N", "P", "S", "W"} <= own
    assert sorted(found) == sorted(set(found) - own)


def test_with_all_docks_open_every_widget_has_a_name_and_a_role(desk: Any) -> None:
    assert unnamed(full(desk)) == []


def test_tab_moves_between_a_problem_and_its_remedies(desk: Any) -> None:
    window = full(desk)
    panel = window.problems
    listed = panel.findChild(QListWidget)
    words = ["Do it", "Restart", "Pause", "Copy diagnosis", "Clear"]
    buttons = [button(panel, each) for each in words]
    there = walked(listed)
    assert [one for one in there if one in buttons] == buttons
    assert there[2:7] == buttons, "nothing else comes between"
    back = walked(buttons[-1], back=True)
    assert back[:5] == buttons[::-1]


def button(place: Any, words: str) -> Any:
    return next(one for one in place.findChildren(QPushButton) if words in one.text().replace("&", ""))


@pytest.mark.parametrize("make", [command_palette, key_sheet, trust])
def test_tab_reaches_every_named_widget_of_each_dialog(
    desk: Any, local_recipe: Any, make: Callable[[Any], Any]
) -> None:
    dialog = make(desk.open(local_recipe("liven:text", "List")))
    dialog.open()
    desk.wait(dialog.isVisible)
    wanted = stops(dialog)
    assert len(wanted) >= 2
    assert unnamed(dialog) == []
    there = walked(wanted[0])
    assert set(there) == set(wanted)
    assert walked(wanted[0], back=True)[1:] == there[:0:-1]
    QTest.keyClick(dialog, Qt.Key.Key_Escape)
    desk.wait(lambda: not dialog.isVisible())


def test_tab_reaches_every_widget_of_the_welcome_window(desk: Any, qtbot: Any) -> None:
    found = [Finding("Sound", State.MISSING, "none", "install it"), Finding("Screen", State.OK, "1", "")]
    window = active(desk, WelcomeWindow(lambda: iter(found)))
    qtbot.addWidget(window)
    window.check()
    desk.wait(lambda: len(stops(window)) >= 2)
    assert unnamed(window) == []
    assert set(walked(stops(window)[0])) == set(stops(window))


KEEP_TAB = ("Note", "Desktop")
"""In these Tab means something of its own; F6 leaves them."""


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.name)
def test_each_object_can_be_used_by_keyboard(desk: Any, kind: Any) -> None:
    window = active(desk, desk.windows.open_recipe(kind.make(kind.name)))
    desk.wait(lambda: window.view is not None)
    assert unnamed(window) == []
    inside = [one for one in stops(window) if window.centralWidget().isAncestorOf(one)]
    if inside and kind.name not in KEEP_TAB:
        assert set(inside) <= {*walked(inside[0]), *walked(inside[0], back=True)}


def test_the_button_of_a_stopped_page_has_the_focus(desk: Any, local_recipe: Any) -> None:
    window = desk.open(local_recipe("liven:text", "List"))
    desk.press(window, "Pause this object")
    desk.wait(lambda: stops(window.centralWidget()))
    assert unnamed(window) == []
    QTest.keyClick(button(window.centralWidget(), "Restart"), Qt.Key.Key_Space)
    desk.wait(lambda: window.view is not None)


def test_loading_can_be_cancelled_by_keyboard(qtbot: Any) -> None:
    window: Any = ObjectWindow("List")
    qtbot.addWidget(window)
    window.show_loading("its classes")
    window.show()
    qtbot.waitUntil(lambda: bool(stops(window.centralWidget())))
    assert unnamed(window) == []
    [cancel] = stops(window.centralWidget())
    QTest.keyClick(cancel, Qt.Key.Key_Space)
    assert isinstance(window.centralWidget(), StoppedPage)
    assert window.isVisible()
