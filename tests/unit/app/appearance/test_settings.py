"""The appearance settings, and the motion settings of the desktop environments."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import QObject

from liven.app.appearance.settings import Appearance, AppearanceError, read_appearance
from liven.app.appearance.system_motion import ask_gnome, config_home, reduced_by_files


def written(folder: Path, text: str) -> Path:
    (folder / "config.toml").write_text(text, encoding="utf-8")
    return folder


def test_without_settings_the_system_decides(tmp_path: Path) -> None:
    assert read_appearance(tmp_path, {}) == Appearance("system", "system")
    other = written(tmp_path, "[multicast]\ncluster = 2\n")
    assert read_appearance(other, {}) == Appearance("system", "system")


def test_the_environment_overrides_the_file(tmp_path: Path) -> None:
    config = written(tmp_path, '[appearance]\ncontrast = "high"\nmotion = "reduced"\n')
    assert read_appearance(config, {}) == Appearance("high", "reduced")
    assert read_appearance(config, {"LIVEN_MOTION": "full"}) == Appearance("high", "full")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (
            '[appearance]\ncontrast = "loud"\n',
            "appearance.contrast is 'loud'; it may be system, high, normal",
        ),
        ("[appearance]\nmotion = 3\n", "appearance.motion is 3; it may be system, reduced, full"),
        (
            '[appearance]\ncolour = "red"\n',
            "appearance.colour is not a setting; valid names: contrast, light, motion",
        ),
        ("appearance = 1\n", "write [appearance] on a line of its own"),
        ("[appearance\n", "cannot be read"),
    ],
)
def test_an_invalid_value_is_refused_with_the_valid_ones(tmp_path: Path, text: str, said: str) -> None:
    with pytest.raises(AppearanceError) as error:
        read_appearance(written(tmp_path, text), {})
    assert said in str(error.value)
    assert "config.toml" in str(error.value)


def test_an_invalid_variable_is_named(tmp_path: Path) -> None:
    with pytest.raises(AppearanceError, match="LIVEN_CONTRAST is 'x'"):
        read_appearance(tmp_path, {"LIVEN_CONTRAST": "x"})


@pytest.mark.parametrize(
    ("name", "text", "reduced"),
    [
        ("kdeglobals", "[KDE]\nAnimationDurationFactor=0\n", True),
        ("kdeglobals", "[KDE]\nAnimationDurationFactor=0.5\n", False),
        ("kdeglobals", "[KDE]\nAnimationDurationFactor=often\n", False),
        ("kdeglobals", "no settings at all", False),
        ("gtk-3.0/settings.ini", "[Settings]\ngtk-enable-animations=0\n", True),
        ("gtk-4.0/settings.ini", "[Settings]\ngtk-enable-animations = false\n", True),
        ("gtk-3.0/settings.ini", "[Settings]\ngtk-enable-animations=1\n", False),
    ],
)
def test_settings_of_kde_and_gtk_are_read(tmp_path: Path, name: str, text: str, reduced: bool) -> None:
    assert not reduced_by_files(tmp_path)
    path = tmp_path / name
    path.parent.mkdir(exist_ok=True)
    path.write_text(text, encoding="utf-8")
    assert reduced_by_files(tmp_path) is reduced


def test_gnome_is_not_queried_on_other_desktops() -> None:
    assert ask_gnome({"XDG_CURRENT_DESKTOP": "KDE"}, QObject(), lambda: None) is None
    assert ask_gnome({}, QObject(), lambda: None) is None


def test_the_settings_folder_follows_xdg_config_home() -> None:
    assert config_home({"XDG_CONFIG_HOME": "/x"}) == Path("/x")
    assert config_home({}).name == ".config"
