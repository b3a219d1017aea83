"""A question in a window lies over a scrim: nothing beneath it can be pressed, and no key reaches it."""

from __future__ import annotations

from typing import Any

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QColor
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel
from tests.gui.trust.open_questions import asked, button, questions, run
from tests.gui.trust.sign_library import recipe

from liven.app.appearance.settings import Appearance
from liven.app.appearance.theme import Theme
from liven.app.trust.dialog import FactsArea
from liven.app.trust.scrim import Scrim
from liven.liveobjects.look.view.light import current_look


@pytest.fixture
def window(desk: Any) -> Any:
    made = asked(desk, recipe(desk.folder))
    made.resize(1000, 700)
    made.activateWindow()
    desk.wait(made.isActiveWindow)
    desk.wait(lambda: scrims(made) and scrims(made)[0].size() == made.size())
    return made


def focused() -> Any:
    return QApplication.focusWidget()


def scrims(window: Any) -> list[Scrim]:
    return [one for one in window.findChildren(Scrim) if one.isVisible()]


def test_the_question_is_in_the_middle_of_its_window_and_the_rest_is_darker(desk: Any, window: Any) -> None:
    [dialog] = questions()
    assert not dialog.isWindow()
    off = dialog.geometry().center() - window.rect().center()
    assert max(abs(off.x()), abs(off.y())) <= 1
    assert window.childAt(QPoint(5, window.height() - 5)) is scrims(window)[0]
    dark = window.grab().toImage().pixelColor(5, window.height() - 5).lightness()
    desk.click(button(dialog, "Do not run"))
    desk.wait(lambda: not questions())
    assert window.grab().toImage().pixelColor(5, window.height() - 5).lightness() > dark


@pytest.mark.parametrize("light", ["day", "dusk"])
def test_it_has_round_corners_and_one_ground_in_every_light(
    desk: Any, window: Any, qapp: QApplication, light: str
) -> None:
    theme = Theme(qapp, Appearance(light=light, motion="reduced"), {})
    [dialog] = questions()
    try:
        picture = window.grab().toImage()
        around = picture.pixelColor(dialog.geometry().topLeft() - QPoint(4, 4))
        popover = QColor(current_look().popover)
        corners = [dialog.rect().topLeft(), dialog.rect().topRight(), dialog.rect().bottomLeft()]
        for corner in corners:
            seen = picture.pixelColor(dialog.mapTo(window, corner))
            assert abs(seen.lightness() - around.lightness()) < abs(seen.lightness() - popover.lightness())
        assert picture.pixelColor(dialog.mapTo(window, QPoint(dialog.width() // 2, 8))) == popover
        [facts] = dialog.findChildren(FactsArea)
        corner = facts.mapTo(window, facts.rect().topRight()) - QPoint(1, -1)
        assert picture.pixelColor(corner) == popover
    finally:
        theme.setParent(None)
        desk.click(button(dialog, "Do not run"))
        desk.wait(lambda: not questions())


def test_it_stays_in_the_middle_of_a_resized_window(desk: Any, window: Any) -> None:
    window.resize(700, 560)
    [dialog] = questions()
    desk.wait(lambda: scrims(window)[0].size() == window.size())
    assert window.rect().contains(dialog.geometry())


def test_the_safe_answer_has_the_focus_and_keys_stay_in_the_question(desk: Any, window: Any) -> None:
    [dialog] = questions()
    desk.wait(lambda: dialog.isAncestorOf(focused()))
    assert focused() is button(dialog, "Do not run")
    for _ in range(12):
        QTest.keyClick(focused(), Qt.Key.Key_Tab)
        assert dialog.isAncestorOf(focused())
    for _ in range(12):
        QTest.keyClick(focused(), Qt.Key.Key_Backtab)
        assert dialog.isAncestorOf(focused())
    for key in (Qt.Key.Key_W, Qt.Key.Key_Q, Qt.Key.Key_K):
        QTest.keyClick(focused(), key, Qt.KeyboardModifier.ControlModifier)
    assert window.isVisible()
    assert questions() == [dialog]


def test_a_second_click_presses_nothing_beneath(desk: Any, window: Any) -> None:
    [dialog] = questions()
    shield = scrims(window)[0]
    run(desk, dialog)
    assert shield.isVisible()
    assert window.childAt(window.rect().center()) is shield, "for the time of a double-click"
    desk.wait(lambda: window.view is not None)
    desk.wait(lambda: not scrims(window))


def test_the_heading_and_the_warning_have_a_look_of_their_own(desk: Any, window: Any) -> None:
    [dialog] = questions()
    assert "Run new code?" in [one.text() for one in dialog.findChildren(QLabel)]
    assert button(dialog, "Do not run").property("safe") is True
    warning = next(one for one in dialog.findChildren(QLabel) if "process of its own" in one.text())
    box = warning.parentWidget()
    assert box is not None
    ground = box.grab().toImage()
    seen = {ground.pixelColor(x, ground.height() // 2).name() for x in range(ground.width())}
    assert current_look().warn_soft in seen
