"""The canvas: painting, running items, context menu, viewport, and failing items."""

from __future__ import annotations

from typing import Any

import pytest
from PySide6.QtCore import QPoint, QPointF, QRect, QRectF, Qt
from PySide6.QtGui import QContextMenuEvent, QPainter, QPixmap
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QMenu, QWidget

from liven.liveobjects.desktop import commands
from liven.liveobjects.desktop.running_items import LINGER
from liven.liveobjects.desktop.state import Paint, Place
from liven.liveobjects.desktop.view.canvas import painting
from liven.liveobjects.desktop.view.desktop_view import DesktopView
from liven.liveobjects.icons.object_kind import kind_of
from liven.liveobjects.icons.view import colours_of
from liven.liveobjects.view.contract import NoViewError, View, view_of
from liven.runtime.objects.ui_endpoint import Shown


def colour(table: Any, at: QPointF) -> str:
    name: str = table.canvas.grab().toImage().pixelColor(at.toPoint()).name()
    return name


def _painted_pixels(table: Any, area: QRect) -> int:
    """Count the pixels in an area of the window that do not have the background colour."""
    image = table.canvas.grab().toImage()
    background = image.pixel(0, 0)
    xs, ys = range(area.left(), area.right()), range(area.top(), area.bottom())
    return sum(image.pixel(x, y) != background for x in xs for y in ys)


def test_empty_desktop_shows_a_hint_in_the_centre(table: Any) -> None:
    table.canvas.grid = False
    centre, elsewhere = QRect(200, 260, 400, 80), QRect(20, 20, 760, 180)
    assert _painted_pixels(table, centre) > 300
    assert _painted_pixels(table, elsewhere) == 0
    table.lay("a", 100, 450)
    assert _painted_pixels(table, centre) == 0, "the desktop is no longer empty"


def test_note_is_painted_at_its_place_in_paper_colour(table: Any) -> None:
    a = table.lay("a", 100, 100)
    assert colour(table, table.middle(a)) == "#ffecae"
    assert colour(table, QPointF(700, 500)) != "#ffecae"


def test_background_has_the_painted_colour(table: Any) -> None:
    table.canvas.do(commands.Command("Paint", (Paint("#204060"),)))
    table.canvas.grid = False
    assert colour(table, QPointF(3, 3)) == "#204060"


def test_item_in_view_runs_and_keeps_running_for_a_while_after_it_left(table: Any) -> None:
    table.lay("a", 100, 100)
    far = table.lay("far", 9000, 9000)
    assert table.canvas.item_views.running_items.running == 1
    table.canvas.zoom_and_view.bring_into_view(table.item(far))
    table.settle()
    assert table.canvas.item_views.running_items.running == 2
    table.bench.advance(LINGER + 0.1)
    assert table.canvas.item_views.running_items.running == 1
    assert table.canvas.item_views.view(far) is not None


def test_item_that_cannot_be_built_shows_why_and_cannot_be_edited(table: Any) -> None:
    recipe = '<Root xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">'
    recipe += '<Object xsi:type="ReferenceObject" id="no such:thing"/></Root>'
    key, command = commands.add(table.canvas.state, recipe, "broken", Place(100, 100, 200, 100))
    table.canvas.do(command)
    table.settle()
    assert "no such:thing" in table.canvas.item_views.why_not_shown(key)
    table.double_click(key)
    assert table.canvas.editing is None
    assert any("no such:thing" in said for said in table.said)
    table.canvas.grab()
    table.bench.problems.clear()


def test_view_that_raises_while_painting_is_shown_as_broken_and_others_go_on(
    table: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    a, b = table.lay("a", 100, 100), table.lay("b", 400, 100)

    def burst(painter: QPainter, area: QRectF) -> None:
        raise RuntimeError("no paint left")

    view = table.canvas.item_views.view(a)
    monkeypatch.setattr(view, "paint", burst)
    view.changed.emit()
    assert colour(table, table.middle(b)) == "#ffecae"
    assert "no paint left" in table.canvas.item_views.why_not_shown(a)
    monkeypatch.undo()


def test_desktop_says_that_it_is_empty_only_once_it_is_loaded(
    table: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    said: list[str] = []
    paint = painting._paint_message

    def record(painter: QPainter, canvas: Any, words: str) -> None:
        said.append(words)
        paint(painter, canvas, words)

    monkeypatch.setattr(painting, "_paint_message", record)
    empty = table.canvas.grab().toImage()
    table.desktop.instance.channel_disconnected()
    loading = table.canvas.grab().toImage()
    assert said == [painting.EMPTY]
    assert empty != loading
    table.desktop.instance.initialize(None)
    assert table.canvas.grab().toImage() == empty


def test_watchers_are_called_when_loading_ends(table: Any) -> None:
    told: list[bool] = []
    model = table.desktop.instance
    model.watchers.append(lambda: told.append(model.ready))
    model.channel_disconnected()
    model.initialize(None)
    assert told == [False, True]


class Labelled(View):
    """A view whose widget is no editor."""

    def paint(self, painter: QPainter, area: QRectF) -> None:
        del painter, area

    def make_widget(self) -> QWidget:
        return QLabel("it works")


def test_zooming_leaves_a_widget_that_cannot_be_scaled(table: Any) -> None:
    key = table.lay("a", 100, 100)
    table.canvas.item_views._views[key] = Labelled()
    table.double_click(key)
    assert table.canvas.editing == key
    table.canvas.zoom_and_view.go_to(QPointF(150, 150))
    assert table.canvas.editing == key
    table.canvas.zoom_and_view.zoom_in()
    assert table.canvas.editing is None


def words(menu: QMenu) -> list[str]:
    return [one.text().partition("\t")[0] for one in menu.actions() if not one.isSeparator()]


@pytest.fixture
def popped(monkeypatch: pytest.MonkeyPatch) -> list[QMenu]:
    """The menus that were opened; the offscreen platform shows none."""
    menus: list[QMenu] = []
    monkeypatch.setattr(QMenu, "popup", lambda menu, _: menus.append(menu))
    return menus


def menu_at(table: Any, popped: list[QMenu], at: QPointF) -> QMenu:
    """Return the menu of a right click."""
    canvas = table.canvas
    point = at.toPoint()
    QTest.mouseClick(canvas, Qt.MouseButton.RightButton, pos=point)
    reason = QContextMenuEvent.Reason.Mouse
    QApplication.sendEvent(canvas, QContextMenuEvent(reason, point, canvas.mapToGlobal(point)))
    return popped.pop()


def test_right_click_on_an_item_opens_its_menu(table: Any, popped: list[QMenu]) -> None:
    a, b = table.lay("a", 100, 100), table.lay("b", 400, 100)
    table.canvas.select({b})
    menu = menu_at(table, popped, table.middle(a))
    assert table.selected() == {"a"}
    assert "Rename" in words(menu)
    remove = next(one for one in menu.actions() if one.text().startswith("Remove"))
    assert remove.text().endswith("\tDel")
    remove.trigger()
    table.settle()
    assert table.labels() == ["b"]
    menu.close()


def test_right_click_on_the_selection_keeps_it_and_moves_nothing(table: Any, popped: list[QMenu]) -> None:
    a, b = table.lay("a", 100, 100), table.lay("b", 400, 100)
    table.canvas.select({a, b})
    menu_at(table, popped, table.middle(a)).close()
    assert table.selected() == {"a", "b"}
    assert table.canvas.gesture is None


def test_right_click_beside_items_opens_the_menu_of_the_plane(table: Any, popped: list[QMenu]) -> None:
    a = table.lay("a", 100, 100)
    table.canvas.select({a})
    menu = menu_at(table, popped, QPointF(700, 500))
    assert table.selected() == set()
    assert "Paste" in words(menu)
    assert "Rename" not in words(menu)
    menu.close()


def test_item_that_is_too_small_to_see_does_not_run(table: Any) -> None:
    key = table.lay("a", 0, 0)
    running = table.canvas.item_views.running_items
    assert running.running == 1
    table.canvas.camera.zoom = 0.2
    table.canvas.viewport_changed()
    table.bench.advance(LINGER + 1)
    assert running.running == 0
    assert table.canvas.grab().width() == 800
    table.canvas.camera.zoom = 1.0
    table.canvas.viewport_changed()
    table.settle()
    assert table.canvas.item_views.view(key) is not None


def test_closed_desktop_is_painted_with_its_items(table: Any) -> None:
    view = DesktopView(table.desktop.instance, table)

    def colours() -> set[str]:
        made = QPixmap(200, 100)
        made.fill(Qt.GlobalColor.white)
        painter = QPainter(made)
        view.paint(painter, QRectF(0, 0, 200, 100))
        painter.end()
        image = made.toImage()
        return {image.pixelColor(x, y).name() for x in range(200) for y in range(100)}

    icon = colours_of(kind_of(table.recipe("on a card")))[0].name()
    assert icon not in colours()
    table.lay("on a card", 10, 10)
    assert icon in colours(), "the card of the note has its icon"
    view.close()


@pytest.mark.parametrize(
    ("view", "said"),
    [
        ("no.such.module:make", "does not start"),
        ("liven.liveobjects.text.view:nothing", "does not start"),
        ("json:dumps", "does not start"),
        ("builtins:print", "is a NoneType, not a View"),
        ("", "does not start"),
    ],
)
def test_view_that_cannot_be_made_says_why(table: Any, view: str, said: str) -> None:
    with pytest.raises(NoViewError, match=said):
        view_of(Shown(view, object()), table)


def test_view_makes_its_widget_once_and_closes_it(table: Any) -> None:
    a = table.lay("a", 100, 100)
    view = table.canvas.item_views.view(a)
    assert isinstance(view, View)
    widget = view.widget()
    assert view.widget() is widget
    view.close_widget()
    view.close_widget()
    assert view.widget() is not widget
    view.close_widget()


def overview(table: Any) -> tuple[str, tuple[QPointF, float]]:
    """Add an item that is seen small; return it with the viewport."""
    key = table.lay("far", 900, 700)
    table.lay("farther", 4000, 3000)
    table.key(Qt.Key.Key_1, Qt.KeyboardModifier.ShiftModifier)
    camera = table.canvas.camera
    assert camera.zoom < 0.3
    return key, (QPointF(camera.corner), camera.zoom)


def leave(table: Any) -> None:
    """Press Esc in the edited widget."""
    widget: Any = table.canvas.item_views.widget(table.canvas.editing)
    QTest.keyClick(widget, Qt.Key.Key_Escape)


def looks(table: Any) -> tuple[QPointF, float]:
    return QPointF(table.canvas.camera.corner), table.canvas.camera.zoom


@pytest.mark.parametrize("by", ["double click", "Enter"])
def test_esc_returns_to_the_viewport_from_before_editing(table: Any, by: str) -> None:
    key, before = overview(table)
    if by == "Enter":
        table.click(key)
        table.key(Qt.Key.Key_Return)
    else:
        table.double_click(key)
    assert table.canvas.camera.zoom == 1
    leave(table)
    assert table.canvas.editing is None
    assert looks(table) == before


def test_clicking_elsewhere_or_zooming_while_editing_keeps_the_viewport(table: Any) -> None:
    key, _ = overview(table)
    table.double_click(key)
    near = looks(table)
    QTest.mouseClick(table.canvas, Qt.MouseButton.LeftButton, pos=QPoint(20, 20))
    assert looks(table) == near
    table.key(Qt.Key.Key_Escape)
    assert looks(table) == near
    key, _ = overview(table)
    table.double_click(key)
    table.canvas.zoom_and_view.zoom_in()
    near = looks(table)
    table.key(Qt.Key.Key_Escape)
    assert looks(table) == near


def test_editing_an_item_at_100_percent_moves_nothing(table: Any) -> None:
    key = table.lay("near", 100, 100)
    before = looks(table)
    table.double_click(key)
    leave(table)
    assert looks(table) == before


@pytest.mark.parametrize("by", ["double click", "Enter"])
@pytest.mark.parametrize(
    ("x", "y", "width", "height", "seen"),
    [
        (750, 560, 300, 200, (800 - 12 - 300, 600 - 12 - 200)),
        (-200, -100, 300, 200, (12, 12)),
        (100, 560, 300, 200, (100, 600 - 12 - 200)),
        (600, 500, 1000, 700, (0, 0)),
        (600, -200, 1000, 300, (0, 12)),
        (100, 100, 300, 200, (100, 100)),
    ],
)
def test_edited_item_is_brought_into_view_and_esc_returns(
    table: Any, by: str, x: float, y: float, width: float, height: float, seen: tuple[float, float]
) -> None:
    """All of it if it fits, otherwise from its upper left corner."""
    key = table.lay("edge", x, y, width, height)
    table.canvas.camera.corner = QPointF(0, 0)  # the initial viewport would have shown everything
    table.canvas.camera.zoom = 1.0
    before = looks(table)
    inside = table.canvas.rect().intersected(
        table.canvas.camera.transform().mapRect(QRectF(x, y, width, height)).toRect()
    )
    if by == "Enter":
        table.canvas.select({key})
        table.key(Qt.Key.Key_Return)
    else:
        QTest.mouseDClick(table.canvas, Qt.MouseButton.LeftButton, pos=inside.center())
    assert table.canvas.editing == key
    shown = table.canvas.camera.transform().mapRect(QRectF(x, y, width, height))
    assert (shown.x(), shown.y()) == seen
    assert (shown.width(), shown.height()) == (width, height)
    focused: Any = QApplication.focusWidget()
    QTest.keyClick(focused, Qt.Key.Key_Escape)
    assert table.canvas.editing is None
    assert looks(table) == before


@pytest.mark.parametrize("zoom", [0.49, 1 / 49, 0.3])
def test_zoom_to_100_percent_is_exact_from_any_zoom(table: Any, zoom: float) -> None:
    key = table.lay("near", 100, 100)
    camera = table.canvas.camera
    camera.zoom = zoom
    table.canvas.select({key})
    table.key(Qt.Key.Key_Return)
    assert camera.zoom == 1
    focused: Any = QApplication.focusWidget()
    QTest.keyClick(focused, Qt.Key.Key_Escape)
    assert camera.zoom == zoom


@pytest.mark.parametrize("width", [240, 300, 420, 800])
def test_hint_of_an_empty_desktop_fits_into_a_narrow_window(table: Any, width: int) -> None:
    """A nested desktop can be very narrow."""
    table.canvas.grid = False
    table.canvas.resize(width, 160)
    image = table.canvas.grab().toImage()
    ground = image.pixelColor(0, 0)
    inked = [
        (x, y)
        for x in range(image.width())
        for y in range(image.height())
        if image.pixelColor(x, y) != ground
    ]
    xs, ys = [x for x, _ in inked], [y for _, y in inked]
    assert xs, "it says something"
    assert min(xs) >= 8
    assert max(xs) < image.width() - 8
    assert min(ys) > 0
    assert max(ys) < image.height() - 1
