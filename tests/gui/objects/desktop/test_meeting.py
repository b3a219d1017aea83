"""Two people on one desktop, each in their own process, show each other something with their pointers."""

from __future__ import annotations

from typing import Any

import pytest
from PySide6.QtCore import QPointF, Qt
from PySide6.QtTest import QTest
from tests.gui.objects.desktop.test_collaborators import move

from liven.liveobjects.desktop.object import DesktopObject
from liven.liveobjects.desktop.view.people import cursor_chat
from liven.liveobjects.desktop.wire import DesktopOperation, DesktopState
from liven.liveobjects.look.view.signs import Sign

ALT = Qt.KeyboardModifier.AltModifier


@pytest.fixture
def pair(room: Any) -> tuple[Any, Any]:
    """The canvases of two people who see each other on one desktop."""
    here, there = room.canvases()
    room.wait(lambda: here.collaborators.others and there.collaborators.others)
    return here, there


def press(canvas: Any, key: Any, modifiers: Any = Qt.KeyboardModifier.NoModifier) -> None:
    """Press a key in the window of one of them."""
    canvas.window().activateWindow()
    QTest.qWaitForWindowActive(canvas.window(), 60_000)
    canvas.setFocus()
    QTest.keyClick(canvas, key, modifiers)


def other(canvas: Any) -> Any:
    [one] = canvas.collaborators.others
    return one


def test_words_at_a_pointer_are_read_while_they_are_typed(room: Any, pair: Any) -> None:
    here, there = pair
    move(here, QPointF(120, 80))
    plain = there.grab().toImage()
    press(here, Qt.Key.Key_S)
    line = here.collaborators.chat
    assert line.isVisible()
    QTest.keyClicks(line, "look")
    room.wait(lambda: other(there).says == "look")
    assert there.grab().toImage() != plain
    move(here, QPointF(300, 200))
    assert line.x() > 300 and line.y() > 200, "it stays beside the pointer"
    QTest.keyClick(line, Qt.Key.Key_Return)
    assert line.isHidden()
    assert here.collaborators.chat.words == "look", "it stays for some seconds"
    here.grab()
    line._stays.timeout.emit()
    room.wait(lambda: not other(there).says)


def test_esc_takes_the_words_back_and_nothing_is_stored(room: Any, pair: Any) -> None:
    here, there = pair
    press(here, Qt.Key.Key_S)
    line = here.collaborators.chat
    QTest.keyClicks(line, "no /")
    room.wait(lambda: other(there).says == "no /")
    QTest.keyClick(line, Qt.Key.Key_Escape)
    assert line.isHidden() and here.hasFocus()
    room.wait(lambda: not other(there).says)
    assert not here.state.items and not here.editor.undo_list.undo_names


def test_words_are_bounded(pair: Any) -> None:
    here, _ = pair
    press(here, Qt.Key.Key_S)
    line = here.collaborators.chat
    QTest.keyClicks(line, "x" * 200)
    assert len(here.collaborators.chat.words) == cursor_chat.LONGEST
    move(here, QPointF(599, 399))
    assert here.rect().contains(line.geometry())


def test_a_laser_pointer_lights_up_on_both_sides_until_esc(room: Any, pair: Any) -> None:
    here, there = pair
    press(here, Qt.Key.Key_L)
    for x in range(5):
        move(here, QPointF(100 + 20 * x, 100))
    own = here.model.window
    assert len(here.collaborators.trails.way(own)) == 5
    room.wait(lambda: there.collaborators.trails.way(own)[-1:] == (QPointF(180, 100),))
    at = there.camera.to_window(QPointF(180, 100)).toPoint()
    assert there.grab().toImage().pixelColor(at).name() == other(there).colour
    here.grab()
    press(here, Qt.Key.Key_Escape)
    assert not here.collaborators.laser
    assert not here.collaborators.trails.way(own)
    room.wait(lambda: not there.collaborators.trails.way(own))


def test_hidden_pointers_hide_laser_pointers_and_words_too(room: Any, pair: Any) -> None:
    here, there = pair
    plain = there.grab().toImage()
    press(there, Qt.Key.Key_P, ALT)
    press(here, Qt.Key.Key_L)
    move(here, QPointF(100, 100))
    press(here, Qt.Key.Key_S)
    QTest.keyClicks(here.collaborators.chat, "look")
    room.wait(lambda: other(there).says == "look" and other(there).shines)
    at = QPointF(100, 100).toPoint()
    assert there.grab().toImage().pixelColor(at) == plain.pixelColor(at)


def test_a_reaction_rises_on_both_sides_and_again_when_it_is_sent_again(room: Any, pair: Any) -> None:
    here, there = pair
    move(here, QPointF(200, 200))
    room.wait(lambda: other(there).pointing)
    press(here, Qt.Key.Key_2, ALT)
    assert here.collaborators.reactions.signs == (Sign.HEART,)
    room.wait(lambda: there.collaborators.reactions.signs == (Sign.HEART,))
    press(here, Qt.Key.Key_2, ALT)
    room.wait(lambda: len(there.collaborators.reactions.signs) >= 1 and other(there).signs == 2)
    there.grab()
    room.wait(lambda: not there.collaborators.reactions.signs and not here.collaborators.reactions.signs)


def test_who_comes_later_sees_no_old_reaction(room: Any, pair: Any) -> None:
    here, _ = pair
    press(here, Qt.Key.Key_1, ALT)
    cid = room.shared("cid", DesktopObject, DesktopOperation, DesktopState)
    third = room.widget(room.show(cid), 600, 400)
    room.wait(lambda: any(one.signs == 1 for one in third.collaborators.others))
    assert not third.collaborators.reactions.signs


def test_a_frame_in_their_colour_is_around_the_view_of_whom_you_follow(room: Any, pair: Any) -> None:
    here, there = pair
    press(here, Qt.Key.Key_W, ALT)
    assert here.collaborators.followed == there.model.window
    image = here.grab().toImage()
    for x, y in ((2, 200), (597, 200), (300, 397)):
        assert image.pixelColor(x, y).name() == other(here).colour
    press(here, Qt.Key.Key_Escape)
    assert here.collaborators.followed is None
    assert here.grab().toImage().pixelColor(2, 200).name() != other(here).colour
