"""The light of all windows: chosen by a command, at once, remembered, and by everything that is open."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QPalette
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLineEdit
from pytestqt.qtbot import QtBot
from tests.gui.appearance.theme_reset import undress

from liven.app.appearance.settings import Appearance, read_appearance
from liven.app.appearance.theme import Theme
from liven.app.palette.command_palette import CommandPalette
from liven.app.window.object_window import ObjectWindow
from liven.liveobjects.look.tokens import DAY, DUSK
from liven.liveobjects.look.view.light import current_look
from liven.runtime.user_folders import UserFolders

BASE = QPalette.ColorRole.Base


@pytest.fixture
def config(qapp: QApplication, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The settings folder; resets the appearance after the test."""
    for name in ("LIVEN_HOME", "XDG_CONFIG_HOME"):
        monkeypatch.setenv(name, str(tmp_path))
    for name in ("XDG_CURRENT_DESKTOP", "LIVEN_CONTRAST", "LIVEN_MOTION", "LIVEN_LIGHT"):
        monkeypatch.delenv(name, raising=False)
    blinks = qapp.cursorFlashTime()
    yield UserFolders.of_user({"LIVEN_HOME": str(tmp_path)}).config
    for theme in qapp.findChildren(Theme):
        theme.setParent(None)
        theme.deleteLater()
    undress(qapp, blinks)


@pytest.fixture
def window(qtbot: QtBot, config: Path) -> ObjectWindow:
    made = ObjectWindow("thing")
    made.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose, False)
    qtbot.addWidget(made)
    made.show()
    return made


def choose(window: ObjectWindow, words: str) -> None:
    """Find a command by typing, and run it."""
    window.menus.find_command()
    palette: Any = window.findChildren(CommandPalette)[-1]
    line = palette.findChild(QLineEdit)
    QTest.keyClicks(line, words)
    QTest.keyClick(line, Qt.Key.Key_Return)


def test_a_light_is_found_by_name_applies_to_open_windows_and_is_remembered(
    window: ObjectWindow, config: Path
) -> None:
    choose(window, "light: dusk")
    assert current_look() is DUSK
    assert window.palette().color(BASE) == QColor(DUSK.card)
    assert read_appearance(config, {}) == Appearance(light="dusk")
    choose(window, "light: day")
    assert current_look() is DAY
    assert window.palette().color(BASE) == QColor(DAY.card)
    assert read_appearance(config, {}) == Appearance(light="day")


def test_words_of_other_programs_find_the_light(window: ObjectWindow, config: Path) -> None:
    choose(window, "dark mode dusk")
    assert current_look() is DUSK


def test_following_the_system_is_a_choice_too(window: ObjectWindow, config: Path, qapp: Any) -> None:
    choose(window, "light: dusk")
    choose(window, "light: follow")
    dark = qapp.styleHints().colorScheme() is Qt.ColorScheme.Dark
    assert current_look() is (DUSK if dark else DAY)
    assert read_appearance(config, {}) == Appearance()


def test_a_light_that_cannot_be_saved_applies_and_the_window_says_why(
    window: ObjectWindow, config: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    said: list[str] = []
    monkeypatch.setattr(window, "show_message", said.append)
    config.mkdir(parents=True)
    (config / "config.toml").write_text("[appearance")
    choose(window, "light: dusk")
    assert current_look() is DUSK
    [sentence] = said
    assert "This lasts until the program ends" in sentence
    assert "config.toml" in sentence
    assert (config / "config.toml").read_text() == "[appearance"
