"""Connectors: select by click or Tab, name, remove; an item over a connector takes precedence."""

from __future__ import annotations

from typing import Any

import pytest
from PySide6.QtCore import QPoint, QPointF, QRect, QSize, Qt
from PySide6.QtGui import QColor, QContextMenuEvent, QImage, QPainter, QPalette
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QInputDialog, QMenu

from liven.app.appearance.qt_palette import palette_of
from liven.liveobjects.desktop import commands
from liven.liveobjects.desktop.state import Paint, Style
from liven.liveobjects.desktop.view.actions.context_menu import menu_of
from liven.liveobjects.desktop.view.items.connector_painting import LONGEST
from liven.liveobjects.desktop.view.items.connectors import paint_links
from liven.liveobjects.look.tokens import DAY, DUSK, HIGH_LIGHT
from liven.liveobjects.look.view.light import LIGHT
from liven.liveobjects.view.accessibility import HIGH_CONTRAST

LEFT = Qt.MouseButton.LeftButton


@pytest.fixture
def joined(table: Any) -> Any:
    """A table with two items and a connector whose line can be clicked."""
    a, b = table.lay("a", 50, 50), table.lay("b", 400, 300)
    assert table.canvas.do(commands.connect(table.canvas.state, a, b))
    table.settle()
    table.a, table.b = a, b
    return table


def line(table: Any) -> Any:
    [found] = table.canvas.state.links.values()
    return found


def on_line(table: Any, aside: float = 0) -> QPoint:
    middle: QPointF = table.canvas.camera.to_window(table.canvas.connectors.middle(line(table)))
    return (middle + QPointF(0, aside)).toPoint()


def click(table: Any, at: QPoint) -> None:
    QTest.mouseClick(table.canvas, LEFT, pos=at)


def test_click_on_a_line_selects_only_it_and_a_click_beside_it_deselects(joined: Any) -> None:
    joined.canvas.select({joined.a})
    click(joined, on_line(joined))
    assert joined.canvas.connectors.selected is line(joined)
    assert joined.selected() == set()
    click(joined, on_line(joined, 40))
    assert joined.canvas.connectors.selected is None
    click(joined, on_line(joined, 4))
    joined.click(joined.a)
    assert joined.canvas.connectors.selected is None
    assert joined.selected() == {"a"}


def test_selected_connector_is_highlighted(joined: Any) -> None:
    click(joined, on_line(joined))
    joined.canvas.find_bar.hide()
    picture = joined.canvas.grab().toImage()
    there = QColor(picture.pixel(on_line(joined)))
    wanted = QApplication.palette().color(QPalette.ColorRole.Highlight)
    assert abs(there.hue() - wanted.hue()) < 20


def test_line_in_high_contrast_is_thick_and_in_text_colour(joined: Any, qapp: Any) -> None:
    joined.canvas.grid = False

    def darkest() -> tuple[int, int]:
        """Return the darkness of the middle of the line, and the number of pixels across it that are
        nearly as dark."""
        picture, at = joined.canvas.grab().toImage(), on_line(joined)
        column = [QColor(picture.pixel(at.x(), at.y() + off)).lightness() for off in range(-6, 7)]
        return min(column), sum(one < 100 for one in column)

    plain = darkest()
    qapp.setProperty(HIGH_CONTRAST, True)
    qapp.setPalette(palette_of(HIGH_LIGHT))
    try:
        strong = darkest()
    finally:
        qapp.setProperty(HIGH_CONTRAST, None)
        qapp.setPalette(QPalette())
    assert strong[0] == 0 < plain[0]
    assert strong[1] > plain[1]


def test_del_removes_the_connector_not_the_items_and_esc_deselects(joined: Any) -> None:
    click(joined, on_line(joined))
    joined.key(Qt.Key.Key_Escape)
    joined.key(Qt.Key.Key_Delete)
    assert len(joined.canvas.state.links) == 1
    click(joined, on_line(joined))
    joined.key(Qt.Key.Key_Delete)
    assert not joined.canvas.state.links
    assert joined.labels() == ["a", "b"]
    assert joined.canvas.connectors.selected is None


def test_item_over_a_line_takes_the_click(joined: Any) -> None:
    at = on_line(joined)
    joined.lay("over", at.x() - 20, at.y() - 20, 40, 40)
    click(joined, at)
    assert joined.selected() == {"over"}
    assert joined.canvas.connectors.selected is None


def test_tab_reaches_the_connector_and_del_removes_it(joined: Any) -> None:
    seen = []
    for _ in range(3):
        joined.key(Qt.Key.Key_Tab)
        seen.append(joined.selected() or joined.canvas.connectors.selected)
    assert seen == [{"a"}, line(joined), {"b"}]
    joined.key(Qt.Key.Key_Backtab)
    joined.key(Qt.Key.Key_Delete)
    assert not joined.canvas.state.links


def test_tab_brings_a_connector_into_view(joined: Any) -> None:
    joined.canvas.select({joined.a})
    joined.canvas.camera.pan(QPointF(-5000, 0))
    joined.key(Qt.Key.Key_Tab)
    assert joined.canvas.connectors.selected is not None
    assert joined.canvas.rect().contains(on_line(joined))


def test_menu_of_a_connector_renames_and_removes(joined: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    menus: list[QMenu] = []
    monkeypatch.setattr(
        QMenu, "popup", lambda menu, _: menus.append(menu)
    )  # the offscreen platform shows none
    at = on_line(joined)
    where = joined.canvas.mapToGlobal(at)
    QApplication.sendEvent(joined.canvas, QContextMenuEvent(QContextMenuEvent.Reason.Mouse, at, where))
    [menu] = menus
    words = [action.text().partition("\t")[0] for action in menu.actions() if action.text()]
    assert words == ["Line", "Start", "End", "Stroke", "Colour", "Rename", "Remove from the desktop"]
    menu.actions()[-1].trigger()
    joined.settle()
    assert not joined.canvas.state.links


def test_connector_removed_by_somebody_else_is_deselected(joined: Any) -> None:
    click(joined, on_line(joined))
    joined.canvas.editor.edit("Remove", *commands.remove(joined.canvas.state, {joined.a}).changes)
    joined.settle()
    assert joined.canvas.connectors.selected is None
    joined.key(Qt.Key.Key_Delete)
    joined.key(Qt.Key.Key_F2)
    assert joined.labels() == ["b"]


def test_ctrl_l_connects_items_in_reading_order_and_disconnects_them_again(joined: Any) -> None:
    c = joined.lay("c", 60, 300)
    joined.canvas.select_all()
    joined.key(Qt.Key.Key_L, Qt.KeyboardModifier.ControlModifier)
    found = {(one.source, one.target) for one in joined.canvas.state.links.values()}
    assert found == {(joined.a, joined.b), (joined.a, c), (c, joined.b)}
    assert len(joined.canvas.state.links) == 3
    joined.key(Qt.Key.Key_L, Qt.KeyboardModifier.ControlModifier)
    assert not joined.canvas.state.links


def test_line_is_hit_where_it_is_painted_at_every_zoom_and_follows_its_items(
    joined: Any,
) -> None:
    joined.canvas.zoom_and_view.zoom_in()
    joined.canvas.zoom_and_view.zoom_in()
    click(joined, on_line(joined, 4))
    assert joined.canvas.connectors.selected is line(joined)
    joined.canvas.zoom_and_view.zoom_to_100()
    joined.click(joined.a)
    joined.press(joined.middle(joined.a))
    joined.move(joined.middle(joined.a) + QPointF(200, 0), Qt.KeyboardModifier.ControlModifier)
    before = joined.canvas.connectors.middle(line(joined))
    joined.key(Qt.Key.Key_Escape)
    assert joined.canvas.connectors.middle(line(joined)) != before


def _name(table: Any, words: str) -> None:
    table.canvas.do(commands.rename_link(table.canvas.state, line(table).key, words))
    table.settle()


def _picture(table: Any) -> QImage:
    table.canvas.grid = False
    picture: QImage = table.canvas.grab().toImage()
    return picture


def test_line_breaks_off_at_its_name(joined: Any) -> None:
    plain = _picture(joined)
    _name(joined, "." * 20)  # small letters: the line would cross them
    named = _picture(joined)
    ground, middle = QColor(named.pixel(2, 2)), on_line(joined)
    for across in (-6, -3, 0):
        at = middle + QPoint(across, round(across * 250 / 350))
        assert QColor(plain.pixel(at)) != ground
        assert QColor(named.pixel(at)) == ground
    column = [QColor(named.pixel(middle + QPoint(x, y))) for x in range(-9, 10) for y in range(-8, 9)]
    assert any(one != ground for one in column), "the letters"


def test_click_on_a_name_selects_the_connector_even_beside_the_line(joined: Any) -> None:
    aside = QPoint(60, 0)
    click(joined, on_line(joined) + aside)
    assert joined.canvas.connectors.selected is None
    _name(joined, "leads from the one to the other")
    click(joined, on_line(joined) + aside)
    assert joined.canvas.connectors.selected is line(joined)


def test_very_long_name_is_cut_and_several_lines_become_one(joined: Any) -> None:
    _name(joined, "word\n" * 200)
    click(joined, on_line(joined) + QPoint(round(LONGEST / 2) + 10, 0))
    assert joined.canvas.connectors.selected is None
    click(joined, on_line(joined) + QPoint(round(LONGEST / 2) - 20, 0))
    assert joined.canvas.connectors.selected is line(joined)


def test_long_name_beside_a_short_line_is_clickable_and_painted_completely(table: Any) -> None:
    a, b = table.lay("a", 50, 50), table.lay("b", 50, 142)
    assert table.canvas.do(commands.connect(table.canvas.state, a, b))
    table.settle()
    _name(table, "a name that is about as long as a name may be, and longer")
    canvas, middle = table.canvas, table.canvas.connectors.middle(line(table))
    assert canvas.connectors.at(canvas.camera.to_window(middle - QPointF(20, 0))) is None
    end = canvas.camera.to_window(middle + QPointF(LONGEST - 20, 0))
    assert canvas.connectors.at(end) is line(table)
    canvas.grid = False
    strip = QRect(end.toPoint() - QPoint(10, 8), QSize(20, 16))
    ground, part = canvas.grab(QRect(2, 2, 20, 16)).toImage(), canvas.grab(strip).toImage()
    assert part != ground, "painted too where that alone is painted anew"


def test_connectors_are_visible_on_white_paper_even_if_the_system_is_dark(
    joined: Any, qapp: QApplication
) -> None:
    _name(joined, "MMMM")
    dark = QPalette()
    dark.setColor(QPalette.ColorRole.Base, QColor("#000000"))
    dark.setColor(QPalette.ColorRole.Text, QColor("#ffffff"))
    made = QImage(800, 600, QImage.Format.Format_ARGB32_Premultiplied)
    made.fill(Qt.GlobalColor.white)
    qapp.setPalette(dark)
    try:
        painter = QPainter(made)
        paint_links(painter, joined.canvas, joined.canvas.state.links.values())
        painter.end()
    finally:
        qapp.setPalette(QPalette())
    middle = joined.canvas.connectors.middle(line(joined)).toPoint()
    lights = [QColor(made.pixel(middle + QPoint(x, y))).lightness() for x in range(-40, 41) for y in (-2, 2)]
    assert min(lights) < 100, "letters, and the line"
    assert sum(light > 200 for light in lights) > len(lights) / 2, "the paper"


@pytest.mark.parametrize("ground", ["#101820", "#f0f0e0", ""])
def test_name_is_legible_on_every_background(joined: Any, ground: str) -> None:
    joined.canvas.do(commands.Command("Paint", (Paint(ground),)))
    _name(joined, "MMMM")
    picture, middle = _picture(joined), on_line(joined)
    lights = [
        QColor(picture.pixel(middle + QPoint(x, y))).lightness() for x in range(-12, 13) for y in (-2, 0, 2)
    ]
    assert max(lights) - min(lights) > 120


@pytest.mark.parametrize(("x", "y"), [(170, 50), (50, 130), (-70, 50), (50, -30), (165, 120), (-60, -40)])
def test_connector_too_short_for_its_name_is_painted_completely(table: Any, x: int, y: int) -> None:
    table.canvas.camera.pan(QPointF(300, 300))
    a, b = table.lay("a", 50, 50), table.lay("b", x, y)
    table.canvas.do(commands.connect(table.canvas.state, a, b))
    table.settle()
    table.canvas.select(())
    plain, middle = _picture(table), on_line(table)
    _name(table, "a name that is longer than the line")
    assert _picture(table).pixel(middle) == plain.pixel(middle)


def test_new_connector_is_selected_so_that_keys_apply_to_it(
    table: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    a, b = table.lay("a", 50, 50), table.lay("b", 400, 300)
    table.click(a)
    start = table.handle(a, 2, 0)
    table.drag(start, table.middle(b) - start)
    assert table.canvas.connectors.selected is line(table)
    assert table.selected() == set()
    monkeypatch.setattr(QInputDialog, "getText", lambda *_, **__: ("leads to", True))
    table.key(Qt.Key.Key_F2)
    assert line(table).label == "leads to"
    assert table.labels() == ["a", "b"]
    table.click(a)
    table.drag(table.handle(a, 2, 0), table.middle(b) - start)
    assert table.said == ["Connect: there is already a connector."]
    assert table.canvas.connectors.selected is line(table), "the one that is there"
    table.key(Qt.Key.Key_Delete)
    assert not table.canvas.state.links


def choose(table: Any, words: str, option: str) -> None:
    """Choose an option in the context menu of the selected connector."""
    made = menu_of(table.canvas, QPointF(on_line(table)), table.canvas)
    found = next(one for one in made.findChildren(QMenu) if one.title() == words)
    next(entry for entry in found.actions() if entry.text() == option).trigger()
    table.settle()


def style(table: Any) -> Style:
    return table.canvas.state.style_of(line(table))  # type: ignore[no-any-return]


def test_look_of_a_connector_is_chosen_in_its_menu_and_undone(joined: Any) -> None:
    click(joined, on_line(joined))
    for words, option in (("Line", "Corners"), ("Start", "Dot"), ("End", "Nothing"), ("Stroke", "Dashed")):
        choose(joined, words, option)
    choose(joined, "Colour", "Green")
    assert style(joined) == Style("corners", "dot", "none", dashed=True, hue="green")
    assert joined.canvas.connectors.selected is line(joined)
    for _ in range(5):
        joined.key(Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert style(joined) == Style()
    assert joined.said[-1] == "Undone: Connector's look"


@pytest.mark.parametrize("shape", ["Curve", "Corners"])
def test_bent_connector_is_clicked_where_it_is_painted(joined: Any, shape: str) -> None:
    click(joined, on_line(joined))
    choose(joined, "Line", shape)
    corner = joined.canvas.camera.to_window(QPointF(170, 81)).toPoint()
    click(joined, corner)
    assert joined.canvas.connectors.selected is line(joined)
    click(joined, joined.canvas.camera.to_window(QPointF(200, 150)).toPoint())
    assert joined.canvas.connectors.selected is None, "a straight line would be there"


@pytest.mark.parametrize("light", ["day", "dusk"])
def test_hue_is_that_of_the_light(joined: Any, qapp: Any, light: str) -> None:
    click(joined, on_line(joined))
    choose(joined, "Colour", "Violet")
    joined.canvas.select(())
    qapp.setProperty(LIGHT, light)
    try:
        picture, at = _picture(joined), on_line(joined)
        seen = {
            QColor(picture.pixel(at + QPoint(x, y))).name() for x in (-1, 0, 1) for y in (-2, -1, 0, 1, 2)
        }
        wanted = QColor({"day": DAY, "dusk": DUSK}[light].hues[4])
        assert any(abs(QColor(one).hue() - wanted.hue()) < 8 for one in seen)
    finally:
        qapp.setProperty(LIGHT, None)


def test_copied_connectors_keep_their_look(joined: Any) -> None:
    click(joined, on_line(joined))
    choose(joined, "Line", "Curve")
    keys = {joined.a, joined.b}
    _, command = commands.duplicate(joined.canvas.state, keys, {})
    joined.canvas.do(command)
    styles = [joined.canvas.state.style_of(one).shape for one in joined.canvas.state.links.values()]
    assert styles == ["curve", "curve"]


def test_removed_connector_comes_back_with_its_look(joined: Any) -> None:
    click(joined, on_line(joined))
    choose(joined, "Line", "Curve")
    joined.key(Qt.Key.Key_Delete)
    joined.key(Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert style(joined).shape == "curve"
