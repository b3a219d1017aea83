"""What the system says of motion. Qt does not tell it here, so the desktops' own switches are read."""

from __future__ import annotations

import configparser
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Final

from PySide6.QtCore import QObject, QProcess

_GNOME: Final = ("gsettings", ["get", "org.gnome.desktop.interface", "enable-animations"])
_FALSE: Final = ("0", "false", "no")


def reduced_by_files(config: Path) -> bool:
    """Whether KDE, or a program of GTK's without a desktop, was told to move nothing. `config` is the folder
    of the user's settings."""
    kde = _value(config / "kdeglobals", "KDE", "AnimationDurationFactor")
    gtk = [
        _value(config / f"gtk-{number}.0" / "settings.ini", "Settings", "gtk-enable-animations")
        for number in (3, 4)
    ]
    return _is_nothing(kde) or any(value.lower() in _FALSE for value in gtk if value)


def ask_gnome(
    environment: Mapping[str, str], parent: QObject, reduced: Callable[[], object]
) -> QProcess | None:
    """Asks the desktop, where it is one that can be asked, without waiting: calls `reduced` if it moves
    nothing. None where there is nobody to be asked."""
    desktops = environment.get("XDG_CURRENT_DESKTOP", "").upper().split(":")
    if not {"GNOME", "UNITY", "X-CINNAMON", "BUDGIE"} & set(desktops):
        return None
    asked = QProcess(parent)
    asked.finished.connect(
        lambda: reduced() if bytes(asked.readAllStandardOutput().data()).strip() == b"false" else None
    )
    asked.start(*_GNOME)
    return asked


def config_home(environment: Mapping[str, str]) -> Path:
    """Where desktops keep a user's settings."""
    return Path(environment.get("XDG_CONFIG_HOME") or Path.home() / ".config")


def _value(path: Path, section: str, name: str) -> str:
    """One value of a file of settings; empty where it is not there, or the file is none."""
    parser = configparser.ConfigParser(interpolation=None, strict=False)
    try:
        parser.read(path, encoding="utf-8")
    except (configparser.Error, OSError, UnicodeDecodeError):
        return ""
    return parser.get(section, name, fallback="").strip()


def _is_nothing(factor: str) -> bool:
    try:
        return bool(factor) and float(factor) == 0
    except ValueError:
        return False
