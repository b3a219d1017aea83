"""Other people on a desktop: their pointers, selections and avatars, and following them."""

from __future__ import annotations

import time
import uuid
from types import SimpleNamespace
from typing import Any

import pytest
from PySide6.QtCore import QPoint, QPointF, QRectF, QSizeF, Qt
from PySide6.QtGui import QColor, QPalette
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from liven.app.appearance.qt_palette import palette_of
from liven.app.identity.person import _COLOURS as COLOURS
from liven.liveobjects.desktop.peer_delay import NOBODY
from liven.liveobjects.desktop.view.geometry import rect
from liven.liveobjects.desktop.view.people import collaborators
from liven.liveobjects.desktop.view.people.collaborators import is_sound
from liven.liveobjects.desktop.view.people.peer_colours import NEAR, distance, distinct_colour
from liven.liveobjects.desktop.wire import Gaze
from liven.liveobjects.look.tokens import HIGH_DARK, HIGH_LIGHT


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


def test_others_are_shown_with_pointer_and_selection(table: Any) -> None:
    a = table.lay("a", 400, 300)
    plain = table.canvas.grab().toImage()
    table.desktop.instance.shown("bob", gaze(chosen=[a, "gone"]))
    shown = table.canvas.grab().toImage()
    at = table.canvas.camera.to_window(QPointF(204, 206)).toPoint()
    assert shown.pixelColor(at).name() == "#1e8449"
    assert plain.pixelColor(at) != shown.pixelColor(at)
    table.canvas.zoom_and_view.toggle_pointers()
    assert table.canvas.grab().toImage().pixelColor(at) == plain.pixelColor(at)
    table.desktop.instance.gone("bob")
    assert table.canvas.collaborators.others == ()


GREEN = ("#1e8449", "#1f844a")
"""Bob's colour; with a shadow beneath, Qt rounds two channels up."""


def test_resting_pointer_fades_until_it_moves_again(table: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    clock = [1000.0]
    monkeypatch.setattr(collaborators, "time", SimpleNamespace(monotonic=lambda: clock[0]))

    def paint() -> str:
        at = table.canvas.camera.to_window(QPointF(204, 206)).toPoint()
        return str(table.canvas.grab().toImage().pixelColor(at).name())

    ground = paint()
    table.desktop.instance.shown("bob", gaze(clock=1.0))
    green = paint()
    assert green in GREEN
    clock[0] += collaborators.IDLE_AFTER - 1
    table.desktop.instance.shown("bob", gaze(clock=2.0))  # still here, and has not moved
    assert paint() == green
    clock[0] += 2
    assert paint() not in (green, ground)
    assert table.canvas.collaborators._fade.isActive(), "and without a move of anybody it is painted anew"
    table.desktop.instance.shown("bob", gaze(x=201.0, clock=3.0))
    assert paint() in GREEN


def test_click_on_an_avatar_follows_until_the_user_moves_away(table: Any) -> None:
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
def test_following_is_announced_and_ends_when_the_user_moves_the_viewport(table: Any, end: Any) -> None:
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


def test_followed_viewport_is_painted_sharp_while_only_the_pointer_moves(table: Any) -> None:
    """Every message of the followed person used to delay the sharp picture again."""
    canvas = table.canvas
    key = table.lay("a", 1100, 100)
    table.desktop.instance.shown("bob", gaze("Bob Stone", left=1000.0, width=300.0, height=225.0))
    canvas.collaborators.follow(gaze("Bob Stone").window)
    assert canvas.is_moving, "the plane has just moved"
    for x in range(20):
        table.desktop.instance.shown(
            "bob", gaze("Bob Stone", left=1000.0, width=300.0, height=225.0, x=float(x))
        )
    table.bot.waitUntil(lambda: not canvas.is_moving, timeout=60_000)
    canvas.grab()
    size, scale = rect(table.item(key).place).size(), canvas.camera.zoom * canvas.devicePixelRatioF()
    assert canvas.item_views.pictures.has(key, size, scale)
    table.desktop.instance.shown("ann", gaze("Ann", left=9000.0))
    assert not canvas.is_moving, "Ann is not followed"
    table.desktop.instance.shown("bob", gaze("Bob Stone", left=1100.0))
    assert canvas.is_moving


LOOKS = {"light": QPalette(), "dark": palette_of(HIGH_DARK), "strong": palette_of(HIGH_LIGHT)}


@pytest.mark.parametrize("highlight", ["#308cc6", "#2471a3", "#3daee9", "#1e8449", "#ffffff", "#000000"])
@pytest.mark.parametrize("look", LOOKS.values(), ids=LOOKS)
def test_no_peer_colour_on_the_minimap_looks_like_your_own(
    qapp: QApplication, look: QPalette, highlight: str
) -> None:
    palette = QPalette(look)
    palette.setColor(QPalette.ColorRole.Highlight, QColor(highlight))
    for colour in (*COLOURS, highlight, "nonsense"):
        found = distinct_colour(QColor(colour), palette)
        assert distance(found, QColor(highlight)) >= NEAR, colour
        if QColor(colour).isValid() and distance(QColor(colour), QColor(highlight)) >= NEAR:
            assert found == QColor(colour), "a colour that is far from it is the person's own"


def disc(table: Any, at: int = 0) -> Any:
    return table.canvas.avatars._row.itemAt(at).widget()


def test_avatar_tells_the_selection_and_viewport_of_its_person(table: Any) -> None:
    a = table.lay("Milk", 100, 100)
    table.desktop.instance.shown("bob", gaze(left=0.0))
    assert "Bob is here, looking at the same place. Click to follow" in disc(table).toolTip()
    table.desktop.instance.shown("bob", gaze(left=50_000.0))
    assert "looking elsewhere" in disc(table).accessibleDescription()
    table.desktop.instance.shown("bob", gaze(chosen=[a, "gone"]))
    assert "has selected “Milk”" in disc(table).toolTip()


def test_avatar_tells_the_delay_of_its_person_and_stays_the_same_widget(table: Any) -> None:
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


@pytest.fixture
def published(table: Any, monkeypatch: pytest.MonkeyPatch) -> list[Gaze]:
    """The presence messages of this window, collected as they are published."""
    sent: list[Gaze] = []
    monkeypatch.setattr(table.desktop.instance, "show_gaze", lambda mine: sent.append(mine()))
    return sent


def test_presence_is_repeated_only_while_others_are_here(table: Any, published: list[Gaze]) -> None:
    table.canvas.collaborators._pulse.setInterval(5)
    table.bot.wait(50)
    assert published == []
    table.desktop.instance.shown("bob", gaze())
    table.bot.waitUntil(lambda: len(published) >= 3, timeout=60_000)
    table.desktop.instance.gone("bob")
    published.clear()
    table.bot.wait(50)
    assert published == []


def test_own_presence_echoes_the_time_of_another_window(table: Any, published: list[Gaze]) -> None:
    table.desktop.instance.shown("bob", gaze(clock=77.0))
    echo = next(one for one in published if one.answers == gaze().window)
    assert echo.answered == 77.0
    assert 0 <= echo.held < 60
    assert echo.clock > 0
    assert is_sound(echo)


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
def test_presence_that_cannot_be_drawn_is_not_shown(table: Any, broken: dict[str, Any]) -> None:
    assert is_sound(gaze())
    assert not is_sound(gaze(**broken))
    table.desktop.instance.shown("bob", gaze(**broken))
    table.canvas.grab()
    assert table.canvas.collaborators.others == ()


def test_own_presence_follows_pointer_camera_and_selection(table: Any) -> None:
    a = table.lay("a", 100, 100)
    table.move(QPointF(50, 60))
    table.canvas.select({a})
    mine = table.canvas.collaborators._own_presence()
    assert (mine.x, mine.y, mine.pointing, mine.chosen) == (50, 60, True, [a])
    assert is_sound(mine)
    table.canvas.collaborators.set_pointer(None)
    assert not table.canvas.collaborators._own_presence().pointing


def test_people_beyond_the_limit_are_in_a_menu_and_can_be_followed(table: Any) -> None:
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
