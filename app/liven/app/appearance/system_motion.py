"""The system's setting for reduced motion. Qt does not report it on Linux, so the settings of the desktop
environments are read."""

from __future__ import annotations

import configparser
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Final

from PySide6.QtCore import QObject, QProcess

_GNOME: Final = ("gsettings", ["get", "org.gnome.desktop.interface", "enable-animations"])
_FALSE: Final = ("0", "false", "no")


def reduced_by_files(config: Path) -> bool:
    """Return True if KDE's or GTK's settings below the folder `config` disable animations."""
    kde = _value(config / "kdeglobals", "KDE", "AnimationDurationFactor")
    gtk = [
        _value(config / f"gtk-{number}.0" / "settings.ini", "Settings", "gtk-enable-animations")
        for number in (3, 4)
    ]
    return _is_nothing(kde) or any(value.lower() in _FALSE for value in gtk if value)


def ask_gnome(
    environment: Mapping[str, str], parent: QObject, reduced: Callable[[], object]
) -> QProcess | None:
    """Ask GNOME without waiting; call `reduced` if animations are disabled. Return None if GNOME's tool is
    missing."""
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
    """Return the folder in which desktop environments keep a user's settings."""
    return Path(environment.get("XDG_CONFIG_HOME") or Path.home() / ".config")


def _value(path: Path, section: str, name: str) -> str:
    """Return one value of a settings file; empty if it is missing."""
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
