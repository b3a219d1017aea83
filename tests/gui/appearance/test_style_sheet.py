"""The style sheet of each look: Qt reads it, its signs are there, and its colours are those of the tokens."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from PySide6.QtCore import QFile
from PySide6.QtGui import QColor, QImage, QPalette
from PySide6.QtWidgets import (
    QApplication,
    QCheckBox,
    QComboBox,
    QLineEdit,
    QListWidget,
    QMenu,
    QPushButton,
    QRadioButton,
    QVBoxLayout,
    QWidget,
)
from pytestqt.qtbot import QtBot
from tests.gui.appearance.theme_reset import undress

from liven.app.appearance.qt_palette import palette_of
from liven.app.appearance.settings import Appearance
from liven.app.appearance.style_sheet import sheet_of
from liven.app.appearance.theme import Theme
from liven.liveobjects.look.contrast import TEXT, contrast
from liven.liveobjects.look.tokens import BUTTON, LOOKS, SMALLEST_HIT, Look

Show = Callable[[QWidget], QWidget]
LOOK = pytest.mark.parametrize("look", LOOKS.values(), ids=LOOKS)


@pytest.fixture
def show(qapp: QApplication, qtbot: QtBot, tmp_path: Any, look: Look) -> Iterator[Show]:
    """Return a function that shows a widget in a look."""
    blinks = qapp.cursorFlashTime()
    chosen = Appearance("high" if look.high_contrast else "normal", "reduced", "dusk" if look.dark else "day")
    theme = Theme(qapp, chosen, {"XDG_CONFIG_HOME": str(tmp_path)})

    def shown(widget: QWidget) -> QWidget:
        qtbot.addWidget(widget)
        widget.show()
        return widget

    yield shown
    theme.setParent(None)
    theme.deleteLater()
    undress(qapp, blinks)


def colours(widget: QWidget) -> set[str]:
    seen = widget.grab().toImage()
    return {seen.pixelColor(x, y).name() for x in range(seen.width()) for y in range(seen.height())}


@LOOK
def test_every_sign_of_the_sheet_is_a_picture(qapp: QApplication, look: Look) -> None:
    files = set(re.findall(r"url\((:[^)]*)\)", sheet_of(look)))
    assert len(files) >= 7
    for file in files:
        assert QFile(file).size() > 100, file
        assert not QImage(file).isNull(), file


@LOOK
def test_every_colour_of_the_sheet_is_written_out(look: Look) -> None:
    sheet = sheet_of(look)
    assert "$" not in sheet
    for colour in re.findall(r"#\w+", sheet.replace("#qt_msgbox", "").replace("#dock_title", "")):
        if not colour.startswith(("#qt_", "#dock")):
            assert re.fullmatch(r"#[0-9a-f]{6}", colour), colour


@LOOK
def test_letters_on_buttons_and_fields_are_legible(show: Show, look: Look) -> None:
    for widget in (QPushButton("Keep"), QLineEdit("Ada"), QCheckBox("Show"), QRadioButton("Day")):
        seen = colours(show(widget))
        ground = look.popover if isinstance(widget, QPushButton) else look.card
        assert max(contrast(ground, one) for one in seen) >= TEXT


@LOOK
def test_the_main_button_is_filled_with_ink_or_has_the_strongest_edge(show: Show, look: Look) -> None:
    button = QPushButton("Keep")
    button.setDefault(True)
    seen = show(button).grab().toImage()
    inner = seen.pixelColor(8, seen.height() // 2).name()
    assert inner == (look.popover if look.high_contrast else look.ink)
    assert seen.pixelColor(seen.width() // 2, 2).name() == look.ink


@LOOK
def test_what_is_pressed_is_large_enough(show: Show, look: Look) -> None:
    for widget in (QPushButton("Keep"), QLineEdit(), QComboBox()):
        assert show(widget).sizeHint().height() >= BUTTON
    assert show(QCheckBox("Show")).sizeHint().height() >= SMALLEST_HIT


@LOOK
def test_a_field_with_the_focus_has_a_ring_and_keeps_its_size(show: Show, look: Look, qtbot: QtBot) -> None:
    form, line = QWidget(), QLineEdit("Ada")
    rows = QVBoxLayout(form)
    rows.addWidget(QPushButton("Keep"))
    rows.addWidget(line)
    show(form).activateWindow()
    before = line.sizeHint()
    assert look.select not in colours(line)
    line.setFocus()
    qtbot.waitUntil(lambda: look.select in colours(line))
    after = line.sizeHint()
    assert (after.width(), after.height()) == (before.width(), before.height()) or look.high_contrast


@LOOK
def test_a_chosen_row_is_told_by_its_ground(show: Show, look: Look) -> None:
    rows = QListWidget()
    rows.addItems(["Ada", "Bo"])
    rows.setCurrentRow(1)
    seen = colours(show(rows))
    assert (look.select if look.high_contrast else look.select_soft) in seen


@LOOK
def test_a_ticked_box_has_the_colour_of_my_choice(show: Show, look: Look) -> None:
    box = QCheckBox("Show")
    assert look.select not in colours(show(box))
    box.setChecked(True)
    assert look.select in colours(box)


@LOOK
def test_a_menu_is_a_popover(show: Show, look: Look, qtbot: QtBot) -> None:
    menu = QMenu()
    qtbot.addWidget(menu)
    menu.addAction("New note here")
    menu.resize(menu.sizeHint())
    seen = colours(menu)
    assert look.popover in seen
    assert max(contrast(look.popover, one) for one in seen) >= TEXT


@LOOK
def test_the_palette_has_the_colours_of_the_look(look: Look) -> None:
    palette, roles = palette_of(look), QPalette.ColorRole
    assert palette.color(roles.Base) == QColor(look.card)
    assert palette.color(roles.Text) == QColor(look.ink)
    assert palette.color(QPalette.ColorGroup.Disabled, roles.Text) == QColor(look.mute)
