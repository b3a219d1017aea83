"""High contrast and reduced motion in windows: by choice, by the system, and back."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QPalette
from PySide6.QtWidgets import QApplication, QProgressBar
from pytestqt.qtbot import QtBot
from tests.gui.appearance.theme_reset import undress

from liven.app.appearance.qt_palette import palette_of
from liven.app.appearance.settings import Appearance
from liven.app.appearance.style_sheet import sheet_of
from liven.app.appearance.theme import Theme
from liven.app.program import desktop_program
from liven.app.window.object_window import ObjectWindow
from liven.liveobjects.look.tokens import DAY, DUSK, HIGH_DARK, HIGH_LIGHT
from liven.liveobjects.look.view.light import current_look
from liven.liveobjects.text.model import Note
from liven.liveobjects.text.view.text_view import TextView
from liven.liveobjects.view.accessibility import is_high_contrast, is_motion_reduced
from liven.runtime.user_folders import UserFolders

ROLES = QPalette.ColorRole
Dress = Callable[..., Theme]


class Host:
    """A host that shows no message."""

    def show_message(self, message: str) -> None: ...

    def withdraw_message(self, message: str) -> None: ...

    def open_object(self, recipe: str, name: str) -> None: ...


@pytest.fixture
def dress(qapp: QApplication, tmp_path: Path) -> Iterator[Dress]:
    """Return a function that applies an appearance, which is reset after the test."""
    made: list[Theme] = []
    blinks = qapp.cursorFlashTime()

    def put_on(contrast: str = "system", motion: str = "system", **environment: str) -> Theme:
        environment.setdefault("XDG_CONFIG_HOME", str(tmp_path))
        made.append(Theme(qapp, Appearance(contrast, motion), environment))
        return made[-1]

    yield put_on
    for look in made:
        look.setParent(None)
        look.deleteLater()
    undress(qapp, blinks)


def ratio(one: QColor, other: QColor) -> float:
    """Return the contrast ratio of two colours, 1 to 21, as defined by WCAG."""
    low, high = sorted((_light(one), _light(other)))
    return (high + 0.05) / (low + 0.05)


def _light(colour: QColor) -> float:
    parts = (colour.redF(), colour.greenF(), colour.blueF())
    red, green, blue = (
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


@pytest.mark.parametrize("dark", [True, False])
@pytest.mark.parametrize(
    ("ink", "paper"),
    [
        (ROLES.WindowText, ROLES.Window),
        (ROLES.Text, ROLES.Base),
        (ROLES.Text, ROLES.AlternateBase),
        (ROLES.ButtonText, ROLES.Button),
        (ROLES.ToolTipText, ROLES.ToolTipBase),
        (ROLES.PlaceholderText, ROLES.Base),
        (ROLES.HighlightedText, ROLES.Highlight),
        (ROLES.Highlight, ROLES.Base),
        (ROLES.Link, ROLES.Base),
        (ROLES.Mid, ROLES.Base),
    ],
)
@pytest.mark.parametrize("group", [QPalette.ColorGroup.Active, QPalette.ColorGroup.Disabled])
def test_high_contrast_colours_have_a_ratio_of_at_least_seven(
    qapp: Any, dark: bool, ink: Any, paper: Any, group: Any
) -> None:
    palette = palette_of(HIGH_DARK if dark else HIGH_LIGHT)
    assert ratio(palette.color(group, ink), palette.color(group, paper)) >= 7


def test_the_chosen_settings_apply_and_views_can_read_them(qapp: Any, dress: Dress) -> None:
    dress("high", "reduced")
    assert is_high_contrast()
    assert is_motion_reduced()
    assert qapp.palette().color(ROLES.Window) in (QColor("#000000"), QColor("#ffffff"))
    assert qapp.cursorFlashTime() == 0
    assert not any(qapp.isEffectEnabled(effect) for effect in Qt.UIEffect)
    dress("normal", "full")
    assert not is_high_contrast()
    assert not is_motion_reduced()
    assert qapp.palette().color(ROLES.Window) == QColor(DAY.island)
    assert qapp.styleSheet() == sheet_of(DAY)


def test_without_a_choice_the_system_settings_apply(
    qapp: Any, dress: Dress, monkeypatch: pytest.MonkeyPatch
) -> None:
    look = dress()
    assert not look.high_contrast

    class Hints:
        def contrastPreference(self) -> Qt.ContrastPreference:
            return Qt.ContrastPreference.HighContrast

    monkeypatch.setattr(look, "_accessibility", Hints())
    qapp.styleHints().colorSchemeChanged.emit(Qt.ColorScheme.Light)
    assert is_high_contrast()
    chosen = dress("normal")
    monkeypatch.setattr(chosen, "_accessibility", Hints())
    chosen.apply()
    assert not is_high_contrast()


def test_a_change_of_the_system_setting_changes_open_windows(qapp: Any, dress: Dress) -> None:
    look = dress()
    if look._accessibility is None:
        pytest.skip("this Qt does not tell what contrast is wanted")
    look.chosen = Appearance("high")
    look._accessibility.contrastPreferenceChanged.emit(Qt.ContrastPreference.HighContrast)
    assert is_high_contrast()


def test_kde_without_animations_reduces_motion_unless_motion_was_chosen(dress: Dress, tmp_path: Path) -> None:
    (tmp_path / "kdeglobals").write_text("[KDE]\nAnimationDurationFactor=0\n")
    assert dress().reduced_motion
    assert not dress(motion="full").reduced_motion


@pytest.mark.parametrize(("answer", "still"), [("false", True), ("true", False)])
def test_gnome_is_queried_without_blocking(
    dress: Dress, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, answer: str, still: bool
) -> None:
    desktop_program = tmp_path / "gsettings"
    desktop_program.write_text(f"#!/bin/sh\necho {answer}\n")
    desktop_program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    look = dress(XDG_CURRENT_DESKTOP="ubuntu:GNOME")
    assert not look.reduced_motion
    asked = look._asked
    assert asked is not None
    qtbot.waitUntil(lambda: asked.state() is asked.ProcessState.NotRunning, timeout=20_000)
    assert look.reduced_motion is still
    assert is_motion_reduced() is still


def test_progress_bars_are_still_under_reduced_motion(dress: Dress, qtbot: QtBot) -> None:
    for motion, runs in (("full", True), ("reduced", False)):
        dress(motion=motion)
        window = ObjectWindow("List")
        qtbot.addWidget(window)
        window.show_loading("its classes")
        bar = window.findChild(QProgressBar)
        assert isinstance(bar, QProgressBar)
        assert (bar.minimum() == bar.maximum()) is runs


def test_a_note_is_black_and_white_under_high_contrast(dress: Dress, qtbot: QtBot) -> None:
    face = TextView(Note(lambda _: None), Host())
    assert face.widget().palette().color(ROLES.Base).name() == "#ffecae"
    face.close_widget()
    dress("high")
    page = face.widget()
    assert ratio(page.palette().color(ROLES.Text), page.palette().color(ROLES.Base)) == pytest.approx(21)
    face.close_widget()


def test_an_open_note_follows_the_system_into_high_contrast_and_back(dress: Dress, qtbot: QtBot) -> None:
    look = dress()
    face = TextView(Note(lambda _: None), Host())
    page = face.widget()
    qtbot.addWidget(page)
    page.show()
    for chosen, ground in (("high", None), ("normal", "#ffecae")):
        look.chosen = Appearance(chosen)
        look._hints.colorSchemeChanged.emit(Qt.ColorScheme.Light)
        QApplication.processEvents()
        colour = page.palette().color(ROLES.Base).name()
        assert colour == (ground or QApplication.palette().color(ROLES.Base).name())
        seen = page.grab().toImage().pixelColor(page.rect().center()).name()
        assert seen == colour
        faint = page.palette().color(ROLES.PlaceholderText)
        assert ratio(faint, page.palette().color(ROLES.Base)) >= (7 if chosen == "high" else 4.5)
    face.close_widget()


def test_dusk_and_day_are_chosen_and_otherwise_the_system_decides(qapp: Any, dress: Dress) -> None:
    for light, look in (("dusk", DUSK), ("day", DAY)):
        theme = dress()
        theme.choose(Appearance("normal", "full", light))
        assert current_look() is look
        assert theme.is_dark is look.dark
        assert qapp.palette().color(ROLES.Text) == QColor(look.ink)
    theme.choose(Appearance("high", "full", "dusk"))
    assert current_look() is HIGH_DARK
    theme.choose(Appearance("normal", "full", "system"))
    assert theme.is_dark is (qapp.styleHints().colorScheme() is Qt.ColorScheme.Dark)


def test_a_note_that_is_open_follows_into_dusk(dress: Dress, qtbot: QtBot) -> None:
    theme = dress("normal")
    theme.choose(Appearance("normal", "full", "day"))
    face = TextView(Note(lambda _: None), Host())
    page = face.widget()
    qtbot.addWidget(page)
    page.show()
    for light, look in (("dusk", DUSK), ("day", DAY)):
        theme.choose(Appearance("normal", "full", light))
        QApplication.processEvents()
        seen = page.grab().toImage().pixelColor(page.rect().center()).name()
        assert seen == look.papers["sun"].sheet
    face.close_widget()


def test_the_same_look_is_not_put_on_twice(qapp: Any, dress: Dress, monkeypatch: pytest.MonkeyPatch) -> None:
    theme = dress("normal")
    sheets: list[str] = []
    monkeypatch.setattr(type(qapp), "setStyleSheet", lambda _, sheet: sheets.append(sheet))
    theme.apply()
    theme.rest()
    assert sheets == []
    theme.choose(Appearance("high"))
    assert len(sheets) == 1


@pytest.mark.parametrize(("pixels", "size"), [(13, 14), (15, 14), (22, 21), (60, 22)])
def test_letters_of_windows_follow_the_size_of_the_system_and_those_of_notes_do_not(
    qapp: Any, dress: Dress, pixels: int, size: int
) -> None:
    font = qapp.font()
    font.setPixelSize(pixels)
    qapp.setFont(font)
    dress()
    assert qapp.font().pixelSize() == size
    page = TextView(Note(lambda _: None), Host()).widget()
    assert page.font().pixelSize() == 16
    page.deleteLater()


def test_invalid_settings_are_a_problem_and_the_program_starts(
    dress: Dress, qapp: Any, tmp_path: Path
) -> None:
    dress()  # which undresses the program afterwards
    folders = UserFolders.below(tmp_path)
    assert desktop_program._apply_appearance(qapp, folders) is None
    folders.config.mkdir(parents=True)
    (folders.config / "config.toml").write_text('[appearance]\ncontrast = "loud"\n')
    problem = desktop_program._apply_appearance(qapp, folders)
    assert problem is not None
    assert "it may be system, high, normal" in problem.what
    assert not is_high_contrast()


def test_letters_are_those_of_before_when_a_test_has_undressed_the_program(qapp: Any, dress: Dress) -> None:
    before = qapp.font()
    dress("high")
    assert qapp.font() != before
    undress(qapp, qapp.cursorFlashTime())
    assert qapp.font() == before
