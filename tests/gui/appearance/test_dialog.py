"""The dialog for contrast and motion: finding it, immediate effect, and the next start."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QPalette
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QComboBox, QLabel, QLineEdit
from pytestqt.qtbot import QtBot
from tests.gui.appearance.theme_reset import undress

from liven.app.appearance import dialog as dialog_module
from liven.app.appearance.dialog import AppearanceDialog
from liven.app.appearance.settings import Appearance, read_appearance
from liven.app.appearance.theme import Theme
from liven.app.palette.command_palette import CommandPalette
from liven.app.window.object_window import ObjectWindow
from liven.liveobjects.view.accessibility import is_high_contrast, is_motion_reduced
from liven.runtime.user_folders import UserFolders


@pytest.fixture
def home(qapp: QApplication, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The settings folder; resets the appearance after the test."""
    for name in ("LIVEN_HOME", "XDG_CONFIG_HOME"):
        monkeypatch.setenv(name, str(tmp_path))
    for name in ("XDG_CURRENT_DESKTOP", "LIVEN_CONTRAST", "LIVEN_MOTION"):
        monkeypatch.delenv(name, raising=False)
    blinks = qapp.cursorFlashTime()
    yield UserFolders.of_user({"LIVEN_HOME": str(tmp_path)}).config
    for look in qapp.findChildren(Theme):
        look.choose(Appearance())
        look.setParent(None)
        look.deleteLater()
    undress(qapp, blinks)


def opened(qtbot: QtBot, words: str) -> tuple[ObjectWindow, Any]:
    """Open the dialog by typing its name."""
    window = ObjectWindow("thing")
    window.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose, False)
    qtbot.addWidget(window)
    window.show()
    window.menus.find_command()
    palette: Any = window.findChild(CommandPalette)
    line = palette.findChild(QLineEdit)
    QTest.keyClicks(line, words)
    QTest.keyClick(line, Qt.Key.Key_Return)
    return window, window.findChild(AppearanceDialog)


def pick(dialog: Any, name: str, value: str) -> None:
    """Select a choice by keyboard."""
    [box] = [one for one in dialog.findChildren(QComboBox) if one.accessibleName() == name]
    while box.currentData() != value:
        before = box.currentIndex()
        QTest.keyClick(box, Qt.Key.Key_Down)
        if box.currentIndex() == before:
            QTest.keyClick(box, Qt.Key.Key_Home)


@pytest.mark.parametrize("words", ["contrast", "high contrast", "reduced motion", "accessib"])
def test_the_dialog_is_found_in_the_command_palette(qtbot: QtBot, home: Path, words: str) -> None:
    _, dialog = opened(qtbot, words)
    assert dialog is not None
    assert dialog.isVisible()


def test_a_choice_applies_at_once_and_is_saved(qtbot: QtBot, home: Path) -> None:
    window, dialog = opened(qtbot, "contrast")
    pick(dialog, "Contrast", "high")
    assert is_high_contrast()
    assert window.palette().color(QPalette.ColorRole.Base).name() in ("#000000", "#ffffff")
    pick(dialog, "Motion", "reduced")
    assert is_motion_reduced()
    assert QApplication.cursorFlashTime() == 0
    assert read_appearance(home, {}) == Appearance("high", "reduced")
    pick(dialog, "Contrast", "normal")
    pick(dialog, "Motion", "full")
    assert not is_high_contrast()
    assert not is_motion_reduced()
    assert QApplication.cursorFlashTime() != 0
    dialog.accept()
    window.choose_appearance()
    again = window.findChildren(AppearanceDialog)[-1]
    assert [box.currentData() for box in again.findChildren(QComboBox)] == ["system", "normal", "full"]


def test_a_choice_that_cannot_be_saved_applies_with_a_note(
    qtbot: QtBot, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    spoken: list[str] = []
    monkeypatch.setattr(dialog_module, "announce", lambda _, words: spoken.append(words))
    home.mkdir(parents=True)
    (home / "config.toml").write_text("[appearance")
    _, dialog = opened(qtbot, "contrast")
    pick(dialog, "Contrast", "high")
    assert is_high_contrast()
    said = "\n".join(one.text() for one in dialog.findChildren(QLabel))
    assert "Applied until the program ends, but not saved" in said
    assert spoken[-1] in said
    assert (home / "config.toml").read_text() == "[appearance"
    (home / "config.toml").write_text("[appearance]")
    pick(dialog, "Motion", "full")
    assert "not kept" not in "\n".join(one.text() for one in dialog.findChildren(QLabel))
    assert read_appearance(home, {}) == Appearance("high", "full")


def test_the_dialog_names_environment_variables_that_override_it(
    qtbot: QtBot, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LIVEN_CONTRAST", "high")
    _, dialog = opened(qtbot, "contrast")
    said = "\n".join(one.text() for one in dialog.findChildren(QLabel))
    assert "LIVEN_CONTRAST=high override this at the next start" in said


def test_the_dialog_starts_with_the_current_settings(qtbot: QtBot, qapp: QApplication, home: Path) -> None:
    Theme(qapp, Appearance("high"), {})  # as at the start of the program: nobody keeps it
    gc.collect()
    _, dialog = opened(qtbot, "contrast")
    assert [box.currentData() for box in dialog.findChildren(QComboBox)] == ["system", "high", "system"]
