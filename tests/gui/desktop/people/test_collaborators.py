"""The map, the line that finds, and what a desktop shows of others."""

from __future__ import annotations

import time
import uuid
from types import SimpleNamespace
from typing import Any

import pytest
from PySide6.QtCore import QPoint, QPointF, QRectF, QSizeF, Qt
from PySide6.QtGui import QColor, QPalette
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QLineEdit, QToolButton

from liven.app.appearance.contrast import high_contrast
from liven.app.identity.person import _COLOURS as COLOURS
from liven.liveobjects.desktop.peer_delay import NOBODY
from liven.liveobjects.desktop.running_items import LINGER
from liven.liveobjects.desktop.view.people import collaborators
from liven.liveobjects.desktop.view.people.collaborators import is_sound
from liven.liveobjects.desktop.view.people.peer_colours import NEAR, apart, distance
from liven.liveobjects.desktop.wire import Gaze
from liven.liveobjects.text.view import NoteEditor


def gaze(name: str = "Bob", **more: Any) -> Gaze:
    said: dict[str, Any] = {
        "window": uuid.uuid5(uuid.NAMESPACE_DNS, name), "name": name, "colour": "#1e8449", "left": 1000.0,
        "top": 0.0, "width": 400.0, "height": 300.0, "x": 200.0, "y": 200.0, "pointing": True, "chosen": [],
        "clock": 0.0, "answers": NOBODY, "answered": 0.0, "held": 0.0,
        **more,
    }  # fmt: skip
    return Gaze(**said)


def discs(table: Any) -> list[str]:
    row = table.canvas.avatars._row
    return [row.itemAt(at).widget().text() for at in range(row.count())]


def test_the_map_comes_when_something_is_out_of_view_and_goes_again(table: Any) -> None:
    table.lay("a", 100, 100)
    assert not table.canvas.minimap.isVisible()
    far = table.lay("far", 4000, 4000)
    assert table.canvas.minimap.isVisible()
    table.canvas.select({far})
    table.canvas.remove_selected()
    assert not table.canvas.minimap.isVisible()


def test_the_map_lies_where_it_covers_nothing_or_waits_to_be_asked_for(table: Any) -> None:
    minimap = table.canvas.minimap
    table.lay("a", 300, 100)
    table.lay("far", 4000, 4000)
    right = minimap.pos()
    table.lay("lower right", 650, 500)
    assert minimap.isVisible()
    assert minimap.pos().x() < right.x()
    table.lay("wide", 0, 450, 800, 100)
    assert minimap.pos().y() < right.y()
    assert minimap.isVisible()
    table.lay("everywhere", 0, 0, 800, 600)
    assert not minimap.isVisible()
    table.key(Qt.Key.Key_M, Qt.KeyboardModifier.ControlModifier)
    assert minimap.isVisible()
    table.key(Qt.Key.Key_M, Qt.KeyboardModifier.ControlModifier)
    assert not minimap.isVisible()


def test_the_map_does_not_move_while_the_plane_does_and_goes_then_where_it_is_free(table: Any) -> None:
    minimap = table.canvas.minimap
    table.lay("a", 300, 100)
    table.lay("far", 4000, 4000)
    table.lay("near", 650, 800)
    before = minimap.pos()
    start, end = QPointF(100, 400), QPointF(100, 100)
    table.press(start, button=Qt.MouseButton.MiddleButton)
    table.move(end, button=Qt.MouseButton.MiddleButton)
    assert table.canvas.is_moving
    assert minimap.pos() == before
    table.release(end, button=Qt.MouseButton.MiddleButton)
    table.bot.waitUntil(lambda: minimap.pos() != before, timeout=60_000)
    assert minimap.isVisible()


def test_a_click_and_a_drag_on_the_map_go_there(table: Any) -> None:
    table.lay("a", 0, 0)
    table.lay("far", 4000, 0)
    minimap = table.canvas.minimap
    minimap.grab()
    at = QPoint(150, 60)
    wanted = minimap.to_plane(QPointF(at))
    QTest.mouseClick(minimap, Qt.MouseButton.LeftButton, pos=at)
    middle = table.canvas.camera.to_plane(QPointF(table.canvas.rect().center()))
    assert (middle - wanted).manhattanLength() < 1


def test_the_map_shows_where_others_look_in_their_colours(table: Any) -> None:
    table.lay("a", 0, 0)
    table.lay("far", 4000, 3000)
    minimap = table.canvas.minimap
    plain = minimap.grab().toImage()
    table.desktop.instance._others.others["x"] = gaze(left=1000.0, top=1000.0, width=1500.0, height=1000.0)
    table.canvas.collaborators_changed()
    shown = minimap.grab().toImage()
    assert shown != plain
    corner = minimap.to_plane(QPointF(0, 0))
    scale = (minimap.to_plane(QPointF(100, 0)) - corner).x() / 100
    at = (QPointF(1750, 1000) - corner) / scale
    colours = {QColor(shown.pixel(round(at.x()), round(at.y()) + by)).name() for by in (-1, 0, 1)}
    wanted = QColor("#1e8449")
    assert any(abs(QColor(name).hue() - wanted.hue()) < 25 for name in colours), colours


def test_things_are_found_by_name_and_by_what_they_say(table: Any) -> None:
    a, b = table.lay("Apples", 100, 100), table.lay("Pears", 300, 300)
    table.double_click(b)
    QTest.keyClicks(table.canvas.findChild(NoteEditor), "and apples too")
    table.canvas.leave_editing()
    table.settle()
    table.key(Qt.Key.Key_F, Qt.KeyboardModifier.ControlModifier)
    line = table.canvas.find_bar.findChild(QLineEdit)
    QTest.keyClicks(line, "appl")
    assert table.canvas.selected == {a}
    QTest.keyClick(line, Qt.Key.Key_Return)
    assert table.canvas.selected == {b}
    assert "2 of 2" in [label.text() for label in table.canvas.find_bar.findChildren(QLabel)]
    QTest.keyClick(line, Qt.Key.Key_Return, Qt.KeyboardModifier.ShiftModifier)
    assert table.canvas.selected == {a}
    QTest.keyClicks(line, " nowhere")
    assert "no results" in [label.text() for label in table.canvas.find_bar.findChildren(QLabel)]
    QTest.keyClick(line, Qt.Key.Key_Escape)
    assert not table.canvas.find_bar.isVisible()
    assert table.canvas.hasFocus()


def test_what_is_found_out_of_view_is_shown(table: Any) -> None:
    table.lay("near", 100, 100)
    far = table.lay("far away", 6000, 100)
    table.canvas.open_find_bar()
    line = table.canvas.find_bar.findChild(QLineEdit)
    line.setText("away")
    assert table.canvas.rect().contains(table.middle(far).toPoint())
    [down] = [one for one in table.canvas.find_bar.findChildren(QToolButton) if one.text() == "↓"]
    QTest.mouseClick(down, Qt.MouseButton.LeftButton)
    assert table.canvas.selected == {far}


def test_what_ran_once_and_is_out_of_view_is_found_by_what_it_said(table: Any) -> None:
    far = table.lay("far", 300, 300)
    table.double_click(far)
    QTest.keyClicks(table.canvas.findChild(NoteEditor), "Apples and Pears")
    table.canvas.leave_editing()
    table.canvas.camera.pan(QPointF(-9000, 0))
    table.canvas.viewport_changed()
    table.bench.advance(LINGER + 1)
    assert table.canvas.item_views.running_items.running == 0
    table.canvas.open_find_bar()
    QTest.keyClicks(table.canvas.find_bar.findChild(QLineEdit), "pears app")
    assert table.canvas.selected == {far}
    assert table.canvas.rect().contains(table.middle(far).toPoint())


def test_others_are_seen_with_their_pointer_and_what_they_selected(table: Any) -> None:
    a = table.lay("a", 400, 300)
    plain = table.canvas.grab().toImage()
    table.desktop.instance.shown("bob", gaze(chosen=[a, "gone"]))
    shown = table.canvas.grab().toImage()
    at = table.canvas.camera.to_window(QPointF(203, 208)).toPoint()
    assert shown.pixelColor(at).name() == "#1e8449"
    assert plain.pixelColor(at) != shown.pixelColor(at)
    table.canvas.zoom_and_view.toggle_pointers()
    assert table.canvas.grab().toImage().pixelColor(at) == plain.pixelColor(at)
    table.desktop.instance.gone("bob")
    assert table.canvas.collaborators.others == ()


def test_a_pointer_that_rests_fades_until_it_moves_again(table: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    clock = [1000.0]
    monkeypatch.setattr(collaborators, "time", SimpleNamespace(monotonic=lambda: clock[0]))

    def paint() -> str:
        at = table.canvas.camera.to_window(QPointF(203, 208)).toPoint()
        return str(table.canvas.grab().toImage().pixelColor(at).name())

    ground = paint()
    table.desktop.instance.shown("bob", gaze(clock=1.0))
    assert paint() == "#1e8449"
    clock[0] += collaborators.IDLE_AFTER - 1
    table.desktop.instance.shown("bob", gaze(clock=2.0))  # still here, and has not moved
    assert paint() == "#1e8449"
    clock[0] += 2
    assert paint() not in ("#1e8449", ground)
    assert table.canvas.collaborators._fade.isActive(), "and without a move of anybody it is painted anew"
    table.desktop.instance.shown("bob", gaze(x=201.0, clock=3.0))
    assert paint() == "#1e8449"


def test_everybody_has_a_disc_and_a_click_follows_until_one_goes_ones_own_way(table: Any) -> None:
    table.desktop.instance.shown("bob", gaze("Bob Stone"))
    table.desktop.instance.shown("ann", gaze("Ann", colour="nonsense"))
    assert discs(table) == ["A", "BS"]
    assert table.canvas.avatars.width() > 60
    disc = table.canvas.avatars._row.itemAt(1).widget()
    QTest.mouseClick(disc, Qt.MouseButton.LeftButton)
    seen = table.canvas.camera.seen(QSizeF(table.canvas.size()))
    assert seen.contains(QRectF(1000, 0, 400, 300).adjusted(1, 1, -1, -1))
    table.desktop.instance.shown("bob", gaze("Bob Stone", left=5000.0))
    assert table.canvas.camera.seen(QSizeF(table.canvas.size())).left() > 4000
    again = table.canvas.avatars._row.itemAt(1).widget()
    assert "Click to stop" in again.toolTip()
    QTest.mouseClick(again, Qt.MouseButton.LeftButton)
    assert table.canvas.collaborators.followed is None
    table.canvas.collaborators.follow(gaze("Bob Stone").window)
    table.desktop.instance.gone("bob")
    assert table.canvas.collaborators.followed is None
    assert discs(table) == ["A"]


def by_esc(table: Any) -> None:
    table.key(Qt.Key.Key_Escape)


def by_a_click_on_the_plane(table: Any) -> None:
    QTest.mouseClick(table.canvas, Qt.MouseButton.LeftButton, pos=QPoint(400, 400))


def by_looking_at_all(table: Any) -> None:
    table.key(Qt.Key.Key_1, Qt.KeyboardModifier.ShiftModifier)


def by_zooming(table: Any) -> None:
    table.key(Qt.Key.Key_Minus, Qt.KeyboardModifier.ControlModifier)


@pytest.mark.parametrize("end", [by_esc, by_a_click_on_the_plane, by_looking_at_all, by_zooming])
def test_following_is_said_while_it_lasts_and_ended_by_looking_elsewhere(table: Any, end: Any) -> None:
    table.lay("a", 100, 100)
    table.desktop.instance.shown("bob", gaze("Bob Stone"))
    QTest.mouseClick(disc(table), Qt.MouseButton.LeftButton)
    assert discs(table) == ["BS", "Following Bob Stone · Esc to stop"]
    assert table.canvas.avatars.width() > 150
    end(table)
    assert table.canvas.collaborators.followed is None
    assert discs(table) == ["BS"]
    before = table.canvas.camera.seen(QSizeF(table.canvas.size()))
    table.desktop.instance.shown("bob", gaze("Bob Stone", left=5000.0))
    assert table.canvas.camera.seen(QSizeF(table.canvas.size())) == before


def test_what_somebody_sees_who_only_points_is_painted_sharp(table: Any) -> None:
    """Each word of somebody began the pause anew, after which old pictures are painted as they should be."""
    table.lay("a", 1100, 100)
    table.desktop.instance.shown("bob", gaze("Bob Stone"))
    table.canvas.collaborators.follow(gaze("Bob Stone").window)
    assert table.canvas.is_moving, "the plane has just moved"
    assert table.canvas._settle.interval() <= 150
    table.bot.waitUntil(lambda: not table.canvas.is_moving, timeout=60_000)
    table.desktop.instance.shown("bob", gaze("Bob Stone", x=300.0))
    table.desktop.instance.shown("ann", gaze("Ann", left=9000.0))
    assert not table.canvas.is_moving
    table.desktop.instance.shown("bob", gaze("Bob Stone", left=1100.0))
    assert table.canvas.is_moving


LOOKS = {"light": QPalette(), "dark": high_contrast(dark=True), "strong": high_contrast(dark=False)}


@pytest.mark.parametrize("highlight", ["#308cc6", "#2471a3", "#3daee9", "#1e8449", "#ffffff", "#000000"])
@pytest.mark.parametrize("look", LOOKS.values(), ids=LOOKS)
def test_nobodys_colour_is_taken_for_ones_own_on_the_map(
    qapp: QApplication, look: QPalette, highlight: str
) -> None:
    palette = QPalette(look)
    palette.setColor(QPalette.ColorRole.Highlight, QColor(highlight))
    for colour in (*COLOURS, highlight, "nonsense"):
        found = apart(QColor(colour), palette)
        assert distance(found, QColor(highlight)) >= NEAR, colour
        if QColor(colour).isValid() and distance(QColor(colour), QColor(highlight)) >= NEAR:
            assert found == QColor(colour), "a colour that is far from it is the person's own"


def test_ones_own_view_has_the_thicker_line_on_the_map(table: Any) -> None:
    table.lay("a", 100, 100)
    table.lay("far", 4000, 4000)
    own = table.canvas.palette().color(QPalette.ColorRole.Highlight)
    table.desktop.instance.shown(
        "bob", gaze(colour=own.name(), left=2000.0, top=2000.0, width=900, height=900)
    )
    minimap = table.canvas.minimap
    image = minimap.grab().toImage()
    seen, transform = minimap._canvas.visible_area, minimap._transform()
    mine = transform.mapRect(seen)
    theirs = transform.mapRect(QRectF(2000, 2000, 900, 900))

    def wide(area: QRectF) -> int:
        y = round(area.center().y())
        across = (image.pixelColor(round(area.left()) + by, y) for by in range(-3, 4))
        return sum(distance(one, own) < 30 for one in across)

    assert (wide(mine), wide(theirs)) == (3, 0)


def disc(table: Any, at: int = 0) -> Any:
    return table.canvas.avatars._row.itemAt(at).widget()


def test_a_disc_says_what_somebody_is_at_and_where_they_look(table: Any) -> None:
    a = table.lay("Milk", 100, 100)
    table.desktop.instance.shown("bob", gaze(left=0.0))
    assert "Bob is here, looking at the same place. Click to follow" in disc(table).toolTip()
    table.desktop.instance.shown("bob", gaze(left=50_000.0))
    assert "looking elsewhere" in disc(table).accessibleDescription()
    table.desktop.instance.shown("bob", gaze(chosen=[a, "gone"]))
    assert "has selected “Milk”" in disc(table).toolTip()


def test_a_disc_says_how_late_one_sees_somebody_and_stays_the_same_disc(table: Any) -> None:
    me = table.desktop.instance.window
    table.desktop.instance.shown("bob", gaze())
    before = disc(table)
    assert "behind" not in before.toolTip()
    early = {"answers": me, "answered": time.monotonic() - 0.2, "held": 0.1}
    table.desktop.instance.shown("bob", gaze(clock=1.0, **early))
    assert disc(table) is before
    assert "ms behind" in before.toolTip()
    assert before.text() == "B"
    late = {"answers": me, "answered": time.monotonic() - 6.0, "held": 1.0}
    table.desktop.instance.shown("bob", gaze(clock=2.0, **late))
    assert "s behind" in before.text()
    assert "s behind" in before.accessibleDescription()


def test_who_is_alone_says_nothing_over_and_over_and_with_others_one_does(table: Any) -> None:
    pulse = table.canvas.collaborators._pulse
    assert not pulse.isActive()
    table.desktop.instance.shown("bob", gaze())
    assert pulse.isActive()
    table.desktop.instance.gone("bob")
    assert not pulse.isActive()


def test_ones_own_look_says_back_the_time_of_somebody_else(table: Any) -> None:
    table.desktop.instance.shown("bob", gaze(clock=77.0))
    mine = table.canvas.collaborators._mine()
    assert (mine.answers, mine.answered) == (gaze().window, 77.0)
    assert 0 <= mine.held < 60
    assert is_sound(mine)


@pytest.mark.parametrize(
    "broken",
    [
        {"left": float("nan")},
        {"x": float("inf")},
        {"width": 0.0},
        {"height": -5.0},
        {"name": "x" * 1000},
        {"chosen": ["a"] * 1000},
        {"clock": float("nan")},
        {"held": float("inf")},
    ],
)
def test_what_cannot_be_drawn_is_not_shown(table: Any, broken: dict[str, Any]) -> None:
    assert is_sound(gaze())
    assert not is_sound(gaze(**broken))
    table.desktop.instance.shown("bob", gaze(**broken))
    table.canvas.grab()
    assert table.canvas.collaborators.others == ()


def test_ones_own_look_follows_the_mouse_the_camera_and_the_choice(table: Any) -> None:
    a = table.lay("a", 100, 100)
    table.move(QPointF(50, 60))
    table.canvas.select({a})
    mine = table.canvas.collaborators._mine()
    assert (mine.x, mine.y, mine.pointing, mine.chosen) == (50, 60, True, [a])
    assert is_sound(mine)
    table.canvas.collaborators.point(None)
    assert not table.canvas.collaborators._mine().pointing


def test_of_very_many_people_the_rest_are_in_a_menu_and_can_be_followed(table: Any) -> None:
    for number in range(15):
        table.desktop.instance.shown(str(number), gaze(f"P{number:02}", left=100.0 * number))
    *_, rest = [
        table.canvas.avatars._row.itemAt(at).widget() for at in range(table.canvas.avatars._row.count())
    ]
    assert discs(table)[-1] == "+3"
    assert rest.accessibleName() == "3 more people"
    assert [entry.text() for entry in rest.menu().actions()] == ["P12", "P13", "P14"]
    rest.menu().actions()[1].trigger()
    assert table.canvas.collaborators.followed == gaze("P13").window
    rest = table.canvas.avatars._row.itemAt(12).widget()
    assert [entry.isChecked() for entry in rest.menu().actions()] == [False, True, False]
    rest.menu().actions()[1].trigger()
    assert table.canvas.collaborators.followed is None
